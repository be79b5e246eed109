"""Operations of random programs: shapes, joins, indices and updates."""

import math

import numpy as np
from program_elementwise import named
from program_parts import Op, Refused

ANY = "fcbiu"


def split_size(rng, size, parts):
    """A shape of so many axes and elements."""
    shape = []
    for _ in range(parts - 1):
        divisors = [k for k in range(1, size + 1) if size % k == 0] if size else [0, 1, 3]
        n = rng.choice(divisors)
        shape.append(n)
        size = size // n if n else 0
    return (*shape, size)


def reshape_choice(d):
    i = d.pick(ANY)
    a = d.values[i]
    if a.size == 0:
        return (i,), {"shape": tuple(reversed(a.shape)), "order": "C"}
    shape = split_size(d.rng, a.size, d.rng.randrange(1, 5)) if a.size > 1 or d.rng.random() < 0.5 else ()
    if shape and d.rng.random() < 0.3:
        k = d.rng.randrange(len(shape))
        shape = (*shape[:k], -1, *shape[k + 1 :])
    return (i,), {"shape": shape, "order": d.rng.choice("CCF")}


def transpose_choice(d):
    i = d.pick(ANY, 1)
    axes = list(range(d.values[i].ndim))
    d.rng.shuffle(axes)
    return (i,), {"axes": tuple(axes)}


def two_axes(d, kinds=ANY, least=2):
    i = d.pick(kinds, least)
    n = d.values[i].ndim
    return i, d.rng.randrange(-n, n), d.rng.randrange(-n, n)


def swap_choice(d):
    i, j, k = two_axes(d, least=1)
    return (i,), {"j": j, "k": k}


def expand_choice(d):
    i = d.pick(ANY, most=3)
    return (i,), {"axis": d.rng.randrange(-d.values[i].ndim - 1, d.values[i].ndim + 1)}


def squeeze_choice(d):
    i = d.pick(ANY, 1, where=lambda a: 1 in a.shape)
    ones = [k for k, n in enumerate(d.values[i].shape) if n == 1]
    return (i,), {"axis": d.rng.choice([None, d.rng.choice(ones), tuple(ones)])}


def broadcast_choice(d):
    i = d.pick(ANY, most=3)
    shape = [d.rng.choice((1, 2, 3)) if n == 1 else n for n in d.values[i].shape]
    return (i,), {"shape": tuple([d.rng.choice((1, 2, 4))] * d.rng.randrange(2) + shape)}


def axis_choice(d, least=1):
    i = d.pick(ANY, least)
    return i, d.rng.randrange(-d.values[i].ndim, d.values[i].ndim)


def flip_choice(d):
    i, axis = axis_choice(d)
    return (i,), {"axis": d.rng.choice((None, axis))}


def roll_choice(d):
    i, axis = axis_choice(d)
    return (i,), {"shift": d.rng.randrange(-7, 8), "axis": d.rng.choice((None, axis))}


def tile_choice(d):
    i = d.pick(ANY, most=3)
    return (i,), {"repetitions": tuple(d.rng.choice((1, 1, 2, 3)) for _ in range(d.rng.randrange(1, 4)))}


def repeat_choice(d):
    i, axis = axis_choice(d)
    n = d.values[i].shape[axis]
    counts = [d.rng.randrange(3) for _ in range(n)] if n and d.rng.random() < 0.4 else d.rng.choice((1, 2, 3))
    return (i,), {"repeats": counts, "axis": axis}


MODES = ("constant", "edge", "reflect", "symmetric", "wrap", "mean", "linear_ramp")


def pad_choice(d):
    mode = d.rng.choice(MODES)
    i = d.pick("fc" if mode in ("mean", "linear_ramp") else "fciu", 1, 3, where=lambda a: a.size > 0)
    width = tuple((d.rng.randrange(3), d.rng.randrange(3)) for _ in range(d.values[i].ndim))
    return (i,), {"pad_width": width, "mode": mode}


def together(d, least, same):
    """One to three values that fit along an axis, and the axis."""
    i = d.pick(ANY, least)
    a = d.values[i]
    axis = d.rng.randrange(a.ndim) if a.ndim else 0

    def fit(b):
        if b.ndim != a.ndim:
            return False
        return b.shape == a.shape if same else all(k == axis or m == n for k, (m, n) in enumerate(zip(a.shape, b.shape, strict=True)))

    return [i, *(d.pick(ANY, where=fit) for _ in range(d.rng.randrange(3)))], axis


def concat_choice(d):
    args, axis = together(d, 1, False)
    return tuple(args), {"axis": axis - d.rng.choice((0, d.values[args[0]].ndim))}


