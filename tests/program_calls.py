"""Calls of any function with any arguments: they give a result or an error, and nothing else."""

import inspect

import numpy as np
import running

import tenferro_py as tn

# Not functions of arrays, or they take as many steps as an argument says.
LEFT_OUT = ("threads", "grad", "value_and_grad", "polygamma", "diff", "vander")
REFUSED = (tn.TenferroError, TypeError, ValueError, IndexError)
NAMES = ("axis", "keepdims", "n", "k", "size", "dtype", "axes", "offset", "mode", "order", "norm", "ord", "rtol", "lower")


def functions():
    found = []
    for module in (tn, tn.linalg, tn.fft):
        for name in sorted(dir(module)):
            f = getattr(module, name)
            if not name.startswith("_") and inspect.isfunction(f) and name not in LEFT_OUT:
                found.append(f)
    return found


FUNCTIONS = functions()
TEXTS = ("", "a", "C", "full", "ij,jk->ik", "ortho", "fro", "float32")
OTHERS = (*TEXTS, None, object(), {}, len, np.float32(2), b"x", ((1, 1),), [[1.0], 2])


def tensor(rng, make):
    shape = tuple(rng.choice((0, 1, 2, 2, 3)) for _ in range(rng.randrange(4)))
    dtype = rng.choice(("float64", "float64", "complex128", "float32", "int64", "uint8", "bool"))
    return make(np.ones(shape, dtype) if rng.random() < 0.5 else np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype))


def number(rng):
    whole = (-3, -2, -1, 0, 1, 2, 3, 2**62, -(2**63), 2**63, 10**25)
    return rng.choice((*whole, 0.5, -0.0, 1e300, float("nan"), float("inf"), 1j, True))


def argument(rng, make):
    chance = rng.random()
    if chance < 0.55:
        return tensor(rng, make)
    if chance < 0.75:
        return number(rng)
    if chance < 0.85:
        return rng.choice((tuple, list))(number(rng) for _ in range(rng.randrange(4)))
    if chance < 0.9:
        return [tensor(rng, make) for _ in range(rng.randrange(3))]
    return rng.choice(OTHERS)


def enormous(x):
    """Whether a number of more than 64 bits is there, which Python itself refuses with an OverflowError."""
    if isinstance(x, (list, tuple)):
        return any(map(enormous, x))
    return isinstance(x, int) and not -(2**63) <= x < 2**63


def call(rng, make):
    """One call; what it gives is computed. Gives the name of the error, if there is one."""
    f = rng.choice(FUNCTIONS)
    args = [argument(rng, make) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    named = {rng.choice(NAMES): argument(rng, make) for _ in range(rng.choice((0, 0, 0, 1, 2)))}
    more = (OverflowError,) if enormous([*args, *named.values()]) else ()
    try:
        finish(f(*args, **named))
    except (*REFUSED, *more, MemoryError, NotImplementedError) as e:
        return type(e).__name__
    except BaseException as e:
        e.add_note(f"{f.__name__}({args}, {named})")
        raise
    return None


def finish(result):
    """Runs what was recorded."""
    results = [r for r in running.as_list(result) if isinstance(r, tn.Array)]
    recorded = [r for r in results if isinstance(r, tn.TracedTensor)]
    if recorded:
        running.run(recorded, [], [])
    for r in results:
        if isinstance(r, tn.Tensor):
            r.numpy()
