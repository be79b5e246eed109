"""Arrays across the boundary: what shares memory, what is copied, what is refused."""

import gc
import weakref

import numpy as np
import pytest

import tenferro_py as tn

DTYPES = ["bool", "int64", "float32", "float64", "complex64", "complex128"]


def base():
    return np.arange(24.0).reshape(2, 3, 4)


LAYOUTS = {
    "c": lambda a: a,
    "f": np.asfortranarray,
    "transposed": lambda a: a.transpose(2, 0, 1),
    "reversed": lambda a: a[::-1, :, ::-1],
    "steps": lambda a: a[:, ::2, 1::2],
    "broadcast": lambda a: np.broadcast_to(a[:, :1], (2, 3, 4)),
    "one element": lambda a: a[1:2, 2:3, 3:],
    "vector": lambda a: a[0, 1],
    "backwards vector": lambda a: a[0, 1, ::-1],
    "0-d": lambda a: np.array(2.5),
}


@pytest.fixture(params=LAYOUTS)
def array(request):
    return LAYOUTS[request.param](base())


@pytest.mark.parametrize("make", [lambda a: tn.Tensor(a), lambda a: tn.Tensor(a, copy=True)])
def test_kept_values_are_copied(array, make):
    t = make(array)
    assert t.shape == array.shape
    assert not np.shares_memory(t.numpy(), array)
    np.testing.assert_array_equal(t.numpy(), array)


def test_borrowed_values_share_memory(array):
    t = tn.Tensor(array, copy=False)
    out = t.numpy()
    assert np.shares_memory(out, array)
    np.testing.assert_array_equal(out, array)
    assert out.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    long_axes = [i for i, n in enumerate(array.shape) if n > 1]
    assert [out.strides[i] for i in long_axes] == [array.strides[i] for i in long_axes]


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_cross_unchanged(dtype):
    a = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    t = tn.Tensor(a)
    assert t.dtype == a.dtype == t.numpy().dtype
    assert t.dtype == dtype
    np.testing.assert_array_equal(t.numpy(), a)
    assert np.shares_memory(tn.Tensor(a, copy=False).numpy(), a)


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 3, 0)])
def test_empty(shape):
    a = np.zeros(shape)
    for t in (tn.Tensor(a), tn.Tensor(a, copy=False), tn.Tensor(a[::-1])):
        assert t.shape == shape
        assert t.size == 0
        assert t.numpy().shape == shape
        assert np.from_dlpack(t).shape == shape
    assert memoryview(tn.Tensor(a)).nbytes == 0


def test_read_only_input():
    a = np.arange(3.0)
    a.flags.writeable = False
    assert np.shares_memory(tn.Tensor(a, copy=False).numpy(), a)
    np.testing.assert_array_equal((tn.Tensor(a) * 2).numpy(), [0, 2, 4])


def test_exports_are_read_only_and_share():
    t = tn.Tensor(base())
    views = [t.numpy(), np.asarray(t), np.asarray(memoryview(t)), np.from_dlpack(t), np.array(t, copy=False)]
    for v in views:
        assert np.shares_memory(v, t.numpy())
        assert not v.flags.writeable
        np.testing.assert_array_equal(v, base())
        with pytest.raises(ValueError, match="read-only"):
            v[0, 0, 0] = 1
    with pytest.raises(ValueError, match=r"WRITEABLE|writeable"):
        views[0].flags.writeable = True


def test_copies_on_request():
    t = tn.Tensor(base())
    for v in (np.array(t), np.array(t, copy=True), np.from_dlpack(t, copy=True)):
        assert not np.shares_memory(v, t.numpy())
        np.testing.assert_array_equal(v, base())
    single = np.asarray(t, dtype="float32")
    assert single.dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(t, dtype="float32", copy=False)


@pytest.mark.parametrize("layout", ["c", "f", "transposed", "reversed", "broadcast"])
def test_export_keeps_strides(layout):
    a = LAYOUTS[layout](base())
    t = tn.Tensor(a, copy=False)
    assert t.numpy().strides == a.strides
    assert memoryview(t).strides == a.strides
    assert np.from_dlpack(t).strides == a.strides


def test_buffer_flags():
    f = tn.Tensor(np.asfortranarray(base()))
    assert memoryview(f).f_contiguous
    assert not memoryview(f).c_contiguous
    assert bytes(tn.Tensor(np.arange(3))) == np.arange(3).tobytes()
    with pytest.raises(BufferError):
        np.frombuffer(tn.Tensor(base()[:, ::2], copy=False))
    for d, code in zip(DTYPES, ["?", "q", "f", "d", "Zf", "Zd"], strict=True):
        assert memoryview(tn.Tensor(np.zeros(2, d))).format == code


def test_dlpack_to_old_consumers_is_a_copy():
    t = tn.Tensor(base())
    assert t.__dlpack_device__() == (1, 0)
    assert "dltensor_versioned" in repr(t.__dlpack__(max_version=(1, 0)))
    old = t.__dlpack__()
    assert '"dltensor"' in repr(old)
    with pytest.raises(BufferError):
        t.__dlpack__(copy=False)
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(2, 0))
    del old
    np.testing.assert_array_equal(t.numpy(), base())


