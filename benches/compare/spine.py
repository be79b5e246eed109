"""The gradients the package was designed around: small programs, Ising by TRG, long chains, start-up."""

import pathlib
import subprocess
import sys
import time

import numpy as np
from timing import JAX, NUMPY, OURS, Case, Row, check, jax, jitted, jnp, prepared

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import ising_trg  # noqa: E402

import tenferro_py as tn  # noqa: E402


def f(lib, x):
    return lib.sum(lib.sin(x) * x * x)


def gradient(n, kind):
    """grad, jvp or hvp of Σ sin(x) x²."""
    x, v = np.linspace(-2, 2, n), np.cos(np.arange(float(n)))
    lx, lv = tn.TracedTensor.input("float64", (n,)), tn.TracedTensor.input("float64", (n,))
    y = f(tn, lx)
    args = (x,) if kind == "grad" else (x, v)
    derivative = {"grad": lambda: y.grad(lx), "jvp": lambda: y.jvp(lx, lv), "hvp": lambda: y.grad(lx).jvp(lx, lv)}[kind]()
    run = prepared(derivative, [lx, lv][: len(args)])
    calls = {OURS: lambda: run(*args)}
    if kind == "grad":
        calls[NUMPY] = lambda: 2 * x * np.sin(x) + x * x * np.cos(x)
    if jax:
        g = lambda x: f(jnp, x)  # noqa: E731
        theirs = {
            "grad": jax.grad(g),
            "jvp": lambda x, v: jax.jvp(g, (x,), (v,))[1],
            "hvp": lambda x, v: jax.jvp(jax.grad(g), (x,), (v,))[1],
        }[kind]
        calls[JAX] = jitted(theirs, *args)
    return calls


def smallest():
    x = np.array([1.0, 2.0, 3.0])
    leaf = tn.TracedTensor.input("float64", (3,))
    run = prepared(tn.sum(leaf * leaf).grad(leaf), [leaf])
    calls = {OURS: lambda: run(x), NUMPY: lambda: 2 * x}
    if jax:
        calls[JAX] = jitted(jax.grad(lambda x: jnp.sum(x * x)), x)
    return calls


def backward(n):
    """Forward and backward from Python, on the default engine; JAX without jit."""
    x, runtime = np.linspace(-2, 2, n), tn.EagerRuntime()

    def once():
        v = runtime.variable_from(x)
        f(tn, v).backward()
        return v.grad()

    calls = {OURS: once}
    if jax:
        theirs, jx = jax.grad(lambda x: f(jnp, x)), jnp.asarray(x)
        calls[JAX] = lambda: jax.block_until_ready(theirs(jx))
    return calls


def trg_jax(beta, chi=16, steps=20):
    c, s = jnp.sqrt(jnp.cosh(beta)), jnp.sqrt(jnp.sinh(beta))
    w = jnp.stack([jnp.stack([c, s]), jnp.stack([c, -s])])
    t = jnp.einsum("su,sl,sd,sr->uldr", w, w, w, w)
    total = 0.0

    def split(m, k):
        u, s, vh = jnp.linalg.svd(m, full_matrices=False)
        root = jnp.sqrt(s[:k])
        return u[:, :k] * root, root[:, None] * vh[:k]

    for i, k in enumerate(ising_trg.bonds(chi, steps)):
        largest = jnp.max(jnp.abs(t))
        t, total = t / largest, total + jnp.log(largest) * 0.5**i
        up, left, down, right = t.shape
        a, b = split(t.reshape(up * left, down * right), k)
        s1, s3 = a.reshape(up, left, k), b.reshape(k, down, right)
        a, b = split(t.transpose(1, 2, 3, 0).reshape(left * down, right * up), k)
        s2, s4 = a.reshape(left, down, k), b.reshape(k, right, up)
        t = jnp.einsum("awyb,ycdw->adcb", jnp.einsum("awx,xyb->awyb", s3, s2), jnp.einsum("yzc,dzw->ycdw", s1, s4))
    return total + jnp.log(jnp.einsum("ulul->", t)) * 0.5**steps


BETA = np.array(0.4)


def trg(full, with_gradient):
    leaf = tn.TracedTensor.input("float64", ())
    value = ising_trg.log_z(leaf, 16, 20, full)
    run = prepared([value, value.grad(leaf)] if with_gradient else value, [leaf])
    calls = {OURS: lambda: run(BETA)}
    if jax:
        calls[JAX] = jitted(jax.value_and_grad(trg_jax) if with_gradient else trg_jax, BETA)
    return calls


def cases(quick):
    yield Case("spine", "Σ x², n = 3, grad", smallest)
    for n in (1000,) if quick else (1000, 10**6):
        for kind in ("grad", "jvp", "hvp"):
            for threads in (1,) if n == 1000 else (1, 2):
                # Sums of terms of either sign.
                yield Case(
                    "spine",
                    f"Σ sin(x)x², n = {n}, {kind}, threads {threads}",
                    lambda n=n, kind=kind: gradient(n, kind),
                    threads=threads,
                    rtol=1e-9,
                    seconds=0.1 if n == 1000 else 0.4,
                )
    for n in (3, 1000):
        yield Case("spine", f"eager Σ sin(x)x² forward + backward, n = {n} (JAX without jit)", lambda n=n: backward(n))
    if quick:
        return
    for full in (False, True):
        for with_gradient in (False, True):
            yield Case(
                "spine",
                f"TRG χ = 16, 20 steps, value{' + grad' * with_gradient}, {'full SVD' if full else 'truncated'}",
                lambda full=full, g=with_gradient: trg(full, g),
                threads=2,
                rtol=1e-8,
                seconds=1.5,
                # JAX's gradient is NaN here: singular values are degenerate. `accuracy` looks at ours.
                view=lambda result: result[0] if isinstance(result, list | tuple) else result,
            )


