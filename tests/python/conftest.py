"""What the tests share: a small model, a made table, the command line."""

from __future__ import annotations

import os
import pathlib
import subprocess

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # or scikit-learn skips a check; read when scipy is imported

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "mirrorball"

#: Enough to learn something in a fraction of a second; on one thread, which a busy machine does not hold up. The Gaussian
#: process and boosted trees would take most of that time: test_uncertainty.py, test_dask.py and test_pages.py have them.
SMALL = dict(networks=2, width=16, n_jobs=1, options=dict(waves=4, min_steps=200, forest=8, gaussian_process=0, boosting=0))


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", "ignore:not calibrated")  # most tables here are small


@pytest.fixture
def small():
    return dict(SMALL)


@pytest.fixture(scope="session")
def data():
    """Two features, one target that goes one way or the other."""
    random = np.random.default_rng(1)
    X = random.uniform(-1, 1, (400, 2))
    y = X[:, 0] * random.choice([-1.0, 1.0], 400) + random.normal(0, 0.05, 400)
    return X, y


@pytest.fixture(scope="session")
def pairs(data):
    """The same features, two targets with one sign."""
    X, y = data
    return X, np.column_stack([y, 2 * y + X[:, 1]])


@pytest.fixture(scope="session")
def fitted(data):
    from mirrorball import MirrorballRegressor

    return MirrorballRegressor(**SMALL).fit(*data)


@pytest.fixture(scope="session")
def fitted_pairs(pairs):
    from mirrorball import MirrorballRegressor

    return MirrorballRegressor(**SMALL).fit(*pairs)


@pytest.fixture(scope="session")
def program():
    """Runs the command line and gives what it wrote."""
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")

    def run(*words):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
