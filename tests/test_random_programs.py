"""Random programs: every way of running one gives the reference's numbers, and derivatives are those of the values.

`TENFERRO_EXAMPLES=2000 pytest tests/test_random_programs.py` tries as many a test, others each time.
"""

import collections
import os
import random

import numpy as np
import program_calls
import program_checks as check
import programs
import pytest
import running
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from program_mistakes import MISTAKES
from program_reference import REFERENCE, TENFERRO, Namespace

import tenferro_py as tn

EXAMPLES = int(os.environ.get("TENFERRO_EXAMPLES", "0"))
DOUBLE = ("float64",) * 4 + ("complex128",) * 3
NUMBERS = st.integers(0, 2**32 - 1)


def examples(n):
    """So many programs, the same in every run unless TENFERRO_EXAMPLES asks for more."""
    return settings(
        max_examples=EXAMPLES or n,
        derandomize=not EXAMPLES,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


@examples(200)
@given(programs.programs())
def test_values(program):
    check.values(program)


@examples(30)
@given(programs.programs(ops=programs.LIGHT, dtypes=(*DOUBLE, "int64"), sizes=programs.LARGE, largest=200_000, longest=12))
def test_values_of_large_arrays(program):
    check.values(program)


@examples(40)
@given(programs.programs(dtypes=programs.INTEGERS, largest=200))
def test_values_of_integers(program):
    check.values(program)


@examples(40)
@given(programs.programs(longest=15), NUMBERS)
def test_layouts(program, number):
    check.layouts(program, random.Random(number))


@examples(40)
@given(programs.programs(longest=8), NUMBERS)
def test_symbolic_sizes(program, number):
    check.symbolic(program, random.Random(number))


@examples(60)
@given(programs.programs(ops=programs.WILD, sizes=(*programs.SIZES, 64, 257), largest=3000, longest=12, wild=True))
def test_special_values(program):
    check.front_ends(program)


@examples(100)
@given(programs.programs(ops=programs.LIGHT + programs.SMOOTH, dtypes=(*DOUBLE, "int64"), largest=120))
def test_derivatives(program):
    check.derivatives(program)


@examples(60)
@given(programs.programs(largest=120, longest=15))
def test_derivatives_of_all_dtypes(program):
    check.derivatives(program)


@examples(40)
@given(programs.programs(ops=programs.SMOOTH, dtypes=DOUBLE, largest=40, longest=10))
def test_second_derivatives(program):
    check.second_derivatives(program)


@pytest.mark.parametrize("x", [2.0, 0.5 - 1.5j])
def test_pow_at_exponent_0(x):
    """∂²(x^y)/∂x∂y = x^(y−1) (1 + y log x), in both orders."""
    first, second = (tn.grad(lambda x, y: tn.real(tn.pow(x, y)), k) for k in (0, 1))
    zero = x * 0
    mixed = np.array(tn.grad(lambda y: tn.real(first(x, y)))(zero))
    np.testing.assert_allclose(mixed, np.conj(1 / x), rtol=1e-14)
    np.testing.assert_allclose(np.array(tn.grad(lambda a: tn.real(second(a, zero)))(x)), np.conj(1 / x), rtol=1e-14)


def usable():
    x = np.array([1.0, 2.0])
    for engine in (check.SERIAL, check.TEAM):
        assert running.traced(lambda a: a * a + 1, [x], engine)[0].tolist() == [2.0, 5.0]
    assert running.eager(lambda a: a * a + 1, [x], check.SERIAL)[0].tolist() == [2.0, 5.0]
    assert (tn.Tensor(x) * 3).tolist() == [3.0, 6.0]


def refused(f, arrays):
    """All front ends refuse f with an error that says what is wrong."""
    for run in (running.traced, running.eager, check.plain):
        with pytest.raises(program_calls.REFUSED) as caught:
            run(f, arrays)
        assert str(caught.value)


@pytest.mark.parametrize("kind", MISTAKES)
@examples(20)
@given(programs.programs(largest=60, longest=6), NUMBERS)
def test_wrong_calls(kind, program, number):
    """A mistake somewhere in a program that is right until then."""
    mistake, fits = MISTAKES[kind]
    arrays = [*program.inputs, np.full((3, 3), 0.5), np.full((2, 3), 0.5 + 1j)]
    values = program.values(REFERENCE, program.inputs)
    where = [i for i, v in enumerate(values) if fits(v)]

    def f(*xs):
        x = program.values(TENFERRO, xs[:-2])[where[number % len(where)]] if where else xs[-2 if fits(arrays[-2]) else -1]
        return mistake(x, random.Random(number))

    refused(f, arrays)
    usable()


@examples(40)
@given(NUMBERS)
def test_calls_of_anything(number):
    """Any function with any arguments gives a result or one of our errors."""
    rng = random.Random(number)
    for make in (tn.Tensor, tn.TracedTensor.from_array, tn.EagerRuntime().constant_from, np.asarray):
        for _ in range(25):
            program_calls.call(rng, make)
    usable()


def many(count, steps=20, **options):
    """The programs of the first seeds."""
    for seed in range(count):
        rng = random.Random(seed)
        choices = [rng.randrange(2**32) for _ in range(steps)]
        yield programs.build(seed, choices, **{"ops": programs.SMOOTH, "dtypes": DOUBLE, "sizes": programs.SIZES, "largest": 60, **options})


def test_programs_are_varied():
    """Most of the vocabulary occurs in few programs, and they are long."""
    used, lengths = collections.Counter(), []
    for program in many(120, ops=programs.OPS, dtypes=programs.DTYPES):
        used.update(s.op.name for s in program.steps)
        lengths.append(len(program.steps))
    names = {op.name for op in programs.OPS}
    assert len(used) > 0.9 * len(names)
    assert np.mean(lengths) > 15
    assert max(lengths) <= 31


def test_sizes_can_be_symbolic():
    """Half of the programs can be recorded with names for sizes."""
    recorded = [check.symbolic(p, random.Random(3)) for p in many(40, ops=programs.LIGHT, steps=5)]
    assert sum(recorded) > 0.4 * len(recorded)


def test_differences_can_tell():
    told = [check.derivatives(p) for p in many(20, ops=programs.LIGHT + programs.SMOOTH)]
    assert sum(t is True for t in told) > 0.7 * len(told)


def caught(run, broken, name, **options):
    """Whether a check fails for a program that uses the operation, and with nothing broken passes."""
    for program in many(80, **options):
        if any(s.op.name == name for s in program.steps):
            try:
                run(program, **broken)
            except AssertionError:
                run(program)
                return True
    return False


# A wrong number, place, sign or dtype in the reference.
WRONG = {
    "tanh": lambda x: np.tanh(x) * (1 + 1e-10),
    "sum": lambda x, axis, keepdims: np.sum(x, axis=axis, keepdims=keepdims) - 1e-9,
    "concat": lambda xs, axis: np.concatenate(xs[::-1], axis=axis),
    "conj": lambda x: x,
    "tril": lambda x, k: np.tril(x, k - 1),
    "erf": lambda x: REFERENCE.erf(x).astype("float32"),
    "einsum": lambda subscripts, *xs: np.einsum(subscripts, *(x.conj() for x in xs)),
    "flip": lambda x, axis: x,
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_values_are_caught(name):
    broken = Namespace(REFERENCE, **{name: WRONG[name]})
    assert caught(check.values, {"reference": broken}, name)


def twin(value, derivative_of):
    """The value of one function with the derivative of another."""

    def f(*xs, **params):
        y, z = value(*xs, **params), derivative_of(*xs, **params)
        return tn.stop_gradient(y - z) + z

    return f


def straight(x):
    """The tangent of the cosine here, which has no second derivative."""
    return tn.stop_gradient(-tn.sin(x)) * x


TWINS = {
    "sin": (twin(tn.sin, lambda x: 1.00001 * tn.sin(x)), check.derivatives),
    "multiply": (twin(tn.multiply, lambda x, y: x * tn.conj(y)), check.derivatives),
    "sum": (twin(tn.sum, tn.mean), check.derivatives),
    "cumsum": (twin(tn.cumsum, lambda x, axis, reverse=False: tn.cumsum(x, axis=axis)), check.derivatives),
    "cos": (twin(tn.cos, straight), check.second_derivatives),
}


@pytest.mark.parametrize("name", TWINS)
def test_wrong_derivatives_are_caught(name):
    wrong, run = TWINS[name]
    assert caught(run, {"namespace": Namespace(TENFERRO, **{name: wrong})}, name, largest=30)
