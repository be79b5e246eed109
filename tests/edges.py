"""Points where a derivative is a matter of convention, and what it is here.

An `Edge` is a function, its arguments, and the gradients of the sum of (the real part
of) its values by each argument. `second` are the gradients of the sum of all elements
of those gradients: the row sums of the Hessian. Names state the convention.
"""

from dataclasses import dataclass

import numpy as np

import tenferro_py as tn

INF, NAN = np.inf, np.nan
UP = np.arange(1.0, 10.0)


@dataclass(frozen=True)
class Edge:
    name: str
    call: object
    args: tuple
    gradients: tuple
    second: tuple | None = None

    def __str__(self):
        return self.name


def one(name, call, x, gradient, second=None):
    """An edge of one argument."""
    return Edge(name, call, (np.asarray(x),), (gradient,), None if second is None else (second,))


def two(name, call, x, y, gradients, second=None):
    return Edge(name, call, (np.asarray(x), np.asarray(y)), gradients, second)


TIED = [2.0, 1.0, 2.0, 1.0, 2.0]
ORDER = [
    one("sort: equal elements keep their order", lambda x: tn.sort(x) * UP[:5], TIED, [3, 1, 4, 2, 5], np.zeros(5)),
    one("sort: its square", lambda x: tn.square(tn.sort(x)) * UP[:5], TIED, [12, 2, 16, 4, 20], [6, 2, 8, 4, 10]),
    one("sort: NaN comes last", lambda x: tn.sort(x) * UP[:4], [2.0, NAN, 1.0, 0.0], [3, 4, 2, 1], np.zeros(4)),
    one("sort descending: equal elements keep their order", lambda x: tn.sort(x, descending=True) * UP[:5], TIED, [1, 4, 2, 5, 3]),
    one("argsort: as sort", lambda x: x[tn.argsort(x)] * UP[:5], TIED, [3, 1, 4, 2, 5]),
    one("top_k: the first of equals", lambda x: tn.top_k(x, 2)[0] * UP[:2], TIED, [1, 0, 2, 0, 0]),
    one("argmax: the first of equals", lambda x: x[tn.argmax(x)], TIED, [1, 0, 0, 0, 0]),
    one("median: half to each of the middle two", tn.median, [2.0, 1.0, 2.0, 2.0], [0.5, 0, 0.5, 0]),
    one("unique: the first of equals", lambda x: tn.unique(x, size=4, fill_value=9) * UP[:4], [2.0, 1.0, 2.0, 1.0], [2, 1, 0, 0]),
    one("max: ties share equally", tn.max, TIED, [1 / 3, 0, 1 / 3, 0, 1 / 3], np.zeros(5)),
    one("max: ties along an axis", lambda x: tn.max(x, axis=0), [[2.0, 1.0], [2.0, 3.0]], [[0.5, 0], [0.5, 1]]),
    one("max: its square at a tie", lambda x: tn.square(tn.max(x)), [2.0, 1.0, 2.0], [2, 0, 2], [1, 0, 1]),
    one("max: NaN of NaN", tn.max, [2.0, NAN, 1.0], [NAN, NAN, NAN]),
    one("min: ties share equally", tn.min, TIED, [0, 0.5, 0, 0.5, 0], np.zeros(5)),
    one("ptp: 0 of a constant", tn.ptp, [2.0, 2.0, 2.0], np.zeros(3), np.zeros(3)),
    one("cummax: ties share equally", lambda x: tn.cummax(x, axis=0) * UP[:5], [2.0, 2.0, 1.0, 2.0, 3.0], [29 / 6, 23 / 6, 0, 4 / 3, 5]),
    two("maximum: half each at a tie", tn.maximum, [1.0, 1.0, 2.0], [1.0, 2.0, 1.0], ([0.5, 0, 1], [0.5, 1, 0]), (np.zeros(3),) * 2),
    two("minimum: half each at a tie", tn.minimum, [1.0, 1.0, 2.0], [1.0, 2.0, 1.0], ([0.5, 1, 0], [0.5, 0, 1]), (np.zeros(3),) * 2),
    two("fmax: half each at a tie, none to NaN", tn.fmax, [1.0, NAN, 3.0], [1.0, 1.0, NAN], ([0.5, 0, 1], [0.5, 1, 0])),
    two("fmin: half each at a tie, none to NaN", tn.fmin, [1.0, NAN, 3.0], [1.0, 1.0, NAN], ([0.5, 0, 1], [0.5, 1, 0])),
    one("relu: 0 at 0", tn.relu, [-1.0, 0.0, 1.0], [0, 0, 1], np.zeros(3)),
    one("clip: half at a bound", lambda x: tn.clip(x, 0.0, 1.0), [-1.0, 0.0, 0.5, 1.0, 2.0], [0, 0.5, 1, 0.5, 0], np.zeros(5)),
    one("clip: a quarter between equal bounds", lambda x: tn.clip(x, 1.0, 1.0), [0.0, 1.0, 2.0], [0, 0.25, 0]),
    two("clip: the other half goes to the bound", lambda x, b: tn.clip(x, b, 9.0), [-1.0, 0.0, 1.0], 0.0, ([0, 0.5, 1], 1.5)),
]


