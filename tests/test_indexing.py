"""x[index] and x.at[index] against NumPy: every kind of index, in every front end."""

import numpy as np
import pytest
import running

import tenferro_py as tn

B = np.arange(24.0).reshape(2, 3, 4) - 7
MASK = B[:, :, 0] > -4
FRONT_ENDS = {"plain": tn.Tensor, "eager": tn.EagerRuntime().variable_from, "traced": tn.TracedTensor.from_array}


def value(x):
    """The numbers of a tensor of any kind."""
    if isinstance(x, tn.TracedTensor):
        return running.run([x], [], [])[0]
    return np.array((x.detach() if isinstance(x, tn.EagerTensor) else x).numpy())


BASIC = {
    "whole": (),
    "none": None,
    "nones": (None, None),
    "ellipsis": ...,
    "none behind": np.s_[..., None],
    "nones and a number": np.s_[None, ..., None, 0],
    "none between": np.s_[0, None, :, None],
    "negative": -1,
    "numpy integers": (np.int64(1), np.uint8(2), np.int8(-1)),
    "a number in an array": np.array(1),
    "backwards": np.s_[::-1],
    "backwards over both ends": np.s_[5:-10:-1],
    "backwards by two": np.s_[:, ::-2, 3:0:-2],
    "backwards to nothing": np.s_[0:2:-1],
    "over both ends": np.s_[-100:100],
    "nothing": np.s_[2:1],
    "numpy bounds": np.s_[np.int64(0) : np.int8(1), :: np.uint8(2)],
    "ellipsis between": np.s_[1, ..., ::3],
    "ellipsis for no axis": np.s_[0, 1, ..., 2],
}
ARRAYS = {
    "list": [1, 0],
    "list of negatives": [-1, -2, 1],
    "nested list": [[0, 1], [1, 0]],
    "range": range(2),
    "tuple": (1, 0),
    "tuple in a tuple": ((0, 1), (1, 0)),
    "list of numpy numbers": [np.int64(0), 1],
    "uint8": np.array([1, 0, 1], np.uint8),
    "empty list": [],
    "empty array": np.zeros((0, 2), int),
    "empty beside another": ([], np.zeros((3, 1), int)),
    "two": ([0, 1, 0], [2, -1, 2]),
    "two that broadcast": (np.array([[0], [1]]), np.array([0, 1, 2])),
    "a slice between": np.s_[np.array([[0], [1]]), :, np.array([0, 1, 3])],
    "a part between": np.s_[np.array([[0], [1]]), 2:0:-1, np.array([0, 1, 3])],
    "side by side behind a slice": np.s_[:, np.array([[0], [1]]), np.array([0, 1, 3])],
    "a number beside": np.s_[0, [0, 1]],
    "a number before a slice": np.s_[0, :, [0, 1]],
    "a number behind a slice": np.s_[[0, 1], :, 0],
    "a number side by side": np.s_[:, 0, [0, 1]],
    "none between": np.s_[[0, 1], None, [0, 1]],
    "nones around": np.s_[None, [0, 1], ..., None],
    "ellipsis before": np.s_[..., [3, 0, 0]],
    "ellipsis between": np.s_[[1, 0], ..., [3, 0]],
    "mask": np.array([True, False]),
    "mask as list": [False, True],
    "mask of two axes": MASK,
    "mask of all axes": B > 0,
    "mask and number": (MASK, 0),
    "number and mask": (0, B[0] > -3),
    "mask and slice": np.s_[MASK, 1:3],
    "mask and array": (MASK, np.arange(MASK.sum()) % 4),
    "mask behind": np.s_[..., np.array([True, False, True, True])],
    "mask behind a slice": np.s_[:, np.array([True, False, True])],
    "two masks": np.s_[np.array([True, True]), np.array([True, False, True])],
    "two masks apart": np.s_[np.array([True, True]), :, np.array([True, False, True, False])],
    "mask and a list": np.s_[np.array([True, True]), [0, 2]],
    "mask of nothing": np.zeros((2, 3), bool),
}
EVERY = [pytest.param(i, id=k) for table in (BASIC, ARRAYS) for k, i in table.items()]


@pytest.mark.parametrize("front", FRONT_ENDS)
@pytest.mark.parametrize("index", EVERY)
def test_reading(index, front):
    np.testing.assert_array_equal(value(FRONT_ENDS[front](B)[index]), B[index], strict=True)


