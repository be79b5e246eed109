"""Edges of indexing, updates and matrices; see `edges`."""

import numpy as np
from edges import INF, TIED, UP, Edge, one, two

import tenferro_py as tn

PLACES = np.array([0, 0, 2])


def update(name, method, x, u, gradients, second=None, weights=UP[:3]):
    """Row 0 is updated twice, row 2 once, row 1 never."""
    return two(name, lambda x, u: getattr(x.at[PLACES], method)(u) * weights, x, u, gradients, second)


def squared(method):
    return lambda x, u: tn.square(getattr(x.at[PLACES], method)(u))


NONE = (np.zeros(3), np.zeros(3))
INDEXING = [
    one("take: repeats add", lambda x: tn.take(x, PLACES, axis=0) * UP[:3], [1.0, 2.0, 3.0], [3, 0, 3], np.zeros(3)),
    one("index: repeats add", lambda x: tn.square(tn.sum(x[PLACES])), [1.0, 2.0, 3.0], [20, 0, 10], [12, 0, 6]),
    one("take_along_axis: repeats add", lambda x: tn.take_along_axis(x, PLACES[None], axis=1) * UP[:3], [[1.0, 2.0, 3.0]], [[3, 0, 3]]),
    update("at.set: the last one wins", "set", [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([0, 2, 0], [0, 1, 3]), NONE),
    two("at.set: its square", squared("set"), [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([0, 4, 0], [0, 2, 6]), ([0, 2, 0], [0, 2, 2])),
    update("at.add: repeats add", "add", [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([1, 2, 3], [1, 1, 3]), NONE),
    two("at.add: its square", squared("add"), [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([14, 4, 12], [14, 14, 12]), ([6, 2, 4], [6, 6, 4])),
    update("at.multiply: repeats multiply", "multiply", [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([5, 2, 9], [1, 5, 9]), ([6, 0, 3], [2, 6, 3])),
    update("at.multiply: zeros", "multiply", [0.0, 2.0, 3.0], [0.0, 2.0, 0.0], ([0, 2, 0], [0, 0, 9]), ([2, 0, 3], [2, 0, 3])),
    update(
        "at.multiply: two zeros for one place", "multiply", [2.0, 0.0, 0.0], [0.0, 0.0, 3.0], ([0, 2, 9], [0, 0, 0]), ([0, 0, 3], [2, 2, 3])
    ),
    update("at.divide: repeats divide", "divide", [8.0, 2.0, 3.0], [2.0, 4.0, 1.0], ([1 / 8, 2, 3], [-0.5, -0.25, -9])),
    one("at.power: repeats repeat", lambda x: x.at[np.array([0, 0])].power(2), [3.0, 1.0], [108, 1], [108, 0]),
    one("at.apply: once", lambda x: x.at[np.array([0, 0])].apply(tn.square), [3.0, 1.0], [6, 1], [2, 0]),
    update("at.min: ties share equally", "min", [1.0, 2.0, 3.0], [1.0, 1.0, 3.0], ([1 / 3, 2, 1.5], [1 / 3, 1 / 3, 1.5]), NONE),
    update("at.max: ties share equally", "max", [1.0, 2.0, 3.0], [1.0, 1.0, 3.0], ([1 / 3, 2, 1.5], [1 / 3, 1 / 3, 1.5]), NONE),
    two("at.max: its square", squared("max"), [1.0, 2.0, 3.0], [5.0, 1.0, 3.0], ([0, 4, 3], [10, 0, 3]), ([0, 2, 1], [2, 0, 1])),
]


def matrix(name, call, a, gradient, second=None):
    return one(name, call, np.asarray(a), gradient, second)


def rank_one(n):
    return np.ones((n, n))


NINE = np.arange(1.0, 10).reshape(3, 3)
MATRICES = [
    matrix("det: the adjugate of a singular matrix", tn.linalg.det, [[1.0, 2.0], [2.0, 4.0]], [[4, -2], [-2, 1]]),
    matrix("det: the adjugate of a complex singular matrix", tn.linalg.det, [[1, 1j], [1j, -1]], [[-1, 1j], [1j, 1]]),
    matrix("det: 0 at rank n - 2", tn.linalg.det, rank_one(3), np.zeros((3, 3))),
    matrix("det: a matrix singular up to rounding", tn.linalg.det, NINE, [[-3, 6, -3], [6, -12, 6], [-3, 6, -3]], np.zeros((3, 3))),
    matrix("eigvalsh: the trace at a tie", lambda x: tn.sum(tn.linalg.eigvalsh(x)), np.eye(2), np.eye(2), np.zeros((2, 2))),
    matrix("eigvalsh: squares at a tie", lambda x: tn.sum(tn.linalg.eigvalsh(x) ** 2), np.diag([4.0, 1.0, 1.0]), np.diag([8, 2, 2])),
    matrix("eigvals: squares at a tie", lambda x: tn.sum(tn.real(tn.linalg.eigvals(x) ** 2)), np.eye(2), 2 * np.eye(2)),
    matrix("svdvals: squares at a tie and at 0", lambda x: tn.sum(tn.linalg.svdvals(x) ** 2), np.diag([2.0, 2.0, 0.0]), np.diag([4, 4, 0])),
    matrix("svd: a vector alone does not move at a tie", lambda x: tn.linalg.svd(x, full_matrices=False)[0], np.eye(2), np.zeros((2, 2))),
    matrix("nuclear norm: at a tie", lambda x: tn.linalg.matrix_norm(x, ord="nuc"), np.eye(2), np.eye(2)),
    matrix("spectral norm: ties share equally", lambda x: tn.linalg.matrix_norm(x, ord=2), np.eye(3), np.eye(3) / 3),
    matrix("norm of order 1: ties share equally", lambda x: tn.linalg.matrix_norm(x, ord=1), np.ones((2, 2)), np.full((2, 2), 0.5)),
    matrix("cond: 0 at the identity", tn.linalg.cond, np.eye(3), np.zeros((3, 3))),
    matrix("pinv: 0 at 0", tn.linalg.pinv, np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2))),
    matrix("expm: at 0", tn.linalg.expm, np.zeros((2, 2)), np.ones((2, 2)), np.full((2, 2), 2.0)),
    matrix("expm: nilpotent", tn.linalg.expm, [[0.0, 1.0], [0.0, 0.0]], [[1.5, 1], [13 / 6, 1.5]]),
    matrix("matrix_power: square of 0", lambda x: tn.linalg.matrix_power(x, 2), np.zeros((2, 2)), np.zeros((2, 2)), np.full((2, 2), 4.0)),
    matrix("matrix_power: exponent 0", lambda x: tn.linalg.matrix_power(x, 0), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))),
]


def empty(name, call, *args):
    return Edge(f"empty {name}", call, args, tuple(np.zeros_like(a) for a in args), tuple(np.zeros_like(a) for a in args))


NOTHING, ROWS = np.zeros(0), np.zeros((2, 0))
REDUCED = ("sum", "prod", "mean", "var", "std", "median", "logsumexp", "cumsum", "cumprod", "cummax", "cumlogsumexp", "sort")
EMPTY = [
    *(empty(n, lambda x, n=n: getattr(tn, n)(x, axis=0), NOTHING) for n in REDUCED),
    *(empty(f"rows: {n}", lambda x, n=n: getattr(tn, n)(x, axis=1), ROWS) for n in REDUCED),
    *(empty(f"columns: {n}", lambda x, n=n: getattr(tn, n)(x, axis=0), ROWS) for n in (*REDUCED, "max", "min", "ptp")),
    *(empty(f"norm of order {p}", lambda x, p=p: tn.linalg.vector_norm(x, ord=p), NOTHING) for p in (1, 2, 3, INF)),
    empty("softmax", tn.softmax, NOTHING),
    empty("log_softmax", tn.log_softmax, ROWS),
    empty("take", lambda x: tn.take(x, np.array([], int), axis=0), NOTHING),
    empty("update", lambda x, u: x.at[np.array([], int)].add(u), NOTHING, NOTHING),
    empty("matmul", tn.matmul, ROWS, ROWS.T),
    empty("det", tn.linalg.det, np.zeros((0, 0))),
    one("nothing of something", lambda x: tn.sum(x[:0]), TIED, np.zeros(5), np.zeros(5)),
]
EDGES = INDEXING + MATRICES + EMPTY
