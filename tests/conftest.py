"""Paths and fixtures that all tests share."""

import pathlib
import signal
import sys

import numpy as np
import pytest

import tenferro_py as tn

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))
sys.path.insert(0, str(ROOT / "tests"))


@pytest.fixture(autouse=True, scope="session")
def interrupts():
    """Ctrl-C raises KeyboardInterrupt, also where whoever started the tests has it ignored (nohup, a script's background)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def rng():
    return np.random.default_rng(20260)


@pytest.fixture
def engine():
    return tn.CpuEngine.serial()
