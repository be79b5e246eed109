"""Einstein summation over any number of operands."""

from tenferro_py import _native
from tenferro_py._arrays import asarray
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tenferro_py._native import Array
    from tenferro_py._paths import PathInfo

    ArrayLike = Any
    Indices = list[int | None]
    Expression = str | tuple[list[Indices], Indices | None]
    Optimize = bool | str | Sequence[Any]


def _indices(subscripts: "Any") -> "Indices":
    """One list of the interleaved form; the ellipsis becomes None."""
    out: Indices = []
    for i in subscripts:
        if i is not Ellipsis and not (hasattr(i, "__index__") and int(i) >= 0):
            raise ArgumentError(f"einsum: subscripts must be integers from 0 or an ellipsis, got {i!r}")
        out.append(None if i is Ellipsis else int(i))
    return out


def _read(args: "tuple[Any, ...]") -> "tuple[Expression, list[ArrayLike]]":
    """The expression and the operands, from either form."""
    if not args:
        raise ArgumentError("einsum: needs an expression and operands")
    if isinstance(args[0], str):
        return args[0], list(args[1:])
    pairs, output = args[: len(args) // 2 * 2], args[len(args) // 2 * 2 :]
    if not pairs:
        raise ArgumentError("einsum: needs an expression, or operands with a list of subscripts after each")
    return ([_indices(i) for i in pairs[1::2]], _indices(output[0]) if output else None), list(pairs[::2])


def _order(optimize: "Optimize") -> "bool | str | list[list[int]]":
    if isinstance(optimize, (bool, str)):
        return optimize
    steps = list(optimize)
    # As NumPy writes paths.
    if steps and steps[0] == "einsum_path":
        del steps[0]
    if any(isinstance(step, str) for step in steps):
        raise ArgumentError(f"einsum: a path is a list of tuples of positions, got {optimize!r}")
    return [list(step) for step in steps]


def einsum(*args: "Any", optimize: "Optimize" = True) -> "Array":
    """Einstein summation: products of operands, summed over the axes that the result lacks.

    A letter twice in one operand takes the diagonal. A letter may stand in any number of operands;
    if it is not in the output, it is summed. ``...`` stands for axes that broadcast. Without ``->``
    the result has the axes of the ellipsis, then the letters that occur once, in alphabetic order.

    Parameters
    ----------
    *args : str and arrays, or arrays each followed by a list of integers
        ``einsum("ij,jk->ik", a, b)`` or ``einsum(a, [0, 1], b, [1, 2], [0, 2])``. In lists the
        ellipsis is `Ellipsis`, and the last list, that of the output, may be missing.
    optimize : bool, "greedy", "optimal" or path
        The order of contractions: True is exact up to 10 operands and greedy beyond; "optimal" is
        exact up to 16; False goes from left to right; a path is one of `einsum_path`.

    Returns
    -------
    Array
        In the common dtype of the operands; bool counts with "and" and "or".

    Raises
    ------
    ArgumentError
        For a malformed expression or a path that does not fit.
    ShapeError
        For axes that are too few, too many, or of two sizes.

    Notes
    -----
    Operands are contracted in pairs, each one matrix product. Axes of length 1 broadcast.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.einsum("ij,j->i", [[1.0, 2.0]], [3.0, 4.0]).tolist()
    [11.0]
    >>> tn.einsum([[1.0, 2.0]], [0, 1], [3.0, 4.0], [1]).tolist()
    [11.0]
    """
    expression, operands = _read(args)
    return _native.einsum(expression, operands, _order(optimize))


def einsum_path(*args: "Any", optimize: "Optimize" = True) -> "tuple[list[Any], PathInfo]":
    """The order in which `einsum` contracts these operands, and what that costs.

    Parameters
    ----------
    *args : as for `einsum`
        Of the arrays only the shapes count.
    optimize : bool, "greedy", "optimal" or path
        As for `einsum`.

    Returns
    -------
    path : list
        ``["einsum_path", (0, 1), …]`` as NumPy writes it: positions of operands, which leave the
        list while their result is appended to it.
    info : PathInfo
        Text, as NumPy gives it, of the steps and what they cost, with the figures as attributes:
        `flops`, `naive_flops`, `speedup`, `largest_intermediate`, `steps`.

    Raises
    ------
    ArgumentError, ShapeError
        As `einsum`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> a, b, c = ([[1.0] * 9] * 2, [[1.0] * 9] * 9, [1.0] * 9)
    >>> path, info = tn.einsum_path("ij,jk,k->i", a, b, c)
    >>> path
    ['einsum_path', (1, 2), (0, 1)]
    >>> info.naive_flops, info.flops
    (486, 198)
    >>> print(info)
    path: [[1, 2], [0, 1]]
    naive flops: 4.860e2
    optimized flops: 1.980e2
    speedup: 2.455e0
    largest intermediate: 9.000e0 elements
      jk,k->j  1.620e2 flops
      ij,j->i  3.600e1 flops
    >>> tn.einsum("ij,jk,k->i", a, b, c, optimize=path).tolist()
    [81.0, 81.0]
    """
    # Loaded when first used, so that import stays quick.
    from tenferro_py._paths import path_info, text_of

    expression, operands = _read(args)
    path, costs = _native.einsum_path(expression, operands, _order(optimize))
    steps = [tuple(step) for step in path]
    text = expression if isinstance(expression, str) else text_of(*expression)
    return ["einsum_path", *steps], path_info(text, [asarray(x).shape for x in operands], steps, costs)
