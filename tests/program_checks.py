"""What must hold for every program."""

import contextlib

import numpy as np
import running
from program_reference import REFERENCE, TENFERRO

import tenferro_py as tn

SERIAL, TEAM = tn.CpuEngine.serial(), tn.CpuEngine(threads=2)
STEP = 1e-4


def plain(f, arrays):
    """f on tensors that record nothing."""
    return [np.array(y.numpy()) for y in f(*[tn.Tensor(a) for a in arrays])]


def on(program, namespace=TENFERRO):
    return lambda *xs: program(namespace, *xs)


def values(program, namespace=TENFERRO, reference=REFERENCE):
    """Traced with one thread and two, eager and plain: the same bits; the reference: the same numbers."""
    f = on(program, namespace)
    wanted = program(reference, *program.inputs)
    got = running.traced(f, program.inputs, SERIAL)
    for i, x, y in zip(program.outputs, got, wanted, strict=True):
        assert (x.dtype, x.shape) == (y.dtype, y.shape), f"v{i}: {x.dtype}{x.shape}, the reference has {y.dtype}{y.shape}"
        np.testing.assert_allclose(x, y, rtol=0, atol=program.tolerances[i], err_msg=f"v{i}")
    ways = {
        "two threads": running.traced(f, program.inputs, TEAM),
        "eager": running.eager(f, program.inputs, SERIAL),
        "plain": plain(f, program.inputs),
    }
    for way, results in ways.items():
        for i, x, y in zip(program.outputs, results, got, strict=True):
            assert (x.dtype, x.shape) == (y.dtype, y.shape), f"{way}: v{i}"
            assert x.tobytes() == y.tobytes(), f"{way}: v{i} has other bits than traced"
    held(f, program.inputs)


def held(f, arrays):
    """One prepared program run on arrays, on others and again: results stay what they are, whatever runs later."""
    leaves = running.placeholders(arrays)
    compiled = tn.GraphCompiler().compile(f(*leaves))
    runtime = tn.Runtime.builder().register_engine(SERIAL.registration()).build()
    keys = [k for k in compiled.input_keys if k not in compiled.bindings]
    place = {leaf.key: i for i, leaf in enumerate(leaves)}
    mine = [arrays[place[k]] for k in keys]
    prepared = runtime.prepare(compiled, [(str(a.dtype), a.shape) for a in mine], [SERIAL.target()])

    def once(data):
        return [o.into_tensor(SERIAL) for o in runtime.run([SERIAL], prepared, data)]

    first = once(mine)
    copies = [np.array(x.numpy()) for x in first]
    with contextlib.suppress(tn.LinAlgError):
        once([np.flip(a).copy() for a in mine])
    again = once(mine)
    for x, y, z in zip(first, again, copies, strict=True):
        assert x.numpy().tobytes() == z.tobytes(), "a later run changed a result"
        assert y.numpy().tobytes() == z.tobytes(), "the second run gives another result"


def strided(a, rng):
    """The same numbers in another layout: F order, gaps, negative strides, axes in any order."""
    if a.ndim == 0:
        return a
    axes = rng.sample(range(a.ndim), a.ndim)
    permuted = np.ascontiguousarray(a.transpose(axes)).transpose(np.argsort(axes))
    return rng.choice((np.asfortranarray(a), np.repeat(a[..., None], 2, -1)[..., 0], np.flip(np.flip(a).copy()), permuted))


def layouts(program, rng):
    """Inputs of any strides; inputs and twice the same value among the outputs."""
    inputs = [strided(a, rng) for a in program.inputs]
    program.outputs = [*program.outputs, rng.randrange(len(inputs)), program.outputs[0]]
    wanted = program(REFERENCE, *program.inputs)
    for run in (running.traced, running.eager):
        for i, x, y in zip(program.outputs, run(on(program), inputs), wanted, strict=True):
            assert (x.dtype, x.shape) == (y.dtype, y.shape), f"v{i}"
            np.testing.assert_allclose(x, y, rtol=0, atol=program.tolerances[i], err_msg=f"v{i}")


