"""The dtypes of arrays, as constants with NumPy's names."""

from tenferro_py import _native

bool, int64, float32, float64, complex64, complex128 = _native._dtypes()
