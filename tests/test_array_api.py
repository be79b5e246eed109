"""The array API 2024.12 held against tn, with array-api-strict as its text.

Names, parameters, members, dtypes and results: what differs is exactly what the tables in `array_api` list.
"""

import inspect
import itertools

import array_api
import array_api_strict as strict
import numpy as np
import pytest
from array_api_calls import ASKING, CALLS, DTYPES, MAKERS, values

import tenferro_py as tn

# What array-api-strict adds to the standard, and what a newer standard has.
NOT_STANDARD = {"ArrayAPIStrictFlags", "Device", "get_array_api_strict_flags", "set_array_api_strict_flags", "reset_array_api_strict_flags"}
NOT_STANDARD |= {"__version__", "broadcast_shapes", "isin"}
STRICT_ARRAY = type(strict.asarray(1.0))
EXTENSIONS = ("linalg", "fft")
CATEGORIES = {"bool": "bool", "integer": "int uint", "real": "float", "complex": "complex"}


@pytest.fixture(autouse=True, scope="module")
def version():
    strict.set_array_api_strict_flags(api_version="2024.12")
    yield
    strict.reset_array_api_strict_flags()


def standard_names():
    names = {n for n in strict.__all__ if n not in NOT_STANDARD}
    return names | {f"{module}.{n}" for module in EXTENSIONS for n in getattr(strict, module).__all__}


def standard_functions():
    return {n for n in standard_names() if inspect.isfunction(found(strict, n))}


def found(module, name):
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def listed(table):
    """The entries of a table, each once: (what, name, detail)."""
    entries = []
    for what, _reason, text in table:
        for item in text.replace(")", ") ").split(") "):
            if item.strip():
                name, _, details = item.strip().partition("(")
                entries += [(what, name.strip(), detail) for detail in details.split()]
    assert len(set(entries)) == len(entries), [e for e in entries if entries.count(e) > 1]
    return set(entries)


def compare(actual, table):
    wanted = listed(table)
    assert not actual - wanted, f"not listed: {sorted(actual - wanted)}"
    assert not wanted - actual, f"listed, but not so: {sorted(wanted - actual)}"


def test_names():
    missing = {n for n in standard_names() if not hasattr(found(tn, n.rpartition(".")[0]) if "." in n else tn, n.rpartition(".")[2])}
    assert missing == set(array_api.MISSING)
    assert tn.__array_api_version__ == "2024.12"
    for name in ("e", "inf", "pi", "newaxis"):
        assert getattr(tn, name) == getattr(strict, name)


def parameter_differences(name):
    """Where a call that the standard allows would mean something else, and what is allowed beyond it."""
    theirs = inspect.signature(found(strict, name)).parameters
    ours = inspect.signature(found(tn, name)).parameters
    P = inspect.Parameter
    order = [p for p in ours.values() if p.kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD)]
    met = set()
    for place, p in enumerate(theirs.values()):
        # A name that cannot be written does not matter.
        q = (order[place] if place < len(order) else None) if p.kind is P.POSITIONAL_ONLY else ours.get(p.name)
        if q is None:
            yield "missing", name, p.name
            continue
        met.add(q.name)
        if p.kind is P.POSITIONAL_ONLY and q.kind is not P.POSITIONAL_ONLY:
            yield "also by name", name, p.name
        if p.kind is P.KEYWORD_ONLY and q.kind is not P.KEYWORD_ONLY:
            yield "also by position", name, p.name
        if p.kind is P.POSITIONAL_OR_KEYWORD and (q.kind is not p.kind or order.index(q) != place):
            yield "at another place", name, p.name
        if p.kind is P.VAR_POSITIONAL and q.kind is not p.kind:
            yield "not any number of them", name, p.name
        if p.default is P.empty and q.default is not P.empty:
            yield "may be left out", name, p.name
        elif q.default != p.default and "Undef" not in repr(p.default):
            yield f"by default {q.default!r} for {p.default!r}", name, p.name
    for q in ours.values():
        if q.name not in met:
            yield ("in addition" if q.default is not P.empty else "needed in addition"), name, q.name


