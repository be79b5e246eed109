"""Dtypes and how they meet, against NumPy's; limits of numbers; the module's account of itself."""

import itertools

import numpy as np
import pytest

import tenferro_py as tn

NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128")
KINDS = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_result_type(count):
    for names in itertools.product(NAMES, repeat=count):
        assert tn.result_type(*names) == np.result_type(*names), names


def test_result_type_of_python_numbers():
    numbers = [n for r in (1, 2) for n in itertools.permutations((True, 1, 1.0, 1j), r)]
    for weak in numbers:
        assert tn.result_type(*weak) == np.result_type(*weak), weak
        for name in NAMES:
            assert tn.result_type(name, *weak) == np.result_type(name, *weak), (name, weak)


def test_result_type_of_arrays():
    x = tn.TracedTensor.input("float32", (3,))
    assert tn.result_type(x, 1) == tn.float32
    assert tn.result_type(x, np.ones(2, "int64"), tn.complex64) == tn.complex128
    assert tn.result_type(np.float32, np.dtype("int8"), [1, 2]) == tn.float64
    assert tn.result_type(np.float64(1), np.float32(2)) == tn.float64
    with pytest.raises(ValueError, match="result_type"):
        tn.result_type()
    with pytest.raises(TypeError, match="float16"):
        tn.result_type("float16")


def test_can_cast():
    for a, b in itertools.product(NAMES, repeat=2):
        assert tn.can_cast(a, b) is np.can_cast(a, b)
        assert tn.can_cast(tn.zeros(1, a), b) is np.can_cast(a, b)


@pytest.mark.parametrize("kind", [*KINDS, ("integral", "bool"), (np.float32, "complex floating"), np.int8, ()])
def test_isdtype(kind):
    for name in NAMES:
        assert tn.isdtype(name, kind) is np.isdtype(np.dtype(name), kind), name


def test_isdtype_refuses():
    with pytest.raises(ValueError, match="isdtype: 'number'"):
        tn.isdtype("int8", "number")


@pytest.mark.parametrize("name", NAMES[9:])
def test_finfo(name):
    got, wanted = tn.finfo(name), np.finfo(name)
    for field in ("bits", "eps", "max", "min", "smallest_normal", "tiny"):
        assert getattr(got, field) == getattr(wanted, field), field
    assert type(got.eps) is float
    assert got.dtype == wanted.dtype
    assert repr(got).startswith(f"finfo({got.dtype}, eps=")
    assert tn.finfo(tn.zeros(2, name)).eps == got.eps


@pytest.mark.parametrize("name", NAMES[1:9])
def test_iinfo(name):
    got, wanted = tn.iinfo(name), np.iinfo(name)
    assert (got.bits, got.max, got.min) == (wanted.bits, wanted.max, wanted.min)
    assert got.dtype == name
    assert repr(got) == f"iinfo({name}, min={wanted.min}, max={wanted.max})"


def test_limits_refuse():
    with pytest.raises(TypeError, match="finfo: int8"):
        tn.finfo("int8")
    with pytest.raises(TypeError, match="iinfo: float64"):
        tn.iinfo("float64")


def test_the_module_about_itself():
    info = tn.__array_namespace_info__()
    assert info.default_device() == "cpu"
    assert info.devices() == ["cpu"]
    assert set(info.dtypes()) == set(NAMES)
    assert info.dtypes(kind="real floating") == {"float32": tn.float32, "float64": tn.float64}
    assert set(info.dtypes(kind=["bool", "signed integer"])) == {"bool", "int8", "int16", "int32", "int64"}
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}
    # What it says is so.
    defaults = info.default_dtypes(device="cpu")
    made = {"real floating": tn.asarray(1.5), "complex floating": tn.asarray(1j), "integral": tn.asarray(1), "indexing": tn.argmax([1.0])}
    assert defaults == {use: x.dtype for use, x in made.items()}
    x = tn.asarray([1.0, 2.0])
    assert x[x > 1.5].tolist() == [2.0]
    with pytest.raises(ValueError, match="gpu"):
        info.dtypes(device="gpu")
    assert (tn.e, tn.pi, tn.inf, tn.newaxis) == (np.e, np.pi, np.inf, None)
    assert tn.nan != tn.nan


def test_devices():
    for call in (tn.zeros, tn.ones, tn.empty, tn.arange, tn.eye, tn.tri, tn.fft.fftfreq, tn.fft.rfftfreq):
        assert call(2, device="cpu").shape[0] == 2
        with pytest.raises(ValueError, match="no device 'gpu'"):
            call(2, device="gpu")
    for call in (tn.asarray, tn.zeros_like, tn.ones_like, tn.empty_like, tn.from_dlpack):
        assert call(tn.asarray([1.0]), device="cpu").shape == (1,)
        with pytest.raises(ValueError, match="no device 'gpu'"):
            call(tn.asarray([1.0]), device="gpu")


def test_from_dlpack():
    a = np.array([1.0, 2.0])
    view, kept = tn.from_dlpack(a), tn.from_dlpack(a, copy=True)
    a[0] = 5
    assert (view.tolist(), kept.tolist()) == ([5.0, 2.0], [1.0, 2.0])
    t = tn.Tensor([1.0])
    assert tn.from_dlpack(t) is t
    with pytest.raises(TypeError, match="__dlpack__"):
        tn.from_dlpack([1.0])


def test_broadcast_shapes():
    cases = [(), ((2, 1), (3,)), ((), (4,)), ((0,), (1,)), (3, (2, 1)), ((5, 1, 3), (1, 4, 1), (3,))]
    for shapes in cases:
        assert tn.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    for shapes in (((2,), (3,)), ((-1,),), ((0,), (2,))):
        with pytest.raises(ValueError, match="broadcast"):
            tn.broadcast_shapes(*shapes)