def symbolic(program, rng):
    """Recorded with names for some sizes. Gives whether all steps could be recorded so."""
    names = [tuple(None if rng.random() < 0.5 else n for n in a.shape) for a in program.inputs]
    leaves = [tn.TracedTensor.input(str(a.dtype), shape) for a, shape in zip(program.inputs, names, strict=True)]
    try:
        outputs = program(TENFERRO, *leaves)
        results = running.run(outputs, leaves, program.inputs)
    except (tn.TenferroError, TypeError, ValueError):
        return False
    for i, x, y in zip(program.outputs, results, program(REFERENCE, *program.inputs), strict=True):
        assert (x.dtype, x.shape) == (y.dtype, y.shape), f"v{i}"
        np.testing.assert_allclose(x, y, rtol=0, atol=program.tolerances[i], err_msg=f"v{i}")
    return True


def same_numbers(x, y):
    """Whether two arrays agree bit for bit where they are not NaN."""
    if (x.dtype, x.shape) != (y.dtype, y.shape):
        return False
    if x.dtype.kind == "c":
        return same_numbers(x.real.copy(), y.real.copy()) and same_numbers(x.imag.copy(), y.imag.copy())
    nan = np.isnan(x)
    return np.array_equal(nan, np.isnan(y)) and x[~nan].tobytes() == y[~nan].tobytes()


def front_ends(program):
    """Traced and eager agree on any numbers."""
    f = on(program)
    got = running.traced(f, program.inputs, SERIAL)
    for results in (running.traced(f, program.inputs, TEAM), running.eager(f, program.inputs, SERIAL)):
        for i, x, y in zip(program.outputs, results, got, strict=True):
            assert same_numbers(x, y), f"v{i}: {x} {y}"


def moved(arrays, tangents, h):
    return [a if t is None else a + h * t for a, t in zip(arrays, tangents, strict=True)]


def smooth(program, tangents):
    """Whether no kink and no jump lies between the points of the difference quotients."""
    here = program.branches(program.inputs)
    for h in (-STEP, -STEP / 2, STEP / 2, STEP):
        there = program.branches(moved(program.inputs, tangents, h))
        if not all(np.array_equal(a, b) for a, b in zip(here, there, strict=True)):
            return False
    return True


def slopes(f, arrays, tangents):
    """Central differences, extrapolated, and how far from each other they were."""

    def quotient(h):
        ends = zip(f(moved(arrays, tangents, h)), f(moved(arrays, tangents, -h)), strict=True)
        return [(p - m) / (2 * h) for p, m in ends if running.is_inexact(p)]

    wide, narrow = quotient(STEP), quotient(STEP / 2)
    return [((4 * b - a) / 3, float(np.max(np.abs(a - b), initial=0))) for a, b in zip(wide, narrow, strict=True)]


def compare(got, slope, error, noise, what):
    """A derivative with a difference quotient, unless that is too coarse to tell. Gives whether it could tell."""
    scale = 1 + float(np.max(np.abs(slope), initial=0))
    if error + noise > 1e-3 * scale:
        return False
    np.testing.assert_allclose(got, slope, rtol=0, atol=1e-7 * scale + 0.05 * error + noise, err_msg=what)
    return True


def norms(xs, ys):
    return sum(float(np.linalg.norm(x)) * float(np.linalg.norm(y)) for x, y in zip(xs, ys, strict=True))


def adjoint(cts, jv, vj, ts, eps, what):
    """⟨ct, J v⟩ = ⟨Jᵀ ct, v⟩."""
    left = sum(running.inner(c, j) for c, j in zip(cts, jv, strict=True))
    right = sum(running.inner(v, t) for v, t in zip(vj, ts, strict=True))
    assert abs(left - right) <= eps**0.65 * (1 + norms(cts, jv) + norms(vj, ts)), f"{what}: {left} {right}"


