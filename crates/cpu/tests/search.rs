//! Functions that look values up, one op at a time on an engine, against NumPy's results.

use std::sync::Arc;

use tenferro_cpu::CpuEngine;
use tenferro_graph::{Aval, Builder, Element, ExecutionEngine, NoInterrupt, Prim, Result, SmallVec, Tensor, Val, Value};
use tenferro_ops::{Unique, interp, isin, nonzero, take_along_axis, unique};

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
fn interpolation_is_numpys() {
    let (xp, fp) = (of(&[1.0, 2.0, 4.0, 4.5]), of(&[3.0, -1.0, 0.1, 7.3]));
    let x = of(&[0.0, 1.0, 1.25, 2.0, 3.9, 4.5, 4.6, f64::NAN]);
    let y = data::<f64>(&interp(&x, &xp, &fp, None, None, None).expect("lines"));
    let wanted = [3.0, 3.0, 2.0, -1.0, 0.045, 7.3, 7.3];
    assert!(y[7].is_nan() && y.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{y:?}");
    assert_eq!((y[1], y[5]), (3.0, 7.3), "exact at the ends");
    let (left, right) = (Now(Tensor::scalar(-9.0)), Now(Tensor::scalar(9.0)));
    let y = data::<f64>(&interp(&x, &xp, &fp, Some(&left), Some(&right), None).expect("lines"));
    assert_eq!((y[0], y[1], y[5], y[6]), (-9.0, 3.0, 7.3, 9.0));
    // NumPy 2.3: np.interp([-180, -3, 6, 400], [190, -190, 350, -350], [5, 10, 3, 4], period=360).
    let y = interp(
        &of(&[-180.0, -3.0, 6.0, 400.0]),
        &of(&[190.0, -190.0, 350.0, -350.0]),
        &of(&[5.0, 10.0, 3.0, 4.0]),
        None,
        None,
        Some(360.0),
    );
    let wanted = [7.5, 3.35, 3.8, 5.125];
    assert!(data::<f64>(&y.expect("lines")).iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-13));
    assert_eq!(
        data::<f64>(&interp(&of(&[0.0, 1.0, 2.0]), &of(&[1.0]), &of(&[5.0]), Some(&left), None, None).expect("a point")),
        [-9.0, 5.0, 5.0]
    );
    assert!(interp(&x, &xp, &of(&[1.0]), None, None, None).is_err());
}

#[test]
fn distinct_elements_are_numpys() {
    let x = of(&[3.0, f64::NAN, 1.0, 3.0, f64::NAN, -0.0, 0.0]);
    let Unique { values, index, inverse, counts } = unique(&x, 6, Some(&Now(Tensor::scalar(8.0)))).expect("elements");
    let v = data::<f64>(&values);
    assert_eq!((&v[..3], &v[4..]), (&[0.0, 1.0, 3.0][..], &[8.0, 8.0][..]));
    assert!(v[3].is_nan());
    assert_eq!(data::<i64>(&index), [5, 2, 0, 1, 0, 0]);
    assert_eq!(data::<i64>(&inverse), [2, 3, 1, 2, 3, 0, 0]);
    assert_eq!(data::<i64>(&counts), [2, 1, 2, 2, 0, 0]);
    let some = unique(&of(&[5_i32, 2, 5, 9]), 2, None).expect("elements");
    assert_eq!((data::<i32>(&some.values), data::<i64>(&some.counts)), (vec![2, 5], vec![1, 2]));
    let flags = unique(&of(&[true, false, true]), 3, None).expect("elements");
    assert_eq!((data::<bool>(&flags.values), data::<i64>(&flags.counts)), (vec![false, true, false], vec![1, 2, 0]));
    assert_eq!(data::<bool>(&isin(&of(&[1_i64, 4, 9]), &of(&[9_i64, 1, 1])).expect("a mask")), [true, false, true]);
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
