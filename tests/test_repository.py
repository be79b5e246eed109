"""The repository holds itself to its rules."""

import json
import pathlib
import re
import subprocess

import optable
import test_creation

import tenferro_py as tn

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Which crates of ours a crate may use.
ALLOWED = {
    "graph": set(),
    "ops": {"graph"},
    "linalg": {"graph", "ops"},
    "fft": {"graph", "ops"},
    "einsum": {"graph", "ops"},
    "ad": {"graph", "ops"},
    "runtime": {"graph", "ops", "ad"},
    "vmath": set(),
    "dense": set(),
    "cpu": {"vmath", "dense", "graph", "ops", "linalg", "fft"},
}


def test_dependency_direction():
    out = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    packages = {p["name"].removeprefix("tenferro-"): p for p in json.loads(out.stdout)["packages"]}
    for name, allowed in ALLOWED.items():
        used = {
            d["name"].removeprefix("tenferro-")
            for d in packages[name]["dependencies"]
            if d["kind"] is None and d["name"].startswith("tenferro")
        }
        assert used <= allowed, f"{name} uses {used - allowed}"


# Functions that are the same op under another name, or no op at all.
ALIASES = {
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "negative": "neg",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "where": "select",
    "astype": "cast",
    "sum": "reduce_sum",
    "max": "reduce_max",
    "permute_dims": "transpose",
    "broadcast_to": "broadcast_in_dim",
    "concat": "concatenate",
    "matrix_transpose": "transpose",
    # Of tn.linalg.
    "svd": "svd_square",
    "svdvals": "svd_vals",
    "lu_factor": "lu_solve",
    "matrix_norm": "matrix_norm_fro",
    "vector_norm": "vector_norm_2",
    "norm": "vector_norm_2",
    "unique_values": "unique",
}
# Tested elsewhere: they take no array, or what a factorization gives, or cannot be traced.
WITHOUT_ROW = {"fftfreq", "rfftfreq", "svd_gauge_residual", "unique_all", "unique_counts", "unique_inverse"}
WITHOUT_ROW |= {"union1d", "intersect1d", "setdiff1d", "iscomplexobj", "isrealobj"}
WITHOUT_ROW |= {"broadcast_shapes", "can_cast", "finfo", "from_dlpack", "iinfo", "isdtype", "result_type"}
TRANSFORMS = {"grad", "value_and_grad", "linalg", "fft", "threads", "asarray", "einsum_path"}


def test_every_function_has_a_row():
    functions = {n for n in tn.__all__ if n.islower() and n not in TRANSFORMS and not isinstance(getattr(tn, n), tn.DType)}
    # NumPy's second names are the same objects.
    functions = {n for n in functions if getattr(getattr(tn, n), "__name__", n) == n}
    functions = {n for n in functions if callable(getattr(tn, n)) and not n.startswith("__")}
    functions |= {n for module in (tn.linalg, tn.fft) for n in module.__all__ if n.islower()}
    functions -= WITHOUT_ROW
    # Arrays made of numbers have no inputs to draw: they have a table of their own.
    rows = {row.name for row in optable.ROWS} | set(test_creation.CASES)
    missing = {n for n in functions if ALIASES.get(n, n) not in rows}
    assert not missing
    assert {f"svd_{k}" for k in ("square", "tall", "wide", "batch", "vals", "trunc")} <= rows


def primitive_names():
    """Names of primitives, read from the sources of ops, linalg and fft."""
    names = set()
    for family in ("unary", "binary", "compare", "predicate"):
        text = (ROOT / "crates/ops/src" / f"{family}.rs").read_text()
        names |= set(re.findall(r"^    [A-Z]\w* ([a-z_]+)(?: \[|$)", text, re.M))
    for path in [p for crate in ("ops", "linalg", "fft") for p in (ROOT / "crates" / crate / "src").glob("*.rs")]:
        names |= set(re.findall(r'fn name\(&self\) -> &(?:\'static )?str \{\s*"([a-z_]+)"', path.read_text()))
        names |= set(re.findall(r'ReduceOp::\w+ => "([a-z_]+)"', path.read_text()))
    return names


# Primitives under the name of the row that runs them, forward or as its adjoint.
RUN_BY = {"normalise_index": "take", "put_along": "take_along_axis", "reverse": "flip", "take_along": "take_along_axis"}


def test_every_primitive_has_a_row():
    # Those that no function is named after are inside the rows of others.
    inside = {"svd", "svdvals", "svd_solve", "permute_rows", "positive_check", "tie_check", "adjugate"}
    rows = {row.name for row in optable.ROWS} | inside
    assert set(RUN_BY.values()) <= rows
    rows |= set(RUN_BY)
    names = primitive_names()
    assert {"sin", "add", "eq", "select", "reduce_sum", "reshape", "dot_general", "svd_trunc"} <= names
    assert names <= rows, names - rows


def test_file_sizes(capsys):
    files = [
        p
        for d in ("crates", "python", "tests")
        for p in (ROOT / d).rglob("*")
        if p.suffix in (".rs", ".py") and "coefficients" not in p.name
    ]
    lines = sorted((len(p.read_text().splitlines()), str(p.relative_to(ROOT))) for p in files)
    with capsys.disabled():
        print(f"\n{len(lines)} files, median {lines[len(lines) // 2][0]} lines, longest {lines[-1]}")
    assert lines[-1][0] <= 800, lines[-1]


def test_bindings_are_thin():
    count = {d.name: sum(len(p.read_text().splitlines()) for p in d.rglob("*.rs")) for d in (ROOT / "crates").iterdir()}
    assert count["py"] <= 0.12 * sum(count.values()), count
