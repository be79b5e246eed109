"""The dtypes of arrays, as constants with NumPy's names."""

from tenferro_py import _native

(
    bool,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64,
    complex64,
    complex128,
) = _native._dtypes()
