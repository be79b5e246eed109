"""Ways to run a function of tensors: traced, eager, and its derivatives."""

import numpy as np

import tenferro_py as tn


def as_list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def placeholders(arrays):
    return [tn.TracedTensor.input(str(a.dtype), a.shape) for a in arrays]


def run(outputs, leaves, arrays, engine=None):
    """Compiles traced outputs and runs them on arrays, given per leaf."""
    engine = engine or tn.CpuEngine.serial()
    compiled = tn.GraphCompiler().compile(outputs)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    by_key = {leaf.key: a for leaf, a in zip(leaves, arrays, strict=True)}
    free = [k for k in compiled.input_keys if k not in compiled.bindings]
    data = [np.asarray(by_key[k]) for k in free]
    prepared = runtime.prepare(compiled, [(str(a.dtype), a.shape) for a in data], [engine.target()])
    return [np.array(o.into_tensor(engine).numpy()) for o in runtime.run([engine], prepared, data)]


def traced(f, arrays, engine=None):
    """f on placeholders, compiled, run."""
    leaves = placeholders(arrays)
    return run(as_list(f(*leaves)), leaves, arrays, engine)


def leaf(rt, a):
    """A variable where the dtype has a gradient, else a constant."""
    return rt.variable_from(a) if is_inexact(a) else rt.constant_from(a)


def eager(f, arrays, engine=None):
    """f op by op."""
    rt = tn.EagerRuntime()
    with rt.eager_session(engine or tn.CpuEngine.serial()):
        outputs = as_list(f(*[leaf(rt, a) for a in arrays]))
        return [np.array(o.detach().numpy()) for o in outputs]


def contract(outputs, weights):
    """Σ Re⟨weight, output⟩ over the inexact outputs: a real scalar loss."""
    total = None
    for y, w in zip(outputs, weights, strict=True):
        if w is None:
            continue
        term = tn.sum(tn.real(tn.conj(w) * y)) if np.iscomplexobj(w) else tn.sum(w * y)
        total = term if total is None else total + term
    return total


def eager_gradients(f, arrays, weights):
    """Gradients of the contracted outputs by backward()."""
    rt = tn.EagerRuntime()
    with rt.eager_session(tn.CpuEngine.serial()):
        xs = [leaf(rt, a) for a in arrays]
        loss = contract(as_list(f(*xs)), weights)
        if loss.requires_grad:
            loss.backward()
        return [np.zeros_like(a) if x.grad() is None else np.array(x.grad().numpy()) for x, a in zip(xs, arrays, strict=True)]


def inner(a, b):
    """Re⟨a, b⟩."""
    return float(np.real(np.vdot(a, b)))


def random_like(rng, a):
    a = np.asarray(a)
    x = rng.standard_normal(a.shape)
    if np.iscomplexobj(a):
        x = x + 1j * rng.standard_normal(a.shape)
    return x.astype(a.dtype)


def is_inexact(a):
    return np.asarray(a).dtype.kind in "fc"


def jvp_and_vjp(f, arrays, tangents, cotangents):
    """JVP along tangents and VJP of cotangents, for the inexact inputs and outputs."""
    leaves = placeholders(arrays)
    outputs = as_list(f(*leaves))
    wrt = [leaf for leaf, a in zip(leaves, arrays, strict=True) if is_inexact(a)]
    outs = [y for y, ct in zip(outputs, cotangents, strict=True) if ct is not None]
    ts = [t for t in tangents if t is not None]
    cts = [c for c in cotangents if c is not None]
    t_leaves, ct_leaves = placeholders(ts), placeholders(cts)
    pushed = tn.TracedTensor.jvp_many(outs, wrt, t_leaves)
    pulled = tn.TracedTensor.vjp_many(outs, wrt, ct_leaves)
    everything = leaves + t_leaves + ct_leaves
    data = list(arrays) + ts + cts
    present = [p for p in pushed + pulled if p is not None]
    results = iter(run(present, everything, data) if present else [])
    jv = [next(results) if p is not None else np.zeros_like(c) for p, c in zip(pushed, cts, strict=True)]
    inexact = [a for a in arrays if is_inexact(a)]
    vj = [next(results) if p is not None else np.zeros_like(a) for p, a in zip(pulled, inexact, strict=True)]
    return jv, vj