BOOLEANS = {
    "true": True,
    "false": False,
    "numpy": np.True_,
    "array": np.array(False),
    "before a number": (True, 0),
    "behind a number": (0, True),
    "none": (None, True),
    "behind all": (..., False),
    "list": (True, [0, 1]),
    "between": np.s_[:, True, [0, 1]],
    "apart": np.s_[[0, 1], :, True],
    "two": (True, True),
    "true and false": (True, False),
    "mask": (np.array(True), MASK),
}


@pytest.mark.parametrize("front", FRONT_ENDS)
@pytest.mark.parametrize("index", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_without_axes(index, front):
    np.testing.assert_array_equal(value(FRONT_ENDS[front](B)[index]), B[index], strict=True)
    wanted = B.copy()
    wanted[index] = 9
    np.testing.assert_array_equal(value(FRONT_ENDS[front](B).at[index].set(9.0)), wanted)


UPDATES = {
    "set": None,
    "add": np.add,
    "subtract": np.subtract,
    "mul": np.multiply,
    "multiply": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def updated(name, index, u):
    """NumPy's copy of B, each update of an element made in turn."""
    y = B.copy()
    if UPDATES[name] is None:
        y[index] = u
    else:
        UPDATES[name].at(y, index, u)
    return y


@pytest.mark.parametrize("name", UPDATES)
@pytest.mark.parametrize("index", EVERY)
def test_writing(index, name):
    index = list(index) if isinstance(index, range) else index
    shape = B[index].shape
    # Different numbers where an element is met several times, but one to set: NumPy promises no order there.
    u = np.cos(np.arange(np.prod(shape, dtype=int))).reshape(shape) * 5 if name != "set" else B[index] * 2 + 1
    for x in (tn.Tensor(B), tn.TracedTensor.from_array(B)):
        np.testing.assert_allclose(value(getattr(x.at[index], name)(u)), updated(name, index, u), rtol=1e-13, atol=1e-13, strict=True)
        np.testing.assert_allclose(value(getattr(x.at[index], name)(3)), updated(name, index, 3.0), rtol=1e-13, strict=True)


@pytest.mark.parametrize("index", EVERY)
def test_parts_divided_raised_changed_and_read(index):
    index = list(index) if isinstance(index, range) else index
    x = tn.Tensor(B)
    met = np.zeros(B.shape, int)
    np.add.at(met, index, 1)
    np.testing.assert_allclose(x.at[index].divide(2).numpy(), B / 2.0**met, strict=True)
    np.testing.assert_allclose(x.at[index].power(2).numpy(), B ** (2.0**met), strict=True)
    np.testing.assert_allclose(x.at[index].apply(tn.square).numpy(), np.where(met, B * B, B), strict=True)
    np.testing.assert_array_equal(x.at[index].get().numpy(), B[index], strict=True)


def test_the_last_of_several_to_set_holds():
    np.testing.assert_array_equal(tn.Tensor(B).at[[0, 0, 1]].set(np.ones((3, 3, 4)) * [[[1]], [[2]], [[3]]]).numpy()[:, 0, 0], [2, 3])


@pytest.mark.parametrize("name", ["set", "add", "mul", "min", "max"])
@pytest.mark.parametrize(
    "index", [np.s_[1:, ::-2], np.s_[[0, 2, 0], 1:], np.s_[np.array([True, False, True])], 1, np.s_[..., None, [1, 1]]], ids=str
)
def test_derivatives_of_updates(index, name, rng):
    x = rng.permutation(np.arange(12.0)).reshape(3, 4) / 3
    u = rng.permutation(np.arange(x[index].size) + 0.5).reshape(x[index].shape) / 3
    running.check_derivatives(lambda x, u: getattr(x.at[index], name)(u), [x, u], rng)


@pytest.mark.parametrize(
    "index", [np.s_[::-1, None, [0, 0]], np.s_[[0, 1], :, [1, 1]], MASK, np.s_[:, [], 0], B > 0], ids=["a", "b", "c", "d", "e"]
)
def test_derivatives_of_parts(index, rng):
    running.check_derivatives(lambda x: x[index], [rng.standard_normal((2, 3, 4))], rng)


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (5, (5, 0, 2)),
        (-3, (-3, 0, 2)),
        (np.s_[:, 3], (3, 1, 3)),
        (np.s_[..., 4], (4, 2, 4)),
        (np.s_[None, 2], (2, 0, 2)),
        ([0, 7], (7, 0, 2)),
        ([-3], (-3, 0, 2)),
        (np.s_[:, :, [4]], (4, 2, 4)),
        (np.s_[[], 5], (5, 1, 3)),
        ((0, 0, 0, 0), "4 indices for 3 axes"),
        ((..., ...), "more than one ellipsis"),
        (np.ones((2, 2), bool), r"shape \(2, 2\) does not fit: axis 1 has size 3"),
        (np.s_[0, np.ones(4, bool)], r"shape \(4,\) does not fit: axis 1 has size 3"),
        (np.ones((2, 3, 4, 1), bool), "4 indices for 3 axes"),
    ],
    ids=str,
)
def test_what_is_out_of_range(index, words):
    if isinstance(words, tuple):
        number, axis, size = words
        words = rf"{number} is out of (range|bounds) for axis {axis} (of length|with size) {size}$"
    for x in (tn.Tensor(B), tn.TracedTensor.from_array(B)):
        with pytest.raises(IndexError, match=words):
            value(x[index])
        with pytest.raises(IndexError, match=words):
            value(x.at[index].set(0.0))
    with pytest.raises(IndexError):
        B[index]