def stack_choice(d):
    args, _ = together(d, 0, True)
    n = d.values[args[0]].ndim
    if n > 3:
        raise Refused("too many axes")
    return tuple(args), {"axis": d.rng.randrange(-n - 1, n + 1)}


def join_choice(d):
    args, _ = together(d, 0, True)
    return tuple(args), {"name": d.rng.choice(("vstack", "hstack", "dstack"))}


def split_choice(d):
    i = d.pick(ANY, 1)
    axis = d.rng.randrange(d.values[i].ndim)
    n = d.values[i].shape[axis]
    at = sorted(d.rng.randrange(n + 1) for _ in range(d.rng.randrange(1, 3)))
    return (i,), {"indices": at, "axis": axis}


def slice_of(rng, n):
    start, stop = rng.randrange(-n - 1, n + 2), rng.randrange(-n - 1, n + 2)
    return slice(rng.choice((None, start)), rng.choice((None, stop)), rng.choice((None, 1, 2, -1, -2)))


def index_choice(d, arrays=True):
    """NumPy's basic indices, at most one integer array or mask among them."""
    i = d.pick(ANY, 1)
    shape = d.values[i].shape
    index = [slice_of(d.rng, n) if d.rng.random() < 0.7 or n == 0 else d.rng.randrange(-n, n) for n in shape]
    if arrays and d.rng.random() < 0.5:
        k = d.rng.randrange(len(shape))
        n = shape[k]
        if n and d.rng.random() < 0.7:
            grid = split_size(d.rng, d.rng.randrange(1, 5), d.rng.randrange(1, 3))
            index[k] = np.array([d.rng.randrange(-n, n) for _ in range(math.prod(grid))]).reshape(grid)
        else:
            index[k] = np.array([d.rng.random() < 0.5 for _ in range(n)], dtype=bool)
    cut = d.rng.randrange(len(index) + 1)
    index = index[:cut] + ([Ellipsis] if d.rng.random() < 0.4 else []) if cut < len(index) else index
    if d.rng.random() < 0.2:
        index.insert(d.rng.randrange(len(index) + 1), None)
    return (i,), {"index": tuple(index)}


def update_choice(d):
    (i,), params = index_choice(d, arrays=d.rng.random() < 0.5)
    x = d.values[i]
    if x.dtype.kind not in "fc":
        raise Refused("an update of integers")
    part = x[params["index"]]
    method = d.rng.choice(("set", "add", "multiply") + ("min", "max") * (x.dtype.kind == "f"))

    def fit(u):
        return np.can_cast(u.dtype, x.dtype) and all(n in (1, m) for n, m in zip(u.shape[::-1], part.shape[::-1], strict=False))

    j = d.pick("fc", most=part.ndim, where=fit)
    return (i, j), {**params, "method": method}


def update_branch(x, u, index, method):
    if method not in ("min", "max"):
        return np.zeros(0)
    part = x[index]
    # All orders between updates that may meet one element.
    return np.concatenate([np.sign(part - u).ravel(), np.argsort(np.broadcast_to(u, part.shape), axis=None, stable=True)])


def take_choice(d):
    i = d.pick(ANY, 1, where=lambda a: a.size > 0)
    j = d.pick("iu", most=2, where=lambda a: a.size > 0)
    axis = d.rng.randrange(-d.values[i].ndim, d.values[i].ndim)
    return (i, j), {"axis": axis, "mode": d.rng.choice(("wrap", "clip"))}


def take_fixed(d):
    i = d.pick(ANY, 1, where=lambda a: a.size > 0)
    axis = d.rng.randrange(-d.values[i].ndim, d.values[i].ndim)
    n = d.values[i].shape[axis]
    return (i,), {"axis": axis, "indices": [d.rng.randrange(-n, n) for _ in range(d.rng.randrange(1, 5))]}


def along_choice(d):
    i = d.pick(ANY, 1, where=lambda a: a.size > 0)
    a = d.values[i]
    axis = d.rng.randrange(a.ndim)
    shape = (*a.shape[:axis], d.rng.randrange(1, 4), *a.shape[axis + 1 :])
    n = a.shape[axis]
    indices = np.array([d.rng.randrange(-n, n) for _ in range(math.prod(shape))]).reshape(shape)
    return (i,), {"indices": indices, "axis": axis}


def starts_and_sizes(d, a):
    sizes = [d.rng.randrange(1, n + 1) if n else 0 for n in a.shape]
    return [d.rng.randrange(-2, n + 2) for n in a.shape], sizes


