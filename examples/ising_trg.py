"""Thermodynamics of the 2-D Ising model by tensor renormalisation and gradients.

Levin and Nave, Phys. Rev. Lett. 99, 120601 (2007): the partition function of a
1024 × 1024 torus is contracted in 20 steps; each splits a rank-4 tensor twice by
a truncated SVD. Value, energy (one gradient through forty SVDs) and specific
heat (the second derivative) come from one program, compiled once for all β.

    python examples/ising_trg.py [--chi 16] [--steps 20] [--beta 0.4 ...]
                                 [--threads 2] [--full-svd] [--plot [FILE.png]]
"""

import argparse
import os
import sys
import time

import ising_exact

import tenferro_py as tn

MAX_CHI = 128
# Exact ranks of the matrices that are split, step by step; then full.
RANKS = (2, 4, 4, 16, 16)


def bonds(chi, steps):
    """Bond dimensions kept: min(χ, r_i), r = 2, 4, 4, 16, 16, 256, 256, …"""
    if not 2 <= chi <= MAX_CHI:
        raise ValueError(f"chi: {chi} is not in 2 … {MAX_CHI}; beyond it the ranks kept are not exact")
    return [min(chi, RANKS[i] if i < len(RANKS) else 256) for i in range(steps)]


def site_tensor(beta):
    """T[u,l,d,r] = Σ_s W[s,u] W[s,l] W[s,d] W[s,r], of shape (2, 2, 2, 2)."""
    c, s = tn.sqrt(tn.cosh(beta)), tn.sqrt(tn.sinh(beta))
    w = tn.reshape(tn.stack([c, s, c, -s]), (2, 2))
    return tn.einsum("su,sl,sd,sr->uldr", w, w, w, w)


def split(matrix, k, full_svd):
    """matrix ≈ a @ b with k columns, √s on either side."""
    if full_svd:
        u, s, vh = tn.linalg.svd(matrix, full_matrices=False, narrow=False)
    else:
        u, s, vh = tn.linalg.svd(matrix, full_matrices=False)
    root = tn.sqrt(s[:k])
    return u[:, :k] * root, root[:, None] * vh[:k, :]


def step(t, k, full_svd=False):
    """One coarse-graining: half as many tensors, bonds of dimension k."""
    up, left, down, right = t.shape
    a, b = split(tn.reshape(t, (up * left, down * right)), k, full_svd)
    s1, s3 = tn.reshape(a, (up, left, k)), tn.reshape(b, (k, down, right))
    turned = tn.permute_dims(t, (1, 2, 3, 0))
    a, b = split(tn.reshape(turned, (left * down, right * up)), k, full_svd)
    s2, s4 = tn.reshape(a, (left, down, k)), tn.reshape(b, (k, right, up))
    top = tn.einsum("awx,xyb->awyb", s3, s2)
    bottom = tn.einsum("yzc,dzw->ycdw", s1, s4)
    return tn.einsum("awyb,ycdw->adcb", top, bottom)


def normalise(t):
    """t/max|t| and log max|t|."""
    largest = tn.max(tn.abs(t))
    return t / largest, tn.log(largest)


def log_trace(t):
    """ln Σ t[u,l,u,l]: the torus is closed."""
    return tn.log(tn.einsum("ulul->", t))


def log_z(beta, chi=16, steps=20, full_svd=False, progress=None):
    """ln Z per spin of a torus of 2^steps spins; beta is a scalar tensor."""
    t = site_tensor(beta)
    total = 0.0
    for i, k in enumerate(bonds(chi, steps)):
        t, log = normalise(t)
        total = total + log * 0.5**i
        t = step(t, k, full_svd)
        if progress is not None:
            progress(i + 1)
    return total + log_trace(t) * 0.5**steps


def compile_thermodynamics(chi, steps, full_svd):
    """lnZ/N and its first two derivatives in β as one program of one input."""
    beta = tn.TracedTensor.input("float64", (), "beta")
    value = log_z(beta, chi, steps, full_svd)
    first = value.grad(beta)
    return tn.GraphCompiler().compile([value, first, first.grad(beta)])


def one_gradient():
    """The thinnest path: Σ x², what each stage shows and costs."""

    def stage(name, f):
        start = time.perf_counter()
        result = f()
        print(f"  {name:<34}{(time.perf_counter() - start) * 1e6:9.1f} µs")
        return result

    print("One gradient, step by step: y = Σ x², x = (1, 2, 3)")
    x = stage("x = TracedTensor.from_vec_col_major", lambda: tn.TracedTensor.from_vec_col_major([3], [1.0, 2.0, 3.0]))
    y = stage("y = (x * x).reduce_sum([0])", lambda: (x * x).reduce_sum([0]))
    print("    recorded:", ", ".join(op.name for op in y.graph.operations()), "in its own fragment")
    g = stage("g = y.grad(x)", lambda: y.grad(x))
    print("    recorded:", ", ".join(op.name for op in g.graph.operations()))
    compiled = stage("GraphCompiler().compile(g)", lambda: tn.GraphCompiler().compile(g))
    print("   ", compiled.program())
    engine = tn.CpuEngine.serial()
    runtime = stage("Runtime", lambda: tn.Runtime.builder().register_engine(engine.registration()).build())
    prepared = stage("runtime.prepare", lambda: runtime.prepare(compiled, [], [engine.target()]))
    out = stage("runtime.run", lambda: runtime.run([engine], prepared, []))
    out = stage("runtime.run again", lambda: runtime.run([engine], prepared, []))
    print("    gradient:", out[0].into_tensor(engine))
    tangent = tn.TracedTensor.from_vec_col_major([3], [0.1, 1.0, -2.0])
    jvp = tn.GraphCompiler().compile(y.jvp(x, tangent))
    (along,) = runtime.run([engine], runtime.prepare(jvp, [], [engine.target()]), [])
    print("    along (.1, 1, -2):", float(along.into_tensor(engine)))