def test_mutation_after_import():
    a = np.arange(3.0)
    kept, borrowed = tn.Tensor(a), tn.Tensor(a, copy=False)
    traced = tn.TracedTensor.from_array(a)
    variable, constant = tn.EagerRuntime().variable_from(a), tn.EagerRuntime().constant_from(a)
    a[0] = 100
    assert kept.tolist() == [0, 1, 2]
    assert borrowed.tolist() == [100, 1, 2]
    assert variable.detach().numpy()[0] == 0
    assert constant.numpy()[0] == 0
    (bound,) = tn.GraphCompiler().compile(traced * 1.0).bindings.values()
    assert bound.tolist() == [0, 1, 2]


def test_results_do_not_follow_later_writes():
    a = np.arange(4.0)
    for t in (tn.reshape(a, (2, 2)), tn.astype(a, "float64"), tn.broadcast_to(a, (2, 4)), tn.Tensor(tn.Tensor(a, copy=False))):
        before = t.tolist()
        a += 1
        assert t.tolist() == before
        a -= 1


def test_constant_in_a_trace_is_kept():
    a = np.ones(100)
    x = tn.TracedTensor.input("float64", (100,))
    compiled = tn.GraphCompiler().compile(x + a)
    a[:] = 5
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(compiled, [("float64", (100,))], [engine.target()])
    assert set(prepared(np.zeros(100)).tolist()) == {1.0}


def test_lifetimes():
    a = np.arange(1000.0)
    alive = weakref.ref(a)
    t = tn.Tensor(a, copy=False)
    view = t.numpy()
    part = t[10:20]
    del a, t
    gc.collect()
    assert alive() is not None
    assert view[999] == 999
    del view
    assert part.tolist() == list(range(10, 20))
    del part
    gc.collect()
    assert alive() is None


def test_export_outlives_the_tensor():
    views = []
    for make in (lambda t: t.numpy(), np.asarray, memoryview, np.from_dlpack):
        t = tn.Tensor(np.full(1000, 7.0))
        views.append(make(t))
        del t
    gc.collect()
    other = [tn.Tensor(np.zeros(1000)) for _ in range(20)]
    for v in views:
        assert np.asarray(v).sum() == 7000
    assert len(other) == 20


def test_arguments_of_a_run_are_read_in_place_in_any_layout(array):
    x = tn.TracedTensor.input("float64", array.shape)
    engine = tn.CpuEngine.serial()
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(tn.GraphCompiler().compile([x, x * 2.0]), [("float64", array.shape)], [engine.target()])
    same, twice = runtime.run([engine], prepared, [array])
    assert same.is_borrowed
    assert np.shares_memory(same.numpy(), array)
    assert not same.numpy().flags.writeable
    np.testing.assert_array_equal(twice.numpy(), 2 * array)
    array.flags.writeable = False
    np.testing.assert_array_equal(prepared(array)[1].numpy(), 2 * array)


def test_unaligned_and_odd_strides_are_copied():
    record = np.zeros(3, dtype=[("a", "f4"), ("b", "f8")])
    record["b"] = [1, 2, 3]
    assert tn.Tensor(record["b"]).tolist() == [1, 2, 3]
    assert (tn.Tensor([1.0, 1.0, 1.0]) + record["b"]).tolist() == [2, 3, 4]
    with pytest.raises(ValueError, match="aligned"):
        tn.Tensor(record["b"], copy=False)


def test_bool_bytes_are_cleaned():
    dirty = np.array([0, 1, 7], dtype="uint8").view(bool)
    assert tn.Tensor(dirty).tolist() == [False, True, True]
    assert np.asarray(memoryview(tn.Tensor(dirty))).view("uint8").tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="neither 0 nor 1"):
        tn.Tensor(dirty, copy=False)


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        (np.array([1, None], dtype=object), "object"),
        (np.arange(3.0).astype(">f8"), "big-endian"),
        (np.arange(3).astype(">i8"), "big-endian"),
        (np.arange(3, dtype="float16"), "f2"),
        (np.array(["a"]), "U1"),
        (np.array([1], dtype="datetime64[s]"), "M8"),
        (np.longdouble([1]), "f16"),
    ],
)
def test_refused_dtypes(bad, word):
    with pytest.raises(TypeError, match=word) as caught:
        tn.Tensor(bad)
    assert isinstance(caught.value, tn.DTypeError)
    with pytest.raises(tn.DTypeError):
        tn.sin(bad)


@pytest.mark.parametrize("bad", ["abc", None, {}, {1.0}, object(), [1.0, "a"], [object()]])
def test_refused_objects(bad):
    with pytest.raises(TypeError):
        tn.Tensor(bad)


