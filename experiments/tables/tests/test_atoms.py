import os
from pathlib import Path

import numpy as np
import pytest

from experiments.tables import data, metrics
from experiments.tables.atoms import atoms_of, nll

FOLDER = Path(os.environ.get("MIRRORBALL_DATA", Path(__file__).resolve().parents[4] / "shared" / "datasets"))


def rain(rows: int = 1000) -> np.ndarray:
    random = np.random.default_rng(1)
    return np.where(random.random(rows) < 0.4, 0.0, random.gamma(2, 3, rows))


def test_a_value_of_many_rows_is_an_atom_and_rounded_values_are_none():
    atoms = atoms_of(rain())
    assert len(atoms.low) == 1 and atoms.low[0] < 0 < atoms.high[0]
    assert 0.3 < atoms.share[0] < 0.5
    assert atoms_of(np.random.default_rng(1).normal(size=500)) is None
    assert atoms_of(np.arange(1000) % 10) is None


@pytest.mark.parametrize("name", data.TABLES)
def test_none_of_the_ten_tables_has_atoms(name):
    path = data.find(name, FOLDER)
    if path is None:
        pytest.skip(f"there is no {name}.csv.gz in {FOLDER}: set MIRRORBALL_DATA")
    with data.opened(path) as file:
        targets = np.loadtxt(file, delimiter=",", skiprows=1, usecols=-max(1, len(data.SOURCES[name].targets)))
    assert atoms_of(targets) is None


def test_probabilities_add_up_to_one():
    atoms = atoms_of(rain())
    draws = np.where(np.arange(200) < 60, 0.0, np.random.default_rng(2).normal(10, 1, 200))[None]
    points = np.linspace(atoms.high[0], atoms.range, 20001)
    middle = (points[1:] + points[:-1]) / 2
    density = np.exp(-nll(np.repeat(draws, len(middle), axis=0), middle, atoms))
    mass = np.exp(-nll(draws, np.zeros(1), atoms))[0]
    assert abs(mass + density.sum() * (points[1] - points[0]) - 1) < 0.02


def test_scores_of_coinciding_draws_are_finite_and_small():
    y, train = np.array([0.0, 5.0]), rain()
    scores = metrics.score(np.zeros((2, 100)), y, train=train)
    assert scores["nll"] < 10 and scores["nll_floored"] == 0
    assert metrics.score(np.zeros((2, 100)), y)["nll"] > 1e9
