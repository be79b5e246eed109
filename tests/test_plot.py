"""The demo's picture: drawn if matplotlib is there, refused at once and in words if not."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
QUICK = ["--chi", "4", "--steps", "3", "--beta", "0.3", "0.44068679350977147", "0.5", "--threads", "1"]


def demo(*options, before="pass", cwd=EXAMPLES):
    """The demo in a process of its own, after some statements."""
    code = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); sys.argv = ['ising_trg.py', *{[*QUICK, *options]!r}]; {before}; import ising_trg; ising_trg.main()"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=cwd)


def test_without_matplotlib():
    done = demo("--plot", before="sys.modules['matplotlib'] = None")
    assert done.returncode == 2
    assert "--plot needs matplotlib" in done.stderr
    assert "tenferro-py[plot]" in done.stderr
    assert "Ising" not in done.stdout


def test_matplotlib_is_loaded_when_asked_for_only():
    done = demo(before="sys.modules['matplotlib'] = None")
    assert done.returncode == 0, done.stderr
    assert "drawn" not in done.stdout


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is an extra")
def test_the_picture(tmp_path):
    done = demo("--plot", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "drawn in ising_trg.png" in done.stdout
    data = (tmp_path / "ising_trg.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 20_000
    refused = demo("--plot", str(tmp_path / "nowhere" / "x.png"), cwd=tmp_path)
    assert refused.returncode == 2
    assert "no directory" in refused.stderr
