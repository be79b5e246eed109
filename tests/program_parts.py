"""What random programs are made of: operations, steps, programs, and drafts of them."""

from dataclasses import dataclass, field

import numpy as np
from program_reference import REFERENCE

LARGEST = 60.0


class Refused(Exception):
    """A step that would leave the range where results can be compared."""


@dataclass(frozen=True)
class Op:
    """An operation of the vocabulary.

    `call(namespace, *values, **parameters)` gives one value or a list. `choose(draft)`
    gives indices of arguments and parameters. `jumps`: small changes of the arguments
    can change the result at once. `branch(*arrays, **parameters)` gives what changes
    where a kink is passed. `order`: how often it can be differentiated.
    """

    name: str
    call: object
    choose: object
    jumps: bool = False
    branch: object = None
    order: int = 2


@dataclass(frozen=True)
class Step:
    op: Op
    args: tuple
    params: dict


@dataclass
class Program:
    """Steps over earlier values, of which the inputs are the first.

    `tolerances` hold per value how far two right evaluations in floating point may be apart.
    """

    inputs: list
    steps: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    tolerances: list = field(default_factory=list)
    # Of the coarsest dtype on the way.
    eps: float = 2.0**-52

    def __call__(self, namespace, *inputs):
        values = self.values(namespace, inputs)
        return [values[i] for i in self.outputs]

    def values(self, namespace, inputs):
        values = list(inputs)
        for step in self.steps:
            values += run(step.op, namespace, [values[i] for i in step.args], step.params)
        return values

    def branches(self, inputs):
        """All that is piecewise constant in a run of the reference."""
        values, found = list(inputs), []
        for step in self.steps:
            args = [values[i] for i in step.args]
            outs = run(step.op, REFERENCE, args, step.params)
            found += [y for y in outs if y.dtype.kind not in "fc"]
            if step.op.branch:
                found.append(step.op.branch(*args, **step.params))
            values += outs
        return found

    @property
    def order(self):
        return min((s.op.order for s in self.steps), default=2)

    def _repr_pretty_(self, printer, cycle):
        printer.text("\n" + repr(self))

    def __repr__(self):
        lines = [f"v{i}: {a.dtype}{list(a.shape)}" for i, a in enumerate(self.inputs)]
        n = len(self.inputs)
        values = self.values(REFERENCE, self.inputs)
        for s in self.steps:
            count = len(run(s.op, REFERENCE, [values[i] for i in s.args], s.params))
            names = ", ".join(f"v{n + i}" for i in range(count))
            shown = ", ".join([*(f"v{i}" for i in s.args), *(f"{k}={v!r}" for k, v in s.params.items())])
            lines.append(f"{names} = {s.op.name}({shown}): {values[n].dtype}{list(values[n].shape)}")
            n += count
        return "\n".join([*lines, "return " + ", ".join(f"v{i}" for i in self.outputs)])


def run(op, namespace, args, params):
    with np.errstate(all="ignore"):
        y = op.call(namespace, *args, **params)
    outs = list(y) if isinstance(y, (list, tuple)) else [y]
    return [np.asarray(a) for a in outs] if namespace is REFERENCE else outs


def eps_of(a):
    return float(np.finfo(a.dtype).eps) if a.dtype.kind in "fc" else 0.0


def size_of(a):
    return float(np.max(np.abs(a), initial=0)) if a.dtype.kind in "fc" else 0.0


def noise(generator, a, amount):
    """An array moved by a random sign times an amount, in each component."""
    if a.dtype.kind not in "fc":
        return a
    moved = a + amount * generator.choice([-1.0, 1.0], a.shape)
    if a.dtype.kind == "c":
        moved = moved + 1j * amount * generator.choice([-1.0, 1.0], a.shape)
    return moved.astype(a.dtype)


