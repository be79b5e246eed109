//! grad, vjp and jvp of traced tensors.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tenferro_graph::{DType, Error, Program, Result, SmallVec, Val};
use tenferro_ops::Number;

use crate::fragment::{Fragment, Recorder, Role, Source};
use crate::narrow::narrow_and_merge;
use crate::resolve::resolve;
use crate::traced::{TracedTensor, check_like};

/// The unit cotangents of float32 and float64 losses.
static SEEDS: [OnceLock<TracedTensor>; 2] = [OnceLock::new(), OnceLock::new()];

impl TracedTensor {
    /// The gradient of this real scalar with respect to `wrt`, in its shape and dtype;
    /// zeros if it does not depend on `wrt`. For complex `wrt` the direction of
    /// steepest ascent, 2∂L/∂z̄.
    ///
    /// # Errors
    /// `Shape` if this is not a scalar, `DType` if it is not a real floating scalar.
    pub fn grad(&self, wrt: &Self) -> Result<Self> {
        or_zeros(self.grad_many(std::slice::from_ref(wrt))?, wrt)
    }

    /// Gradients with respect to several values in one sweep; `None` where it does not
    /// depend on one.
    pub fn grad_many(&self, wrt: &[Self]) -> Result<Vec<Option<Self>>> {
        self.check_loss()?;
        let one = self.unit()?;
        Self::vjp_many(std::slice::from_ref(self), wrt, &[one])
    }

    /// The cotangent of `wrt` from the cotangent `ct` of this value (ones if `None`).
    pub fn vjp(&self, wrt: &Self, ct: Option<&Self>) -> Result<Self> {
        let ct = ct.map_or_else(|| self.unit(), |ct| Ok(ct.clone()))?;
        or_zeros(Self::vjp_many(std::slice::from_ref(self), std::slice::from_ref(wrt), &[ct])?, wrt)
    }

    /// Cotangents of `wrt` from cotangents of `outputs`, in one sweep.
    pub fn vjp_many(outputs: &[Self], wrt: &[Self], cts: &[Self]) -> Result<Vec<Option<Self>>> {
        if outputs.len() != cts.len() {
            return Err(Error::binding(format!("vjp: {} outputs and {} cotangents", outputs.len(), cts.len())));
        }
        for (y, ct) in outputs.iter().zip(cts) {
            check_like("vjp", "cotangent", ct, y)?;
        }
        transform(outputs, wrt, cts, Role::Cotangent, tenferro_ad::vjp)
    }

    /// The tangent of this value along the tangent `t` of `wrt`; zeros if independent.
    pub fn jvp(&self, wrt: &Self, t: &Self) -> Result<Self> {
        let of = std::slice::from_ref;
        or_zeros(Self::jvp_many(of(self), of(wrt), of(t))?, self)
    }

    /// Tangents of `outputs` along tangents of `wrt`; `None` where exactly zero.
    pub fn jvp_many(outputs: &[Self], wrt: &[Self], ts: &[Self]) -> Result<Vec<Option<Self>>> {
        if wrt.len() != ts.len() {
            return Err(Error::binding(format!("jvp: {} inputs and {} tangents", wrt.len(), ts.len())));
        }
        for (x, t) in wrt.iter().zip(ts) {
            check_like("jvp", "tangent", t, x)?;
        }
        transform(outputs, wrt, ts, Role::Tangent, tenferro_ad::jvp)
    }

    fn check_loss(&self) -> Result<()> {
        if self.shape().rank() != 0 {
            return Err(Error::shape("grad", format!("needs a scalar, got shape {}; sum it, or use vjp", self.shape())));
        }
        if !self.dtype().is_float() {
            let hint = if self.dtype().is_complex() { "take its real part" } else { "give floats" };
            return Err(Error::dtype("grad", format!("needs a real floating scalar, got {}; {hint}", self.dtype())));
        }
        Ok(())
    }