def present(xs):
    return [x for x in xs if x is not None]


def draw(program, rng):
    """A tangent for each inexact input, a cotangent for each inexact output."""
    tangents = [running.random_like(rng, a) if running.is_inexact(a) else None for a in program.inputs]
    outputs = program(REFERENCE, *program.inputs)
    return tangents, [running.random_like(rng, y) if running.is_inexact(y) else None for y in outputs]


def derivatives(program, namespace=TENFERRO):
    """JVP against differences, VJP as its adjoint, backward and value_and_grad against VJP. Gives whether differences could tell."""
    rng = np.random.default_rng(7)
    f = on(program, namespace)
    tangents, cotangents = draw(program, rng)
    if not present(tangents) or not present(cotangents):
        return None
    jv, vj = running.jvp_and_vjp(f, program.inputs, tangents, cotangents)
    for x in jv + vj:
        assert np.all(np.isfinite(x)), "a derivative is not finite"
    adjoint(present(cotangents), jv, vj, present(tangents), program.eps, "vjp is not the adjoint of jvp")
    same_gradients(program, f, cotangents, vj)
    if program.order < 1 or program.eps > 1e-10 or not smooth(program, tangents):
        return False
    slope = slopes(lambda xs: program(REFERENCE, *xs), program.inputs, tangents)
    inexact = [i for i, c in zip(program.outputs, cotangents, strict=True) if c is not None]
    told = [compare(j, *s, program.tolerances[i] / STEP, f"jvp of v{i}") for i, j, s in zip(inexact, jv, slope, strict=True)]
    return all(told)


def same_gradients(program, f, cotangents, vj):
    """backward() and value_and_grad give what VJP gives."""
    wrt = tuple(k for k, a in enumerate(program.inputs) if running.is_inexact(a))
    backward = [running.eager_gradients(f, program.inputs, cotangents)[k] for k in wrt]
    loss = lambda *xs: running.contract(f(*xs), cotangents)  # noqa: E731
    value, gradients = tn.value_and_grad(loss, wrt)(*program.inputs)
    wanted = running.contract(f(*map(tn.Tensor, program.inputs)), cotangents)
    size = 1 + sum(float(np.linalg.norm(c)) for c in present(cotangents))
    assert abs(float(value) - float(wanted)) <= program.eps**0.8 * (size + abs(float(wanted)))
    for b, g, v, k in zip(backward, gradients, vj, wrt, strict=True):
        atol = program.eps**0.7 * (1 + float(np.max(np.abs(v), initial=0)))
        assert b.dtype == v.dtype == program.inputs[k].dtype
        np.testing.assert_allclose(b, v, rtol=0, atol=atol, err_msg="backward against vjp")
        np.testing.assert_allclose(np.array(g), v, rtol=0, atol=atol, err_msg="value_and_grad against vjp")


def second_derivatives(program, namespace=TENFERRO):
    """H v by JVP of the gradient against differences; H is symmetric. Gives whether differences could tell."""
    rng = np.random.default_rng(8)
    tangents, cotangents = draw(program, rng)
    if program.order < 2 or not present(tangents) or not present(cotangents):
        return None
    arrays = program.inputs
    gradient = running.gradient_function(on(program, namespace), arrays, cotangents)
    hv, vh = running.jvp_and_vjp(gradient, arrays, tangents, present(tangents))
    scale = 1 + max(float(np.max(np.abs(x), initial=0)) for x in hv)
    for a, b in zip(hv, vh, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=program.eps**0.65 * scale, err_msg="the second derivative is not symmetric")
    if program.eps > 1e-10 or not smooth(program, tangents):
        return False
    slope = slopes(lambda xs: running.traced(gradient, xs), arrays, tangents)
    noise = 1e-12 / STEP * scale
    told = [compare(h, *s, noise, "jvp of the gradient") for h, s in zip(hv, slope, strict=True)]
    return all(told)
