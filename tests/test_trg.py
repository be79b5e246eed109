"""The main job: value, gradient and second derivative of a 20-step Ising TRG."""

import ising_exact
import ising_trg
import numpy as np
import pytest
import running

import tenferro_py as tn

GOLDEN = {
    0.3: (0.790559063800966, 0.7044986795298),
    0.4: (0.879363060306852, 1.1060454076109),
    0.4406868: (0.929691747686133, 1.4155830153165),
    0.5: (1.025792858455947, 1.7455834681501),
}


@pytest.fixture(scope="module", params=[False, True], ids=["truncated", "full-svd"])
def thermodynamics(request):
    compiled = ising_trg.compile_thermodynamics(16, 20, request.param)
    engine = tn.CpuEngine(threads=2)
    runtime = tn.Runtime.builder().register_engine(engine.registration()).build()
    prepared = runtime.prepare(compiled, [("float64", ())], [engine.target()])

    def at(beta):
        return [float(o.into_tensor(engine)) for o in runtime.run([engine], prepared, [np.array(beta)])]

    return at


@pytest.mark.parametrize("beta", GOLDEN)
def test_goldens(thermodynamics, beta):
    value, first, _ = thermodynamics(beta)
    assert abs(value - GOLDEN[beta][0]) < 1e-12
    # The goldens have 13 digits after the point; at .4406868 the cut is near a multiplet.
    assert abs(first - GOLDEN[beta][1]) < 1e-10


def test_finite_size_value(thermodynamics):
    """Kaufman (1949): the exact torus; what is left is truncation."""
    assert abs(thermodynamics(0.2)[0] - 0.734530812264219) < 1e-12
    assert abs(thermodynamics(0.2)[0] - 0.734530812276326) < 2e-11


@pytest.mark.parametrize("beta", [0.2, 0.3, 0.5])
def test_second_derivative(thermodynamics, beta):
    h = 1e-4
    plus, minus = thermodynamics(beta + h)[1], thermodynamics(beta - h)[1]
    wide_plus, wide_minus = thermodynamics(beta + 2 * h)[1], thermodynamics(beta - 2 * h)[1]
    # Fourth-order central difference of the gradient.
    difference = (8 * (plus - minus) - (wide_plus - wide_minus)) / (12 * h)
    second = thermodynamics(beta)[2]
    assert abs(second - difference) < 1e-6 * abs(second)


@pytest.mark.parametrize("beta", [0.3, 0.5])
def test_near_onsager(thermodynamics, beta):
    value, first, second = thermodynamics(beta)
    assert abs(value - ising_exact.log_z(beta)) < 1e-6
    assert abs(first - ising_exact.d_log_z(beta)) < 1e-4
    assert abs(second - ising_exact.d2_log_z(beta)) < 2e-2


def test_eager_gradient_is_the_traced_one():
    rt = tn.EagerRuntime()
    with rt.eager_session(tn.CpuEngine.serial()):
        b = rt.variable_from(0.4)
        y = ising_trg.log_z(b)
        y.backward()
    assert abs(float(y.detach()) - GOLDEN[0.4][0]) < 1e-12
    assert abs(float(b.grad()) - GOLDEN[0.4][1]) < 1e-10


def test_staged_by_hand_is_the_whole_graph():
    """A program a step, chained by hand in both directions, gives the one graph's gradient."""
    beta = 0.4
    b = tn.TracedTensor.input("float64", ())
    steps, total, weight = 20, 0.0, 1.0
    kept = ising_trg.bonds(16, steps)
    tensors = [running.run([ising_trg.site_tensor(b)], [b], [np.array(beta)])[0]]

    def one(t, k):
        t, log = ising_trg.normalise(t)
        return ising_trg.step(t, k), log

    for k in kept:
        t, log = running.traced(lambda t, k=k: one(t, k), [tensors[-1]])
        total += weight * log
        weight /= 2
        tensors.append(t)
    (last,) = running.traced(ising_trg.log_trace, [tensors[-1]])
    assert abs(total + last * weight - GOLDEN[beta][0]) < 1e-12
    (ct,) = running.traced(running_gradient(ising_trg.log_trace, weight), [tensors[-1]])
    for k, t in zip(reversed(kept), reversed(tensors[:-1]), strict=True):
        weight *= 2
        leaf = tn.TracedTensor.input("float64", t.shape)
        outputs = one(leaf, k)
        cotangents = [tn.TracedTensor.from_array(ct), tn.TracedTensor.from_array(np.array(weight))]
        (ct,) = running.run(tn.TracedTensor.vjp_many(list(outputs), [leaf], cotangents), [leaf], [t])
    (gradient,) = running.run([ising_trg.site_tensor(b).vjp(b, tn.TracedTensor.from_array(ct))], [b], [np.array(beta)])
    assert abs(gradient - GOLDEN[beta][1]) < 1e-10


def running_gradient(f, weight):
    return lambda t: (f(t) * weight).grad(t)


def test_one_factorization_serves_value_and_gradient():
    b = tn.TracedTensor.input("float64", ())
    value = ising_trg.log_z(b, 16, 20)
    both = tn.GraphCompiler().compile([value, value.grad(b)]).program()
    names = [op.name for op in both.operations()]
    factorizations = [n for n in names if n in ("Svd", "SvdTrunc", "SvdVals")]
    assert len(factorizations) == 40
    text = both.text()
    assert text.count(" = svd_trunc[") + text.count(" = svd[") + text.count(" = svd ") == 40


def test_larger_chi_is_refused():
    with pytest.raises(ValueError, match="chi"):
        ising_trg.bonds(129, 20)