@pytest.mark.parametrize("index", ["a", b"a", {}, 1.0, np.float64(1), np.array([0.0]), [slice(0, 1)], np.array([]), np.s_[0.5:]], ids=str)
def test_what_is_no_index(index):
    for f in (lambda x: x[index], lambda x: x.at[index].add(1.0)):
        with pytest.raises(TypeError, match=r"index|interpreted"):
            f(tn.Tensor(B))


def test_a_step_of_nothing_and_arrays_that_do_not_meet():
    with pytest.raises(ValueError, match="step is 0"):
        tn.Tensor(B)[::0]
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\) do not match"):
        tn.Tensor(B)[[0, 1], [0, 1, 2]]


def test_updates_keep_the_dtype():
    x = tn.Tensor(np.zeros(3, "int8"))
    assert x.at[0].set(5).dtype == tn.int8
    assert tn.Tensor(np.zeros(3, "float32")).at[0].add(np.float64(0.5)).dtype == tn.float32
    for u in (0.5, np.array([1j, 0, 0])):
        with pytest.raises(TypeError, match=r"at\.set"):
            x.at[:].set(u)
    with pytest.raises(ValueError, match=r"at|broadcast"):
        x.at[:2].set(np.zeros(3, "int8"))


def test_a_traced_mask_chooses_what_to_set():
    def f(x):
        return x.at[x > 0].set(0.0), x.at[x > 0].mul(2.0), x.at[x > 0].min(4.0)

    for got, wanted in zip(
        running.traced(f, [B]), (np.where(B > 0, 0, B), np.where(B > 0, 2 * B, B), np.minimum(B, np.where(B > 0, 4, B))), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)


def test_traced_indices():
    def f(x, i):
        return x[i], x[:, i, None], x.at[i, 0].add(1.0), tn.gather(x, 0, tn.reshape(i, (3, 1))), tn.dynamic_slice(x, (i[0], i[1]), (1, 2))

    a, i = B[0], np.array([2, 1, 2])
    added = a.copy()
    np.add.at(added, (i, 0), 1)
    wanted = (a[i], a[:, i, None], added, a[i, :1], a[2:3, 1:3])
    for got, w in zip(running.traced(f, [a, i]), wanted, strict=True):
        np.testing.assert_array_equal(got, w)
    with pytest.raises(IndexError, match="9 is out of bounds for axis 0 with size 3"):
        running.traced(f, [a, np.array([0, 9, 1])])


@pytest.mark.parametrize(
    ("name", "numpy"),
    [("scatter", None), ("scatter_add", np.add), ("scatter_mul", np.multiply), ("scatter_min", np.minimum), ("scatter_max", np.maximum)],
)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scatter(name, numpy, axis, rng):
    x = rng.standard_normal((4, 3, 5))
    i = np.argsort(rng.standard_normal((2, 3, 4)), axis=axis) % 3
    u = rng.standard_normal(i.shape)
    grid = list(np.indices(i.shape))
    grid[axis] = i
    wanted = x.copy()
    if numpy is None:
        wanted[tuple(grid)] = u
    else:
        numpy.at(wanted, tuple(grid), u)
    np.testing.assert_allclose(getattr(tn, name)(x, axis, i, u).numpy(), wanted, rtol=1e-14)
    np.testing.assert_array_equal(tn.gather(x, axis, i).numpy(), x[tuple(grid)])
    (got,) = running.traced(lambda x, i, u: getattr(tn, name)(x, axis=axis, indices=i, updates=u), [x, i, u])
    np.testing.assert_allclose(got, wanted, rtol=1e-14)


