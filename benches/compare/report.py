"""The report: a table a family, then the worst ratios, generated from the rows."""

import os
import pathlib
import platform
import resource

import numpy as np
from timing import EAGER, JAX, NUMPY, OURS, SUSPICIOUS, jax

ROOT = pathlib.Path(__file__).resolve().parents[2]


def show(seconds):
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def number(ratio):
    return "–" if ratio is None else f"{ratio:.2f}"


def cpu():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            have = set(line.split())
            return " ".join(x for x in ("avx2", "fma", "avx512f") if x in have)
    return platform.processor()


def head():
    return [
        "# Comparison",
        "",
        "Written by benches/compare/run.py. Minima over interleaved repetitions, of results that were found to agree.",
        "Ratios are ours over the peer's. Ours: prepared programs called from Python; eager: the function called on a tensor.",
        "JAX: jitted, 64-bit. NumPy as one writes it, SciPy where NumPy lacks the function; OPENBLAS_NUM_THREADS=1.",
        "Arrays below 10⁵ elements, linear algebra and fft: one thread of ours, pinned to a core, unless a row says more.",
        "The rest with two.",
        f"Python {platform.python_version()}, NumPy {np.__version__}, JAX {jax.__version__ if jax else 'not installed'}, "
        f"{os.cpu_count()} cores, {cpu()}.",
    ]


def table(family, rows):
    """Markdown of one family; the columns that it has."""
    columns = [OURS] + [c for c in (EAGER, NUMPY, JAX) if any(c in r.seconds for r in rows)]
    titles = ["work"]
    for c in columns:
        titles += [c] if c in (OURS, EAGER) else [c, "ratio"]
    notes = any(r.note for r in rows)
    titles += ["note"] * notes
    lines = ["", f"## {family}", "", "| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for r in rows:
        cells = [r.name]
        for c in columns:
            cells.append(show(r.seconds.get(c)))
            if c not in (OURS, EAGER):
                cells.append(number(r.ratio(c)))
        lines.append("| " + " | ".join(cells + [r.note] * notes) + " |")
    return lines


def ranked(rows, peer, of=OURS):
    """Rows that have the peer, the worst first."""
    return sorted((r for r in rows if r.ratio(peer, of) is not None), key=lambda r: -r.ratio(peer, of))


def listed(rows, peer, of=OURS):
    return [f"- {r.ratio(peer, of):.2f} {r.family}: {r.name}, {show(r.seconds[of])} against {show(r.seconds[peer])}" for r in rows]


def worst(rows):
    lines = []
    for peer in (NUMPY, JAX):
        lines += ["", f"## The ten worst ratios against {peer}", "", *listed(ranked(rows, peer)[:10], peer)]
    for of in (OURS, EAGER):
        slower = [r for r in ranked(rows, NUMPY, of) if r.ratio(NUMPY, of) > SUSPICIOUS]
        count = sum(r.ratio(NUMPY, of) is not None for r in rows)
        lines += ["", f"## Slower than {SUSPICIOUS} × NumPy, {of}: {len(slower)} of {count}", "", *listed(slower, NUMPY, of)]
    return lines


def foot(further):
    lines = ["", "## Further figures", "", *[f"- {text}" for text in further]]
    lines.append(f"- peak memory of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if wheels := sorted((ROOT / "dist").glob("*.whl")):
        lines.append(f"- wheel: {wheels[-1].stat().st_size / 1e6:.2f} MB")
    return lines


def document(rows, further):
    lines = head()
    for family in dict.fromkeys(r.family for r in rows):
        lines += table(family, [r for r in rows if r.family == family])
    return "\n".join(lines + worst(rows) + foot(further)) + "\n"
