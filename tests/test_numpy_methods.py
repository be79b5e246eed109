"""Methods, NumPy's functions on tensors, indices and updates in every front end."""

import numpy as np
import pytest

import tenferro_py as tn

A = np.array([[3.0, -1.0, 2.0], [0.0, 5.0, 4.0]])
FRONT_ENDS = {"plain": tn.Tensor, "eager": tn.EagerRuntime().variable_from, "traced": tn.TracedTensor.from_array}


def value(x):
    """The numbers of a tensor of any kind."""
    if isinstance(x, tn.TracedTensor):
        compiled = tn.GraphCompiler().compile(x)
        engine = tn.CpuEngine.serial()
        runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
        prepared = runtime.prepare(compiled, [], [engine.target()])
        return runtime.run([engine], prepared, [])[0].into_tensor(engine).numpy()
    return (x.detach() if isinstance(x, tn.EagerTensor) else x).numpy()


METHODS = [
    ("sum", (), {}),
    ("sum", (0,), {}),
    ("sum", (), {"axis": (0, 1), "keepdims": True}),
    ("sum", (), {"dtype": "float32", "out": None}),
    ("prod", (1,), {}),
    ("mean", (0,), {}),
    ("min", (1,), {}),
    ("max", (0, None, True), {}),
    ("var", (1,), {"ddof": 1}),
    ("std", (), {}),
    ("any", (0,), {}),
    ("all", (0,), {}),
    ("argmax", (1,), {}),
    ("argmin", (), {}),
    ("cumsum", (1,), {}),
    ("cumprod", (), {}),
    ("argsort", (), {}),
    ("squeeze", (), {}),
    ("swapaxes", (0, 1), {}),
    ("ravel", (), {"order": "F"}),
    ("flatten", (), {}),
    ("repeat", (2,), {"axis": 1}),
    ("repeat", ([1, 2],), {"axis": 0}),
    ("take", ([2, 0],), {"axis": 1}),
    ("trace", (1,), {}),
    ("diagonal", (-1,), {}),
    ("clip", (0.0, 3.0), {}),
    ("clip", (), {"max": 1.0}),
    ("dot", (np.ones((3, 2)),), {}),
    ("reshape", ((3, 2),), {"order": "F"}),
    ("reshape", (-1,), {}),
    ("round", (), {}),
    # Parameters and methods that are used less often.
    ("repeat", (np.array([1, 2]),), {"axis": 0}),
    ("repeat", (np.int64(2),), {}),
    ("take", ([7, -9],), {"mode": "wrap"}),
    ("take", (), {"indices": [[0]], "axis": -1}),
    ("take", (1,), {}),
    ("clip", (None, np.array([1, 2, 3])), {}),
    ("round", (), {"decimals": -1}),
    ("dot", (2,), {}),
    ("cumsum", (), {"axis": -1, "dtype": np.float32}),
    ("cumsum", (), {"dtype": "int64"}),
    ("sum", (), {"axis": ()}),
    ("sum", (), {"initial": 5.0}),
    ("sum", (), {"where": A > 0}),
    ("prod", (), {"initial": 2.0, "where": A != 0}),
    ("max", (), {"initial": 10.0}),
    ("min", (0,), {"initial": 10.0, "where": A > 0}),
    ("mean", (), {"where": A > 0}),
    ("var", (), {"where": A > 0}),
    ("std", (0, None, None, 1), {}),
    ("any", (), {"where": A > 4}),
    ("all", (), {"where": A > 0}),
    ("argmax", (), {"axis": 0, "keepdims": True}),
    ("squeeze", (), {"axis": ()}),
    ("transpose", (1, 0), {}),
    ("transpose", (None,), {}),
    ("reshape", (3, 2), {"order": "C"}),
    ("ravel", ("K",), {}),
    ("flatten", ("A",), {}),
    ("trace", (), {"offset": 1, "dtype": "float32"}),
    ("astype", (np.float32,), {"copy": False}),
    ("astype", (), {"dtype": "int64", "casting": "unsafe"}),
    ("compress", ([True, False],), {"axis": 0}),
]


@pytest.mark.parametrize("front", FRONT_ENDS)
@pytest.mark.parametrize(("name", "args", "kwargs"), METHODS)
def test_methods(name, args, kwargs, front):
    got = value(getattr(FRONT_ENDS[front](A), name)(*args, **kwargs))
    wanted = np.asarray(getattr(A, name)(*args, **kwargs))
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-6 if wanted.dtype == "float32" else 1e-15, strict=True)


