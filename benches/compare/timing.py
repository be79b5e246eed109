"""Cases, their agreement, and minima over interleaved repetitions."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import tenferro_py as tn

try:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = jnp = None

OURS, EAGER, NUMPY, JAX = "ours", "eager", "NumPy", "JAX"
# Above this a row is measured again, so that a disturbance is not taken for a slow kernel.
SUSPICIOUS = 1.2


class Disagreement(Exception):
    """Two libraries gave different numbers."""


@dataclass
class Case:
    """One row: what to build, and how to measure it.

    `build` gives callables without arguments by contestant. `view` turns a result
    into what must agree (factors, say, into a product). `alone`: one thread, pinned.
    """

    family: str
    name: str
    build: Callable[[], dict[str, Callable[[], object]]]
    rtol: float = 1e-10
    threads: int = 1
    seconds: float = 0.15
    view: Callable[[object], object] = field(default=lambda result: result)

    @property
    def title(self) -> str:
        return f"{self.family}: {self.name}"


@dataclass
class Row:
    """Seconds by contestant; a figure without contestants has a `note` only."""

    family: str
    name: str
    seconds: dict[str, float]
    note: str = ""

    def ratio(self, peer, of=OURS):
        return self.seconds[of] / self.seconds[peer] if peer in self.seconds and of in self.seconds else None


def prepared(outputs, leaves):
    """A callable of arrays, one per leaf, on the default engine."""
    compiled = tn.GraphCompiler().compile(outputs)
    registration = tn.CpuEngine.serial().registration()
    runtime = tn.Runtime.builder().register_engine(registration).build()
    # No leaf is read by a constant, such as the imaginary part of a real array.
    read = leaves if compiled.input_keys else []
    run = runtime.prepare(compiled, [(leaf.dtype, list(leaf.shape)) for leaf in read], [registration.target()])
    return run if read else lambda *_: run()


def leaf(x):
    """A placeholder like an array."""
    return tn.TracedTensor.input(str(x.dtype), x.shape)


def bound(f, args):
    """A call without arguments; a star costs as much as a small kernel."""
    if len(args) == 1:
        (x,) = args
        return lambda: f(x)
    if len(args) == 2:
        x, y = args
        return lambda: f(x, y)
    return lambda: f(*args)


def traced(f, *args):
    """A call of f, traced once and prepared, on arguments that are ours already."""
    leaves = [leaf(x) for x in args]
    outputs = f(*leaves)
    run = prepared(outputs if isinstance(outputs, tn.TracedTensor) else list(outputs), leaves)
    return bound(run, [tn.Tensor(x) for x in args])


def jitted(f, *args):
    """A call of f compiled by JAX, waiting for its result."""
    compiled, moved = jax.jit(f), [jnp.asarray(x) for x in args]
    if isinstance(compiled(*moved), jax.Array):
        return bound(lambda *a: compiled(*a).block_until_ready(), moved)
    return lambda: jax.block_until_ready(compiled(*moved))


@contextmanager
def pinned(on=True):
    """The calling thread on one core."""
    cores = os.sched_getaffinity(0)
    if on:
        os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


# Seconds: what batches take at least; from where on a call is made once only.
BATCH, SLOW = 2e-4, 0.2


def once(call):
    """Seconds of one call; the least of a few if they are quick, since the first may compile something."""
    took = []
    while len(took) < 4 and sum(took) < SLOW / 4:
        start = time.perf_counter()
        call()
        took.append(time.perf_counter() - start)
    return min(took)


def race(calls, seconds):
    """Seconds a call of each: minima of short batches, taken in turn, in so many seconds each."""
    least = {name: once(call) for name, call in calls.items()}
    inner = {name: max(1, int(BATCH / max(t, 1e-9))) for name, t in least.items()}
    running = {name: call for name, call in calls.items() if least[name] < SLOW}
    end = time.perf_counter() + seconds * len(running)
    done = 0
    while running and (done < 3 or time.perf_counter() < end):
        for name, call in running.items():
            start = time.perf_counter()
            for _ in range(inner[name]):
                call()
            least[name] = min(least[name], (time.perf_counter() - start) / inner[name])
        done += 1
    return least


def arrays(result) -> Iterator[np.ndarray]:
    """All arrays of a result, in order."""
    if isinstance(result, tuple | list):
        for part in result:
            yield from arrays(part)
    else:
        yield np.asarray(result)


def check(title, got, want, rtol):
    """Raise Disagreement unless all arrays agree, relative to each one's largest entry."""
    got, want = list(arrays(got)), list(arrays(want))
    if len(got) != len(want):
        raise Disagreement(f"{title}: {len(got)} results against {len(want)}")
    for a, b in zip(got, want, strict=True):
        if a.shape != b.shape:
            raise Disagreement(f"{title}: shapes {a.shape} and {b.shape}")
        finite = np.abs(b[np.isfinite(b)]).astype(float)
        scale = finite.max() if finite.size else 1.0
        if not np.allclose(a, b, rtol=rtol, atol=rtol * scale, equal_nan=True):
            off = np.max(np.abs(np.asarray(a, complex) - np.asarray(b, complex)))
            raise Disagreement(f"{title}: differs by {off:.3g}, where the largest number is {scale:.3g}")


def measure(case: Case) -> Row:
    """Check that the contestants agree, then time them against each other."""
    with tn.threads(case.threads), pinned(case.threads == 1):
        calls = case.build()
        first = case.view(calls[OURS]())
        for name, call in calls.items():
            if name != OURS:
                check(f"{case.title}: {name}", first, case.view(call()), case.rtol)
        row = Row(case.family, case.name, race(calls, case.seconds))
        for _ in range(2):
            if max(row.ratio(NUMPY) or 0, row.ratio(JAX) or 0, row.ratio(NUMPY, EAGER) or 0) <= SUSPICIOUS:
                break
            again = race({k: v for k, v in calls.items() if row.seconds[k] < SLOW / 2}, case.seconds)
            row.seconds = {k: min(v, again.get(k, v)) for k, v in row.seconds.items()}
    return row
