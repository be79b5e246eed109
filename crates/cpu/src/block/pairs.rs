//! Kernels of complex numbers as they lie in memory, for groups that do nothing else: what a few
//! operations gain from parts in halves of a register is less than it costs to part them.

use tenferro_graph::{DType, Prim};
use tenferro_ops::{Binary, BinaryOp, StopGradient, Unary, UnaryOp};
use tenferro_vmath::Level;

use super::Kernel;
use super::arithmetic::{f32s, f64s, of};
use super::kernel::leveled;

macro_rules! pairs {
    ($m:ident, $t:ty, $reals:ident) => {
        mod $m {
            use super::*;
            // Elements are real numbers, of which every other one is an imaginary part.
            leveled!(conj, |d, a, b, c, n| {
                let (d, a) = (d.cast::<[$t; 2]>(), a.cast::<[$t; 2]>());
                for i in 0..n / 2 {
                    let x = a.add(i).read();
                    d.add(i).write([x[0], -x[1]]);
                }
            });
            leveled!(square, |d, a, b, c, n| {
                let (d, a) = (d.cast::<[$t; 2]>(), a.cast::<[$t; 2]>());
                for i in 0..n / 2 {
                    let x = a.add(i).read();
                    d.add(i).write([(x[0] * x[0]) - (x[1] * x[1]), (x[0] * x[1]) + (x[1] * x[0])]);
                }
            });
            leveled!(mul, |d, a, b, c, n| {
                let (d, a, b) = (d.cast::<[$t; 2]>(), a.cast::<[$t; 2]>(), b.cast::<[$t; 2]>());
                for i in 0..n / 2 {
                    let (x, y) = (a.add(i).read(), b.add(i).read());
                    d.add(i).write([x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]);
                }
            });

            pub fn unary(op: UnaryOp, level: Level) -> Option<Kernel> {
                Some(match op {
                    UnaryOp::Neg => $reals::neg(level),
                    UnaryOp::Conj => conj(level),
                    UnaryOp::Square => square(level),
                    _ => return None,
                })
            }

            pub fn binary(op: BinaryOp, level: Level) -> Option<Kernel> {
                Some(match op {
                    BinaryOp::Add => $reals::add(level),
                    BinaryOp::Sub => $reals::sub(level),
                    BinaryOp::Mul => mul(level),
                    _ => return None,
                })
            }
        }
    };
}
pairs!(wide, f64, f64s);
pairs!(narrow, f32, f32s);

/// The kernel of `prim` on neighbours in memory, which counts parts; `None` where there is none.
pub(crate) fn pairs(prim: &Prim, dtype: DType, level: Level) -> Option<Kernel> {
    let wide = match dtype {
        DType::C128 => true,
        DType::C64 => false,
        _ => return None,
    };
    if let Some(Unary(op)) = prim.downcast() {
        return if wide { wide::unary(*op, level) } else { narrow::unary(*op, level) };
    }
    if let Some(Binary(op)) = prim.downcast() {
        return if wide { wide::binary(*op, level) } else { narrow::binary(*op, level) };
    }
    prim.is::<StopGradient>().then(|| copy_of_pairs(dtype, level)).flatten()
}

/// The copy of complex neighbours, part by part.
pub(crate) fn copy_of_pairs(dtype: DType, level: Level) -> Option<Kernel> {
    match dtype {
        DType::C128 => Some(of::copy::<u64>(level)),
        DType::C64 => Some(of::copy::<u32>(level)),
        _ => None,
    }
}
