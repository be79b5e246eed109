//! The only calls into faer, one instance for each element type, compiled here once.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{
    ComputeEigenvectors, EvdParams, SchurParams, SelfAdjointEvdParams, evd_cplx, evd_real, evd_scratch, self_adjoint_evd,
    self_adjoint_evd_scratch,
};
use faer::linalg::matmul::matmul_with_conj;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd, svd_scratch};
use faer::{Accum, Auto, Conj, Par, Spec};
use num_complex::Complex;

use crate::scratch::Scratch;
use crate::view::{MatMut, MatRef};

/// faer's entry points for one element type. Public in name only: the module is private, which
/// seals [`crate::Scalar`].
pub trait Kernel: Sized {
    /// `dst = [dst +] alpha · lhs · rhs`, sides conjugated as asked; shapes are the caller's duty.
    #[doc(hidden)]
    fn matmul(dst: MatMut<'_, Self>, add: bool, lhs: MatRef<'_, Self>, conj_lhs: bool, rhs: MatRef<'_, Self>, conj_rhs: bool, alpha: Self);
    /// The lower triangle of `a* a`.
    #[doc(hidden)]
    fn gram_lower(dst: MatMut<'_, Self>, a: MatRef<'_, Self>);
    /// Thin SVD, `s` as elements of the same type; false if it did not converge.
    #[doc(hidden)]
    fn faer_svd(
        a: MatRef<'_, Self>,
        u: Option<MatMut<'_, Self>>,
        s: &mut [Self],
        v: Option<MatMut<'_, Self>>,
        scratch: Scratch<'_>,
    ) -> bool;
    /// Bytes that [`Kernel::faer_svd`] needs.
    #[doc(hidden)]
    fn faer_svd_scratch(m: usize, n: usize) -> usize;
    /// Eigenvalues, ascending, and vectors from the lower triangle; false if it did not converge.
    #[doc(hidden)]
    fn faer_eigh(a: MatRef<'_, Self>, w: &mut [Self], v: Option<MatMut<'_, Self>>, scratch: Scratch<'_>) -> bool;
    /// Bytes that [`Kernel::faer_eigh`] needs; n ≥ 1.
    #[doc(hidden)]
    fn faer_eigh_scratch(n: usize) -> usize;
    /// Eigenvalues and right vectors; those of real matrices have their parts in `re` and `im`,
    /// and those of a pair in two columns. With many shifts a sweep if `many`.
    #[doc(hidden)]
    fn faer_eig(
        a: MatRef<'_, Self>,
        re: &mut [Self],
        im: &mut [Self],
        v: Option<MatMut<'_, Self>>,
        many: bool,
        scratch: Scratch<'_>,
    ) -> bool;
    /// Bytes that [`Kernel::faer_eig`] needs; n ≥ 1.
    #[doc(hidden)]
    fn faer_eig_scratch(n: usize) -> usize;
}

fn view<T>(a: MatRef<'_, T>) -> faer::MatRef<'_, T> {
    // SAFETY: faer's view has the same meaning and the same duties as ours.
    unsafe { faer::MatRef::from_raw_parts(a.ptr, a.rows, a.cols, a.rs, a.cs) }
}

fn view_mut<T>(a: MatMut<'_, T>) -> faer::MatMut<'_, T> {
    // SAFETY: as above, and `a` is consumed.
    unsafe { faer::MatMut::from_raw_parts_mut(a.ptr, a.rows, a.cols, a.rs, a.cs) }
}

fn conj_flag(conj: bool) -> Conj {
    if conj { Conj::Yes } else { Conj::No }
}

/// Bidiagonal blocks below this go to QR iteration. faer's 128 costs a hundred ε of accuracy at
/// that size (in singular values and orthogonality alike); leaves of 16 cost five, in equal time.
const LEAF: usize = 17;

/// faer's own QR of tall matrices skips columns below 16 m ε of their norm, so it is never used.
fn params<T>() -> Spec<SvdParams, T>
where
    SvdParams: Auto<T>,
{
    SvdParams { recursion_threshold: LEAF, qr_ratio_threshold: f64::INFINITY, ..SvdParams::auto() }.into()
}

fn eigh_params<T>() -> Spec<SelfAdjointEvdParams, T>
where
    SelfAdjointEvdParams: Auto<T>,
{
    SelfAdjointEvdParams { recursion_threshold: LEAF, ..SelfAdjointEvdParams::auto() }.into()
}

fn eig_params<T>(many: bool) -> Spec<EvdParams, T>
where
    EvdParams: Auto<T>,
{
    let auto = EvdParams::auto();
    let blocking_threshold = if many { auto.schur.blocking_threshold } else { usize::MAX };
    EvdParams { schur: SchurParams { blocking_threshold, ..auto.schur }, ..auto }.into()
}

macro_rules! eig {
    (real) => {
        fn faer_eig(
            a: MatRef<'_, Self>,
            re: &mut [Self],
            im: &mut [Self],
            v: Option<MatMut<'_, Self>>,
            many: bool,
            mut scratch: Scratch<'_>,
        ) -> bool {
            let stack = MemStack::new(scratch.as_uninit());
            let (re, im) = (DiagMut::from_slice_mut(re), DiagMut::from_slice_mut(im));
            evd_real(view(a), re, im, None, v.map(view_mut), Par::Seq, stack, eig_params::<Self>(many)).is_ok()
        }
    };
    (complex) => {
        fn faer_eig(
            a: MatRef<'_, Self>,
            re: &mut [Self],
            _: &mut [Self],
            v: Option<MatMut<'_, Self>>,
            many: bool,
            mut scratch: Scratch<'_>,
        ) -> bool {
            let stack = MemStack::new(scratch.as_uninit());
            let w = DiagMut::from_slice_mut(re);
            evd_cplx(view(a), w, None, v.map(view_mut), Par::Seq, stack, eig_params::<Self>(many)).is_ok()
        }
    };
}

macro_rules! kernel {
    ($($t:ty: $field:tt),*) => {$(
        impl Kernel for $t {
            fn matmul(
                dst: MatMut<'_, Self>,
                add: bool,
                lhs: MatRef<'_, Self>,
                conj_lhs: bool,
                rhs: MatRef<'_, Self>,
                conj_rhs: bool,
                alpha: Self,
            ) {
                let beta = if add { Accum::Add } else { Accum::Replace };
                let (cl, cr) = (conj_flag(conj_lhs), conj_flag(conj_rhs));
                matmul_with_conj(view_mut(dst), beta, view(lhs), cl, view(rhs), cr, alpha, Par::Seq);
            }

            fn gram_lower(dst: MatMut<'_, Self>, a: MatRef<'_, Self>) {
                triangular::matmul_with_conj(
                    view_mut(dst),
                    BlockStructure::TriangularLower,
                    Accum::Replace,
                    view(a.t()),
                    BlockStructure::Rectangular,
                    Conj::Yes,
                    view(a),
                    BlockStructure::Rectangular,
                    Conj::No,
                    <$t as crate::scalar::Scalar>::ONE,
                    Par::Seq,
                );
            }

            fn faer_svd(
                a: MatRef<'_, Self>,
                u: Option<MatMut<'_, Self>>,
                s: &mut [Self],
                v: Option<MatMut<'_, Self>>,
                mut scratch: Scratch<'_>,
            ) -> bool {
                let stack = MemStack::new(scratch.as_uninit());
                let s = DiagMut::from_slice_mut(s);
                let (u, v) = (u.map(view_mut), v.map(view_mut));
                svd(view(a), s, u, v, Par::Seq, stack, params::<$t>()).is_ok()
            }

            fn faer_svd_scratch(m: usize, n: usize) -> usize {
                let thin = ComputeSvdVectors::Thin;
                let need = svd_scratch::<$t>(m, n, thin, thin, Par::Seq, params::<$t>());
                need.size_bytes().saturating_add(need.align_bytes())
            }

            fn faer_eigh(a: MatRef<'_, Self>, w: &mut [Self], v: Option<MatMut<'_, Self>>, mut scratch: Scratch<'_>) -> bool {
                let stack = MemStack::new(scratch.as_uninit());
                let w = DiagMut::from_slice_mut(w);
                self_adjoint_evd(view(a), w, v.map(view_mut), Par::Seq, stack, eigh_params::<$t>()).is_ok()
            }

            fn faer_eigh_scratch(n: usize) -> usize {
                let need = self_adjoint_evd_scratch::<$t>(n, ComputeEigenvectors::Yes, Par::Seq, eigh_params::<$t>());
                need.size_bytes().saturating_add(need.align_bytes())
            }

            eig!($field);

            fn faer_eig_scratch(n: usize) -> usize {
                let (left, right) = (ComputeEigenvectors::No, ComputeEigenvectors::Yes);
                let need = |many| evd_scratch::<$t>(n, left, right, Par::Seq, eig_params::<$t>(many));
                let need = need(true).or(need(false));
                need.size_bytes().saturating_add(need.align_bytes())
            }
        }
    )*};
}

kernel!(f32: real, f64: real, Complex<f32>: complex, Complex<f64>: complex);
