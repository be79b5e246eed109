//! Functions that look values up, one op at a time on an engine, against NumPy's results.

use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_graph::{Aval, Builder, Element, ExecutionEngine, NoInterrupt, Prim, Result, SmallVec, Tensor, Val, Value};
use tenferro_ops::{isin, nonzero, take_along_axis};

/// An array whose ops run at once.
#[derive(Clone, Debug)]
struct Now(Tensor);

impl Value for Now {
    fn aval(&self) -> Aval {
        self.0.aval()
    }

    fn emit(&self, prim: Prim, args: &[&Self]) -> Result<SmallVec<[Self; 3]>> {
        let b = Builder::new();
        let vals: Vec<Val> = args.iter().map(|a| b.input(a.aval())).collect();
        let outs = b.emit(prim, &vals)?;
        let f = Arc::new(b.finish(outs.to_vec())?);
        let mut engine = CpuEngine::serial();
        let plan = engine.planner().plan(&f, &f.input_avals())?;
        let inputs: Vec<Tensor> = args.iter().map(|a| a.0.clone()).collect();
        engine.run(&*plan, &inputs, &NoInterrupt)?.into_iter().map(|o| o.into_tensor().map(Now)).collect()
    }
}

fn of<T: Element>(x: &[T]) -> Now {
    Now(Tensor::from_slice(&[x.len()], x).expect("sizes agree"))
}

fn data<T: Element>(x: &Now) -> Vec<T> {
    x.0.to_vec().expect("its dtype")
}

#[test]
fn membership_is_numpys() {
    assert_eq!(data::<bool>(&isin(&of(&[1_i64, 4, 9]), &of(&[9_i64, 1, 1])).expect("a mask")), [true, false, true]);
    assert_eq!(data::<bool>(&isin(&of(&[f64::NAN, -0.0]), &of(&[0.0, f64::NAN])).expect("a mask")), [false, true]);
}

#[test]
fn positions_of_elements() {
    let x = Now(Tensor::from_slice(&[2, 3], &[0.0, 5.0, 1.0, 2.0, 0.0, 3.0]).expect("sizes agree"));
    let places = nonzero(&x, 5, -1).expect("places");
    assert_eq!((data::<i64>(&places[0]), data::<i64>(&places[1])), (vec![0, 0, 1, 1, -1], vec![1, 2, 0, 2, -1]));
    let i = Now(Tensor::from_slice(&[1, 2], &[-1_i64, 0]).expect("sizes agree"));
    assert_eq!(data::<f64>(&take_along_axis(&x, &i, Some(1)).expect("elements")), [1.0, 0.0, 3.0, 2.0]);
    let bad = Now(Tensor::from_slice(&[2, 1], &[0_i64, 3]).expect("sizes agree"));
    let said = take_along_axis(&x, &bad, Some(1)).map(|_| ()).expect_err("outside").to_string();
    assert_eq!(said, "index: index 3 is out of bounds for axis 1 with size 3");
}