    /// A cotangent of ones: for a real scalar the bound input that all gradients
    /// share, so that programs with several of them have one sweep; else recorded.
    fn unit(&self) -> Result<Self> {
        let seed = match self.dtype() {
            DType::F32 => &SEEDS[0],
            DType::F64 => &SEEDS[1],
            _ => return tenferro_ops::ones_like(self),
        };
        if self.shape().rank() != 0 {
            return tenferro_ops::ones_like(self);
        }
        if let Some(seed) = seed.get() {
            return Ok(seed.clone());
        }
        let one = Number::Float(1.0).tensor(self.dtype())?;
        Ok(seed.get_or_init(|| Self::from_tensor(one)).clone())
    }
}

fn or_zeros(many: Vec<Option<TracedTensor>>, like: &TracedTensor) -> Result<TracedTensor> {
    many.into_iter().next().flatten().map_or_else(|| tenferro_ops::zeros_like(like), Ok)
}

type Derive = fn(&Program, &[Val]) -> Result<(Program, Vec<Option<usize>>)>;

/// Resolves, narrows and merges, differentiates, and records the result as one
/// fragment that refers to the original values.
fn transform(
    outputs: &[TracedTensor],
    wrt: &[TracedTensor],
    extra: &[TracedTensor],
    role: Role,
    derive: Derive,
) -> Result<Vec<Option<TracedTensor>>> {
    for x in wrt.iter().chain(outputs) {
        if !x.dtype().is_inexact() {
            let op = if role == Role::Tangent { "jvp" } else { "vjp" };
            return Err(Error::dtype(op, format!("{} has no derivative; cast it to a floating dtype", x.dtype())));
        }
    }
    let resolved = resolve(outputs)?;
    let found: Vec<Option<Val>> = wrt.iter().map(|x| resolved.find(x)).collect();
    let keep: Vec<Val> = found.iter().flatten().copied().collect();
    let rewritten = narrow_and_merge(&resolved.program, &keep)?;
    let mut origin: Vec<Option<TracedTensor>> = vec![None; rewritten.program.n_values()];
    for (old, new) in rewritten.map.iter().enumerate().filter(|(_, v)| **v != Val::NONE) {
        let slot = &mut origin[new.index()];
        if slot.is_none() {
            slot.clone_from(&resolved.origin[old]);
        }
    }
    // A dead wrt has no number in the rewritten program: nothing depends on it.
    let new = |v: &Option<Val>| v.map(|v| rewritten.map[v.index()]).filter(|v| *v != Val::NONE);
    let found: Vec<Option<Val>> = found.iter().map(new).collect();
    let mut seen: Vec<Val> = found.iter().flatten().copied().collect();
    let is_jvp = role == Role::Tangent;
    if is_jvp {
        return tangents(&rewritten.program, &origin, &found, &seen, extra, derive);
    }
    seen.sort_unstable();
    seen.dedup();
    let (program, which) = derive(&rewritten.program, &seen)?;
    let values = record(&rewritten.program, &program, &origin, extra, role)?;
    let pick = |v: &Option<Val>| {
        let at = seen.binary_search(&(*v)?).ok()?;
        which[at].map(|i| values[i].clone())
    };
    Ok(found.iter().map(pick).collect())
}

fn tangents(
    forward: &Program,
    origin: &[Option<TracedTensor>],
    found: &[Option<Val>],
    seen: &[Val],
    extra: &[TracedTensor],
    derive: Derive,
) -> Result<Vec<Option<TracedTensor>>> {
    // Only the tangents of values that the outputs depend on are inputs. A value given
    // twice moves along both.
    let used: Vec<TracedTensor> = extra.iter().zip(found).filter(|(_, f)| f.is_some()).map(|(t, _)| t.clone()).collect();
    let (program, which) = derive(forward, seen)?;
    let values = record(forward, &program, origin, &used, Role::Tangent)?;
    Ok(which.iter().map(|w| w.map(|i| values[i].clone())).collect())
}