def window_choice(d):
    """Starts are numbers, or the first of them an earlier integer."""
    i = d.pick(ANY, 1)
    starts, sizes = starts_and_sizes(d, d.values[i])
    args = (i,)
    if d.rng.random() < 0.5:
        args = (i, d.pick("i", most=0))
    return args, {"starts": starts, "sizes": sizes}


def window(ns, x, *first, starts, sizes):
    return ns.dynamic_slice(x, (*first, *starts[len(first) :]), sizes)


def window_update_choice(d):
    i = d.pick("fc", 1)
    x = d.values[i]
    j = d.pick("fc", x.ndim, x.ndim, lambda u: u.dtype == x.dtype and all(m <= n for m, n in zip(u.shape, x.shape, strict=True)))
    return (i, j), {"starts": starts_and_sizes(d, x)[0]}


def diagonal_choice(d):
    i = d.pick(ANY, 2)
    n = d.values[i].ndim
    j, k = d.rng.sample(range(n), 2)
    return (i,), {"offset": d.rng.randrange(-2, 3), "axis1": j, "axis2": k - d.rng.choice((0, n))}


def triangle_choice(d):
    return (d.pick(ANY, 2),), {"k": d.rng.randrange(-2, 3)}


def diag_choice(d):
    return (d.pick(ANY, 1, 2),), {"k": d.rng.randrange(-2, 3)}


def grid_choice(d):
    args = tuple(d.pick("fciu", 1, 1) for _ in range(2))
    return args, {"indexing": d.rng.choice(("xy", "ij"))}


def joined(ns, *xs, name="concat", **params):
    return getattr(ns, name)(xs, **params)


OPS = [
    Op("reshape", named("reshape"), reshape_choice),
    Op("permute_dims", lambda ns, x, axes: ns.permute_dims(x, axes), transpose_choice),
    Op("moveaxis", lambda ns, x, j, k: ns.moveaxis(x, j, k), swap_choice),
    Op("swapaxes", lambda ns, x, j, k: ns.swapaxes(x, j, k), swap_choice),
    Op("matrix_transpose", named("matrix_transpose"), lambda d: ((d.pick(ANY, 2),), {})),
    Op("method_T", lambda ns, x: x.T, lambda d: ((d.pick(ANY, 2, 2),), {})),
    Op("expand_dims", named("expand_dims"), expand_choice),
    Op("squeeze", named("squeeze"), squeeze_choice),
    Op("broadcast_to", lambda ns, x, shape: ns.broadcast_to(x, shape), broadcast_choice),
    Op("flip", named("flip"), flip_choice),
    Op("roll", named("roll"), roll_choice),
    Op("tile", lambda ns, x, repetitions: ns.tile(x, repetitions), tile_choice),
    Op("repeat", lambda ns, x, repeats, axis: ns.repeat(x, repeats, axis=axis), repeat_choice),
    Op("ravel", named("ravel"), lambda d: ((d.pick(ANY),), {})),
    Op("pad", lambda ns, x, pad_width, mode: ns.pad(x, pad_width, mode=mode), pad_choice),
    Op("concat", joined, concat_choice),
    Op("stack", lambda ns, *xs, axis: ns.stack(xs, axis=axis), stack_choice),
    Op("join", joined, join_choice),
    Op("split", lambda ns, x, indices, axis: ns.split(x, indices, axis=axis), split_choice),
    *(Op("index", lambda ns, x, index: x[index], index_choice) for _ in range(3)),
    *(Op("update", lambda ns, x, u, index, method: ns.at(x, index, method, u), update_choice, branch=update_branch) for _ in range(2)),
    Op("take", lambda ns, x, i, axis, mode: ns.take(x, i, axis=axis, mode=mode), take_choice),
    Op("take_fixed", lambda ns, x, indices, axis: ns.take(x, np.array(indices), axis=axis), take_fixed),
    Op("take_along_axis", lambda ns, x, indices, axis: ns.take_along_axis(x, indices, axis=axis), along_choice),
    Op("dynamic_slice", window, window_choice),
    Op("dynamic_update_slice", lambda ns, x, u, starts: ns.dynamic_update_slice(x, u, starts), window_update_choice),
    Op("diagonal", named("diagonal"), diagonal_choice),
    Op("trace", named("trace"), diagonal_choice),
    Op("tril", lambda ns, x, k: ns.tril(x, k=k), triangle_choice),
    Op("triu", lambda ns, x, k: ns.triu(x, k=k), triangle_choice),
    Op("diag", lambda ns, x, k: ns.diag(x, k=k), diag_choice),
    Op("meshgrid", lambda ns, x, y, indexing: ns.meshgrid(x, y, indexing=indexing), grid_choice),
]
