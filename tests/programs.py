"""Random programs that are right in shape, in dtype and in range.

A program is drawn step by step while the reference evaluates it: a step that would leave
the range where results can be compared is refused and another one tried.
"""

import random

import numpy as np
import program_elementwise
import program_products
import program_shapes
from hypothesis import strategies as st
from program_parts import Draft, Refused

FAMILIES = {
    "smooth": program_elementwise.SMOOTH,
    "kinked": program_elementwise.KINKED,
    "steps": program_elementwise.STEPS,
    "reductions": program_elementwise.REDUCTIONS,
    "shapes": program_shapes.OPS,
    "products": program_products.PRODUCTS,
    "linalg": program_products.LINALG,
    "fft": program_products.FFT,
}
OPS = [op for family in FAMILIES.values() for op in family]
SMOOTH = [op for name in ("smooth", "smooth", "reductions", "shapes", "products", "linalg", "fft") for op in FAMILIES[name]]
LIGHT = [op for name in ("smooth", "smooth", "kinked", "reductions", "shapes") for op in FAMILIES[name]]

DTYPES = ("float64",) * 5 + ("complex128",) * 3 + ("float32", "complex64", "int64", "int32", "int8", "uint8", "bool")
SIZES = (1, 2, 3, 3, 4, 4, 5)
LARGE = (3, 7, 64, 257, 1000)


def array(rng, dtype, shape):
    """Numbers of size 1; integers from −4, or 0, to 4."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    if dtype == "bool":
        return numbers.random(shape) < 0.5
    if dtype[0] in "iu":
        return numbers.integers(-4 if dtype[0] == "i" else 0, 5, shape).astype(dtype)
    x = numbers.standard_normal(shape)
    if dtype[0] == "c":
        x = x + 1j * numbers.standard_normal(shape)
    return np.asarray(0.8 * x, dtype)


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


def build(seed, choices, ops, dtypes, sizes, largest):
    """The program of a seed for the inputs and of a number for each step."""
    rng = random.Random(seed)
    draft = Draft(draw_inputs(rng, dtypes, sizes, largest), rng, seed, largest)
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
def programs(draw, ops=None, dtypes=DTYPES, sizes=SIZES, largest=400, longest=30):
    """A strategy: shrinking drops steps and simplifies what is left."""
    numbers = st.integers(0, 2**32 - 1)
    many, few = st.lists(numbers, min_size=longest // 3, max_size=longest), st.lists(numbers, min_size=1, max_size=5)
    return build(draw(numbers), draw(st.one_of(many, few)), ops or OPS, dtypes, sizes, largest)