def progress_line(steps):
    def show(i):
        if sys.stderr.isatty():
            print(f"\r  eager: step {i} of {steps} ", end="\n" if i == steps else "", file=sys.stderr, flush=True)

    return show


def eager_gradient(engine, beta, args):
    """The same gradient, op by op."""
    rt = tn.EagerRuntime()
    with rt.eager_session(engine):
        b = rt.variable_from(beta)
        log_z(b, args.chi, args.steps, args.full_svd, progress_line(args.steps)).backward()
        return float(b.grad())


def plotter(parser, path):
    """The function that draws; what is missing for it ends the run before it has cost anything."""
    try:
        from ising_plot import draw
    except ImportError as e:
        parser.error(f"--plot needs matplotlib ({e}); pip install 'tenferro-py[plot]' or matplotlib, or leave --plot out")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        parser.error(f"--plot: there is no directory for {path}")
    return draw


def arguments():
    """What the command line asks for; `draw` is None without --plot."""
    parser = argparse.ArgumentParser(description="2-D Ising model by TRG, with derivatives")
    parser.add_argument("--chi", type=int, default=16, help="bond dimension, 2 … 128 (default 16)")
    parser.add_argument("--steps", type=int, default=20, help="coarse-graining steps (default 20)")
    parser.add_argument("--beta", type=float, nargs="+", default=[0.3, 0.35, 0.4, 0.425, 0.45, 0.475, 0.5, 0.55, 0.6])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--full-svd", action="store_true", help="factor whole matrices, then cut")
    plot = "draw all against Onsager into FILE (default ising_trg.png); needs matplotlib"
    parser.add_argument("--plot", nargs="?", const="ising_trg.png", metavar="FILE", help=plot)
    args = parser.parse_args()
    try:
        bonds(args.chi, args.steps)
    except ValueError as e:
        parser.error(str(e))
    if args.steps < 1 or not all(b > 0 for b in args.beta):
        parser.error("steps must be at least 1 and every beta positive")
    args.draw = plotter(parser, args.plot) if args.plot else None
    return args


def row_of(beta, run):
    """β, lnZ/N, energy and specific heat by TRG, printed with their errors against Onsager."""
    start = time.perf_counter()
    value, first, second = run(beta)
    ms = (time.perf_counter() - start) * 1e3
    errors = (
        value - ising_exact.log_z(beta),
        -first + ising_exact.d_log_z(beta),
        beta**2 * (second - ising_exact.d2_log_z(beta)),
    )
    print(
        f"  {beta:6.3f} {value:18.15f} {errors[0]:9.1e} {-first:14.10f} {errors[1]:9.1e}"
        f" {beta**2 * second:10.6f} {errors[2]:9.1e} {ms:8.1f}",
        flush=True,
    )
    return beta, value, -first, beta**2 * second


def main():
    args = arguments()
    one_gradient()

    print(f"\n2-D Ising model, TRG, chi = {args.chi}, {args.steps} steps (2^{args.steps} spins), against Onsager")
    start = time.perf_counter()
    compiled = compile_thermodynamics(args.chi, args.steps, args.full_svd)
    traced = time.perf_counter()
    engine = tn.CpuEngine.serial() if args.threads == 1 else tn.CpuEngine(threads=args.threads)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(compiled, [("float64", ())], [engine.target()])
    done = time.perf_counter()
    print(f"  {compiled.program()}")
    print(f"  traced, differentiated twice, compiled in {(traced - start) * 1e3:.1f} ms; prepared in {(done - traced) * 1e3:.1f} ms")

    def run(beta):
        return [float(o.into_tensor(engine)) for o in runtime.run([engine], prepared, [tn.Tensor(beta)])]

    print(f"  {'beta':>6} {'lnZ/N':>18} {'error':>9} {'energy':>14} {'error':>9} {'heat':>10} {'error':>9} {'ms':>8}")
    rows = [row_of(beta, run) for beta in args.beta]
    if args.draw:
        args.draw(args.plot, rows, args.chi, args.steps)
        print(f"  drawn in {args.plot}")
    beta = args.beta[len(args.beta) // 2]
    start = time.perf_counter()
    gradient = eager_gradient(engine, beta, args)
    ms = (time.perf_counter() - start) * 1e3
    print(f"  eager at beta = {beta}: {gradient:.15f}, traced {run(beta)[1]:.15f}; {ms:.0f} ms op by op")


if __name__ == "__main__":
    main()
