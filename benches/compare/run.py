"""tenferro_py against NumPy and JAX, in one run; writes report.md beside this file.

A row whose results disagree fails the run. With a pattern or `--quick` nothing is written.

    python benches/compare/run.py [--only PATTERN] [--quick] [--out FILE]
"""

import argparse
import pathlib
import re
import sys
import time
import warnings

# Sets the threads of OpenBLAS, so before NumPy.
import timing  # isort: skip
import arrays
import linear_algebra
import networks
import numpy as np
import report
import spine
import vocabulary

FAMILIES = (spine, vocabulary, arrays, linear_algebra, networks)


def line(row):
    figures = "  ".join(f"{who} {report.show(s)}" for who, s in row.seconds.items())
    ratios = "  ".join(f"{peer} × {row.ratio(peer):.2f}" for peer in (timing.NUMPY, timing.JAX) if row.ratio(peer) is not None)
    return f"{row.family}: {row.name:50} {figures}  {ratios} {row.note}"


def measured(pattern, quick):
    """Rows, and what failed."""
    work = [lambda case=case: timing.measure(case) for f in FAMILIES for case in f.cases(quick) if re.search(pattern, case.title)]
    if not quick and pattern == ".":
        work += spine.PREPARATION
    rows, failed = [], []
    for run in work:
        try:
            rows.append(run())
        except timing.Disagreement as e:
            failed.append(str(e))
            print("DISAGREES", e, flush=True)
        else:
            print(line(rows[-1]), flush=True)
    return rows, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="PATTERN", default=".", help="a regular expression that the row's title contains")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--out", type=pathlib.Path, help="where to write the report, even if it is not whole")
    options = parser.parse_args()
    whole = options.only == "." and not options.quick
    # What overflows at a peer's is not news here.
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    start = time.perf_counter()
    rows, failed = measured(options.only, options.quick)
    text = report.document(rows, [*spine.derived(rows), *(spine.processes() if whole else [])])
    if out := options.out or (pathlib.Path(__file__).parent / "report.md" if whole else None):
        out.write_text(text)
    print("\n".join(report.worst(rows)))
    print(f"{len(rows)} rows in {time.perf_counter() - start:.0f} s")
    if failed:
        sys.exit("\n".join(["results disagree:", *failed]))


if __name__ == "__main__":
    main()
