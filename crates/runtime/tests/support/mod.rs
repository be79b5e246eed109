//! A naive engine: an interpreter of float64 programs, independent of every other.
#![allow(dead_code)]

pub mod call;
pub mod spectrum;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tenferro_graph::{
    Aval, Error, ExecutionEngine, Interrupt, NoInterrupt, Output, Plan, Planner, Prim, Program, Registration, Result, Target, Tensor,
    check_inputs,
};
use tenferro_ops::{Binary, BinaryOp, BroadcastInDim, Constant, Pad, Reduce, ReduceOp, Reshape, Slice, Transpose, Unary, UnaryOp};
use tenferro_runtime::{CompiledGraph, GraphCompiler, Prepared, Runtime, TracedTensor, set_verify};

pub struct Naive {
    target: Target,
    pub synchronized: usize,
    /// Programs planned by any engine of this target's planner.
    planner: Arc<NaivePlanner>,
}

struct NaivePlanner {
    target: Target,
    planned: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct NaivePlan {
    program: Arc<Program>,
    sig: Vec<Aval>,
    target: Target,
}

impl Naive {
    pub fn new() -> Self {
        Self::named("naive")
    }

    pub fn named(name: &str) -> Self {
        set_verify(true);
        let target = Target::new(name);
        let planner = Arc::new(NaivePlanner { target: target.clone(), planned: Arc::default() });
        Self { target, synchronized: 0, planner }
    }

    pub fn planned(&self) -> usize {
        self.planner.planned.load(Ordering::Relaxed)
    }

    /// The same count, readable when the engine is in other hands.
    pub fn counter(&self) -> impl Fn() -> usize + use<> {
        let planned = self.planner.planned.clone();
        move || planned.load(Ordering::Relaxed)
    }
}

impl Plan for NaivePlan {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn target(&self) -> Target {
        self.target.clone()
    }
}

impl Planner for NaivePlanner {
    fn target(&self) -> Target {
        self.target.clone()
    }

    fn plan(&self, program: &Arc<Program>, sig: &[Aval]) -> Result<Arc<dyn Plan>> {
        program.verify()?;
        assert!(!program.is_symbolic(), "planners get numbers");
        assert_eq!(program.input_avals(), sig);
        self.planned.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(NaivePlan { program: program.clone(), sig: sig.to_vec(), target: self.target.clone() }))
    }
}

impl ExecutionEngine for Naive {
    fn target(&self) -> Target {
        self.target.clone()
    }

    fn planner(&self) -> Arc<dyn Planner> {
        self.planner.clone()
    }

    fn run(&mut self, plan: &dyn Plan, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Output>> {
        let plan = plan.as_any().downcast_ref::<NaivePlan>().ok_or_else(|| Error::engine("naive: a plan of another engine"))?;
        check_inputs("run", &plan.sig, inputs)?;
        let values = interpret(&plan.program, inputs, stop)?;
        let n = plan.program.n_inputs();
        let output = |v: &tenferro_graph::Val| {
            let view = values[v.index()].clone();
            if v.index() < n { Output::Borrowed { input: v.index(), view } } else { Output::New(view) }
        };
        Ok(plan.program.outputs().iter().map(output).collect())
    }

    fn synchronize(&mut self) -> Result<()> {
        self.synchronized += 1;
        Ok(())
    }
}

pub fn interpret(program: &Program, inputs: &[Tensor], stop: &dyn Interrupt) -> Result<Vec<Tensor>> {
    let mut values = inputs.to_vec();
    for step in program.steps() {
        stop.poll()?;
        let args: Vec<&Tensor> = step.args.iter().map(|a| &values[a.index()]).collect();
        let outs = step.outs().map(|v| program.aval(v).clone()).collect::<Vec<_>>();
        let results = kernel(step.prim, &args, &outs[0])?;
        for (t, aval) in results.iter().zip(&outs) {
            assert_eq!(t.aval(), *aval, "{}", step.prim);
        }
        values.extend(results);
    }
    Ok(values)
}

pub fn data(t: &Tensor) -> Vec<f64> {
    t.to_vec().expect("float64")
}

fn array(shape: &[usize], values: Vec<f64>) -> Result<Vec<Tensor>> {
    Ok(vec![Tensor::from_slice(shape, &values)?])
}

/// All indices of an array in C order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for n in shape {
        all = all.into_iter().flat_map(|i: Vec<usize>| (0..*n).map(move |j| [i.clone(), vec![j]].concat())).collect();
    }
    all
}

fn place(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i)
}

fn kernel(prim: &Prim, x: &[&Tensor], out: &Aval) -> Result<Vec<Tensor>> {
    let shape: Vec<usize> = out.shape.concrete().expect("numbers").to_vec();
    if let Some(outs) = spectrum::kernel(prim, x).or_else(|| call::kernel(prim, x)) {
        return outs;
    }
    if let Some(c) = prim.downcast::<Constant>() {
        return Ok(vec![c.tensor().clone()]);
    }
    if let Some(Unary(op)) = prim.downcast() {
        return array(&shape, data(x[0]).into_iter().map(|x| unary(*op, x)).collect());
    }
    if let Some(Binary(op)) = prim.downcast() {
        return array(&shape, data(x[0]).into_iter().zip(data(x[1])).map(|(x, y)| binary(*op, x, y)).collect());
    }
    structural(prim, x, &shape)
}

