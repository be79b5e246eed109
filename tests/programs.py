"""Random programs that are right in shape, in dtype and in range.

A program is drawn step by step while the reference evaluates it: a step that would leave
the range where results can be compared is refused and another one tried.
"""

import random

import numpy as np
import program_composites
import program_elementwise
import program_products
import program_shapes
from hypothesis import strategies as st
from program_parts import Draft, Refused, Step

FAMILIES = {
    "smooth": program_elementwise.SMOOTH,
    "kinked": program_elementwise.KINKED,
    "steps": program_elementwise.STEPS,
    "reductions": program_elementwise.REDUCTIONS,
    "shapes": program_shapes.OPS,
    "products": program_products.PRODUCTS,
    "linalg": program_products.LINALG,
    "fft": program_products.FFT,
    "factors": program_composites.LINALG,
    "gradients": program_composites.GRADIENTS,
    "rarer": program_composites.RARER,
}
OPS = [op for family in FAMILIES.values() for op in family]
SMOOTH = [op for name in FAMILIES if name not in ("kinked", "steps") for op in FAMILIES[name] * (1 + (name == "smooth"))]
LIGHT = [op for name in ("smooth", "smooth", "kinked", "reductions", "shapes", "gradients") for op in FAMILIES[name]]

# Not those that convert NaN to an integer or refuse it.
WILD = LIGHT + [op for name in ("steps", "products", "fft") for op in FAMILIES[name] if op.name not in ("truncate", "interp")]
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-310, 1e308, -1e308, 1e-20, 2.0, 0.5, -2.5, 1e19, -3e9)

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool")
DTYPES = ("float64",) * 5 + ("complex128",) * 3 + ("float32", "complex64", "int64", "int32", "int8", "uint8", "bool")
SIZES = (1, 2, 3, 3, 4, 4, 5)
LARGE = (3, 7, 64, 257, 1000)


def array(rng, dtype, shape):
    """Numbers of size 1, at times whole ones, so that there are ties and zeros; integers from −4, or 0, to 4."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    if dtype == "bool":
        return numbers.random(shape) < 0.5
    if dtype[0] in "iu":
        return numbers.integers(-4 if dtype[0] == "i" else 0, 5, shape).astype(dtype)
    x = numbers.standard_normal(shape)
    if dtype[0] == "c":
        x = x + 1j * numbers.standard_normal(shape)
    return np.asarray(np.rint(x) if rng.random() < 0.2 else 0.8 * x, dtype)


def draw_inputs(rng, dtypes, sizes, largest):
    """One to four inputs whose sizes repeat, so that they fit each other."""
    few = [rng.choice(sizes) for _ in range(2)]
    if rng.random() < 0.1:
        few.append(0)
    inputs = []
    for _ in range(rng.randrange(1, 5)):
        shape = tuple(rng.choice((*few, few[0], 1)) for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))))
        while np.prod(shape, dtype=int) > largest:
            shape = shape[1:]
        inputs.append(array(rng, rng.choice(dtypes), shape))
    return inputs


class Wild(Draft):
    """A draft that refuses no number: results may be infinite or NaN."""

    def within(self, i, domain):
        return i

    def emit(self, op, *args, **params):
        try:
            outs = self.evaluate(op, self.values, args, params)
        except (ValueError, ZeroDivisionError) as e:
            # What only the reference does not do with such numbers.
            raise Refused(str(e)) from e
        if any(y.size > self.largest for y in outs):
            raise Refused("too large")
        self.values += outs
        self.program.steps.append(Step(op, args, params))
        return len(self.values) - len(outs)


def specials(rng, a):
    """Some elements replaced by zeros of both signs, infinities, NaN, the tiny and the huge."""
    if a.dtype.kind not in "fc":
        return a
    numbers = np.random.default_rng(rng.randrange(2**32))
    with np.errstate(all="ignore"):
        new = numbers.choice(SPECIAL, a.shape).astype(a.dtype)
        if a.dtype.kind == "c":
            new = (new.real + 1j * numbers.choice(SPECIAL, a.shape)).astype(a.dtype)
    return np.where(numbers.random(a.shape) < 0.4, new, a)


def build(seed, choices, ops, dtypes, sizes, largest, wild=False):
    """The program of a seed for the inputs and of a number for each step."""
    rng = random.Random(seed)
    inputs = draw_inputs(rng, dtypes, sizes, largest)
    draft = Wild([specials(rng, a) for a in inputs], rng, seed, largest) if wild else Draft(inputs, rng, seed, largest)
    for choice in choices:
        draft.rng = random.Random(choice)
        for _ in range(8):
            if len(draft.program.steps) >= 30 or add_step(draft, draft.rng.choice(ops)):
                break
    return finished(draft)


def add_step(draft, op):
    try:
        args, params = op.choose(draft)
        draft.emit(op, *args, **params)
    except Refused:
        return False
    return True


def finished(draft):
    """Outputs: all that no other step reads."""
    program, values = draft.program, draft.values
    read = {i for s in program.steps for i in s.args}
    program.outputs = [i for i in range(len(program.inputs), len(values)) if i not in read] or [len(values) - 1]
    return program


@st.composite
def programs(draw, ops=None, dtypes=DTYPES, sizes=SIZES, largest=400, longest=30, wild=False):
    """A strategy: shrinking drops steps and simplifies what is left."""
    numbers = st.integers(0, 2**32 - 1)
    many, few = st.lists(numbers, min_size=longest // 3, max_size=longest), st.lists(numbers, min_size=1, max_size=5)
    return build(draw(numbers), draw(st.one_of(many, few)), ops or OPS, dtypes, sizes, largest, wild)
