"""Diagonals and triangles against NumPy: every offset, pair of axes and dtype."""

import numpy as np
import pytest

import tenferro_py as tn

OFFSETS = (-5, -2, -1, 0, 1, 3, 5)


def same(got, wanted):
    np.testing.assert_array_equal(got.numpy(), wanted, strict=True)


@pytest.mark.parametrize("k", OFFSETS)
@pytest.mark.parametrize("shape", [(3,), (0,), (3, 4), (4, 3), (0, 0), (2, 0)])
def test_diag(shape, k):
    x = np.arange(np.prod(shape)).reshape(shape) + 1.0
    same(tn.diag(x, k), np.diag(x, k))


@pytest.mark.parametrize("k", OFFSETS)
@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (0, 3), (2, 3, 4), (2, 0, 4)])
def test_triangles(shape, k):
    x = np.arange(np.prod(shape)).reshape(shape) + 1.0
    same(tn.tril(x, k), np.tril(x, k))
    same(tn.triu(x, k), np.triu(x, k))


@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0), (-1, 1), (1, -3)])
@pytest.mark.parametrize("k", OFFSETS)
def test_diagonals_of_two_axes(k, axes):
    x = np.arange(24.0).reshape(2, 3, 4)
    same(tn.diagonal(x, k, *axes), np.diagonal(x, k, *axes))
    same(tn.trace(x, k, *axes), np.trace(x, k, *axes))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "uint64", "float32", "complex64"])
def test_dtypes_of_trace(dtype):
    x = np.array([[100, 1], [2, 100]]).astype(dtype)
    same(tn.trace(x), np.trace(x))
    for to in ("int64", "float32", "complex128", "int8"):
        if np.can_cast(dtype, to, "same_kind"):
            same(tn.trace(x, dtype=to), np.trace(x, dtype=to))


def test_mistakes():
    with pytest.raises(tn.ShapeError, match="diag"):
        tn.diag(np.ones((2, 2, 2)))
    with pytest.raises(tn.ShapeError, match="tril: needs 2 axes"):
        tn.tril(np.ones(3))
    with pytest.raises(IndexError, match="axis 2"):
        tn.diagonal(np.ones((2, 2)), 0, 0, 2)
    with pytest.raises(ValueError, match="diagonal"):
        tn.diagonal(np.ones((2, 2)), 0, 1, 1)
