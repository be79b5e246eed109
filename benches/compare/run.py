"""tenferro_py against NumPy and JAX, in one run; writes report.md beside this file.

Each figure is the minimum over repetitions. JAX runs with its best settings: 64-bit,
compiled, OPENBLAS_NUM_THREADS=1, and pinned to one core for small arrays.

    python benches/compare/run.py
"""

import os
import pathlib
import platform
import resource
import subprocess
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

import ising_trg  # noqa: E402

import tenferro_py as tn  # noqa: E402

try:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None


def best(f, seconds=1.0, pinned=False):
    """Seconds per call: the minimum over batches that take about a millisecond."""
    cores = os.sched_getaffinity(0)
    if pinned:
        os.sched_setaffinity(0, {min(cores)})
    try:
        f()
        start = time.perf_counter()
        f()
        once = max(time.perf_counter() - start, 1e-9)
        inner = max(1, int(1e-3 / once))
        out, end = float("inf"), time.perf_counter() + seconds
        while time.perf_counter() < end or out == float("inf"):
            start = time.perf_counter()
            for _ in range(inner):
                f()
            out = min(out, (time.perf_counter() - start) / inner)
        return out
    finally:
        os.sched_setaffinity(0, cores)


def prepared(outputs, leaves):
    """A callable of arrays, one per leaf, on the default engine."""
    compiled = tn.GraphCompiler().compile(outputs)
    registration = tn.CpuEngine.serial().registration()
    runtime = tn.Runtime.builder().register_engine(registration).build()
    return runtime.prepare(compiled, [(leaf.dtype, list(leaf.shape)) for leaf in leaves], [registration.target()])


def f(np_like, x):
    return np_like.sum(np_like.sin(x) * x * x)


def elementwise(n, seconds, pinned):
    x, v = np.linspace(-2, 2, n), np.cos(np.arange(float(n)))
    lx, lv = tn.TracedTensor.input("float64", (n,)), tn.TracedTensor.input("float64", (n,))
    y = f(tn, lx)
    g = y.grad(lx)
    ours = {
        "grad": (prepared(g, [lx]), (x,)),
        "jvp": (prepared(y.jvp(lx, lv), [lx, lv]), (x, v)),
        "hvp": (prepared(g.jvp(lx, lv), [lx, lv]), (x, v)),
    }
    theirs = {}
    if jax:
        jx, jv = jnp.asarray(x), jnp.asarray(v)
        jf = lambda x: f(jnp, x)  # noqa: E731
        theirs = {
            "grad": (jax.jit(jax.grad(jf)), (jx,)),
            "jvp": (jax.jit(lambda x, v: jax.jvp(jf, (x,), (v,))[1]), (jx, jv)),
            "hvp": (jax.jit(lambda x, v: jax.jvp(jax.grad(jf), (x,), (v,))[1]), (jx, jv)),
        }
    by_hand = best(lambda: 2 * x * np.sin(x) + x * x * np.cos(x), seconds, pinned)
    for name, (ours_f, args) in ours.items():
        with tn.threads(1 if n < 10**5 else 2):
            mine = best(lambda ours_f=ours_f, args=args: ours_f(*args), seconds, pinned)
        peer = None
        if name in theirs:
            compiled, jargs = theirs[name]
            peer = best(lambda compiled=compiled, jargs=jargs: compiled(*jargs).block_until_ready(), seconds, pinned)
        yield f"Σ sin(x)x², n = {n}, {name}", mine, peer, by_hand if name == "grad" else None


def small():
    x = np.array([1.0, 2.0, 3.0])
    leaf = tn.TracedTensor.input("float64", (3,))
    ours = prepared(tn.sum(leaf * leaf).grad(leaf), [leaf])
    peer = None
    if jax:
        jf, jx = jax.jit(jax.grad(lambda x: jnp.sum(x * x))), jnp.asarray(x)
        peer = best(lambda: jf(jx).block_until_ready(), 0.5, True)
    yield "Σ x², n = 3, grad", best(lambda: ours(x), 0.5, True), peer, best(lambda: 2 * x, 0.5, True)