@pytest.mark.parametrize(
    ("data", "dtype"),
    [([1, 2], "int64"), ([1, 2.5], "float64"), ([True, False], "bool"), ([True, 2], "int64"), ([1, 2j], "complex128"), ([], "float64"),
     (3, "int64"), (2.5, "float64"), ([[1, 2], [3, 4]], "int64"), ((1.0, (2.0)), "float64"), ([np.float32(1), 2], "float64"),
     ([np.float32(1), np.float32(2)], "float32"), ([np.arange(2.0), [3, 4]], "float64"), ([[], []], "float64")],
)  # fmt: skip
def test_lists_are_typed_as_numpy_types_them(data, dtype):
    t = tn.Tensor(data)
    wanted = np.asarray(data)
    assert t.dtype == dtype == wanted.dtype
    np.testing.assert_array_equal(t.numpy(), wanted)


def test_ragged_and_huge_lists():
    for bad in ([[1, 2], [3]], [1, [2]], [[1], 2]):
        with pytest.raises(ValueError, match="lengths"):
            tn.Tensor(bad)
    assert tn.Tensor([2**63]).dtype == "uint64"
    with pytest.raises(ValueError, match="uint64"):
        tn.Tensor([2**64])
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested"):
        tn.Tensor(loop)


def test_column_major():
    t = tn.Tensor.from_vec_col_major([2, 3], [1, 2, 3, 4, 5, 6])
    assert t.dtype == "float64"
    np.testing.assert_array_equal(t.numpy(), np.arange(1.0, 7).reshape(2, 3, order="F"))
    assert t.numpy().flags.f_contiguous
    assert t.to_vec_col_major() == [1, 2, 3, 4, 5, 6]
    assert tn.Tensor.from_vec_col_major([2], np.arange(2)).dtype == "int64"
    assert tn.Tensor.from_vec_col_major([2], [1, 2], "int64").dtype == "int64"
    assert tn.Tensor.from_vec_col_major([2], [1, 2j]).dtype == "complex128"
    with pytest.raises(tn.ShapeError, match="6 elements"):
        tn.Tensor.from_vec_col_major([2, 3], [1.0])


MIXED = [
    (lambda a, t: a * t, lambda a, b: a * b),
    (lambda a, t: t * a, lambda a, b: a * b),
    (lambda a, t: a - t, lambda a, b: a - b),
    (lambda a, t: a / t, lambda a, b: a / b),
    (lambda a, t: a @ t, lambda a, b: a @ b),
    (lambda a, t: a == t, lambda a, b: a == b),
    (lambda a, t: a < t, lambda a, b: a < b),
    (lambda a, t: np.float64(2) * t, lambda a, b: 2 * b),
    (lambda a, t: t - np.float64(2), lambda a, b: b - 2),
    (lambda a, t: np.array(2.0) * t, lambda a, b: 2 * b),
    (lambda a, t: (1.0, 2.0, 3.0) * t, lambda a, b: np.array([1.0, 2.0, 3.0]) * b),
]


@pytest.mark.parametrize(("mixed", "reference"), MIXED)
def test_operators_with_ndarrays(mixed, reference):
    a, b = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0])
    out = mixed(a, tn.Tensor(b))
    assert isinstance(out, tn.Tensor)
    np.testing.assert_array_equal(out.numpy(), reference(a, b))
    rt = tn.EagerRuntime()
    eager = mixed(a, rt.variable_from(b))
    assert isinstance(eager, tn.EagerTensor)
    assert eager.requires_grad or eager.dtype == "bool"
    assert isinstance(mixed(a, tn.TracedTensor.from_array(b)), tn.TracedTensor)


def test_numpy_scalars_are_strong_and_python_scalars_weak():
    single = tn.Tensor(np.ones(2, "float32"))
    assert (single * 2.0).dtype == "float32"
    assert (2 * single).dtype == "float32"
    assert (single * 2j).dtype == "complex64"
    assert (single * True).dtype == "float32"
    assert (single * np.float64(2)).dtype == "float64"
    assert (np.float64(2) * single).dtype == "float64"
    assert (single * np.array(2.0)).dtype == "float64"
    assert (tn.Tensor([1, 2]) * 2.5).dtype == "float64"
    assert (tn.Tensor([1, 2]) / 2).dtype == "float64"
    assert (tn.Tensor([True]) + 1).dtype == "int64"


@pytest.mark.parametrize("kind", ["tensor", "traced", "eager"])
def test_numpy_functions_are_refused(kind):
    a = np.ones(3)
    t = {"tensor": tn.Tensor(a), "traced": tn.TracedTensor.from_array(a), "eager": tn.EagerRuntime().variable_from(a)}[kind]
    with pytest.raises(TypeError):
        np.sin(t)
    with pytest.raises(TypeError):
        a += t
    assert a.tolist() == [1, 1, 1]


def test_traced_and_tracked_tensors_refuse_numpy():
    traced = tn.TracedTensor.input("float64", ())
    for use in (np.asarray, float, bool, int, lambda t: t.numpy(), lambda t: t.item(), lambda t: t.tolist()):
        with pytest.raises(TypeError, match="traced"):
            use(traced)
    tracked = tn.EagerRuntime().variable_from(1.5)
    for use in (np.asarray, lambda t: t.numpy()):
        with pytest.raises(TypeError, match="detach"):
            use(tracked)
    assert tracked.detach().numpy() == 1.5
    assert float(tracked) == 1.5
