//! Every function at every level of this machine, n = 256 in L1.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tenferro_vmath::{Level, Table, table_f32, table_f64};

#[path = "../tests/apply/mod.rs"]
mod apply;

const N: usize = 256;

fn table<T: Copy + Default + 'static>(c: &mut Criterion, kind: &str, level: Level, t: &Table<T>, of: fn(f64) -> T) {
    for (name, f) in apply::functions(t) {
        let x: Vec<Vec<T>> = (0..f.inputs()).map(|i| (0..N).map(|j| of(0.1 + (j + i * 5) as f64 * 0.03)).collect()).collect();
        let mut out = vec![vec![of(0.0); N]; f.outputs()];
        let src: Vec<*const T> = x.iter().map(Vec::as_ptr).collect();
        let dst: Vec<*mut T> = out.iter_mut().map(Vec::as_mut_ptr).collect();
        let mut group = c.benchmark_group(format!("{kind}/{name}"));
        group.throughput(Throughput::Elements(N as u64));
        // SAFETY: all vectors have N elements and are distinct.
        group.bench_function(level.name(), |b| b.iter(|| unsafe { f.raw(&src, &dst, N) }));
        group.finish();
    }
}

fn all(c: &mut Criterion) {
    for &level in Level::all().iter().filter(|l| l.available()) {
        table(c, "f64", level, table_f64(level), |x| x);
        table(c, "f32", level, table_f32(level), |x| x as f32);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(50)).measurement_time(std::time::Duration::from_millis(200)).sample_size(20);
    targets = all
}
criterion_main!(benches);
