"""Paths and fixtures that all tests share."""

import pathlib
import sys

import numpy as np
import pytest

import tenferro_py as tn

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))
sys.path.insert(0, str(ROOT / "tests"))


@pytest.fixture
def rng():
    return np.random.default_rng(20260)


@pytest.fixture
def engine():
    return tn.CpuEngine.serial()
