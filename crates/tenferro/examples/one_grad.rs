//! One gradient, stage by stage, with the time of each: y = Σ x², x = (1, 2, 3).

#![allow(clippy::print_stdout)]

use std::time::Instant;

use tenferro::{CpuEngine, ExecutionEngine, GraphCompiler, NoInterrupt, Result, Runtime, TracedTensor, ops, summary};

fn stage<T>(name: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let out = f();
    println!("{name:<28}{:>10.2} µs", start.elapsed().as_secs_f64() * 1e6);
    out
}

fn main() -> Result<()> {
    let x = stage("from_vec_col_major", || TracedTensor::from_vec_col_major(&[3], &[1.0, 2.0, 3.0]))?;
    let y = stage("(x * x).reduce_sum([0])", || ops::reduce_sum(&(&x * &x)?, &[0]))?;
    let g = stage("grad", || y.grad(&x))?;
    let compiled = stage("compile", || GraphCompiler::new().compile(&[g]))?;
    println!("  {}\n{}", summary(compiled.program()), compiled.program());
    let mut engine = CpuEngine::serial();
    let runtime = Runtime::builder().register_engine(engine.registration()).build();
    let prepared = stage("prepare", || runtime.prepare(&compiled, &[], &[engine.target()]))?;
    let mut run = || runtime.run(&mut [&mut engine], &prepared, &[], &NoInterrupt);
    stage("run", &mut run)?;
    let out = stage("run again", &mut run)?;
    println!("gradient {:?}", out[0].tensor().to_vec::<f64>());
    let t = TracedTensor::from_vec_col_major(&[3], &[0.1, 1.0, -2.0])?;
    let compiled = GraphCompiler::new().compile(&[y.jvp(&x, &t)?])?;
    let prepared = runtime.prepare(&compiled, &[], &[engine.target()])?;
    let along = runtime.run(&mut [&mut engine], &prepared, &[], &NoInterrupt)?;
    println!("along (.1, 1, -2) {:?}", along[0].tensor().to_vec::<f64>());
    Ok(())
}
