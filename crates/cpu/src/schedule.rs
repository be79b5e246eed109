//! The order of instructions: light ones as soon as they can run, heavy ones that do
//! not depend on each other together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tenferro_graph::{Prim, Program};
use tenferro_linalg::{Svd, SvdSolve, SvdTrunc, SvdVals};
use tenferro_ops::DotGeneral;

/// One instruction, or several that may run side by side.
pub(crate) enum Batch {
    Light(usize),
    Heavy(Vec<usize>),
}

fn is_heavy(p: &Prim) -> bool {
    p.is::<DotGeneral>() || p.is::<Svd>() || p.is::<SvdTrunc>() || p.is::<SvdSolve>() || p.is::<SvdVals>()
}

/// A topological order; deterministic.
pub(crate) fn schedule(program: &Program) -> Vec<Batch> {
    let n = program.n_steps();
    let definitions = program.definitions();
    let mut waiting = vec![0_u32; n];
    let mut first_user = vec![u32::MAX; n];
    let mut users: Vec<(u32, u32)> = Vec::new(); // (user, next entry)
    for (i, step) in program.steps().enumerate() {
        for d in step.args.iter().filter_map(|a| definitions[a.index()]) {
            waiting[i] += 1;
            users.push((i as u32, first_user[d as usize]));
            first_user[d as usize] = users.len() as u32 - 1;
        }
    }
    let heavy: Vec<bool> = program.steps().map(|s| is_heavy(s.prim)).collect();
    let (mut light, mut ready): (BinaryHeap<Reverse<usize>>, Vec<usize>) = (BinaryHeap::new(), vec![]);
    let push = |i: usize, light: &mut BinaryHeap<Reverse<usize>>, ready: &mut Vec<usize>| {
        if heavy[i] { ready.push(i) } else { light.push(Reverse(i)) }
    };
    (0..n).filter(|i| waiting[*i] == 0).for_each(|i| push(i, &mut light, &mut ready));
    let mut out = Vec::with_capacity(n);
    loop {
        let batch = if let Some(Reverse(i)) = light.pop() {
            Batch::Light(i)
        } else if ready.is_empty() {
            return out;
        } else {
            ready.sort_unstable();
            Batch::Heavy(std::mem::take(&mut ready))
        };
        let done: &[usize] = match &batch {
            Batch::Light(i) => std::slice::from_ref(i),
            Batch::Heavy(many) => many,
        };
        for i in done {
            let mut at = first_user[*i];
            while at != u32::MAX {
                let (user, next) = users[at as usize];
                waiting[user as usize] -= 1;
                if waiting[user as usize] == 0 {
                    push(user as usize, &mut light, &mut ready);
                }
                at = next;
            }
        }
        out.push(batch);
    }
}