/// Turns a derivative program into one fragment. Its inputs are the forward values
/// and then `extra`; forward values that no fragment records (a narrowed op's extra
/// outputs) are recorded again here.
fn record(
    forward: &Program,
    derived: &Program,
    origin: &[Option<TracedTensor>],
    extra: &[TracedTensor],
    role: Role,
) -> Result<Vec<TracedTensor>> {
    let live = derived.live();
    let mut r = Sources::default();
    let n_forward = forward.n_values();
    let mut source: Vec<Option<Source>> = vec![None; derived.n_values()];
    let mut again: Vec<usize> = vec![];
    let definitions = if origin.iter().any(Option::is_none) { forward.definitions() } else { vec![] };
    let mut needed = live[..n_forward].to_vec();
    for i in (0..n_forward).rev().filter(|i| origin[*i].is_none()) {
        if let Some(step) = definitions[i].filter(|_| needed[i]) {
            if again.last() != Some(&(step as usize)) {
                again.push(step as usize);
            }
            for a in forward.step(step as usize).args {
                needed[a.index()] = true;
            }
        }
    }
    for i in (0..n_forward).filter(|i| needed[*i]) {
        source[i] = origin[i].as_ref().map(|t| r.of(t));
    }
    for (i, t) in extra.iter().enumerate().filter(|(i, _)| live[n_forward + i]) {
        source[n_forward + i] = Some(r.of(t));
    }
    // A leaf of which no element is read may still say how large the derivative is.
    let symbolic = |v: &Val| forward.aval(*v).shape.concrete().is_none();
    for t in forward.inputs().filter(symbolic).filter_map(|v| origin[v.index()].as_ref()) {
        r.of(t);
    }
    let mut recorder = Recorder::new(r.fragments, 0);
    let missing = || Error::program("a derivative refers to a value that is not recorded");
    for step in again.into_iter().rev().map(|i| forward.step(i)) {
        let inputs: Option<SmallVec<[Source; 2]>> = step.args.iter().map(|a| source[a.index()]).collect();
        let avals = step.outs().map(|v| forward.aval(v).clone());
        let first = recorder.push(step.prim.clone(), inputs.ok_or_else(missing)?, avals, role);
        for (i, v) in step.outs().enumerate() {
            source[v.index()].get_or_insert(Source::Own(first + i as u32));
        }
    }
    for step in derived.steps().filter(|s| s.outs().any(|v| live[v.index()])) {
        let inputs: Option<SmallVec<[Source; 2]>> = step.args.iter().map(|a| source[a.index()]).collect();
        let avals = step.outs().map(|v| derived.aval(v).clone());
        let first = recorder.push(step.prim.clone(), inputs.ok_or_else(missing)?, avals, role);
        for (i, v) in step.outs().enumerate() {
            source[v.index()] = Some(Source::Own(first + i as u32));
        }
    }
    recorder.guard(derived.guards());
    let fragment = recorder.finish();
    let tensor = |v: &Val| match source[v.index()] {
        Some(Source::Own(value)) => Ok(TracedTensor { fragment: fragment.clone(), value }),
        Some(Source::Of { fragment: f, value }) => Ok(TracedTensor { fragment: fragment.sources[f as usize].clone(), value }),
        None => Err(missing()),
    };
    derived.outputs().iter().map(tensor).collect()
}

/// Distinct fragments that a new one refers to.
#[derive(Default)]
pub(crate) struct Sources {
    pub fragments: Vec<Arc<Fragment>>,
    index: HashMap<u64, u32>,
}

impl Sources {
    pub fn of(&mut self, t: &TracedTensor) -> Source {
        let fragments = &mut self.fragments;
        let fragment = *self.index.entry(t.fragment.id).or_insert_with(|| {
            fragments.push(t.fragment.clone());
            fragments.len() as u32 - 1
        });
        Source::Of { fragment, value: t.value }
    }
}
