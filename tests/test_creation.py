"""Arrays made of numbers, against NumPy's; and what they refuse."""

import numpy as np
import pytest
import running

import tenferro_py as tn

# (arguments, keywords) of calls that tn and NumPy have in common, by name.
CASES = {
    "zeros": [((3,), {}), (((2, 0),), {"dtype": "int8"}), (((),), {})],
    "ones": [(((2, 3),), {"dtype": "complex64"}), ((2,), {"dtype": "bool"})],
    "empty": [],
    "full": [((2, 5), {}), (((2, 2), 1.5), {}), ((2, True), {}), (((2, 2), [1, 2]), {}), ((2, 3), {"dtype": "float32"}), ((2, 1j), {})],
    "zeros_like": [(([[1.5, 2.0]],), {}), (([True],), {})],
    "ones_like": [(([[1, 2]],), {}), (([1.5],), {"dtype": "int64"}), (([True],), {})],
    "empty_like": [],
    "full_like": [(([1.5, 2.0], 3), {}), (([1, 2], 7), {"dtype": "complex128"}), (([1.0, 2.0], [5, 6]), {})],
    "eye": [((3,), {}), ((2, 4), {"k": 1}), ((3, 2), {"k": -1, "dtype": "int32"})],
    "tri": [((3,), {}), ((2, 4), {"k": 1}), ((3, 2), {"k": -1, "dtype": "bool"})],
    "arange": [
        ((5,), {}),
        ((2, 9, 3), {}),
        ((5.0,), {}),
        ((3, -2, -1), {}),
        ((0, 1, 0.25), {}),
        ((3,), {"dtype": "float32"}),
        ((5, 2), {}),
    ],
    "linspace": [
        ((0, [1, 2], 4), {}),
        (([[0.5], [1.5]], [3.0, 4.0], 5), {"endpoint": False, "axis": 1}),
        ((np.float32([0, 1]), 5, 3), {"axis": -1}),
        (([0, 1], 7.0, 4), {"dtype": "int32"}),
        (([0.0, 1.0], 7.0, 1), {}),
        (([0.0, 1.0], 7.0, 0), {}),
        ((0, 1, 5), {}),
        ((2.0, -1.0, 4), {"endpoint": False}),
        ((0, 1j, 3), {}),
        ((0, 1, 1), {}),
        ((0, 1, 0), {}),
    ],
    "logspace": [
        ((0, 2, 5), {}),
        ((0, 3, 4), {"base": 2.0, "endpoint": False}),
        ((0, [2, 3], 3), {"axis": 1}),
        (([[0.0], [1.0]], 2.0, 3), {"base": [[2.0], [3.0]]}),
        ((0, 2j, 5), {}),
    ],
    "geomspace": [
        ((1, 256, 9), {}),
        ((-1000.0, -1.0, 4), {}),
        (([1.0, -2.0], [[8.0, -16.0]], 4), {"axis": -1}),
        ((1, 1j, 5), {}),
        ((-1 + 1j, [3.0, 2j], 5), {"endpoint": False}),
        ((2.0, [3.0], 1), {}),
    ],
    "identity": [((3,), {}), ((2, "int32"), {})],
    "array": [(([[1, 2]],), {}), (([1, 2], "float32"), {}), ((2.5,), {"copy": None})],
    "indices": [(((2, 3),), {}), (((2, 0, 1),), {"dtype": "int32"}), (((2, 3),), {"sparse": True}), (((),), {})],
    "tril_indices": [((3,), {}), ((2, 1, 4), {}), ((4, -1, 2), {}), ((0,), {})],
    "triu_indices": [((3,), {}), ((2, 1, 4), {}), ((4, -1, 2), {}), ((0,), {})],
    "diag_indices": [((3,), {}), ((2, 3), {})],
    **{name: [((n,), {}) for n in (0, 1, 2, 5, 8)] for name in ("bartlett", "blackman", "hamming", "hanning")},
    "kaiser": [((n, beta), {}) for n in (0, 1, 2, 7) for beta in (0.0, 8.6)],
}


@pytest.mark.parametrize(("name", "args", "kwargs"), [(n, a, k) for n, cases in CASES.items() for a, k in cases])
def test_against_numpy(name, args, kwargs):
    got, wanted = running.as_list(getattr(tn, name)(*args, **kwargs)), running.as_list(getattr(np, name)(*args, **kwargs))
    assert len(got) == len(wanted)
    for g, w in zip(got, wanted, strict=True):
        np.testing.assert_allclose(g.numpy(), w, rtol=1e-14, atol=1e-16, strict=True)


def test_array_is_another_one():
    t = tn.Tensor([1.0])
    assert tn.array(t) is not t
    assert tn.asarray(t) is t
    a = np.ones(2)
    kept = tn.array(a)
    a[0] = 5
    assert kept.tolist() == [1, 1]


def test_empty_has_a_shape():
    assert tn.empty((2, 3)).shape == (2, 3)
    assert tn.empty_like(np.ones(2, "float32")).dtype == tn.float32


def test_a_window_that_numpy_overflows():
    w = tn.kaiser(5, 800.0).numpy()
    assert np.all(np.isfinite(w))
    assert w[2] == 1


def test_like_a_traced_tensor():
    x = tn.TracedTensor.input("float32", (None, 3))
    y = tn.full_like(x, 2)
    assert isinstance(y, tn.TracedTensor)
    assert y.dtype == tn.float32
    assert y.shape == x.shape
    rt = tn.EagerRuntime()
    assert isinstance(tn.ones_like(rt.variable_from([1.0])), tn.EagerTensor)


@pytest.mark.parametrize(
    ("call", "exception"),
    [
        (lambda: tn.arange(0, 1, 0), ValueError),
        (lambda: tn.arange(0, float("inf")), ValueError),
        (lambda: tn.geomspace(0, 1), ValueError),
        (lambda: tn.geomspace(-1, 1), ValueError),
        (lambda: tn.full(2, 300, dtype="int8"), ValueError),
        (lambda: tn.full(2, 1j, dtype="float64"), TypeError),
        (lambda: tn.zeros((2**40, 2**40)), (ValueError, MemoryError)),
        (lambda: tn.zeros(-1), (ValueError, OverflowError)),
        (lambda: tn.linspace([0.0, 1.0], [1.0, 2.0, 3.0]), ValueError),
        (lambda: tn.linspace([0.0, 1.0], 1.0, -1), ValueError),
        (lambda: tn.linspace([0.0, 1.0], 1.0, axis=2), IndexError),
        (lambda: tn.geomspace([1.0, 0.0], 1.0), ValueError),
        (lambda: tn.geomspace([1.0, 2.0], [1.0, -2.0]), ValueError),
        (lambda: tn.zeros(2, device="gpu"), ValueError),
    ],
)
def test_refused(call, exception):
    with pytest.raises(exception):
        call()