def difference(f, arrays, tangents, h):
    """Central difference of the outputs along the tangents."""

    def shifted(sign):
        moved = [a if t is None else (a + sign * h * t).astype(a.dtype) for a, t in zip(arrays, tangents, strict=True)]
        return traced(f, moved)

    return [(p - m) / (2 * h) for p, m in zip(shifted(1), shifted(-1), strict=True)]


def check_derivatives(f, arrays, rng, order=2, tol=2e-7):
    """JVP against differences, VJP as its adjoint, eager backward against VJP,
    second order against differences of the gradient. Raises AssertionError."""
    tangents = [random_like(rng, a) if is_inexact(a) else None for a in arrays]
    values = traced(f, arrays)
    cotangents = [random_like(rng, v) if is_inexact(v) else None for v in values]
    jv, vj = jvp_and_vjp(f, arrays, tangents, cotangents)
    inexact_outputs = [i for i, c in enumerate(cotangents) if c is not None]
    fd = difference(f, arrays, tangents, 1e-6)
    for i, j in zip(inexact_outputs, jv, strict=True):
        scale = 1 + np.max(np.abs(fd[i]), initial=0)
        np.testing.assert_allclose(j / scale, fd[i] / scale, atol=tol, rtol=0, err_msg="jvp against differences")
    left = sum(inner(c, j) for c, j in zip([c for c in cotangents if c is not None], jv, strict=True))
    right = sum(inner(v, t) for v, t in zip(vj, [t for t in tangents if t is not None], strict=True))
    assert abs(left - right) <= 1e-11 * (1 + abs(left)), f"vjp is not the adjoint of jvp: {left} {right}"
    inexact = [a for a in arrays if is_inexact(a)]
    eager_vj = [g for g, a in zip(eager_gradients(f, arrays, cotangents), arrays, strict=True) if is_inexact(a)]
    for e, v, a in zip(eager_vj, vj, inexact, strict=True):
        np.testing.assert_allclose(e, v, atol=1e-11 * (1 + np.max(np.abs(v), initial=0)), rtol=0, err_msg="eager backward against vjp")
        assert v.dtype == a.dtype
    if order >= 2:
        check_second_order(f, arrays, tangents, cotangents, rng, tol)


def gradient_function(f, arrays, cotangents):
    def gradients(*leaves):
        outputs = as_list(f(*leaves))
        wrt = [leaf for leaf, a in zip(leaves, arrays, strict=True) if is_inexact(a)]
        outs = [y for y, c in zip(outputs, cotangents, strict=True) if c is not None]
        cts = [tn.TracedTensor.from_array(c) for c in cotangents if c is not None]
        pulled = tn.TracedTensor.vjp_many(outs, wrt, cts)
        return [p if p is not None else leaf * 0 for p, leaf in zip(pulled, wrt, strict=True)]

    return gradients


def check_second_order(f, arrays, tangents, cotangents, rng, tol):
    """jvp of the gradient against differences of the gradient, and its adjoint."""
    g = gradient_function(f, arrays, cotangents)
    values = traced(g, arrays)
    hv, vh = jvp_and_vjp(g, arrays, tangents, [random_like(rng, v) for v in values])
    fd = difference(g, arrays, tangents, 1e-6)
    for a, b in zip(hv, fd, strict=True):
        scale = 1 + np.max(np.abs(b), initial=0)
        np.testing.assert_allclose(a / scale, b / scale, atol=10 * tol, rtol=0, err_msg="second order against differences")
    assert all(np.all(np.isfinite(v)) for v in vh)
