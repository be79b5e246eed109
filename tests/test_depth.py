"""Long chains: linear size, no recursion."""

import numpy as np
import pytest
import running

import tenferro_py as tn


def svd_chain(y, depth):
    for _ in range(depth):
        u, s, vt = tn.linalg.svd(y, full_matrices=False)
        y = u * s + vt
    return tn.sum(y)


def test_svd_chain(rng):
    a = rng.standard_normal((3, 3))
    for depth in (8, 13):
        leaf = tn.TracedTensor.input("float64", (3, 3))
        (g,) = running.run([svd_chain(leaf, depth).grad(leaf)], [leaf], [a])
        assert np.all(np.isfinite(g))
    # Depth 2 against differences; deeper chains amplify rounding too much for them.
    t = rng.standard_normal((3, 3))
    (fd,) = running.difference(lambda y: svd_chain(y, 2), [a], [t], 1e-6)
    leaf = tn.TracedTensor.input("float64", (3, 3))
    (g,) = running.run([svd_chain(leaf, 2).grad(leaf)], [leaf], [a])
    assert abs(np.sum(g * t) - fd) < 1e-6 * (1 + abs(fd))


def test_program_size_is_linear():
    sizes = []
    for depth in (250, 500, 1000):
        leaf = tn.TracedTensor.input("float64", (3, 3))
        program = tn.GraphCompiler().compile(svd_chain(leaf, depth).grad(leaf)).program()
        sizes.append(program.n_operations)
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


def test_depth_1000_runs(rng):
    leaf = tn.TracedTensor.input("float64", (3, 3))
    a = rng.standard_normal((3, 3))
    value, g = running.run([svd_chain(leaf, 1000), svd_chain(leaf, 1000).grad(leaf)], [leaf], [a])
    assert np.isfinite(value)
    assert g.shape == (3, 3)


@pytest.mark.parametrize("n", [10**6])
def test_a_million_operations(n):
    x = tn.TracedTensor.input("float64", ())
    y = x
    for _ in range(n):
        y = tn.sin(y)
    (value,) = running.run([y], [x], [np.array(0.5)])
    # sin iterated: x_n ~ sqrt(3/n).
    assert abs(value - np.sqrt(3 / n)) < 1e-4 * np.sqrt(3 / n)
    g = y.grad(x)
    (slope,) = running.run([g], [x], [np.array(0.5)])
    assert 0 < slope < 1e-6
    del y, g