/// Ops that gather elements of the first input, or add elements into the output.
fn structural(prim: &Prim, x: &[&Tensor], shape: &[usize]) -> Result<Vec<Tensor>> {
    let (from, source) = (x[0].shape(), data(x[0]));
    let gather = |f: &dyn Fn(&[usize]) -> Vec<usize>| array(shape, indices(shape).iter().map(|i| source[place(&f(i), from)]).collect());
    if prim.is::<Reshape>() {
        return array(shape, source);
    }
    if let Some(BroadcastInDim { dims, .. }) = prim.downcast() {
        return gather(&|i| dims.iter().zip(from).map(|(d, n)| if *n == 1 { 0 } else { i[*d] }).collect());
    }
    if let Some(Slice { starts, steps, .. }) = prim.downcast() {
        return gather(&|i| (0..i.len()).map(|a| starts[a] + i[a] * steps[a]).collect());
    }
    if let Some(Transpose { axes }) = prim.downcast() {
        return Ok(vec![x[0].permute(axes)?]);
    }
    if let Some(Reduce { op: ReduceOp::Sum, axes }) = prim.downcast() {
        let mut sums = vec![0.0; shape.iter().product()];
        for (i, value) in indices(from).iter().zip(source) {
            let kept: Vec<usize> = (0..i.len()).filter(|a| !axes.contains(a)).map(|a| i[a]).collect();
            sums[place(&kept, shape)] += value;
        }
        return array(shape, sums);
    }
    if let Some(Pad { low, interior, .. }) = prim.downcast() {
        let mut padded = vec![data(x[1])[0]; shape.iter().product()];
        for (i, value) in indices(from).iter().zip(source) {
            let to: Vec<usize> = (0..i.len()).map(|a| low[a] + i[a] * (interior[a] + 1)).collect();
            padded[place(&to, shape)] = value;
        }
        return array(shape, padded);
    }
    Err(Error::missing(prim.name().to_owned(), "engine naive has no kernel"))
}

fn unary(op: UnaryOp, x: f64) -> f64 {
    match op {
        UnaryOp::Neg => -x,
        UnaryOp::Sin => x.sin(),
        UnaryOp::Cos => x.cos(),
        UnaryOp::Exp => x.exp(),
        UnaryOp::Log => x.ln(),
        UnaryOp::Square => x * x,
        UnaryOp::Sqrt => x.sqrt(),
        _ => panic!("{op:?} is not used in these tests"),
    }
}

fn binary(op: BinaryOp, x: f64, y: f64) -> f64 {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::Maximum => x.max(y),
        _ => panic!("{op:?} is not used in these tests"),
    }
}

pub fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_slice(shape, values).expect("sizes agree")
}

pub fn vector(values: &[f64]) -> TracedTensor {
    TracedTensor::from_tensor(tensor(&[values.len()], values))
}

pub fn sum(x: &TracedTensor) -> TracedTensor {
    let axes: Vec<usize> = (0..x.shape().rank()).collect();
    tenferro_ops::reduce_sum(x, &axes).expect("a sum")
}

pub fn compiled(outputs: &[TracedTensor]) -> CompiledGraph {
    set_verify(true);
    GraphCompiler::new().compile(outputs).expect("compiles")
}

pub fn names(graph: &CompiledGraph) -> Vec<String> {
    graph.program().steps().map(|s| tenferro_ops::operation_name(s.prim.name())).collect()
}

/// A runtime for one engine.
pub fn runtime(engine: &Naive) -> Runtime {
    Runtime::builder().register_engine(Registration::of(engine)).build()
}

/// Runs a program whose inputs are float64.
pub fn run(graph: &CompiledGraph, inputs: &[Tensor]) -> Vec<Vec<f64>> {
    let mut engine = Naive::new();
    let prepared = prepare(&runtime(&engine), graph, inputs).expect("prepares");
    let outputs = prepared.run(&mut engine, inputs, &NoInterrupt).expect("runs");
    outputs.iter().map(|o| data(o.tensor())).collect()
}

pub fn prepare(runtime: &Runtime, graph: &CompiledGraph, inputs: &[Tensor]) -> Result<Prepared> {
    let signature: Vec<_> = inputs.iter().map(|t| (t.dtype(), t.shape().to_vec())).collect();
    runtime.prepare(graph, &signature, &[Target::new("naive")])
}

/// The values of some tensors, all of whose inputs are bound.
pub fn values(outputs: &[TracedTensor]) -> Vec<Vec<f64>> {
    run(&compiled(outputs), &[])
}

pub fn close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * w.abs().max(1.0), "{got:?} is not {want:?}");
    }
}