def test_parameters():
    actual = {d for name in standard_functions() - set(array_api.MISSING) for d in parameter_differences(name)}
    compare(actual, array_api.PARAMETERS)


OPERATORS = (
    "abs add and array_namespace bool complex dlpack dlpack_device eq float floordiv ge getitem gt index int invert le lshift lt matmul "
    "mod mul ne neg or pos pow rshift setitem sub truediv xor radd rand rfloordiv rlshift rmatmul rmod rmul ror rpow rrshift rsub "
    "rtruediv rxor iadd iand ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor"
)
MEMBERS = {n for n in dir(STRICT_ARRAY) if not n.startswith("_")} | {f"__{n}__" for n in OPERATORS.split()}


def test_members():
    kinds = (tn.Tensor, tn.TracedTensor, tn.EagerTensor)
    # Item assignment may be there to say what to do instead: it has no other use.
    actual = {("missing", kind.__name__, name) for kind in kinds for name in MEMBERS if not hasattr(kind, name) or name == "__setitem__"}
    compare(actual, array_api.MEMBERS)
    assert all(hasattr(STRICT_ARRAY, name) for name in MEMBERS)


def test_members_mean_what_the_standard_says():
    x = tn.Tensor([[1.0, 2.0, 3.0]])
    y = x
    x += 1
    x **= 2
    assert (x.tolist(), y.tolist()) == ([[4, 9, 16]], [[1, 2, 3]])
    assert (x.T.shape, x.mT.shape, x.ndim, x.size, x.shape) == ((3, 1), (3, 1), 2, 3, (1, 3))
    assert x.__dlpack_device__() == (1, 0)
    with pytest.raises(TypeError):
        x[0] = 1


@pytest.mark.parametrize("make", [tn.Tensor, tn.TracedTensor.from_array, tn.EagerRuntime().constant_from])
def test_namespace_and_device(make):
    x = make([1.0, 2.0])
    assert x.__array_namespace__() is tn
    assert x.__array_namespace__(api_version="2024.12") is tn
    with pytest.raises(ValueError, match="2018"):
        x.__array_namespace__(api_version="2018.12")
    assert x.device == "cpu"
    assert x.to_device("cpu") is x
    with pytest.raises(ValueError, match="gpu"):
        x.to_device("gpu")


def attempt(f, *args):
    """Results as NumPy arrays, or None where the arguments are refused."""
    try:
        with np.errstate(all="ignore"):
            out = f(*args)
            return [np.asarray(y) for y in (out if isinstance(out, (tuple, list)) else [out])]
    except (TypeError, ValueError):
        return None


def misfit(got, wanted):
    """The first difference: dtypes, "value", or None."""
    assert len(got) == len(wanted)
    for g, w in zip(got, wanted, strict=True):
        if g.dtype != w.dtype:
            return f"{g.dtype} for {w.dtype}"
        tol = 2e-6 if w.dtype in ("float32", "complex64") else 1e-13
        if g.shape != w.shape or not np.allclose(g, w, rtol=tol, atol=tol, equal_nan=True):
            return "value"
    return None


def outcomes():
    """(name, dtype) with what the standard, NumPy and tn make of it."""
    for name, (f, draw) in CALLS.items():
        for dtype in DTYPES:
            x = values(dtype, draw)
            yield name, dtype, attempt(f, strict, strict.asarray(x)), attempt(f, np, x), attempt(f, tn, tn.asarray(x))
    for name, f in MAKERS.items():
        for dtype in DTYPES:
            numpys = attempt(f, np, np.dtype(dtype)) if found(np, name) and not name.startswith("fft") else None
            yield name, dtype, attempt(f, strict, getattr(strict, dtype)), numpys, attempt(f, tn, getattr(tn, dtype))


