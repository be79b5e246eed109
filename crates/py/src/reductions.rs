//! Reductions, running reductions, statistics and order, as functions and as methods of `Array`.

// Only in what PyO3's macros expand to inside a macro of ours; there is no unsafe code here.
#![allow(unsafe_op_in_unsafe_fn)]

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tenferro_graph::{Error, Value};
use tenferro_ops as ops;

use crate::array::{Array, Slf, this};
use crate::dtype::AnyDType;
use crate::errors::PyR;
use crate::functions::{Axes, Size};
use crate::operand::{Operand, Out, pair, together};

type Other<'a, 'py> = &'a Bound<'py, PyAny>;

/// NumPy passes `out=None` to methods; tensors do not change.
pub fn no_out(out: Option<Other<'_, '_>>) -> PyR<()> {
    match out {
        None => Ok(()),
        Some(_) => Err(PyTypeError::new_err("out: tensors do not change; leave out=None and take the result").into()),
    }
}

/// x in a dtype, where one is asked for.
pub fn within(x: &Operand, dtype: Option<AnyDType>) -> PyR<Operand> {
    Ok(match dtype {
        Some(d) if d.0 != x.aval().dtype => ops::cast(x, d.0)?,
        _ => x.clone(),
    })
}

fn axes(axis: Option<&Axes>) -> Option<&[isize]> {
    axis.map(Axes::as_slice)
}

macro_rules! register {
    ($add:ident: $($name:ident)*) => {
        fn $add(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
    };
}

macro_rules! sums {
    ($($name:ident = $f:path),* $(,)?) => {
        register!(add_sums: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis = None, keepdims = false, dtype = None))]
        pub fn $name(x: Operand, axis: Option<Axes>, keepdims: bool, dtype: Option<AnyDType>) -> PyR<Out> {
            let y = $f(&within(&x, dtype)?, axes(axis.as_ref()), keepdims)?;
            Ok(Out(within(&y, dtype)?))
        })*
        #[pymethods]
        impl Array {$(
            #[pyo3(signature = (axis = None, dtype = None, out = None, keepdims = false))]
            fn $name(slf: Slf<'_, '_>, axis: Option<Axes>, dtype: Option<AnyDType>, out: Option<Other<'_, '_>>, keepdims: bool) -> PyR<Out> {
                no_out(out)?;
                $name(this(slf)?, axis, keepdims, dtype)
            }
        )*}
    };
}
sums!(sum = ops::sum, prod = ops::prod, mean = ops::mean);

macro_rules! over_axes {
    ($($name:ident = $f:path),* ; methods $($method:ident)*) => {
        register!(add_over_axes: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis = None, keepdims = false))]
        pub fn $name(x: Operand, axis: Option<Axes>, keepdims: bool) -> PyR<Out> {
            Ok(Out($f(&x, axes(axis.as_ref()), keepdims)?))
        })*
        #[pymethods]
        impl Array {$(
            #[pyo3(signature = (axis = None, out = None, keepdims = false))]
            fn $method(slf: Slf<'_, '_>, axis: Option<Axes>, out: Option<Other<'_, '_>>, keepdims: bool) -> PyR<Out> {
                no_out(out)?;
                $method(this(slf)?, axis, keepdims)
            }
        )*}
    };
}
over_axes!(
    max = ops::max, min = ops::min, any = ops::any, all = ops::all, ptp = ops::ptp,
    count_nonzero = ops::count_nonzero, logsumexp = ops::logsumexp, median = ops::median;
    methods max min any all
);

macro_rules! positions {
    ($($name:ident = $f:path),*) => {
        register!(add_positions: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis = None, keepdims = false))]
        pub fn $name(x: Operand, axis: Option<isize>, keepdims: bool) -> PyR<Out> {
            Ok(Out($f(&x, axis, keepdims)?))
        })*
        #[pymethods]
        impl Array {$(
            #[pyo3(signature = (axis = None, out = None, *, keepdims = false))]
            fn $name(slf: Slf<'_, '_>, axis: Option<isize>, out: Option<Other<'_, '_>>, keepdims: bool) -> PyR<Out> {
                no_out(out)?;
                $name(this(slf)?, axis, keepdims)
            }
        )*}
    };
}
positions!(argmax = ops::argmax, argmin = ops::argmin);

macro_rules! spreads {
    ($($name:ident $shown:tt = $f:path),*) => {
        register!(add_spreads: $($name)*);
        $(#[pyfunction(name = $shown)]
        #[pyo3(signature = (x, /, axis = None, correction = 0.0, keepdims = false, dtype = None))]
        pub fn $name(x: Operand, axis: Option<Axes>, correction: f64, keepdims: bool, dtype: Option<AnyDType>) -> PyR<Out> {
            let y = $f(&within(&x, dtype)?, axes(axis.as_ref()), correction, keepdims)?;
            Ok(Out(y))
        })*
        #[pymethods]
        impl Array {$(
            #[pyo3(name = $shown, signature = (axis = None, dtype = None, out = None, ddof = 0.0, keepdims = false, *, correction = None))]
            fn $name(
                slf: Slf<'_, '_>,
                axis: Option<Axes>,
                dtype: Option<AnyDType>,
                out: Option<Other<'_, '_>>,
                ddof: f64,
                keepdims: bool,
                correction: Option<f64>,
            ) -> PyR<Out> {
                no_out(out)?;
                $name(this(slf)?, axis, correction.unwrap_or(ddof), keepdims, dtype)
            }
        )*}
    };
}
// A function called `std` would hide the library.
spreads!(variance "var" = ops::var, deviation "std" = ops::std);