def norm(order):
    return one(
        f"vector_norm of order {order}: 0 at 0", lambda x: tn.linalg.vector_norm(x, ord=order), np.zeros(3), np.zeros(3), np.zeros(3)
    )


def of_rows(x):
    return tn.linalg.vector_norm(x, axis=1)


ZERO = [
    *(norm(order) for order in (0.5, 1, 2, 3, INF, -INF)),
    one("norm: 0 at complex 0", tn.linalg.norm, np.zeros(2, complex), np.zeros(2), np.zeros(2)),
    one("norm: rows of zeros beside others", of_rows, [[0.0, 0.0], [3.0, 4.0]], [[0, 0], [0.6, 0.8]], [[0, 0], [0.032, -0.024]]),
    one("matrix_norm: 0 at 0", tn.linalg.matrix_norm, np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))),
    one("std: 0 of a constant", tn.std, [2.0, 2.0, 2.0], np.zeros(3), np.zeros(3)),
    one("std: 0 of a complex constant", tn.std, [1j, 1j], np.zeros(2)),
    one("var: 0 of a constant", tn.var, [2.0, 2.0, 2.0], np.zeros(3), np.zeros(3)),
    one("sqrt: infinite at 0", tn.sqrt, [0.0, 4.0], [INF, 0.25], [-INF, -1 / 32]),
    one("cbrt: infinite at 0", tn.cbrt, [0.0, 8.0], [INF, 1 / 12]),
    one("rsqrt: infinite at 0", tn.rsqrt, [0.0, 4.0], [-INF, -1 / 16], [INF, 3 / 128]),
    one("log: infinite at 0, 1/x below", tn.log, [0.0, -2.0], [INF, -0.5], [-INF, -0.25]),
    one("reciprocal: infinite at 0", tn.reciprocal, [0.0, 2.0], [-INF, -0.25], [INF, 0.25]),
    one("abs: 0 at 0", tn.abs, [0.0, -0.0, 3.0, -3.0], [0, 0, 1, -1], np.zeros(4)),
    one("abs: the sign at infinity", tn.abs, [INF, -INF], [1, -1]),
    one("abs: 0 at complex 0", tn.abs, [0j, 3 + 4j], [0, 0.6 + 0.8j], [0, 0.128 - 0.096j]),
    one("squared modulus as conj(z) z: right to second order", lambda z: tn.real(tn.conj(z) * z), [0j, 3 + 4j], [0, 6 + 8j], [2, 2]),
    one("squared modulus as abs(z)**2: right to first order", lambda z: tn.square(tn.abs(z)), [0j, 3 + 4j], [0, 6 + 8j], [0, 2]),
    one("angle: 0 at complex 0", tn.angle, [0j, 3 + 4j], [0, -0.16 + 0.12j], [0, 0.0384 + 0.0112j]),
    one("angle: 0 of real numbers", tn.angle, [0.0, 3.0, -3.0], np.zeros(3)),
    one("angle: far from 1", tn.angle, [3e-200 + 4e-200j, 3e200 + 4e200j], [-1.6e199 + 1.2e199j, -1.6e-201 + 1.2e-201j]),
    one("sign: 0 at complex 0", tn.sign, [0j, 3 + 4j], [0, 0.128 - 0.096j]),
    one("sign: 0 of real numbers", tn.sign, [0.0, 3.0], np.zeros(2)),
    one("copysign: as abs in x", lambda x: tn.copysign(x, -1.0), [0.0, 2.0, -2.0], [0, -1, 1]),
    two("hypot: 0 at the origin", tn.hypot, [0.0, 3.0], [0.0, 4.0], ([0, 0.6], [0, 0.8]), ([0, 0.032], [0, -0.024])),
    two("atan2: 0 at the origin", tn.atan2, [0.0, 3.0], [0.0, 4.0], ([0, 0.16], [0, -0.12])),
    two("atan2: far from 1", tn.atan2, [3e-200, 3e200], [4e-200, 4e200], ([1.6e199, 1.6e-201], [-1.2e199, -1.2e-201])),
    one("sinc: smooth at 0", tn.sinc, [0.0, 1e-9, 1.0], [0, -1e-9 * np.pi**2 / 3, -1], [-(np.pi**2) / 3, -(np.pi**2) / 3, 2]),
    two(
        "xlogy: log y and 0 where x is 0",
        tn.xlogy,
        [0.0, 2.0],
        [3.0, 3.0],
        ([np.log(3), np.log(3)], [0, 2 / 3]),
        ([1 / 3] * 2, [1 / 3, 1 / 9]),
    ),
    two("xlogy: 0 where x is 0 and log y is not finite", tn.xlogy, [0.0, 0.0], [0.0, -1.0], ([0, 0], [0, 0])),
    one("floor: 0 everywhere", tn.floor, [2.0, 0.5], np.zeros(2)),
    two("remainder: slope 1 at a step", tn.remainder, [2.0, 3.0], [1.0, 2.0], ([1, 1], [-2, -1])),
    one(
        "interp: the slope to the right of a node", lambda x: tn.interp(x, UP[:3], UP[:3] ** 2), [0.0, 1.0, 2.0, 3.0, 4.0], [0, 3, 5, 0, 0]
    ),
]
BRANCHES = [
    one("where: NaN of a branch not taken", lambda x: tn.where(x > 0, tn.sqrt(x), 0.0), [-1.0, 0.0, 4.0], [NAN, NAN, 0.25]),
    one(
        "where twice: finite",
        lambda x: tn.where(x > 0, tn.sqrt(tn.where(x > 0, x, 1.0)), 0.0),
        [-1.0, 0.0, 4.0],
        [0, 0, 0.25],
        [0, 0, -1 / 32],
    ),
    one("where: sin x / x, NaN at 0", lambda x: tn.where(x == 0, 1.0, tn.sin(x) / x), [0.0, 1.0], [NAN, np.cos(1) - np.sin(1)]),
    one(
        "where twice: sin x / x",
        lambda x: tn.where(x == 0, 1.0, tn.sin(x) / tn.where(x == 0, 1.0, x)),
        [0.0, 1.0],
        [0, np.cos(1) - np.sin(1)],
        [0, np.sin(1) - 2 * np.cos(1)],
    ),
    one("where: a NaN of the input stays in the derivative", lambda x: tn.where(tn.isnan(x), 0.0, x * x), [NAN, 2.0], [NAN, 4]),
    one("nan_to_num: 0 where it replaces", tn.nan_to_num, [NAN, INF, 1.0], [0, 0, 1], np.zeros(3)),
]


