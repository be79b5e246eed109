"""Padding against numpy.pad: every mode, every way to give widths, lengths and ends."""

import numpy as np
import pytest
import running

import tenferro_py as tn

A = np.array([[3.0, -1.5, 2.0], [0.25, 5.0, 4.0], [7.0, 0.5, -2.0], [1.0, 1.0, 8.0]])
WIDTHS = [
    2,
    (1, 2),
    (3,),
    ((1, 0), (0, 3)),
    [[1], [2]],
    np.array([[5, 1], [2, 7]]),
    {1: 2},
    {-1: (3, 0), 0: 1},
    ((0, 0), (0, 0)),
    np.int64(1),
]
MODES = [
    {"mode": "constant"},
    {"mode": "constant", "constant_values": 2.5},
    {"mode": "constant", "constant_values": ((1, 2), (3, 4))},
    {"mode": "constant", "constant_values": ((1,), (3,))},
    {"mode": "constant", "constant_values": (5, 6)},
    {"mode": "constant", "constant_values": np.array([[1, 2], [3, 4]])},
    {"mode": "edge"},
    {"mode": "linear_ramp"},
    {"mode": "linear_ramp", "end_values": -1.5},
    {"mode": "linear_ramp", "end_values": ((1, 2), (3, 4))},
    {"mode": "maximum"},
    {"mode": "maximum", "stat_length": 2},
    {"mode": "minimum", "stat_length": ((2, 1), (3, 9))},
    {"mode": "minimum"},
    {"mode": "mean"},
    {"mode": "mean", "stat_length": ((2, 4), (1, 3))},
    {"mode": "median"},
    {"mode": "median", "stat_length": (2, 3)},
    {"mode": "median", "stat_length": 3},
    {"mode": "reflect"},
    {"mode": "reflect", "reflect_type": "odd"},
    {"mode": "symmetric"},
    {"mode": "symmetric", "reflect_type": "odd"},
    {"mode": "wrap"},
]


def label(value):
    return str(value).replace("\n", "")


@pytest.mark.parametrize("kwargs", MODES, ids=label)
@pytest.mark.parametrize("widths", WIDTHS, ids=label)
def test_against_numpy(widths, kwargs):
    wanted = np.pad(A, widths, **kwargs)
    np.testing.assert_allclose(tn.pad(A, widths, **kwargs).numpy(), wanted, rtol=1e-14, atol=1e-14, strict=True)
    (traced,) = running.traced(lambda x: tn.pad(x, widths, **kwargs), [A])
    np.testing.assert_allclose(traced, wanted, rtol=1e-14, atol=1e-14, strict=True)


def takes(kwargs, dtype):
    """Complex numbers have no order, and NumPy refuses a negative end of unsigned ones."""
    ordered = kwargs["mode"] in ("maximum", "minimum", "median")
    return not (dtype.startswith("c") and ordered) and not (dtype == "uint8" and kwargs.get("end_values") == -1.5)


DTYPES = ["int8", "uint8", "int64", "float32", "complex64", "complex128"]


@pytest.mark.parametrize(("kwargs", "dtype"), [(k, d) for k in MODES for d in DTYPES if takes(k, d)], ids=label)
def test_dtypes(kwargs, dtype):
    a = (A * (1 + 1j) if dtype.startswith("c") else np.abs(A)).astype(dtype)
    wanted = np.pad(a, ((2, 3), (1, 7)), **kwargs)
    tol = 1e-6 if dtype in ("float32", "complex64") else 1e-14
    np.testing.assert_allclose(tn.pad(a, ((2, 3), (1, 7)), **kwargs).numpy(), wanted, rtol=tol, atol=tol, strict=True)


