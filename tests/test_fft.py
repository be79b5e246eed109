"""Fourier transforms where a row of the op table does not reach."""

import numpy as np
import pytest

import tenferro_py as tn


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 9])
def test_frequencies(name, n):
    for d in (1.0, 0.1, -3.0):
        np.testing.assert_array_equal(np.array(getattr(tn.fft, name)(n, d)), getattr(np.fft, name)(n, d))
    assert getattr(tn.fft, name)(n, d=2.0, dtype="float32").dtype == "float32"
    for bad in ((0,), (-1,), (4, 0.0)):
        with pytest.raises(tn.ArgumentError, match=name):
            getattr(tn.fft, name)(*bad)


@pytest.mark.parametrize("n", [1, 2, 5, 97, 128, 1000])
def test_inverses(n, rng):
    x = rng.standard_normal((2, n))
    z = x + 1j * rng.standard_normal((2, n))
    for norm in (None, "backward", "ortho", "forward"):
        np.testing.assert_allclose(np.array(tn.fft.ifft(tn.fft.fft(z, norm=norm), norm=norm)), z, atol=1e-13)
        np.testing.assert_allclose(np.array(tn.fft.irfft(tn.fft.rfft(x, norm=norm), n, norm=norm)), x, atol=1e-13)
        np.testing.assert_allclose(np.array(tn.fft.hfft(tn.fft.ihfft(x, norm=norm), n, norm=norm)), x, atol=1e-13)
    np.testing.assert_array_equal(np.array(tn.fft.ifftshift(tn.fft.fftshift(z))), z)


def test_numbers_of_every_kind_and_no_batch():
    assert tn.fft.fft([1, 2, 3]).dtype == "complex128"
    assert tn.fft.rfft(np.array([True, False])).dtype == "complex128"
    assert tn.fft.irfft(np.zeros(3, "complex64")).dtype == "float32"
    assert tn.fft.fft(np.zeros((0, 4))).shape == (0, 4)
    assert tn.fft.irfftn(np.zeros((0, 2, 3)), axes=(1, 2)).shape == (0, 2, 4)


def test_norms_of_a_gradient(rng):
    """Σ|X|² = n Σ|x|² (Parseval), so its gradient is 2 n x."""
    x = rng.standard_normal(12)
    g = tn.grad(lambda x: tn.sum(tn.square(tn.abs(tn.fft.fft(x)))))(x)
    np.testing.assert_allclose(np.array(g), 2 * 12 * x, rtol=1e-13)


def test_an_axis_twice(rng):
    x = rng.standard_normal((3, 4))
    np.testing.assert_allclose(np.array(tn.fft.fftn(x, axes=(1, 1))), np.fft.fftn(x, axes=(1, 1)), atol=1e-13)