macro_rules! running_sums {
    ($($name:ident = $f:path),*) => {
        register!(add_running_sums: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis = None, dtype = None, reverse = false, include_initial = false))]
        pub fn $name(x: Operand, axis: Option<isize>, dtype: Option<AnyDType>, reverse: bool, include_initial: bool) -> PyR<Out> {
            let y = $f(&within(&x, dtype)?, axis, reverse, include_initial)?;
            Ok(Out(within(&y, dtype)?))
        })*
        #[pymethods]
        impl Array {$(
            #[pyo3(signature = (axis = None, dtype = None, out = None))]
            fn $name(slf: Slf<'_, '_>, axis: Option<isize>, dtype: Option<AnyDType>, out: Option<Other<'_, '_>>) -> PyR<Out> {
                no_out(out)?;
                $name(this(slf)?, axis, dtype, false, false)
            }
        )*}
    };
}
running_sums!(cumsum = ops::cumsum, cumprod = ops::cumprod);

macro_rules! running {
    ($($name:ident = $f:path),*) => {
        register!(add_running: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis = None, reverse = false))]
        pub fn $name(x: Operand, axis: Option<isize>, reverse: bool) -> PyR<Out> {
            Ok(Out($f(&x, axis, reverse)?))
        })*
    };
}
running!(cummax = ops::cummax, cummin = ops::cummin, cumlogsumexp = ops::cumlogsumexp);

macro_rules! shares {
    ($($name:ident = $f:path),*) => {
        register!(add_shares: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis))]
        pub fn $name(x: Operand, axis: Option<Axes>) -> PyR<Out> {
            Ok(Out($f(&x, axes(axis.as_ref()))?))
        })*
    };
}
shares!(softmax = ops::softmax, log_softmax = ops::log_softmax);

macro_rules! orders {
    ($($name:ident = $f:path),*) => {
        register!(add_orders: $($name)*);
        $(#[pyfunction]
        #[pyo3(signature = (x, /, axis, descending))]
        pub fn $name(x: Operand, axis: Option<isize>, descending: bool) -> PyR<Out> {
            Ok(Out($f(&x, axis, descending)?))
        })*
        #[pymethods]
        impl Array {$(
            /// `kind` and `stable` are NumPy's: every order here is stable.
            #[pyo3(
                signature = (axis = Some(-1), kind = None, order = None, *, stable = None, descending = false),
                text_signature = "($self, axis=-1, kind=None, order=None, *, stable=None, descending=False)"
            )]
            fn $name(
                slf: Slf<'_, '_>,
                axis: Option<isize>,
                kind: Option<&str>,
                order: Option<Other<'_, '_>>,
                stable: Option<bool>,
                descending: bool,
            ) -> PyR<Out> {
                let _ = (kind, stable);
                if order.is_some() {
                    return Err(PyTypeError::new_err(concat!(stringify!($name), ": tensors have no fields to order by")).into());
                }
                $name(this(slf)?, axis, descending)
            }
        )*}
    };
}
orders!(sort = ops::sort, argsort = ops::argsort);

#[pyfunction]
#[pyo3(signature = (x, /, n, axis, prepend, append))]
pub fn diff(x: Other<'_, '_>, n: Size, axis: isize, prepend: Option<Other<'_, '_>>, append: Option<Other<'_, '_>>) -> PyR<Out> {
    let mut parts = vec![x.extract()?];
    for end in [prepend, append].into_iter().flatten() {
        parts.push(pair(x, end)?.1);
    }
    let parts = together(parts)?;
    let before = prepend.and_then(|_| parts.get(1));
    let after = append.and_then(|_| parts.get(1 + usize::from(prepend.is_some())));
    Ok(Out(ops::diff(&parts[0], n.0, axis, before, after)?))
}

#[pyfunction]
#[pyo3(signature = (x, k, /, axis))]
pub fn top_k(x: Operand, k: Size, axis: isize) -> PyR<(Out, Out)> {
    Ok(ops::top_k(&x, k.0, axis)?.map(Out).into())
}

#[pyfunction]
#[pyo3(signature = (x, values, /, right, sorter))]
pub fn searchsorted(x: Other<'_, '_>, values: Other<'_, '_>, right: bool, sorter: Option<Operand>) -> PyR<Out> {
    let (x, values) = pair(x, values)?;
    let all = together([x, values].into_iter().chain(sorter).collect::<Vec<_>>())?;
    Ok(Out(ops::searchsorted(&all[0], &all[1], right, all.get(2))?))
}

#[pymethods]
impl Array {
    #[pyo3(signature = (v, side = "left", sorter = None))]
    fn searchsorted(slf: Slf<'_, '_>, v: Other<'_, '_>, side: &str, sorter: Option<Operand>) -> PyR<Out> {
        let right = match side {
            "left" => false,
            "right" => true,
            _ => return Err(Error::value("searchsorted", format!("side {side:?} is not left or right")).into()),
        };
        searchsorted(slf, v, right, sorter)
    }
}

register!(add_others: diff top_k searchsorted);

/// Adds the functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add_sums(m)?;
    add_over_axes(m)?;
    add_positions(m)?;
    add_spreads(m)?;
    add_running_sums(m)?;
    add_running(m)?;
    add_shares(m)?;
    add_orders(m)?;
    add_others(m)
}
