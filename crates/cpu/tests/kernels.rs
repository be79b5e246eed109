//! Kernels of third parties.

mod support;

use support::{program, run};
use tenferro_cpu::{CpuEngine, Input, Kernel, OutputMut};
use tenferro_graph::{Aval, Error, ExecutionEngine, Guards, Interrupt, Primitive, Result, Tensor};
use tenferro_ops::{Reduce, ReduceOp, Transpose, Unary, UnaryOp};

/// Sums and products of the elements up to each one, along the last axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Running;

impl Primitive for Running {
    fn name(&self) -> &'static str {
        "running"
    }

    fn infer(&self, x: &[Aval], _: &mut Guards) -> Result<Vec<Aval>> {
        Ok(vec![x[0].clone(), x[0].clone()])
    }
}

/// Planned for rows of one length.
#[derive(Debug)]
struct Rows(usize);

impl Kernel for Rows {
    fn run(&self, inputs: &[Input<'_>], outputs: &mut [OutputMut<'_>], stop: &dyn Interrupt) -> Result<()> {
        let [sums, products] = outputs else { return Err(Error::program("running: makes two arrays")) };
        let slices = (inputs[0].as_slice::<f64>(), sums.as_mut_slice::<f64>(), products.as_mut_slice::<f64>());
        let (Some(x), Some(s), Some(p)) = slices else { return Err(Error::dtype("running", "takes float64")) };
        assert!(s.iter().chain(&*p).all(|y| *y == 0.0));
        for row in 0..x.len() / self.0 {
            stop.poll()?;
            let (mut sum, mut product) = (0.0, 1.0);
            for i in row * self.0..(row + 1) * self.0 {
                (sum, product) = (sum + x[i], product * x[i]);
                (s[i], p[i]) = (sum, product);
            }
        }
        Ok(())
    }
}

fn engine() -> CpuEngine {
    let choose = |_: &Running, inputs: &[Aval], outputs: &[Aval]| -> Result<Box<dyn Kernel>> {
        assert_eq!((inputs.len(), outputs.len()), (1, 2));
        let n = inputs[0].shape.concrete().and_then(|s| s.last().copied());
        Ok(Box::new(Rows(n.ok_or_else(|| Error::shape("running", "needs an axis"))?)))
    };
    CpuEngine::builder().threads(1).kernel(choose).build()
}

#[test]
fn an_installed_kernel_runs_among_the_engines_own() {
    // The input of the kernel is a transposed view; its outputs go on into a fused group.
    let x = Tensor::from_slice(&[3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).expect("memory");
    let p = program(std::slice::from_ref(&x), |b, v| {
        let t = b.emit_one(Transpose { axes: vec![1, 0] }.into(), &[v[0]]);
        let outs = b.emit(Running.into(), &[t]).expect("valid");
        let sum = b.emit_one(Reduce { op: ReduceOp::Sum, axes: vec![1] }.into(), &[outs[0]]);
        vec![outs[0], b.emit_one(Unary(UnaryOp::Neg).into(), &[outs[1]]), sum]
    });
    let outs = run(&mut engine(), &p, std::slice::from_ref(&x)).expect("runs");
    let of = |i: usize| outs[i].tensor().to_vec::<f64>().expect("reals");
    assert_eq!(of(0), [1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
    assert_eq!(of(1), [-1.0, -2.0, -6.0, -4.0, -20.0, -120.0]);
    assert_eq!(of(2), [10.0, 28.0]);
}

#[test]
fn errors_of_kernels_and_their_makers_arrive() {
    let mut engine = engine();
    let x = Tensor::from_slice(&[2], &[1_i64, 2]).expect("memory");
    let p = program(std::slice::from_ref(&x), |b, v| b.emit(Running.into(), v).expect("valid").to_vec());
    assert_eq!(run(&mut engine, &p, &[x]).expect_err("int64").to_string(), "running: takes float64");
    let x = Tensor::scalar(1.0);
    let p = program(std::slice::from_ref(&x), |b, v| b.emit(Running.into(), v).expect("valid").to_vec());
    assert_eq!(engine.planner().plan(&p, &p.input_avals()).expect_err("rank 0").to_string(), "running: needs an axis");
    let e = CpuEngine::serial().planner().plan(&p, &p.input_avals()).expect_err("no kernel");
    assert_eq!(e.to_string(), "running: engine cpu has no kernel for it");
}
