//! Whole tapes: the second time that one is seen, going back over it is one program.

use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHasher;
use tenferro_graph::{Builder, Plan, Registration, Result, SmallVec, Tensor, Val};

use super::tensor::{Node, Track, Variable};
use crate::cache::hash_of;

/// Longer tapes are gone over op by op.
const LONGEST: usize = 4096;

/// The shape of a tape, and its backward once it has been planned.
pub(crate) struct Tape {
    pub key: Box<[u64]>,
    /// `None`: it does not go in one program.
    whole: OnceLock<Option<Whole>>,
}

/// The backward of a tape as one program of kept values and the seed.
pub(crate) struct Whole {
    pub plan: Arc<dyn Plan>,
    reads: Vec<Read>,
    /// Per variable, which output is its gradient.
    pub results: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
enum Read {
    Kept { node: usize, at: usize },
    Seed,
}

/// The nodes behind a result, users before what they use, and the variables.
pub(crate) struct Walk<'a> {
    nodes: Vec<&'a Arc<Node>>,
    pub variables: Vec<&'a Arc<Variable>>,
    pub key: SmallVec<[u64; 32]>,
    pub hash: u64,
}

/// A node in the order of its number.
struct Ordered<'a>(&'a Arc<Node>);

impl PartialEq for Ordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Ordered<'_> {}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

impl<'a> Walk<'a> {
    /// `None` if the tape is long or was recorded for another kind of engine.
    pub fn new(root: &'a Arc<Node>, out: u32, registration: &Registration) -> Option<Self> {
        let nodes = nodes(root)?;
        if nodes.iter().any(|n| n.op.registration.target != registration.target) {
            return None;
        }
        let mut variables: Vec<&Arc<Variable>> = vec![];
        let mut known: HashMap<*const Variable, u64, BuildHasherDefault<FxHasher>> = HashMap::default();
        let mut key: SmallVec<[u64; 32]> = SmallVec::new();
        key.push(u64::from(out));
        for node in &nodes {
            key.push(node.op.id);
            for track in &node.tracks {
                key.push(match track {
                    Track::None => 0,
                    Track::Variable(v) => {
                        1 + 2 * *known.entry(Arc::as_ptr(v)).or_insert_with(|| {
                            variables.push(v);
                            variables.len() as u64 - 1
                        })
                    }
                    Track::Node(n, out) => 2 + 2 * (position(&nodes, n.number) as u64 + u64::from(*out) * LONGEST as u64),
                });
            }
        }
        let hash = hash_of(&key.as_slice());
        Some(Self { nodes, variables, key, hash })
    }

    /// What the program reads, in its order.
    pub fn inputs(&self, whole: &Whole, seed: &Tensor) -> SmallVec<[Tensor; 8]> {
        let read = |r: &Read| match *r {
            Read::Kept { node, at } => self.nodes[node].kept[at].clone(),
            Read::Seed => seed.clone(),
        };
        whole.reads.iter().map(read).collect()
    }

    /// The forward program of the tape, differentiated. `None` if it reads a value that
    /// no node keeps.
    fn whole(&self, out: usize, registration: &Registration) -> Result<Option<Whole>> {
        let b = Builder::new();
        let mut args: Vec<SmallVec<[Val; 3]>> = self.nodes.iter().map(|n| n.tracks.iter().map(|_| Val::NONE).collect()).collect();
        let mut variables = vec![Val::NONE; self.variables.len()];
        for (node, args) in self.nodes.iter().zip(&mut args) {
            for ((track, aval), arg) in node.tracks.iter().zip(&node.op.avals).zip(args) {
                *arg = match track {
                    Track::None => b.input(aval.clone()),
                    Track::Node(..) => continue,
                    Track::Variable(v) => {
                        let at = self.variables.iter().position(|w| Arc::ptr_eq(v, w)).unwrap_or(0);
                        if variables[at] == Val::NONE {
                            variables[at] = b.input(aval.clone());
                        }
                        variables[at]
                    }
                };
            }
        }
        let mut outs: Vec<SmallVec<[Val; 4]>> = vec![SmallVec::new(); self.nodes.len()];
        let mut places: HashMap<Val, Read> = HashMap::new();
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            for (track, arg) in node.tracks.iter().zip(&mut args[i]) {
                if let Track::Node(n, out) = track {
                    *arg = outs[position(&self.nodes, n.number)][*out as usize];
                }
            }
            outs[i] = b.emit(node.op.prim.clone(), &args[i])?;
            for (at, k) in node.keeps.iter().enumerate() {
                let v = args[i].iter().chain(&outs[i]).nth(*k).copied().unwrap_or(Val::NONE);
                places.insert(v, Read::Kept { node: i, at });
            }
        }
        let forward = b.finish(vec![outs[0][out]])?;
        let (derived, results) = tenferro_ad::vjp(&forward, &variables)?;
        places.insert(Val::from_index(forward.n_values()), Read::Seed);
        let live = derived.live();
        let reads: Option<Vec<Read>> = derived.inputs().filter(|v| live[v.index()]).map(|v| places.get(&v).copied()).collect();
        let Some(reads) = reads.filter(|_| !derived.outputs().is_empty()) else { return Ok(None) };
        let program = Arc::new(derived.with_live_inputs(&live)?);
        let plan = registration.planner.plan(&program, &program.input_avals())?;
        Ok(Some(Whole { plan, reads, results }))
    }
}

impl Tape {
    pub fn new(key: &[u64]) -> Self {
        Self { key: key.into(), whole: OnceLock::new() }
    }

    /// The program, made at first need. Where that fails, op by op says why.
    pub fn whole(&self, walk: &Walk<'_>, out: u32, registration: &Registration) -> Option<&Whole> {
        self.whole.get_or_init(|| walk.whole(out as usize, registration).ok().flatten()).as_ref()
    }
}

/// Largest number first: a node's users have larger ones.
fn nodes(root: &Arc<Node>) -> Option<Vec<&Arc<Node>>> {
    let mut heap = BinaryHeap::from([Ordered(root)]);
    let mut nodes: Vec<&Arc<Node>> = vec![];
    while let Some(Ordered(node)) = heap.pop() {
        if nodes.last().is_some_and(|n| n.number == node.number) {
            continue;
        }
        if nodes.len() == LONGEST {
            return None;
        }
        nodes.push(node);
        heap.extend(node.tracks.iter().filter_map(|t| if let Track::Node(n, _) = t { Some(Ordered(n)) } else { None }));
    }
    Some(nodes)
}

fn position(nodes: &[&Arc<Node>], number: u64) -> usize {
    nodes.binary_search_by(|n| number.cmp(&n.number)).unwrap_or_default()
}