def test_complex_ends():
    a = A + 1j * A[::-1]
    got = tn.pad(a, 3, mode="linear_ramp", end_values=(1 - 2j, 0.5j)).numpy()
    np.testing.assert_allclose(got, np.pad(a, 3, mode="linear_ramp", end_values=(1 - 2j, 0.5j)), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap", "mean", "median", "maximum"])
@pytest.mark.parametrize("reflect_type", ["even", "odd"])
def test_one_element(mode, reflect_type):
    kwargs = {"reflect_type": reflect_type} if mode in ("reflect", "symmetric") else {}
    np.testing.assert_array_equal(tn.pad([[2.0, 3.0]], 2, mode=mode, **kwargs).numpy(), np.pad([[2.0, 3.0]], 2, mode=mode, **kwargs))


def test_infinite_ends_stay_at_their_end():
    a = np.array([np.inf, 1.0, 2.0, 3.0, -np.inf])
    for mode in ("reflect", "symmetric"):
        with np.errstate(invalid="ignore"):
            wanted = np.pad(a, 2, mode=mode, reflect_type="odd")
        np.testing.assert_array_equal(tn.pad(a, 2, mode=mode, reflect_type="odd").numpy(), wanted)


def test_empty():
    assert tn.pad(A, ((1, 0), (0, 2)), mode="empty").shape == (5, 5)
    np.testing.assert_array_equal(tn.pad(np.zeros((0, 2)), ((1, 1), (0, 0))).numpy(), np.zeros((2, 2)))
    np.testing.assert_array_equal(tn.pad(np.zeros((0, 2)), ((0, 0), (1, 0)), mode="mean").numpy(), np.zeros((0, 3)))
    assert float(tn.pad(5.0, 3, mode="wrap")) == 5.0


@pytest.mark.parametrize("kwargs", [m for m in MODES if m["mode"] not in ("maximum", "minimum", "median")], ids=label)
def test_derivatives(kwargs, rng):
    running.check_derivatives(lambda x: tn.pad(x, ((2, 1), (0, 5)), **kwargs), [rng.standard_normal((3, 3))], rng)


def test_traced_values_have_derivatives(rng):
    def padded(x, value):
        return tn.pad(x, 1, constant_values=((value, 2.0), (0.0, value)))

    arrays = [A, np.array(3.0)]
    np.testing.assert_array_equal(running.traced(padded, arrays)[0], np.pad(A, 1, constant_values=((3, 2), (0, 3))))
    running.check_derivatives(padded, arrays, rng)


def test_a_symbolic_axis_takes_constants_only():
    x = tn.TracedTensor.input("float64", ("n", 2))
    assert tn.pad(x, ((0, 0), (1, 1)), mode="edge").shape[1] == 4
    with pytest.raises(ValueError, match="axis 0 has the size n"):
        tn.pad(x, 1, mode="mean")


@pytest.mark.parametrize(
    ("widths", "kwargs", "word"),
    [
        ((1, 2, 3), {"mode": "edge"}, "pad_width"),
        ((1, (2, 3)), {"mode": "edge"}, "pad_width"),
        (((1, 2), (3, 4), (5, 6)), {}, "pad_width"),
        (-1, {}, "whole numbers"),
        (((0, 0), (-2, 1)), {"mode": "wrap"}, "whole numbers"),
        ({2: 1}, {}, "axis 2"),
        (1, {"mode": "nothing"}, "median"),
        (1, {"mode": "median", "stat_length": 0}, "stat_length 0"),
        (1, {"mode": "mean", "stat_length": -2}, "stat_length -2"),
        (1, {"mode": "reflect", "reflect_type": "both"}, "reflect_type"),
        ("1", {}, "pad_width"),
        (0.5, {}, "pad_width"),
        (((1, 2), (0, 1.5)), {"mode": "wrap"}, "pad_width"),
    ],
)
def test_mistakes(widths, kwargs, word):
    with pytest.raises(tn.ArgumentError, match=word):
        tn.pad(A, widths, **kwargs)


@pytest.mark.parametrize("mode", ["edge", "reflect", "wrap", "mean", "median", "linear_ramp"])
def test_an_empty_axis_cannot_be_continued(mode):
    with pytest.raises(tn.ArgumentError, match="axis 0 is empty"):
        tn.pad(np.zeros((0, 2)), 1, mode=mode)
