"""Factorizations over the last two axes; leading axes are batches."""

from tenferro_py import _native
from tenferro_py._errors import MissingRuleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tenferro_py._native import Array

__all__ = ["svd", "svd_trunc", "svdvals"]


def svd(a: "Any", /, full_matrices: bool = True, *, narrow: bool = True) -> "tuple[Array, Array, Array]":
    """Singular value decomposition a = u · diag(s) · vh.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex
    full_matrices : bool
        As in NumPy. True is supported for square matrices, where it changes nothing.
    narrow : bool
        Whether a traced program that reads only the first k triplets
        (``u[:, :k]``, ``s[:k]``, ``vh[:k, :]``) may compute only these.

    Returns
    -------
    u : (…, m, k), s : (…, k) real and descending, vh : (…, k, n); k = min(m, n)

    Raises
    ------
    LinAlgError
        When run on NaN or infinity.

    Notes
    -----
    At coinciding singular values the derivative is exact for functions for which
    U*Ū and V*V̄ (bars are cotangents) are diagonal inside each cluster, as for Σ a², for
    functions of s alone, and in the tensor networks of the examples. For others, even if
    they do not depend on the choice of basis (Σ w∘(u s vh) at the identity), it is
    undetermined from u, s and vh: differences of relative size below 1e-10 (1e-4 in
    single precision) are masked, so that it is finite, but it may be wrong by O(1), as
    may second derivatives at a tie. Rule: Francuz, Schuch and Vanhecke, Phys. Rev. Research 7,
    013237 (2025), in mask form.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> u, s, vh = tn.linalg.svd([[3.0, 0.0], [0.0, 4.0]], full_matrices=False)
    >>> s.tolist()
    [4.0, 3.0]
    """
    if full_matrices:
        shape = a.shape if hasattr(a, "shape") else _native.Tensor(a).shape
        if len(shape) >= 2 and shape[-1] != shape[-2]:
            raise MissingRuleError(f"svd: full_matrices=True is not supported for shape {tuple(shape)}; use full_matrices=False")
    return _native.svd(a, narrow=narrow)


def svd_trunc(a: "Any", k: int, /) -> "tuple[Array, Array, Array]":
    """The k largest singular triplets.

    Large matrices are iterated on, to the accuracy of the full decomposition; the
    derivative knows of the part that is cut off.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex
    k : int, 1 ≤ k ≤ min(m, n)

    Returns
    -------
    u : (…, m, k), s : (…, k) real and descending, vh : (…, k, n)

    Examples
    --------
    >>> import tenferro_py as tn
    >>> u, s, vh = tn.linalg.svd_trunc([[3.0, 0.0], [0.0, 4.0]], 1)
    >>> s.tolist()
    [4.0]
    """
    return _native.svd_trunc(a, k)


def svdvals(a: "Any", /) -> "Array":
    """Singular values, descending.

    Parameters
    ----------
    a : (…, m, n) array, floating or complex

    Returns
    -------
    (…, min(m, n)) real

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).tolist()
    [4.0, 3.0]
    """
    return _native.svdvals(a)
