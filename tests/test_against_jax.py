"""Gradients against JAX: every differentiable row of the op table, and every edge.

Without JAX (`pip install tenferro-py[bench]`) the file is skipped. Where JAX has no
counterpart, no derivative or another one, a list says so and why; the lists are exact.
"""

import numpy as np
import optable
import pytest
import running
import test_gotchas

jax = pytest.importorskip("jax", reason="needs JAX, extra bench")
if jax.__version__ != "0.10.2":
    pytest.skip(f"the lists are those of JAX 0.10.2, not {jax.__version__}", allow_module_level=True)

import in_jax  # noqa: E402

REPEATS = "multiplies at places that may repeat only forward"
VECTORS = "does not differentiate vectors of its choice"
SCHUR = "has no derivative of the Schur form"
# Rows that JAX does not differentiate.
ABSENT = {
    "nextafter": "has no derivative of it",
    "at_multiply": REPEATS,
    "at_mul": REPEATS,
    "at_divide": REPEATS,
    "scatter_mul": REPEATS,
    "at_apply": "applies forward only",
    "eig": VECTORS,
    "svd_full": VECTORS,
    "svd_full_wide": VECTORS,
    "null_space": "has no null space",
    "orth": "has no orthonormal basis of a range",
    "sqrtm": SCHUR,
    "logm": "has no logarithm of matrices",
    "gradient_edges": "has no edge order",
    "gradient_positions": "has no edge order",
    "nanquantile": "takes quantiles along one axis only",
}
# Rows whose derivative is another one there, by row and dtype.
OTHER = {
    "sign-complex128": "z/|z| is taken for a step: 0 instead of the derivative of the phase",
    "quantile_nearest-float64": "rounds half up, NumPy half to even: another element",
    "polyfit_places-float64": "NaN at the place 0: 0 times the infinite 0**-1",
}
CASES = [(r, d) for r in optable.ROWS if r.order for d in ("float64", "complex128") if d in r.dtypes]
AGREE = [(r, d) for r, d in CASES if str(r) not in ABSENT and f"{r}-{d}" not in OTHER]
EDGES = test_gotchas.EDGES


@pytest.fixture(autouse=True)
def _forget():
    """JAX keeps every program it compiled."""
    yield
    jax.clear_caches()


def named(cases):
    return pytest.mark.parametrize(("row", "dtype"), cases, ids=[f"{r}-{d}" for r, d in cases])


def both(row, dtype, rng):
    """Our vjp and JAX's."""
    arrays = row.draw(rng, dtype)
    cts = [running.random_like(rng, v) if running.is_inexact(v) else None for v in running.traced(row.call, arrays)]
    still = [np.zeros_like(a) for a in arrays if running.is_inexact(a)]
    return running.jvp_and_vjp(row.call, arrays, still, cts)[1], in_jax.vjp(row.call, arrays, cts)[1]


def agree(ours, theirs):
    with np.errstate(all="ignore"):
        return all(
            np.max(np.abs(a - b), initial=0) <= 1e-11 * (1 + np.max(np.abs(a), initial=0)) for a, b in zip(ours, theirs, strict=True)
        )


@named(AGREE)
def test_rows(row, dtype, rng):
    assert agree(*both(row, dtype, rng))


@named([c for c in CASES if c not in AGREE])
def test_the_lists_are_exact(row, dtype, rng):
    if str(row) in ABSENT:
        with pytest.raises((NotImplementedError, AttributeError, ValueError)):
            both(row, dtype, rng)
    else:
        assert not agree(*both(row, dtype, rng))


def test_the_lists_name_rows():
    assert set(ABSENT) <= {str(r) for r, _ in CASES}
    assert set(OTHER) <= {f"{r}-{d}" for r, d in CASES}


ROOT = "NaN: 0 times the infinite slope of the root"
SLOPE = "takes 1 for the slope of |x| at 0"
POWER = "NaN: 0 times the infinite 0**-1"
LAST = "NaN: the difference of equal infinities"
# Edges where JAX has another derivative, or none.
ELSEWHERE = {
    "sort descending: equal elements keep their order": "turns equal elements round",
    "max: NaN of NaN": "0 once compiled, NaN otherwise",
    "cummax: ties share equally": "shares pair by pair, in the order of its scan",
    "fmax: half each at a tie, none to NaN": "all to the second at a tie",
    "fmin: half each at a tie, none to NaN": "all to the second at a tie",
    **{f"vector_norm of order {p}: 0 at 0": ROOT for p in (0.5, 2, 3)},
    **{f"vector_norm of order {p}: 0 at 0": SLOPE for p in (1, np.inf, -np.inf)},
    "norm: 0 at complex 0": ROOT,
    "norm: rows of zeros beside others": ROOT,
    "matrix_norm: 0 at 0": ROOT,
    "std: 0 of a constant": ROOT,
    "std: 0 of a complex constant": ROOT,
    "abs: 0 at 0": SLOPE,
    "copysign: as abs in x": SLOPE,
    "angle: 0 at complex 0": "NaN: 0/0",
    "angle: 0 of real numbers": "NaN: 0/0",
    "angle: far from 1": "infinite: the square of the modulus underflows",
    "sign: 0 at complex 0": "z/|z| is taken for a step",
    "hypot: 0 at the origin": "half of the diagonal's slope",
    "atan2: 0 at the origin": "NaN: 0/0",
    "atan2: far from 1": "infinite: the sum of squares underflows",
    "sinc: smooth at 0": "cancels close to 0",
    "xlogy: 0 where x is 0 and log y is not finite": "-inf and NaN: log y as it is",
    "interp: the slope to the right of a node": "the slope to the left of the last one",
    "x**0.0 at 0": POWER,
    "pow: base 0 under an array of exponents": POWER,
    "pow: complex base 0": POWER,
    "pow: both gradients at base 0 and at exponent 0": POWER,
    "vander: at 0": POWER,
    "logaddexp: equal infinities share": "1 to each, or NaN",
    "logsumexp: 0 where all are -inf": LAST,
    "logsumexp: +inf has all the weight": LAST,
    "logsumexp: infinities share": LAST,
    "cumlogsumexp: equal infinities share": LAST,
    "at.multiply: repeats multiply": REPEATS,
    "at.multiply: zeros": REPEATS,
    "at.multiply: two zeros for one place": REPEATS,
    "at.divide: repeats divide": REPEATS,
    "at.apply: once": "applies as often as a place stands, and only forward",
    "svd: a vector alone does not move at a tie": "NaN: divides by the gap",
    "cond: 0 at the identity": "differs by the sign of the first and last value, as if there were no tie",
    "empty median": "refuses",
    "empty rows: median": "refuses",
    "empty det": "refuses",
}


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_edges(edge):
    """The expected gradient is JAX's too, unless the list says otherwise."""
    try:
        _, theirs = in_jax.vjp(edge.call, edge.args)
    except (NotImplementedError, TypeError, IndexError, ValueError):
        assert str(edge) in ELSEWHERE
        return
    same = all(
        np.allclose(g, np.broadcast_to(np.asarray(w, a.dtype), a.shape), rtol=1e-9, atol=1e-12, equal_nan=True)
        for g, w, a in zip(theirs, edge.gradients, edge.args, strict=True)
    )
    assert same != (str(edge) in ELSEWHERE), theirs


def test_the_list_of_edges_names_edges():
    assert set(ELSEWHERE) <= {str(e) for e in EDGES}
