"""Tensors as text, as NumPy prints arrays (loaded at the first repr)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from tenferro_py._native import Array

PRECISION = 8
THRESHOLD = 1000
EDGE = 3
WIDTH = 75


def representation(x: "Array") -> str:
    """``tensor([1., 2., 3.])``; the dtype is named unless it follows from the numbers."""
    prefix = "tensor("
    # NumPy reserves room for the closing parenthesis only.
    body = _format(x, " " * len(prefix), WIDTH - len(prefix) - 1)
    name = str(x.dtype)
    implied = name in ("float64", "int64", "complex128", "bool") and x.size > 0
    if 0 in x.shape and x.shape != (0,):
        return f"{prefix}[], shape={x.shape}, dtype={name})"
    notes = [f"shape={x.shape}"] if x.size > THRESHOLD else []
    notes += [] if implied else [f"dtype={name}"]
    if not notes:
        return f"{prefix}{body})"
    note = ", ".join(notes) + ")"
    last = body.rsplit("\n", 1)[-1]
    own_line = len(last) + (len(prefix) if "\n" not in body else 0) + len(", " + note) > WIDTH
    joint = ",\n" + " " * len(prefix) if own_line else ", "
    return f"{prefix}{body}{joint}{note}"


def text(x: "Array") -> str:
    """As ``print`` shows it: no commas, no dtype; a scalar as Python's number."""
    if x.ndim == 0 and str(x.dtype) == "float32":
        return repr(float(_shortest(x.item(), True)))
    return str(x.item()) if x.ndim == 0 else _format(x, "", WIDTH, separator=" ")


def _format(x: "Array", indent: str, width: int, separator: str = ", ") -> str:
    if 0 in x.shape:
        return "[]"
    data = _corners(x) if x.size > THRESHOLD else x.tolist()
    return _rows(data, _formatter(list(_leaves(data)), str(x.dtype)), indent, width, separator)


def _corners(x: "Array") -> "Any":
    """What is shown of a large tensor; ``None`` stands for the rest."""
    if x.ndim == 0:
        return x.item()
    n = len(x)
    if n <= 2 * EDGE:
        return [_corners(x[i]) for i in range(n)]
    return [*(_corners(x[i]) for i in range(EDGE)), None, *(_corners(x[i]) for i in range(n - EDGE, n))]


def _leaves(data: "Any") -> "Iterator[Any]":
    if isinstance(data, list):
        for d in data:
            yield from _leaves(d)
    elif data is not None:
        yield data


def _rows(data: "Any", show: "Callable[[Any], str]", indent: str, width: int, separator: str) -> str:
    if not isinstance(data, list):
        return "..." if data is None else show(data)
    if not isinstance(data[0], list):
        return "[" + _wrapped([_rows(d, show, indent, width, separator) for d in data], indent + " ", width, separator) + "]"
    depth = _depth(data[0])
    blocks = [_rows(d, show, indent + " ", width - 1, separator) for d in data]
    return "[" + (separator.rstrip() + "\n" * depth + indent + " ").join(blocks) + "]"


def _depth(data: "Any") -> int:
    depth = 0
    while isinstance(data, list):
        depth, data = depth + 1, data[0] if data else None
    return depth


def _wrapped(parts: "list[str]", indent: str, width: int, separator: str) -> str:
    """Words of one row, broken where the line is full."""
    lines, line = [], ""
    for i, part in enumerate(parts):
        word = part if i == len(parts) - 1 else part + separator
        if line and len(line) + len(part) + 1 > width:
            lines.append(line.rstrip())
            line = ""
        line += word
    lines.append(line)
    return ("\n" + indent).join(lines)


def _formatter(values: "list[Any]", dtype: str) -> "Callable[[Any], str]":
    if dtype.startswith("complex"):
        real = _floats([z.real for z in values], dtype == "complex64")
        imag = _floats([z.imag for z in values], dtype == "complex64", sign=True, right=False)
        # NumPy puts the j right after the digits and pads behind it.
        return lambda z: real(z.real) + _with_j(imag(z.imag))
    if dtype.startswith("float"):
        return _floats(values, dtype == "float32")
    width = max(len(str(v)) for v in values)
    return lambda v: str(v).rjust(width)


def _with_j(digits: str) -> str:
    bare = digits.rstrip()
    return bare + "j" + " " * (len(digits) - len(bare))


def _shortest(v: float, single: bool) -> str:
    """The shortest decimal that reads back as the same number of the dtype."""
    if not single:
        return repr(v)
    import struct

    packed = struct.pack("f", v)
    return next(s for s in (f"{v:.{p}g}" for p in range(1, 10)) if struct.pack("f", float(s)) == packed)


def _floats(values: "list[float]", single: bool, sign: bool = False, right: bool = True) -> "Callable[[float], str]":
    finite = [v for v in values if v - v == 0]
    sizes = [abs(v) for v in finite if v != 0]
    scientific = bool(sizes) and (max(sizes) >= 1e8 or min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000.0)
    parts = [_split(v, single, scientific) for v in finite]
    decimals = max((len(p[1]) for p in parts), default=0)
    exponent = max((len(p[2]) for p in parts), default=0)

    def one(v: float) -> str:
        if v - v != 0:
            body = "nan" if v != v else ("inf" if v > 0 else "-inf")
        elif scientific:
            mantissa, fraction, power = _split(v, single, scientific)
            body = f"{mantissa}.{fraction.ljust(decimals, '0')}e{power[0]}{power[1:].rjust(exponent - 1, '0')}"
        else:
            whole, fraction, _ = _split(v, single, scientific)
            body = f"{whole}.{fraction.ljust(decimals)}"
        return "+" + body if sign and not body.startswith("-") else body

    before = max((len(one(v).split(".")[0]) for v in finite), default=0)
    width = max((len(one(v)) - len(one(v).split(".")[0]) + before for v in finite), default=0)
    special = [len(one(v)) for v in values if v - v != 0]
    width = max([width, *special])

    def padded(v: float) -> str:
        body = one(v)
        if v - v != 0 or not finite:
            return body.rjust(width) if right else body.ljust(width)
        if not right:
            return body.ljust(width)
        return (" " * (before - len(body.split(".")[0])) + body).rjust(width)

    return padded


def _split(v: float, single: bool, scientific: bool) -> "tuple[str, str, str]":
    """Digits before and after the point, and the exponent with its sign."""
    shortest = _shortest(v, single)
    if scientific:
        digits = f"{float(shortest):.{PRECISION}e}"
        mantissa, _, power = digits.partition("e")
        whole, _, fraction = mantissa.partition(".")
        return whole, fraction.rstrip("0"), power
    whole, _, fraction = f"{float(shortest):.{PRECISION}f}".partition(".")
    return whole, fraction.rstrip("0"), ""
