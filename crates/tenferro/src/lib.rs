//! Differentiable dense tensors: the crates of tenferro under one name.
//!
//! ```
//! use tenferro::{CpuEngine, GraphCompiler, NoInterrupt, Runtime, TracedTensor, ops};
//!
//! # fn main() -> tenferro::Result<()> {
//! let x = TracedTensor::from_vec_col_major(&[3], &[1.0, 2.0, 3.0])?;
//! let y = ops::reduce_sum(&(&x * &x)?, &[0])?;
//! let compiled = GraphCompiler::new().compile(&[y.grad(&x)?])?;
//! let mut engine = CpuEngine::serial();
//! let runtime = Runtime::builder().register_engine(engine.registration()).build();
//! let prepared = runtime.prepare(&compiled, &[], &[engine.registration().target])?;
//! let out = runtime.run(&mut [&mut engine], &prepared, &[], &NoInterrupt)?;
//! assert_eq!(out[0].tensor().to_vec::<f64>(), Some(vec![2.0, 4.0, 6.0]));
//! # Ok(())
//! # }
//! ```
//!
//! All functions take any kind of value; here a spectrum and a contraction are recorded:
//!
//! ```
//! use tenferro::{Result, TracedTensor, Value, einsum, fft};
//!
//! # fn main() -> Result<()> {
//! let x = TracedTensor::from_vec_col_major(&[4, 3], &[1.0; 12])?;
//! let spectrum = fft::rfft(&x, None, 0, fft::Norm::Backward)?;
//! assert_eq!(spectrum.aval().to_string(), "complex128[3,3]");
//! let gram = einsum("ni,nj->ij", &[x.clone(), x])?;
//! assert_eq!(gram.aval().to_string(), "float64[3,3]");
//! # Ok(())
//! # }
//! ```

pub use tenferro_ad as ad;
pub use tenferro_cpu as cpu;
pub use tenferro_cpu::CpuEngine;
pub use tenferro_einsum as einsum;
pub use tenferro_einsum::einsum;
pub use tenferro_fft as fft;
pub use tenferro_graph::*;
pub use tenferro_linalg as linalg;
pub use tenferro_ops as ops;
pub use tenferro_runtime::*;