class Draft:
    """A program in the making, evaluated by the reference as it grows.

    Beside the values two evaluations with random roundings run along: how far they move
    tells how well the program is conditioned.
    """

    def __init__(self, inputs, rng, seed, largest):
        self.program = Program(list(inputs))
        self.values = list(inputs)
        self.shaken = [list(inputs), list(inputs)]
        # The coarsest precision that a value has gone through.
        self.level = [eps_of(a) for a in inputs]
        self.program.tolerances = [0.0] * len(inputs)
        self.rng, self.largest = rng, largest
        self.generator = np.random.default_rng(seed)

    def pick(self, kinds="fc", least=0, most=5, where=None):
        """An earlier value of some kinds of dtype and numbers of axes, recent ones twice as often."""
        fit = [i for i, a in enumerate(self.values) if a.dtype.kind in kinds and least <= a.ndim <= most and (where is None or where(a))]
        if not fit:
            raise Refused("no value fits")
        return self.rng.choice(fit[-4:] if self.rng.random() < 0.5 else fit)

    def emit(self, op, *args, **params):
        """Adds a step; gives the index of its first result."""
        outs = self.evaluate(op, self.values, args, params)
        for y in outs:
            if y.dtype.kind in "fc" and not np.all(np.isfinite(y)):
                raise Refused("not finite")
            if y.size > self.largest or size_of(y) > LARGEST:
                raise Refused("too large")
        level = max((self.level[i] for i in args), default=0.0)
        levels = [max(level, eps_of(y)) if y.dtype.kind in "fc" else 0.0 for y in outs]
        if op.jumps:
            self.stay(op, args, params, outs)
        scale = max([1.0, *(size_of(self.values[i]) for i in args), *(size_of(y) for y in outs)])
        moved = []
        for values in self.shaken:
            again = self.evaluate(op, values, args, params)
            moved.append([noise(self.generator, y, 4 * eps_of(y) * scale) for y in again])
        away = [max(self.distance(m[k], y) for m in moved) for k, y in enumerate(outs)]
        if any(a > e**0.7 * max(1.0, size_of(y)) for a, e, y in zip(away, levels, outs, strict=True) if a):
            raise Refused("badly conditioned")
        first = len(self.values)
        for values, new in zip(self.shaken, moved, strict=True):
            values += new
        self.values += outs
        self.level += levels
        self.program.eps = max(self.program.eps, *levels)
        self.program.steps.append(Step(op, args, params))
        self.program.tolerances += [32 * (a + e * max(1.0, size_of(y))) for a, e, y in zip(away, levels, outs, strict=True)]
        return first

    def evaluate(self, op, values, args, params):
        try:
            return run(op, REFERENCE, [values[i] for i in args], params)
        except np.linalg.LinAlgError as e:
            raise Refused(str(e)) from e

    def distance(self, a, b):
        if a.shape != b.shape:
            raise Refused("a shape hangs on roundings")
        if a.dtype.kind not in "fc":
            if not np.array_equal(a, b):
                raise Refused("a jump")
            return 0.0
        return float(np.max(np.abs(a - b), initial=0))

    def stay(self, op, args, params, outs):
        """Refuses a step whose result jumps near its arguments."""
        for _ in range(2):
            near = [noise(self.generator, a, self.level[i] ** 0.4 * (1 + size_of(a))) for i, a in enumerate(self.values) if i in args]
            place = {i: k for k, i in enumerate(sorted(set(args)))}
            again = run(op, REFERENCE, [near[place[i]] for i in args], params)
            for a, b in zip(again, outs, strict=True):
                if a.shape != b.shape or not np.allclose(a, b, rtol=0, atol=1e-9 + 100 * self.worst(args) ** 0.4):
                    raise Refused("a jump is near")

    def worst(self, args):
        return max((self.level[i] for i in args), default=0.0)

    def within(self, i, domain):
        """The value, or a new one that is squashed into the domain."""
        holds, scale, shift = DOMAINS[domain]
        if holds(self.values[i]):
            return i
        i = self.emit(SQUASH, i)
        if (scale, shift) != (1.0, 0.0):
            i = self.emit(AFFINE, i, scale=scale, shift=shift)
        if not holds(self.values[i]):
            raise Refused(f"not in the domain {domain}")
        return i


def squash(ns, x):
    if x.dtype.kind == "c":
        return x / ns.sqrt(1 + ns.real(x * ns.conj(x)))
    return ns.tanh(x)


SQUASH = Op("squash", squash, lambda d: ((d.pick(),), {}))
AFFINE = Op(
    "affine",
    lambda ns, x, scale, shift: x * scale + shift,
    lambda d: ((d.pick("fci"),), {"scale": d.rng.choice([0.5, -1.25, 2.0]), "shift": d.rng.choice([-1.0, 0.25, 3.0])}),
)

# What holds there, and the map from (−1, 1) into it.
DOMAINS = {
    "mild": (lambda a: size_of(a) <= 3, 1.0, 0.0),
    "small": (lambda a: size_of(a) <= 1, 1.0, 0.0),
    "unit": (lambda a: size_of(a) <= 0.9, 0.8, 0.0),
    "positive": (lambda a: bool(np.all(np.real(a) >= 0.3)), 1.0, 1.5),
    "nonzero": (lambda a: bool(np.all(np.abs(a) >= 0.3)), 1.0, 1.5),
    "above": (lambda a: bool(np.all(np.real(a) >= 1.1)), 1.0, 2.5),
}