def test_every_function_is_called():
    assert set(CALLS) | set(MAKERS) | ASKING == standard_functions()
    assert not set(CALLS) & set(MAKERS)


def difference(theirs, numpys, ours):
    """How tn differs from the standard, or beyond it from NumPy."""
    if theirs is not None:
        return "refused" if ours is None else misfit(ours, theirs)
    if ours is None:
        return None if numpys is None else "refused as by the standard, not by NumPy"
    if numpys is None:
        return "taken, though NumPy refuses too"
    return None


def test_dtypes_and_results():
    """No dtype of the standard is refused, no result differs; beyond it NumPy is followed."""
    taken, actual, beyond = {}, set(), set()
    for name, dtype, theirs, numpys, ours in outcomes():
        what = difference(theirs, numpys, ours)
        if what:
            actual.add((what, name, dtype))
        if theirs is None and ours is not None:
            taken.setdefault(name, set()).add(dtype)
            if numpys is not None and (unlike := misfit(ours, numpys)):
                beyond.add((unlike, name, dtype))
    compare(actual, array_api.DTYPES)
    compare({("taken", name, category) for name, dtypes in taken.items() for category in in_categories(name, dtypes)}, array_api.BEYOND)
    compare(beyond, array_api.UNLIKE_NUMPY)


def in_categories(name, dtypes):
    """The categories that dtypes make up; they are taken whole."""
    for category, prefixes in CATEGORIES.items():
        members = {d for d in DTYPES if d.startswith(tuple(prefixes.split()))}
        assert members <= dtypes or not members & dtypes, (name, category, dtypes)
        if members <= dtypes:
            yield category


def meeting(a, b):
    """The dtype in which two meet by the standard, or None."""
    try:
        return str(strict.result_type(getattr(strict, a), getattr(strict, b))).rpartition(".")[2]
    except TypeError:
        return None


def test_promotion():
    actual = set()
    for a, b in itertools.product(DTYPES, repeat=2):
        wanted, got = meeting(a, b), tn.result_type(a, b)
        if wanted is None:
            assert got == np.result_type(a, b)
            actual.add(("meet", *sorted((a, b), key=DTYPES.index)))
            continue
        assert got == wanted
        x, y = tn.ones(2, dtype=a), tn.ones(2, dtype=b)
        assert tn.where(tn.asarray([True, False]), x, y).dtype == got
        if a != "bool":
            assert (x + y).dtype == got
    compare(actual, array_api.PROMOTION)


def test_casts():
    """What can be cast is what meets in the target: no more differs than there."""
    for a, b in itertools.product(DTYPES, repeat=2):
        if meeting(a, b) is not None:
            assert tn.can_cast(a, b) is strict.can_cast(getattr(strict, a), getattr(strict, b)), (a, b)


def test_a_library_that_knows_only_the_standard():
    """One function for all three modules, found by way of the arrays alone."""

    def softmax_and_spectrum(x):
        xp = x.__array_namespace__()
        y = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
        y = y / xp.sum(y, axis=-1, keepdims=True)
        assert xp.isdtype(y.dtype, "real floating")
        s = xp.linalg.svdvals(
            xp.matmul(y, xp.matrix_transpose(y)) + xp.finfo(y.dtype).eps * xp.eye(y.shape[0], dtype=y.dtype, device=y.device)
        )
        return xp.concat((xp.reshape(y, (-1,)), s, xp.unique_values(xp.astype(x, xp.float64))))

    x = np.array([[1.0, 2.0, 0.5], [0.25, -1.0, 3.0]])
    results = [softmax_and_spectrum(a) for a in (strict.asarray(x), x, tn.asarray(x))]
    for r in results[1:]:
        np.testing.assert_allclose(np.asarray(r), np.asarray(results[0]), rtol=1e-13, atol=1e-15)
