"""Singular value decompositions."""

from tenferro_py import _native
from tenferro_py.linalg._results import SVDResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, overload

    from tenferro_py._native import Array

    ArrayLike = Any

if TYPE_CHECKING:

    @overload
    def svd(
        a: ArrayLike,
        /,
        full_matrices: bool = True,
        compute_uv: Literal[True] = True,
        *,
        degeneracy: str = "mask",
        gap: float | None = None,
        narrow: bool = True,
    ) -> SVDResult: ...
    @overload
    def svd(a: ArrayLike, /, full_matrices: bool = True, *, compute_uv: Literal[False]) -> Array: ...


def svd(
    a: "ArrayLike",
    /,
    full_matrices: bool = True,
    compute_uv: bool = True,
    *,
    degeneracy: str = "mask",
    gap: "float | None" = None,
    narrow: bool = True,
) -> "SVDResult | Array":
    """Singular value decomposition a = u · diag(s) · vh.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    full_matrices : bool
        Whether u and vh are square. Columns of u, or rows of vh, beyond min(m, n) are any
        orthonormal basis of what is left; their derivative has no component among themselves.
    compute_uv : bool
        False gives s alone, as `svdvals`.
    degeneracy : "mask", "lift" or "raise"
        What the derivative is where singular values coincide; see the notes. Other values than
        "mask" need thin factors (or a square a).
    gap : float, between 0 and 1
        The relative gap of "lift": 1e-9 by default, 1e-4 in single precision.
    narrow : bool
        Whether a traced program that reads only the first k triplets
        (``u[:, :k]``, ``s[:k]``, ``vh[:k, :]``) may compute only these.

    Returns
    -------
    SVDResult
        U (…, m, k), S (…, k) real and descending, Vh (…, k, n), with k = min(m, n);
        with `full_matrices`, U (…, m, m) and Vh (…, n, n). They unpack as a tuple.

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity, which names the first such matrix of a batch.

    Notes
    -----
    Values that differ by less than 1e-10 of the largest (1e-4 in single precision) count as
    coinciding: a cluster.

    - "mask": vectors of a cluster do not move against each other. The derivative is exact for
      functions for which U*Ū and V*V̄ (bars are cotangents) are diagonal inside each cluster, as
      for Σ a², for functions of s alone, and in the tensor networks of the examples. For others,
      even if they do not depend on the choice of basis (Σ w∘(u s vh) at the identity), it is
      undetermined from u, s and vh: it is finite, but may be wrong by O(1), as may second
      derivatives at a tie. `svd_gauge_residual` finds functions that do depend on the choice.
    - "lift": s comes out with gaps: from the smallest up, s′ₖ = max(sₖ, gap·s₀),
      s′ᵢ = max(sᵢ, s′ᵢ₊₁ + gap·s₀), and the derivative is that of s′: right for any cotangent to
      about 100 gap. A second derivative needs a larger gap, 1e-5 in double precision.
    - "raise": as "mask", and `LinAlgError` at run where a derivative would have to be more: where
      a cotangent is not diagonal inside a cluster. A tie alone is no error.

    Rule: Francuz, Schuch and Vanhecke, Phys. Rev. Research 7, 013237 (2025), in mask form.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> u, s, vh = tn.linalg.svd([[3.0, 0.0], [0.0, 4.0]])
    >>> s.tolist()
    [4.0, 3.0]
    >>> tn.linalg.svd([[3.0], [4.0]]).U.shape
    (2, 2)
    """
    if not compute_uv:
        return _native.svdvals(a)
    return SVDResult(*_native.svd(a, full_matrices, degeneracy, gap, narrow))


def svd_trunc(a: "ArrayLike", k: int, /) -> "SVDResult":
    """The k largest singular triplets.

    Large matrices are iterated on, to the accuracy of the full decomposition; the
    derivative knows of the part that is cut off.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    k : int, 1 ≤ k ≤ min(m, n)

    Returns
    -------
    SVDResult
        U (…, m, k), S (…, k) real and descending, Vh (…, k, n).

    Raises
    ------
    ShapeError
        Below two axes.
    ArgumentError
        For k out of range.
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    Ties as with `svd` and "mask". Where k cuts through a multiplet the truncated function has
    a kink; the derivative leaves the multiplet out. `svd_cut_gap` tells.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> u, s, vh = tn.linalg.svd_trunc([[3.0, 0.0], [0.0, 4.0]], 1)
    >>> s.tolist()
    [4.0]
    """
    return SVDResult(*_native.svd_trunc(a, k))


def svdvals(a: "ArrayLike", /) -> "Array":
    """Singular values, descending. Their derivative at a tie is that of symmetric functions, exact to first order.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64

    Returns
    -------
    Array
        (…, min(m, n)), real.

    Raises
    ------
    ShapeError
        Below two axes.
    LinAlgError
        When run on NaN or infinity.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).tolist()
    [4.0, 3.0]
    """
    return _native.svdvals(a)


def svd_cut_gap(a: "ArrayLike", k: int, /) -> "Array":
    """How far apart the k-th singular value and the next one are, relative to the largest.

    At about 1e-10 (1e-4 in single precision) and below, `svd_trunc` with this k cuts through
    a multiplet, and its derivative leaves the multiplet out.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex; integers and bool become float64
    k : int, 1 ≤ k < min(m, n)

    Returns
    -------
    Array
        (…), real.

    Raises
    ------
    ArgumentError
        For k out of range.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.svd_cut_gap([[4.0, 0.0], [0.0, 3.0]], 1).tolist()
    0.25
    """
    return _native.svd_cut_gap(a, k)


def svd_gauge_residual(factors: "tuple[ArrayLike, ArrayLike, ArrayLike]", cotangents: "tuple[ArrayLike, ArrayLike]", /) -> "Array":
    """Whether a function of thin (u, s, vh) sees the choice of basis inside clusters.

    Parameters
    ----------
    factors : u (…, m, k), s (…, k), vh (…, k, n), as `svd` gives them
    cotangents : those of u and of vh

    Returns
    -------
    Array
        (…), real: the largest |anti(U*Ū + V*V̄)| over pairs of singular values that coincide, the
        diagonal included. It is 0 up to rounding for a function that is well defined there.

    Raises
    ------
    ShapeError
        Unless all fit each other.

    Notes
    -----
    It does not tell whether the masked derivative is right: see the notes of `svd`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> u, s, vh = tn.linalg.svd([[1.0, 0.0], [0.0, 1.0]])
    >>> tn.linalg.svd_gauge_residual((u, s, vh), ([[0.0, 1.0], [0.0, 0.0]], vh * 0.0)).tolist()
    0.5
    """
    u, s, vh = factors
    ct_u, ct_vh = cotangents
    return _native.svd_gauge_residual(u, s, vh, ct_u, ct_vh)
