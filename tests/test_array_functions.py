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
