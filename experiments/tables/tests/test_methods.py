"""Every method's entry, and each rival that is installed on a small task."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tables import metrics
from tables.methods import HARDER, METHODS
from tables.quantiles import DRAWS
from tables.synthetic import unimodal
from tables.task import Rows, Task

PROGRAM = Path(__file__).resolve().parents[3] / "build" / "release" / "mirrorball"
NEEDS = {"lgbm": "lightgbm", "qrf": "quantile_forest", "ngboost": "ngboost", "gp": "sklearn", "catboost": "catboost",
         "engression": "engression"}


@pytest.fixture
def task(tmp_path):
    x, y = unimodal(150)
    return Task(
        table="mine", train=Rows(x[:100], y[:100]), valid=Rows(x[100:120], y[100:120]), test_x=x[120:], seed=0,
        threads=1, folder=tmp_path, program=PROGRAM,
    )


def make_small(monkeypatch, module):
    """Fewer trees: the settings are not under test here."""
    for name in ("TREES", "TUNING_TREES", "MOST_TREES"):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, 20)


def mean_crps(draws):
    return metrics.score(draws, unimodal(150)[1][120:])["crps"]


@pytest.mark.parametrize("name", [*NEEDS, "marginal"])
def test_a_rival_gives_draws_of_its_rows_and_times(name, task, monkeypatch):
    if find_spec(NEEDS.get(name, "numpy")) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    function = METHODS[name].load()
    make_small(monkeypatch, __import__(function.__module__, fromlist=["forecast"]))
    forecast = function(task)
    assert forecast.draws.shape == (30, DRAWS)
    assert np.isfinite(forecast.draws).all()
    assert {"fit", "predict"} <= set(task.seconds)
    assert (forecast.nll is not None) == (name == "ngboost")
    if name != "marginal":  # rows out of order would be no better than it
        assert mean_crps(forecast.draws) < 0.9 * mean_crps(METHODS["marginal"].load()(task).draws)


@pytest.mark.skipif(not PROGRAM.is_file(), reason="mirrorball is not built")
def test_the_base_network_gives_one_column(task):
    assert METHODS["basenn"].load()(task).draws.shape == (30, 1)


def test_tuning_is_done_once(task):
    task.tune(lambda: {"rate": 1})
    task.tune(lambda: {"rate": 2})
    assert task.chosen == {"rate": 1} and set(task.seconds) == {"tune"}


@pytest.mark.skipif(not PROGRAM.is_file(), reason="mirrorball is not built")
@pytest.mark.parametrize("name", [name for name in HARDER if name != "levels64"])  # of so few rows, none of 64 is kept
def test_a_harder_table_still_gives_draws(name, task, monkeypatch):
    from tables.methods import mirrorball
    plain = mirrorball.run
    small = lambda task, **rows: plain(task, "--networks", "1", "--epochs", "2", **rows)
    monkeypatch.setattr(mirrorball, "run", small)
    forecast = METHODS[name].load()(task)
    assert forecast.draws.shape == (30, DRAWS) and np.isfinite(forecast.draws).all()
    text = (task.folder / "train.csv").read_text()
    assert ("level" in text, ",," in text or "\n," in text, "weight" in text) == (
        name.startswith("levels"), name.startswith("gaps"), name.startswith("false"))


def test_time_is_added_up_per_stage(task):
    for _ in range(2):
        with task.timed("fit"):
            pass
    assert set(task.seconds) == {"fit"} and task.seconds["fit"] > 0