FUNCTIONS = {
    "sum": {},
    "prod": {"axis": 0},
    "mean": {"keepdims": True},
    "min": {"axis": 1},
    "max": {},
    "var": {"ddof": 1},
    "std": {"axis": 0},
    "any": {"axis": 1},
    "all": {},
    "argmax": {"axis": 1},
    "argmin": {},
    "argsort": {"axis": 0},
    "cumsum": {"axis": 0},
    "cumprod": {},
    "squeeze": {},
    "transpose": {},
    "round": {},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_functions_call_methods(name):
    got = getattr(np, name)(tn.Tensor(A), **FUNCTIONS[name])
    assert isinstance(got, tn.Tensor)
    np.testing.assert_allclose(got.numpy(), getattr(np, name)(A, **FUNCTIONS[name]), rtol=1e-15)


def test_methods_of_plain_tensors():
    x, t = np.arange(6.0), tn.Tensor(np.arange(6.0))
    assert (t.nbytes, t.itemsize) == (x.nbytes, x.itemsize)
    assert t.tobytes() == x.tobytes()
    assert tn.Tensor(A).tobytes("F") == A.tobytes("F")
    assert list(tn.Tensor(A).flat) == list(A.flat)
    assert (tn.Tensor(A).item(1), tn.Tensor(A).item(1, 2), tn.Tensor(A).item((0, -1))) == (A.item(1), A.item(1, 2), A.item((0, -1)))
    np.testing.assert_array_equal(tn.Tensor(A).copy(order="F").numpy(), A)
    np.testing.assert_array_equal(t.searchsorted([2.0, 9.0], side="right").numpy(), x.searchsorted([2.0, 9.0], side="right"))
    np.testing.assert_array_equal(t.searchsorted(1.5, sorter=np.arange(6)).numpy(), 2)


def test_out_is_refused():
    for call in (lambda t: t.sum(out=np.empty(())), lambda t: t.argmax(out=np.empty(())), lambda t: t.cumsum(out=np.empty(6))):
        with pytest.raises(TypeError, match="out"):
            call(tn.Tensor(A))


B = np.arange(24.0).reshape(2, 3, 4)
INDICES = [
    np.s_[[1, 0]],
    np.s_[..., [0, 3]],
    np.s_[:, [0, 2], None],
    np.s_[[0, 1], [0, -1]],
    np.s_[[0, 1], :, [0, -1]],
    np.s_[1, [0, 2]],
    np.s_[::-1, np.array([[0, 1], [2, 0]])],
    np.s_[B > 10],
    np.s_[[True, False]],
    np.s_[0, [True, False, True], ::-2],
    np.s_[np.array([], dtype=int)],
    np.s_[[]],
    np.s_[np.int64(1), np.uint8(2)],
    np.s_[np.array(1)],
    np.s_[None, ..., -1:-4:-1],
]


@pytest.mark.parametrize("front", FRONT_ENDS)
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indices(index, front):
    np.testing.assert_array_equal(value(FRONT_ENDS[front](B)[index]), B[index], strict=True)


@pytest.mark.parametrize("front", ["plain", "traced"])
def test_tensors_as_indices(front):
    i = FRONT_ENDS[front](np.array([1, 0]))
    np.testing.assert_array_equal(value(tn.Tensor(B)[i]), B[[1, 0]])
    np.testing.assert_array_equal(value(tn.TracedTensor.from_array(B)[:, i]), B[:, [1, 0]])
    one = FRONT_ENDS[front](np.array(1))
    np.testing.assert_array_equal(value(tn.Tensor(B)[one, ..., one]), B[1, ..., 1])


def test_index_by_the_mask_of_an_eager_tensor():
    x = FRONT_ENDS["eager"](A)
    x[x > 1].sum().backward()
    np.testing.assert_array_equal(x.grad().numpy(), (A > 1).astype(float))


@pytest.mark.parametrize(
    ("index", "exception", "word"),
    [
        ("a", TypeError, "str"),
        (object(), TypeError, "object"),
        (1.5, TypeError, "integers"),
        (np.array([0.5]), TypeError, "integers"),
        ([0, 2], IndexError, "2"),
        ([True, False, True], IndexError, "mask"),
        (10**30, (IndexError, ValueError), "index"),
        (([0, 1], [0, 1, 2]), ValueError, "match"),
    ],
)
def test_bad_indices(index, exception, word):
    with pytest.raises(exception, match=word):
        tn.Tensor(A)[index]


def test_a_traced_mask_says_what_to_do():
    x = tn.TracedTensor.input("float64", (3,))
    with pytest.raises(ValueError, match="where"):
        x[x > 0]
    for f in (tn.nonzero, tn.flatnonzero, tn.where, tn.unique):
        with pytest.raises(ValueError, match="size="):
            f(x)


@pytest.mark.parametrize("front", FRONT_ENDS)
def test_updates(front):
    x = FRONT_ENDS[front](A)
    wanted = A.copy()
    wanted[1, ::-1] = [7, 8, 9]
    np.testing.assert_array_equal(value(x.at[1, ::-1].set([7, 8, 9])), wanted)
    wanted = A.copy()
    np.add.at(wanted, (slice(None), [0, 0]), 1)
    np.testing.assert_array_equal(value(x.at[:, [0, 0]].add(1)), wanted)
    np.testing.assert_array_equal(value(x.at[x > 1].set(0.0)) if front != "eager" else value(x.at[A > 1].set(0.0)), np.where(A > 1, 0, A))
    np.testing.assert_array_equal(value(x.at[0].apply(lambda r: r * 2)), A * [[2], [1]])
    np.testing.assert_array_equal(value(x.at[0].get()), A[0])
    for name, f in (("subtract", np.subtract), ("divide", np.divide), ("power", np.power), ("min", np.minimum), ("max", np.maximum)):
        wanted = A.copy()
        wanted[0, 1:] = f(wanted[0, 1:], 2.0)
        np.testing.assert_array_equal(value(getattr(x.at[0, 1:], name)(2.0)), wanted)


def test_an_error_inside_apply_comes_out():
    with pytest.raises(ZeroDivisionError):
        tn.Tensor(A).at[0].apply(lambda r: 1 // 0)


def test_places_without_a_size():
    x = tn.Tensor([[0, 1], [2, 0]])
    for got, wanted in zip(x.nonzero(), np.nonzero(x.numpy()), strict=True):
        np.testing.assert_array_equal(got.numpy(), wanted)
    assert [i.tolist() for i in tn.where(x)] == [[0, 1], [1, 0]]
    assert tn.flatnonzero(x).tolist() == [1, 2]
    assert tn.unique(np.array([3.0, 1.0, 3.0])).tolist() == [1.0, 3.0]
    assert tn.unique([]).shape == (0,)
    with pytest.raises(ValueError, match="where"):
        tn.where(x, 1)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "complex64", "bool"])
