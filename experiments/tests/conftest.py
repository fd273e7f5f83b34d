"""The tests run from anywhere: `python -m pytest experiments`."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

pytest.importorskip("mirrorball", reason="the mirrorball package is not installed: make python installs it")

from experiments.frame.runner import Run
from experiments.frame.workshop import Workshop


@pytest.fixture(scope="session")
def how(tmp_path_factory) -> Run:
    """A quick run in a folder of its own. All tests share it, and with it the fitted models."""
    folder = tmp_path_factory.mktemp("paper")
    shared = ROOT.parent / "shared" / "datasets"
    data = Path(os.environ.get("MIRRORBALL_DATA", shared))
    return Run(Workshop(folder / "work", data, threads=1), folder / "out", quick=True)