def eager(n):
    """Forward and backward in a session, from Python."""
    x, rt, engine = np.linspace(-2, 2, n), tn.EagerRuntime(), tn.CpuEngine.serial()

    def once():
        v = rt.variable_from(x)
        tn.sum(tn.sin(v) * v * v).backward()

    with rt.eager_session(engine):
        mine = best(once, 0.5, True)
    peer = None
    if jax:
        gradient, jx = jax.grad(lambda x: jnp.sum(jnp.sin(x) * x * x)), jnp.asarray(x)
        peer = best(lambda: gradient(jx).block_until_ready(), 0.5, True)
    yield f"eager Σ sin(x)x² forward + backward, n = {n} (JAX without jit)", mine, peer, None


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


def trg():
    beta = np.array(0.4)
    for full in (False, True):
        leaf = tn.TracedTensor.input("float64", ())
        value = ising_trg.log_z(leaf, 16, 20, full)
        start = time.perf_counter()
        both = prepared([value, value.grad(leaf)], [leaf])
        compile_ms = time.perf_counter() - start
        one = prepared(value, [leaf])
        peers = (None, None)
        if jax:
            jv, jg = jax.jit(trg_jax), jax.jit(jax.value_and_grad(trg_jax))
            peers = (best(lambda f=jv: f(0.4).block_until_ready(), 4), best(lambda f=jg: f(0.4)[1].block_until_ready(), 4))
        mode = "full SVD" if full else "truncated"
        yield f"TRG χ = 16, 20 steps, value, {mode}", best(lambda f=one: f(beta), 3), peers[0], None
        yield f"TRG χ = 16, 20 steps, value + grad, {mode}", best(lambda f=both: f(beta), 3), peers[1], None
        yield f"TRG differentiate + compile + prepare, {mode}", compile_ms, None, None


def chains():
    for n in (1000, 2000):
        x = tn.TracedTensor.input("float64", (3, 3))
        y = x
        start = time.perf_counter()
        for _ in range(n):
            u, s, vt = tn.linalg.svd(y, full_matrices=False)
            y = u * s + vt
        program = tn.GraphCompiler().compile(tn.sum(y).grad(x)).program()
        took = time.perf_counter() - start
        yield f"SVD chain, depth {n}: record + grad + compile, {program.n_operations} ops", took, None, None
    for n in (10**5, 2 * 10**5):
        x = tn.TracedTensor.input("float64", ())
        y = x
        start = time.perf_counter()
        for _ in range(n):
            y = tn.sin(y)
        tn.GraphCompiler().compile(y.grad(x))
        yield f"sin chain, n = {n}: record + grad + compile", time.perf_counter() - start, None, None


def process(code):
    """Seconds and peak memory in MB of a fresh interpreter."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        # Not getrusage: its peak goes over from this process to a child.
        report = code + "\nprint(next(x.split()[1] for x in open('/proc/self/status') if x.startswith('VmHWM')))"
        out = subprocess.run([sys.executable, "-c", report], check=True, capture_output=True, text=True)
        runs.append((time.perf_counter() - start, int(out.stdout.split()[-1]) / 1024))
    return min(runs)


def processes():
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


def show(seconds):
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def cpu_line():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            have = set(line.split())
            return " ".join(x for x in ("avx2", "fma", "avx512f") if x in have)
    return platform.processor()


def main():
    lines = [
        "# Comparison",
        "",
        "Written by benches/compare/run.py; minima of one run. Ratio is ours over the peer's.",
        f"Python {platform.python_version()}, NumPy {np.__version__}, JAX {jax.__version__ if jax else 'not installed'}, "
        f"{os.cpu_count()} cores, {cpu_line()}.",
        "",
        "| work | ours | JAX | ratio | NumPy by hand | ratio |",
        "|---|---|---|---|---|---|",
    ]
    rows = [small(), elementwise(1000, 0.7, True), elementwise(10**6, 2.0, False), eager(3), eager(1000), trg(), chains()]
    for row in (r for part in rows for r in part):
        name, ours, peer, hand = row
        ratio = lambda p, ours=ours: f"{ours / p:.2f}" if p else "–"  # noqa: E731
        lines.append(f"| {name} | {show(ours)} | {show(peer)} | {ratio(peer)} | {show(hand)} | {ratio(hand)} |")
        print(lines[-1], flush=True)
    lines.append("")
    for text in processes():
        lines.append(f"- {text}")
        print(lines[-1], flush=True)
    lines.append(f"- peak memory of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    if wheels:
        lines.append(f"- wheel: {wheels[-1].stat().st_size / 1e6:.2f} MB")
    (pathlib.Path(__file__).parent / "report.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