def test_scatter_as_its_documentation_in_torch_says():
    # torch.Tensor.scatter_ and scatter_add_: the examples of their documentation.
    src = np.arange(1, 11).reshape(2, 5)
    zeros = np.zeros((3, 5), "int64")
    assert tn.scatter(zeros, 0, [[0, 1, 2, 0]], src[:1, :4]).tolist() == [[1, 0, 0, 4, 0], [0, 2, 0, 0, 0], [0, 0, 3, 0, 0]]
    assert tn.scatter(zeros, 1, [[0, 1, 2], [0, 1, 4]], src[:, :3]).tolist() == [[1, 2, 3, 0, 0], [6, 7, 0, 0, 8], [0, 0, 0, 0, 0]]
    two = np.full((2, 4), 2.0)
    assert tn.scatter_mul(two, 1, [[2], [3]], 1.25).tolist() == [[2.0, 2.0, 2.5, 2.0], [2.0, 2.0, 2.0, 2.5]]
    ones = np.ones((2, 5))
    assert tn.scatter_add(np.zeros((3, 5)), 0, [[0, 1, 2, 0, 0]], ones[:1]).tolist() == [[1, 0, 0, 1, 1], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]]
    assert tn.gather([[1, 2], [3, 4]], 1, [[0, 0], [1, 0]]).tolist() == [[1, 1], [4, 3]]


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_put_along_axis(axis, rng):
    x = rng.standard_normal((3, 4))
    i = {0: [[2, 0, 1, 1]], None: [5, 11, 0]}.get(axis, [[3], [0], [1]])
    wanted = x.copy()
    np.put_along_axis(wanted, np.array(i), 7.0, axis)
    np.testing.assert_array_equal(tn.put_along_axis(x, i, 7.0, axis=axis).numpy(), wanted)
    np.testing.assert_array_equal(tn.take_along_axis(wanted, i, axis=axis).numpy(), np.take_along_axis(wanted, np.array(i), axis))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tn.scatter(B, 3, [[[0]]], 0.0), tn.AxisError, "scatter: axis 3"),
        (lambda: tn.scatter_add(B, 0, [0], 0.0), tn.ShapeError, "scatter_add: .* as many axes"),
        (lambda: tn.scatter_max(B, 0, np.zeros((1, 4, 1), int), 0.0), tn.ShapeError, "scatter_max: .* along axis 1"),
        (lambda: tn.gather(B, 0, [[[0.0]]]), tn.DTypeError, "gather: .* float64"),
        (lambda: tn.gather(B, 0, [[[2]]]), IndexError, "2 is out of bounds for axis 0 with size 2"),
        (lambda: tn.scatter_min(B, 1, [[[3]]], 1.0), IndexError, "3 is out of bounds for axis 1 with size 3"),
        (lambda: tn.scatter(B, 1, [[[0, 1]]], np.ones(3)), ValueError, "3"),
        (lambda: tn.put_along_axis(B, [[[9]]], 1.0, axis=0), IndexError, "9 is out of bounds for axis 0"),
        (
            lambda: tn.scatter(tn.TracedTensor.input("float64", ("n", 2)), 1, tn.TracedTensor.input("int64", ("n", 2)), 0.0),
            tn.ShapeError,
            "scatter: axis 0 has the size n",
        ),
    ],
)
def test_scatter_refuses(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_contains():
    for x in (B, B[0], B[0, 0], np.array(3.0)):
        for v in (3.0, -7, 99.0):
            assert (v in tn.Tensor(x)) == (v in x)


def test_reversed():
    np.testing.assert_array_equal([value(row) for row in reversed(tn.Tensor(B))], B[::-1])


def test_item_assignment_says_what_to_do():
    x = tn.Tensor(B)
    with pytest.raises(TypeError, match=r"x\.at\[index\]\.set"):
        x[0] = 1.0
