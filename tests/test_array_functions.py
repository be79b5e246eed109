"""asarray, transpose and the dtype constants, as a NumPy user expects them."""

import numpy as np
import pytest

import tenferro_py as tn

DTYPES = ["bool", "int64", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("name", DTYPES)
def test_dtype_constants(name):
    d = getattr(tn, name)
    assert isinstance(d, tn.DType)
    assert d == name
    assert d == np.dtype(name)
    a = np.ones(2, dtype=name)
    assert tn.Tensor(a).dtype is d
    assert tn.asarray([1, 0], dtype=d).dtype == d
    assert tn.astype([1, 0], d).numpy().dtype == a.dtype
    assert tn.TracedTensor.input(d, (2,)).dtype is d


def test_asarray():
    t = tn.Tensor([1.0, 2.0])
    assert tn.asarray(t) is t
    assert tn.asarray(t, dtype=tn.float64) is t
    assert tn.asarray(t, copy=True) is not t
    a = np.array([1.0, 2.0])
    kept, view = tn.asarray(a), tn.asarray(a, copy=False)
    a[0] = 5
    assert (kept.tolist(), view.tolist()) == ([1.0, 2.0], [5.0, 2.0])
    assert tn.asarray([1, 2]).dtype == tn.int64
    assert tn.asarray(1.5).shape == ()
    x = tn.TracedTensor.input("float32", (3,))
    assert tn.asarray(x) is x
    assert tn.asarray(x, tn.float64).dtype == tn.float64
    with pytest.raises(ValueError, match="copy=False"):
        tn.asarray(t, tn.float32, copy=False)


def test_transpose(rng):
    a = rng.standard_normal((2, 3, 4))
    for axes in (None, (0, 2, 1), (-1, 0, 1)):
        np.testing.assert_array_equal(tn.transpose(a, axes).numpy(), np.transpose(a, axes))
        np.testing.assert_array_equal(tn.transpose(tn.Tensor(a), axes).numpy(), np.transpose(a, axes))
    x = tn.TracedTensor.input("float64", (2, 3))
    assert tn.transpose(x).shape == (3, 2)
    with pytest.raises(ValueError, match="transpose: axes"):
        tn.transpose(a, (0, 0, 1))


X = np.arange(12.0).reshape(4, 3)
WHOLE = [
    lambda m, k: m.zeros(k),
    lambda m, k: m.full((k, k), 1.0),
    lambda m, k: m.indices((k, k)),
    lambda m, k: m.broadcast_to(1.0, k),
    lambda m, k: m.reshape(X, (k, -1)),
    lambda m, k: m.roll(X, k),
    lambda m, k: m.roll(X, k, axis=k - 1),
    lambda m, k: m.tile(X, k),
    lambda m, k: m.repeat(X, k),
    lambda m, k: m.split(X, k)[1],
    lambda m, k: m.sum(X, axis=k - 1),
    lambda m, k: m.quantile(X, 0.5, axis=k - 1),
    lambda m, k: m.average(X, axis=k - 1),
    lambda m, k: m.gradient(X, axis=k - 1),
    lambda m, k: m.linalg.norm(X, axis=k - 1),
    lambda m, k: m.linspace([0.0, 1.0], 2.0, k, axis=k - 1),
    lambda m, k: m.unique(X, axis=k - 1),
]


@pytest.mark.parametrize("call", WHOLE)
@pytest.mark.parametrize("whole", [int, np.int64, np.uint8, np.array])
def test_whole_numbers_of_numpy(call, whole):
    np.testing.assert_allclose(call(tn, whole(2)).numpy(), call(np, 2), rtol=1e-14, strict=True)


def test_whole_tensors():
    two = tn.Tensor(2)
    assert tn.zeros(two).shape == (2,)
    assert tn.broadcast_shapes(np.int64(2), (two, 1)) == (2, 2)
