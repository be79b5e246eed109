"""What a contraction order costs."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Step = tuple[tuple[int, ...], str, int, int]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What a symbolic size counts as, in the search for an order too.
_SYMBOLIC = 64


def _symbol(i: int) -> str:
    """A name for axis i: letters, then signs beyond ASCII, as opt_einsum has them."""
    return _LETTERS[i] if i < len(_LETTERS) else chr(i + 140)


def text_of(lists: "Sequence[Sequence[int | None]]", output: "Sequence[int | None] | None") -> str:
    """The interleaved form as an expression; letters are in the order of the integers."""
    every = [*lists] if output is None else [*lists, output]
    numbers = sorted({i for part in every for i in part if i is not None})
    name = {n: _symbol(k) for k, n in enumerate(numbers)}
    parts = ["".join("..." if i is None else name[i] for i in part) for part in every]
    return ",".join(parts) if output is None else ",".join(parts[:-1]) + "->" + parts[-1]


def _terms(text: str, ranks: "Sequence[int]") -> "tuple[list[str], str]":
    """The letters of the operands and of the output, those that an ellipsis stands for included."""
    left, arrow, right = "".join(text.split()).partition("->")
    parts = left.split(",")
    hidden = [n - len(part.replace("...", "")) if "..." in part else 0 for part, n in zip(parts, ranks, strict=True)]
    unused = (s for s in map(_symbol, range(len(text) + max(hidden, default=0) + 1)) if s not in text)
    names = [next(unused) for _ in range(max(hidden, default=0))]
    terms = [part.replace("...", "".join(names[len(names) - n :])) for part, n in zip(parts, hidden, strict=True)]
    if arrow:
        return terms, right.replace("...", "".join(names))
    letters = "".join(terms)
    return terms, "".join(names) + "".join(sorted(c for c in set(letters) if letters.count(c) == 1 and c not in names))


def _product(numbers: "Iterable[int]") -> int:
    total = 1
    for n in numbers:
        total *= n
    return total


def _operations(points: int, factors: int, sums: bool) -> int:
    """As opt_einsum counts: the multiplications of a loop over all points, and one addition where it sums."""
    return points * (max(factors - 1, 1) + sums)


def _number(n: int) -> str:
    """With four digits, as the sums above the steps are written."""
    digits, exponent = f"{n:.3e}".split("e")
    return f"{digits}e{int(exponent)}"


class PathInfo(str):
    """The order of a contraction and its costs: prints as text, as what `numpy.einsum_path` gives.

    Costs are counted as opt_einsum counts them: a step costs the product of its letters' sizes, times
    the number of factors less one, plus once more where it sums.

    Attributes
    ----------
    path : list of tuple of int
        The positions of the operands of each step, which leave the list while their result is appended.
    steps : list of tuple
        Of each step the positions, the expression, the operations, and the elements of the result.
    naive_flops, flops : int
        Operations of one loop over all letters, and of the path; also `naive_cost` and `opt_cost`.
    speedup : float
        The one by the other.
    largest_intermediate : int
        The elements of the largest result of a step.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> a, b, c = ([[1.0] * 9] * 2, [[1.0] * 9] * 9, [1.0] * 9)
    >>> info = tn.einsum_path("ij,jk,k->i", a, b, c)[1]
    >>> info.naive_flops, info.flops, info.largest_intermediate, round(info.speedup, 2)
    (486, 198, 9, 2.45)
    >>> info.steps
    [((1, 2), 'jk,k->j', 162, 9), ((0, 1), 'ij,j->i', 36, 2)]
    """

    __slots__ = ("flops", "largest_intermediate", "naive_flops", "path", "speedup", "steps")

    path: "list[tuple[int, ...]]"
    steps: "list[Step]"
    naive_flops: int
    flops: int
    speedup: float
    largest_intermediate: int

    @property
    def naive_cost(self) -> int:
        """opt_einsum's name of `naive_flops`."""
        return self.naive_flops

    @property
    def opt_cost(self) -> int:
        """opt_einsum's name of `flops`."""
        return self.flops


def path_info(text: str, shapes: "Sequence[Sequence[Any]]", path: "list[tuple[int, ...]]", costs: str) -> PathInfo:
    """The costs of a path that fits the expression and the shapes, which `costs` sums up."""
    terms, output = _terms(text, [len(shape) for shape in shapes])
    size: dict[str, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for c, n in zip(term, shape, strict=True):
            if size.get(c, 1) == 1:
                size[c] = n if isinstance(n, int) else _SYMBOLIC
    live, steps = list(terms), []
    for positions in path:
        parts = [live[i] for i in positions]
        live = [term for i, term in enumerate(live) if i not in positions]
        letters = set().union(*parts)
        kept = letters & set(output).union(*live) if live else letters & set(output)
        result = "".join(sorted(kept)) if live else output
        flops = _operations(_product(size[c] for c in letters), len(parts), kept != letters)
        steps.append((positions, f"{','.join(parts)}->{result}", flops, _product(size[c] for c in kept)))
        live.append(result)
    naive = _operations(_product(size.values()), len(terms), sum(len(set(term)) for term in terms) > len(size))
    width = max((len(step[1]) for step in steps), default=0)
    info = PathInfo("\n".join([costs, *(f"  {e:<{width}}  {_number(flops)} flops" for _, e, flops, _ in steps)]))
    info.path, info.steps, info.naive_flops = path, steps, naive
    info.flops = sum(step[2] for step in steps)
    info.speedup = naive / max(info.flops, 1)
    info.largest_intermediate = max((step[3] for step in steps), default=1)
    return info