def once(name, f):
    """A figure without a peer: seconds of one call, the least of three; `f` gives a number of operations or None."""
    took = []
    for _ in range(3):
        start = time.perf_counter()
        operations = f()
        took.append(time.perf_counter() - start)
    note = f"{operations} operations, {min(took) / operations * 1e9:.0f} ns each" if operations else ""
    return Row("preparation", name, {OURS: min(took)}, note)


def prepare_trg(full):
    leaf = tn.TracedTensor.input("float64", ())
    value = ising_trg.log_z(leaf, 16, 20, full)
    prepared([value, value.grad(leaf)], [leaf])


def svd_chain(n):
    x = tn.TracedTensor.input("float64", (3, 3))
    y = x
    for _ in range(n):
        u, s, vt = tn.linalg.svd(y, full_matrices=False)
        y = u * s + vt
    return tn.GraphCompiler().compile(tn.sum(y).grad(x)).program().n_operations


def sin_chain(n):
    x = tn.TracedTensor.input("float64", ())
    y = x
    for _ in range(n):
        y = tn.sin(y)
    return tn.GraphCompiler().compile(y.grad(x)).program().n_operations


def accuracy():
    """TRG's value and gradient, truncated against full SVD, and the gradient against differences of the value."""
    leaf = tn.TracedTensor.input("float64", ())
    runs = []
    for full in (False, True):
        value = ising_trg.log_z(leaf, 16, 20, full)
        runs.append(prepared([value, value.grad(leaf)], [leaf]))
    (v, g), (vf, gf) = ([float(x) for x in run(BETA)] for run in runs)
    h = 1e-3
    # Central differences of order 4.
    near = {k: float(runs[1](BETA + k * h)[0]) for k in (-2, -1, 1, 2)}
    difference = (8 * (near[1] - near[-1]) - (near[2] - near[-2])) / (12 * h)
    check("TRG: value and gradient, truncated and full", [np.array([v, g])], [np.array([vf, gf])], 1e-9)
    check("TRG: gradient and differences", [np.array(g)], [np.array(difference)], 1e-7)
    note = f"value off by {abs(v / vf - 1):.1e}, gradient by {abs(g / gf - 1):.1e}"
    return Row("preparation", "TRG, truncated against full SVD", {}, f"{note}; from differences by {abs(g / difference - 1):.1e}")


PREPARATION = [
    lambda: once("TRG: trace, differentiate, compile, prepare, truncated", lambda: prepare_trg(False)),
    lambda: once("TRG: trace, differentiate, compile, prepare, full SVD", lambda: prepare_trg(True)),
    accuracy,
    lambda: once("SVD chain, depth 1000: record, differentiate, compile", lambda: svd_chain(1000)),
    lambda: once("SVD chain, depth 2000: record, differentiate, compile", lambda: svd_chain(2000)),
    lambda: once("sin chain, n = 100000: record, differentiate, compile", lambda: sin_chain(10**5)),
    lambda: once("sin chain, n = 200000: record, differentiate, compile", lambda: sin_chain(2 * 10**5)),
]


def derived(rows):
    """Lines: ratios between rows of one run."""
    took = {r.name: r.seconds.get(OURS) for r in rows}
    pairs = [
        (f"TRG, {mode}: value + grad over value", f"TRG χ = 16, 20 steps, value + grad, {mode}", f"TRG χ = 16, 20 steps, value, {mode}")
        for mode in ("truncated", "full SVD")
    ]
    chain = "{}: record, differentiate, compile"
    pairs.append(("sin chain: twice the length", chain.format("sin chain, n = 200000"), chain.format("sin chain, n = 100000")))
    pairs.append(("SVD chain: twice the depth", chain.format("SVD chain, depth 2000"), chain.format("SVD chain, depth 1000")))
    for text, over, under in pairs:
        if took.get(over) and took.get(under):
            yield f"{text}: {took[over] / took[under]:.2f}"


def process(code):
    """Seconds and peak memory in MB of a fresh interpreter, the least of five."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        # Not getrusage: its peak goes over from this process to a child.
        report = code + "\nprint(next(x.split()[1] for x in open('/proc/self/status') if x.startswith('VmHWM')))"
        out = subprocess.run([sys.executable, "-c", report], check=True, capture_output=True, text=True)
        runs.append((time.perf_counter() - start, int(out.stdout.split()[-1]) / 1024))
    return min(runs)


def processes():
    """Lines about start-up."""
    bare = process("pass")
    first = (
        "import time, tenferro_py as tn\nt = time.perf_counter()\n"
        "tn.grad(lambda x: tn.sum(x * x))([1.0, 2.0, 3.0])\nprint(time.perf_counter() - t)"
    )
    took = min(float(subprocess.run([sys.executable, "-c", first], check=True, capture_output=True, text=True).stdout) for _ in range(5))
    yield f"first gradient in a process: {took * 1e3:.2f} ms"
    for name, code in (("tenferro_py", "import tenferro_py"), ("numpy", "import numpy"), ("jax", "import jax.numpy")):
        if name == "jax" and not jax:
            continue
        seconds, memory = process(code)
        yield f"import {name}: {(seconds - bare[0]) * 1e3:.0f} ms and {memory - bare[1]:.1f} MB over a bare interpreter"