def power(n):
    """xⁿ at 0: n xⁿ⁻¹ with 0·0⁻¹ = 0."""
    return one(f"x**{n} at 0", lambda x: x**n, [0.0], [n == 1], [2.0 * (n == 2)])


POWERS = [
    *(power(n) for n in (0, 1, 2, 3, 0.0, 1.0, 2.0)),
    one("pow: base 0 under an array of exponents", lambda x: tn.pow(x, UP[:4] - 1), np.zeros(4), [0, 1, 0, 0], [0, 0, 2, 0]),
    one("pow: complex base 0", lambda z: tn.pow(z, UP[:4] - 1), np.zeros(4, complex), [0, 1, 0, 0], [0, 0, 2, 0]),
    one("pow: 0**y", lambda y: 0.0**y, [0.0, 1.0, 2.0], np.zeros(3), np.zeros(3)),
    two(
        "pow: both gradients at base 0 and at exponent 0",
        tn.pow,
        [0.0, 0.0, 0.0, 2.0],
        [0.0, 1.0, 2.0, 0.0],
        ([0, 1, 0, 0], [0, 0, 0, np.log(2)]),
    ),
    two("pow: a negative base has no derivative by the exponent", tn.pow, [-3.0], [2.0], ([-6.0], [NAN])),
    one("pow: root at 0 is infinite", lambda x: x**0.5, [0.0, 4.0], [INF, 0.25], [-INF, -1 / 32]),
    one("vander: at 0", lambda x: tn.vander(x, 3), [0.0], [1], [2]),
    one("prod: one zero", tn.prod, [0.0, 2.0, 3.0], [6, 0, 0], [5, 3, 2]),
    one("prod: two zeros", tn.prod, [0.0, 0.0, 3.0], np.zeros(3), [3, 3, 0]),
    one("prod: three zeros", tn.prod, np.zeros(3), np.zeros(3), np.zeros(3)),
    one("prod: a complex zero", tn.prod, [0j, 1 + 1j, 2 + 0j], [2 - 2j, 0, 0], [3 - 1j, 2, 1 - 1j]),
    one("cumprod: one zero", lambda x: tn.cumprod(x, axis=0) * UP[:3], [0.0, 2.0, 3.0], [23, 0, 0], [17, 11, 6]),
    one("cumprod: two zeros", lambda x: tn.cumprod(x, axis=0) * UP[:3], [0.0, 0.0, 3.0], [1, 0, 0], [11, 11, 0]),
]
INFINITE = [
    two(
        "logaddexp: equal infinities share",
        tn.logaddexp,
        [-INF, -INF, INF, INF, 0.0],
        [-INF, 0.0, 0.0, INF, 0.0],
        ([0.5, 0, 1, 0.5, 0.5], [0.5, 1, 0, 0.5, 0.5]),
    ),
    one("logsumexp: 0 where all are -inf", tn.logsumexp, [-INF, -INF], [0, 0], [0, 0]),
    one("logsumexp: -inf beside others", tn.logsumexp, [-INF, 0.0, 0.0], [0, 0.5, 0.5], np.zeros(3)),
    one("logsumexp: +inf has all the weight", tn.logsumexp, [INF, 0.0], [1, 0]),
    one("logsumexp: infinities share", tn.logsumexp, [INF, 0.0, INF], [0.5, 0, 0.5]),
    one("cumlogsumexp: equal infinities share", lambda x: tn.cumlogsumexp(x, axis=0), [-INF, -INF], [1.5, 0.5]),
    one("softmax: -inf has no weight", lambda x: tn.softmax(x) * UP[:3], [-INF, 0.0, 0.0], [0, -0.25, 0.25], np.zeros(3)),
    one("log_softmax: -inf has no weight", lambda x: tn.log_softmax(x) * UP[:3], [-INF, 0.0, 0.0], [1, -1, 0], np.zeros(3)),
    one("softplus: flat and straight far out", tn.softplus, [-INF, -1e3, 1e3, INF], [0, 0, 1, 1], np.zeros(4)),
    one("sigmoid: flat far out", tn.sigmoid, [-INF, 1e3, INF], np.zeros(3), np.zeros(3)),
    one("tanh: flat far out", tn.tanh, [-INF, 1e3, INF], np.zeros(3), np.zeros(3)),
]
EDGES = ORDER + ZERO + BRANCHES + POWERS + INFINITE
