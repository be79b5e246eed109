"""Every row of the op table, in every way it can run."""

import numpy as np
import optable
import pytest
import running

import tenferro_py as tn

CASES = [pytest.param(row, d, id=f"{row}-{d}") for row in optable.ROWS for d in row.dtypes]
SMOOTH = [pytest.param(row, d, id=f"{row}-{d}") for row in optable.ROWS if row.order for d in ("float64", "complex128") if d in row.dtypes]
ERRORS = [pytest.param(*e, id=f"{row}-{i}") for row in optable.ROWS for i, e in enumerate(row.errors)]


def eps_of(a):
    return np.finfo(a.dtype).eps if a.dtype.kind in "fc" else 0


@pytest.mark.parametrize("run", [running.traced, running.eager], ids=["traced", "eager"])
@pytest.mark.parametrize(("row", "dtype"), CASES)
def test_forward(row, dtype, run, rng):
    arrays = row.draw(rng, dtype)
    wanted = running.as_list(row.reference(*arrays))
    got = run(row.call, arrays)
    assert len(got) == len(wanted)
    for g, w in zip(got, wanted, strict=True):
        w = np.asarray(w)
        assert g.dtype == w.dtype
        assert g.shape == w.shape
        scale = max(1.0, float(np.max(np.abs(w), initial=0))) if w.dtype != bool else 1.0
        np.testing.assert_allclose(g, w, rtol=row.eps * eps_of(w), atol=row.eps * eps_of(w) * scale)


@pytest.mark.parametrize(("row", "dtype"), CASES)
def test_strided_input(row, dtype, rng):
    """F order, negative strides and gaps give the bits of the C-ordered input."""
    arrays = row.draw(rng, dtype)
    gaps = [np.repeat(a[..., None], 2, -1)[..., 0] if a.ndim else a for a in arrays]
    flipped = [np.flip(np.flip(a).copy()) for a in arrays]
    # Factorizations and products choose their kernels, and with them their roundings, by layout.
    tol = max(1e-13, row.eps * 2.3e-16) if row.eps >= 64 or "einsum" in row.name else 0
    tol = max(tol, 0 if dtype in ("float64", "complex128", "bool", "int64") else max(1e-5, row.eps * 1.2e-7))
    wanted = running.traced(row.call, arrays)
    for variant in ([np.asfortranarray(a) for a in arrays], gaps, flipped):
        for g, w in zip(running.traced(row.call, variant), wanted, strict=True):
            np.testing.assert_allclose(g, w, rtol=max(tol, 1e-15), atol=max(tol, 4e-15))


@pytest.mark.parametrize(("row", "dtype"), SMOOTH)
def test_derivatives(row, dtype, rng):
    running.check_derivatives(row.call, row.draw(rng, dtype), rng, row.order)


@pytest.mark.parametrize(("call", "exception", "word"), ERRORS)
def test_errors(call, exception, word):
    with pytest.raises((ValueError, TypeError, IndexError)) as caught:
        call()
    assert any(c.__name__ == exception for c in type(caught.value).__mro__)
    assert word in str(caught.value)


# A rule with a missing term, a missing conjugate or a wrong factor, made as a
# function whose derivative differs from its value's: the checker must reject it.
def wrong(value, derivative_of):
    """The value of one function with the derivative of another."""

    def f(*xs):
        y, z = value(*xs), derivative_of(*xs)
        return tn.stop_gradient(y - z) + z

    return f


WRONG = {
    "missing term": (lambda x: x * tn.sin(x), lambda x: tn.stop_gradient(x) * tn.sin(x), "float64"),
    "wrong sign": (tn.cos, lambda x: -tn.cos(x), "float64"),
    "wrong factor": (tn.square, lambda x: 0.5 * tn.square(x), "float64"),
    "missing conjugate": (lambda x: x * x, lambda x: x * tn.conj(x), "complex128"),
    "missing broadcast sum": (lambda x: tn.sum(x), lambda x: tn.mean(x), "float64"),
}


@pytest.mark.parametrize("name", WRONG)
def test_checker_rejects_wrong_twins(name, rng):
    value, derivative_of, dtype = WRONG[name]
    (x,) = optable.shapes((3, 4))(rng, dtype)
    running.check_derivatives(value, [x], rng)
    with pytest.raises(AssertionError):
        running.check_derivatives(wrong(value, derivative_of), [x], rng)
