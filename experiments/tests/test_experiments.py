"""The quick version of every experiment: figure and numbers are there, and the numbers are those of a fit that works.

Bounds are wide: twenty epochs do not reach the paper's numbers. But a broken fit, one that has learned nothing or
only the marginal law, misses them.
"""

import json
import math
import shutil
import xml.etree.ElementTree as xml
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.arcs import on
from experiments.frame import page, runner
from experiments.frame.catalogue import NAMES, experiments
from experiments.frame.settings import as_printed
from experiments.torch_twin import CURVES
from mirrorball import _core

DOCS = Path(__file__).resolve().parents[2] / "docs"

BY_NAME = {experiment.name: experiment for experiment in experiments()}


@pytest.fixture(scope="session")
def numbers(how):
    """The numbers of an experiment, run once."""
    made = {}

    def of(name: str) -> dict:
        if name not in made:
            experiment = BY_NAME[name]
            if experiment.table and how.workshop.lacks_file(experiment.table):
                pytest.skip(f"there is no {experiment.table}.csv.gz in {how.workshop.data}: set MIRRORBALL_DATA")
            assert runner.run(experiment, how)
            made[name] = json.loads((how.figures / f"{name}.json").read_text())["numbers"]
        return made[name]

    return of


@pytest.mark.parametrize("name", NAMES)
def test_leaves_figure_numbers_and_section(name, how, numbers):
    found = numbers(name)
    assert all(math.isfinite(value) for value in every_number(found))
    svg = how.figures / f"{name}.svg"
    assert xml.parse(svg).getroot().tag.endswith("svg") and svg.stat().st_size < 600_000
    assert (how.figures / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    claims = BY_NAME[name].claims(found)
    assert claims and all(claim.paper and claim.ours for claim in claims)
    assert any(claim.holds is not None for claim in claims)
    assert any(line.startswith("|") for line in BY_NAME[name].section(found))


def every_number(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from every_number(one)
    elif isinstance(value, (int, float)):
        yield value


def test_unimodal_learns_the_law(numbers):
    found = numbers("unimodal")["distances"]
    assert found["paper"]["wasserstein"]["mean"] < 0.4  # the marginal law of y is at 0.75
    assert found["gp"]["hellinger"]["mean"] < 0.2


def test_crossing_learns_three_branches(numbers):
    found = numbers("crossing")["distances"]["tanh"]
    assert found["wasserstein"]["mean"] < 0.25
    assert 0 < found["hellinger"]["mean"] < found["jsd"]["mean"] < 0.6


def test_gaussian_process_misses_the_branches(numbers):
    found = numbers("baselines")["distances"]
    assert found["paper"]["wasserstein"]["mean"] < found["gp"]["wasserstein"]["mean"]
    assert found["gp"]["hellinger"]["mean"] > 0.3


def test_learning_curves_fall_towards_the_truth(numbers):
    found = numbers("learning_curves")
    for curve in found["curves"].values():
        assert curve["mean"][-1] < curve["mean"][0]
        assert found["truth"] - 0.01 < curve["lowest"] < 0.445  # the marginal law is at 0.457
    assert 0.40 < found["truth"] < 0.43


def test_more_steps_of_more_draws_are_better(numbers):
    found = numbers("batch_draws")
    assert found["wasserstein"][-1][-1] < min(0.25, found["wasserstein"][0][0])  # the marginal law is at 0.32
    assert len(found["hellinger"]) == len(found["batches"]) and len(found["hellinger"][0]) == len(found["draws"])


def test_functions_stay_near_the_squares(numbers):
    found = numbers("functions")
    networks = found["rates"]["0.01"]
    assert all(one["distances"]["wasserstein"]["mean"] < 0.6 for one in networks.values())  # the marginal law is at 0.67
    assert all(0.3 < one["inside"] <= 1 for one in networks.values())
    assert found["chosen"] in found["rates"]


def test_extrapolation_measures_width(numbers):
    found = numbers("extrapolation")["width"]
    assert set(found) == {"relu", "selu", "tanh", "gcu"}
    assert all(0.05 < one["inside"] < 5 for one in found.values())


def test_uncertainty_comes_in_two_parts(numbers):
    found = numbers("uncertainty")
    assert set(found["ensembles"]) == {"relu", "selu", "tanh", "gcu", "default"}
    assert 0.3 < min(found["truth"]["crps"]) < max(found["truth"]["crps"]) < 0.5  # half the mean distance of the three branches
    for ensemble in found["ensembles"].values():
        inside, outside = (ensemble[zone]["crps epistemic"][0] for zone in ("inside", "far"))
        assert 0 < inside < ensemble["inside"]["crps aleatoric"][0] < 1 and outside > 0


def test_left_out_rows_are_those_of_the_region(numbers):
    found = numbers("left_out")["regions"]
    for region in found.values():
        [(kept, all_rows)], [test_rows] = region["rows"], region["test_rows"]
        assert 100 < all_rows - kept < all_rows / 2 and test_rows > 0
        assert region["without"]["inside"]["crps"][0] > region["with"]["inside"]["crps"][0]  # what was not seen is forecast worse


def test_choices_are_compared_with_ours(numbers):
    found = numbers("choices")
    ours, other = (found["choices"][choice]["crps"][0] for choice in ("ours", "seed"))
    assert 1 < ours < 12 and ours != other  # the training distribution is at 10.1
    assert found["targets"]["y1"]["mae"] != found["targets"]["y2"]["mae"]


def test_networks_are_those_the_paper_prints():
    options = as_printed(3, epochs=5)
    assert options["input_transform"] == options["target_transform"] == "none"
    assert _core.preset(options["preset"])["prediction_noise"] == "independent"


def test_the_twin_agrees_with_the_page():
    """PyTorch's curves are whole: seven seeds, both activations, four noise dimensions, beyond 150 epochs."""
    record = json.loads(CURVES.read_text())
    assert record["settings"] == {"seeds": 7, "epochs": 200}
    assert {len(curve["mean"]) for curve in record["curves"].values()} == {200}
    assert len(record["curves"]) == 10
    assert all(min(curve["mean"]) > record["truth"] for curve in record["curves"].values())


def test_arcs_are_learned_jointly(numbers):
    found = numbers("arcs")
    assert on(found, "default", "mean", 20) < 0.35 and on(found, "paper", "mean", 20) < 0.5
    assert on(found, "truth", "mean", 10) < on(found, "truth", "mean", 80)  # few samples fill many cells by chance


def test_joint_draws_are_scored(numbers):
    found = numbers("joint")
    for method in ("paper", "default"):
        assert 0 < found[method]["energy_score"] < 0.6  # the marginal law is at 0.603
        assert found[method]["energy_score"] < found[method]["energy_score_apart"]  # the targets hang together


def test_explanation_is_complete(numbers):
    found = numbers("explanation")
    for region in ("low", "high"):
        told = found[region]
        assert told["base"] + sum(told["values"]) == pytest.approx(told["output"], abs=1e-4)
        assert abs(told["not_explained"]) < 1e-6
    assert found["low"]["output"] < 0.15 and found["high"]["output"] > 0.2


def test_verdicts_follow_from_the_stored_numbers(tmp_path):
    """The page in docs is what the numbers beside it give, verdict by verdict."""
    shutil.copytree(DOCS / "paper", tmp_path / "paper", ignore=shutil.ignore_patterns("*.svg", "*.png"))
    page.write(tmp_path)
    assert (tmp_path / "paper.md").read_text() == (DOCS / "paper.md").read_text()


def test_page_has_all_of_it(how, numbers):
    names = [name for name in NAMES if not BY_NAME[name].table]
    for name in names:
        numbers(name)
    page.write(how.out)
    text = (how.out / "paper.md").read_text()
    assert "medians over the test rows" in text
    assert "quick run" in text
    for name in names:
        assert f"paper/{name}.svg" in text


def test_interrupted_run_goes_on(how, numbers, tmp_path):
    """Cells and models that are there are not made again."""
    numbers("functions")
    said = []
    again = runner.Run(how.workshop, tmp_path, quick=True, say=said.append)
    assert runner.run(BY_NAME["functions"], again)
    assert len(said) == 1 and said[0].startswith("functions: done")
    numbers_again = json.loads((tmp_path / "paper" / "functions.json").read_text())["numbers"]
    assert numbers_again == numbers("functions")


def test_a_new_program_renews_cells(how, numbers, tmp_path):
    """Cells of another program are marked, and run again when asked for."""
    numbers("functions")
    other = {"version": "0", "commit": "newer", "date": "2100-01-01T00:00:00+00:00"}
    kept = runner.Run(how.workshop, tmp_path, quick=True, program=other)
    assert runner.run(BY_NAME["functions"], kept)
    assert json.loads((tmp_path / "paper" / "functions.json").read_text())["programs"] == [how.program]
    renewed = runner.Run(replace(how.workshop, folder=tmp_path / "work"), tmp_path, quick=True, renew=True, program=other)
    shutil.copytree(how.workshop.folder, tmp_path / "work")
    assert runner.run(BY_NAME["functions"], renewed)
    record = json.loads((tmp_path / "paper" / "functions.json").read_text())
    assert record["programs"] == [other] and record["numbers"] == numbers("functions") and record["cpu_seconds"] >= 0
