"""What the documents show runs, and the names that they use exist."""

import pathlib
import re

import numpy as np
import pytest

import tenferro_py as tn

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_readme_runs():
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    names = {}
    exec(block, names)
    # Σ sin(x) x²: its derivative, and 2A of the loss Σ A².
    assert names["gradient"].tolist() == pytest.approx([tn.grad(names["f"])([x]).tolist()[0] for x in (0.1, 0.2, 0.3)])
    assert float(names["value"]) == pytest.approx(15.0)
    assert names["grad"].numpy() == pytest.approx(2 * np.diag([1.0, 1, 2, 3]), abs=1e-9)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_names_exist(page):
    text = page.read_text()
    for name in re.findall(r"\btn((?:\.\w+)+)", text):
        value = tn
        for part in name.split(".")[1:]:
            value = getattr(value, part)
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), link
