"""Copies into another order, of every dtype and of sizes that take the tiled way."""

import numpy as np
import pytest
from draws import ALL, numbers

import tenferro_py as tn


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(70, 90), (129, 65), (8, 9, 33), (16, 16, 16, 16)])
def test_permuted_copies(dtype, shape, rng):
    a = numbers(rng, dtype, shape)
    axes = tuple(reversed(range(a.ndim)))
    got = tn.reshape(tn.permute_dims(a, axes), (-1,)).numpy()
    np.testing.assert_array_equal(got, np.transpose(a, axes).reshape(-1))
    rolled = (1, *range(2, a.ndim), 0)
    got = tn.reshape(tn.permute_dims(a, rolled), (-1,)).numpy()
    np.testing.assert_array_equal(got, np.transpose(a, rolled).reshape(-1))