def test_dtypes_of_reductions(dtype):
    a = np.ones((2, 3), dtype)
    for name in ("sum", "prod", "cumsum", "cumprod", "mean", "var", "std", "any", "count_nonzero"):
        assert getattr(tn, name)(a).dtype == np.asarray(getattr(np, name)(a)).dtype, name
    assert tn.sum(a, dtype="float64").dtype == tn.float64


PADS = [
    {"mode": "constant", "constant_values": ((1, 2), (3, 4))},
    {"mode": "constant", "constant_values": (5, 6)},
    {"mode": "linear_ramp", "end_values": ((1, 2), (3, 4))},
    {"mode": "maximum", "stat_length": 2},
    {"mode": "mean"},
]


@pytest.mark.parametrize("kwargs", PADS)
@pytest.mark.parametrize("widths", [2, (1, 2), ((1, 0), (0, 3)), [[1, 1], [2, 2]]])
def test_pad(widths, kwargs):
    np.testing.assert_allclose(tn.pad(A, widths, **kwargs).numpy(), np.pad(A, widths, **kwargs), rtol=1e-14)


def test_bad_pad():
    for widths, mode in (((1, 2, 3), "edge"), (1, "nothing"), ((1, (2, 3)), "edge")):
        with pytest.raises(ValueError, match="pad"):
            tn.pad(A, widths, mode=mode)


def test_products():
    x, y = np.arange(12.0).reshape(2, 2, 3), np.arange(24.0).reshape(4, 3, 2)
    np.testing.assert_array_equal(tn.dot(x, y).numpy(), np.dot(x, y))
    np.testing.assert_array_equal(tn.dot(x, 2.0).numpy(), 2 * x)
    np.testing.assert_array_equal(tn.tensordot(x, y, axes=((2,), (1,))).numpy(), np.tensordot(x, y, axes=((2,), (1,))))
    np.testing.assert_array_equal(tn.tensordot(x, y, axes=(2, 1)).numpy(), np.tensordot(x, y, axes=(2, 1)))


def test_interp():
    xp, fp = [0.0, 1.0, 2.5], [1.0, 4.0, -2.0]
    x = np.linspace(-1, 4, 23)
    np.testing.assert_allclose(tn.interp(x, xp, fp).numpy(), np.interp(x, xp, fp), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(tn.interp(x, xp, fp, left=7.0, right=8.0).numpy(), np.interp(x, xp, fp, left=7.0, right=8.0), atol=1e-14)
    with pytest.raises(ValueError, match="interp"):
        tn.interp(x, xp, fp[:2])
    g = tn.grad(lambda x: tn.sum(tn.interp(x, xp, fp)))(np.array([-1.0, 0.5, 2.0, 9.0]))
    np.testing.assert_allclose(g.numpy(), [0, 3, -4, 0], rtol=1e-14)
