"""Every score against a slow twin straight from its formula."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import gaussian_kde

from tables import metrics

PROGRAM = Path(__file__).resolve().parents[3] / "build" / "release" / "mirrorball"


@pytest.fixture
def forecast():
    random = np.random.RandomState(0)
    draws = 100 + random.gamma(2, 3, size=(40, 60)) * random.uniform(0.5, 2, size=(40, 1))
    return draws, 100 + random.gamma(2, 3, size=40)


def test_crps_is_the_double_sum(forecast):
    draws, y = forecast
    expected = [
        np.mean([abs(a - target) for a in row]) - sum(abs(a - b) for a in row for b in row) / (2 * len(row) ** 2)
        for row, target in zip(draws, y)
    ]
    np.testing.assert_allclose(metrics.crps(np.sort(draws, axis=1), y), expected, rtol=1e-12)


def test_crps_keeps_its_digits_far_from_zero(forecast):
    draws, y = forecast
    near, far = (metrics.crps(np.sort(draws + shift, axis=1), y + shift) for shift in (0, 2.0**30))
    np.testing.assert_allclose(near, far, rtol=1e-6)


def test_nll_is_scipys_kernel_estimate(forecast):
    draws, y = forecast
    expected = [-gaussian_kde(row).logpdf(target)[0] for row, target in zip(draws, y)]
    loss, floored = metrics.kde_nll(draws, y)
    np.testing.assert_allclose(loss, expected, rtol=1e-10)
    assert not floored.any()


def test_draws_without_spread_have_a_finite_nll_and_are_counted():
    draws = np.array([[5.0] * 10, [0.0] * 10, [1e-100] * 10, list(range(10))])
    scores = metrics.score(draws, np.array([5.0, 3.0, -1e5, 4.0]))
    assert scores["nll_floored"] == 3
    assert all(np.isfinite(value) for value in scores.values())


def test_summaries_are_those_of_a_loop(forecast):
    draws, y = forecast
    scores = metrics.score(draws, y)
    inside, widths, bins = 0, [], [0] * 10
    for row, target in zip(draws, y):
        low, high = np.quantile(row, 0.05), np.quantile(row, 0.95)
        inside += low <= target <= high
        widths.append(high - low)
        bins[sum(np.quantile(row, level / 10) < target for level in range(1, 10))] += 1
    assert scores["coverage90"] == pytest.approx(inside / 40)
    assert scores["width90"] == pytest.approx(np.mean(widths))
    assert scores["qice"] == pytest.approx(np.mean([abs(count / 40 - 0.1) for count in bins]))
    assert scores["mae"] == pytest.approx(np.mean([abs(np.median(row) - t) for row, t in zip(draws, y)]))
    assert scores["rmse"] == pytest.approx(np.sqrt(np.mean([(np.mean(row) - t) ** 2 for row, t in zip(draws, y)])))


def test_chunks_do_not_matter(forecast, monkeypatch):
    whole = metrics.score(*forecast)
    monkeypatch.setattr(metrics, "CHUNK", 7)
    assert metrics.score(*forecast) == pytest.approx(whole, rel=1e-14)


def test_an_exact_nll_replaces_the_estimate(forecast):
    draws, y = forecast
    scores = metrics.score(draws, y, nll=np.arange(40.0))
    assert (scores["nll"], scores["nll_median"], scores["nll_floored"]) == (19.5, 19.5, 0)


def test_points_have_errors_only():
    scores = metrics.score_points(np.array([1.0, 2.0]), np.array([1.0, 5.0]))
    assert (scores["mae"], scores["rmse"], scores["crps"]) == (1.5, pytest.approx(4.5**0.5), None)


@pytest.mark.parametrize("draws", [np.zeros((3, 5)), np.full((2, 5), np.nan), np.zeros(2)])
def test_bad_draws_are_an_error(draws):
    with pytest.raises(ValueError):
        metrics.score(draws, np.zeros(2))


@pytest.mark.skipif(not PROGRAM.is_file(), reason="mirrorball is not built")
def test_mirrorball_scores_its_draws_alike(tmp_path):
    def call(*words):
        return subprocess.run([PROGRAM, *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    (tmp_path / "train.csv").write_text(call("data", "crossing", "--rows", "300"))
    (tmp_path / "test.csv").write_text(call("data", "crossing", "--rows", "80", "--seed", "1"))
    quick = ["--networks", "2", "--width", "8", "--epochs", "3", "--threads", "1", "--quiet"]
    call("fit", "train.csv", "--target", "y", "--out", "model", *quick)
    call("predict", "model", "test.csv", "--samples", "1000", "--out", "draws.csv")
    theirs = json.loads(call("score", "model", "test.csv", "--json"))["targets"]["y"]
    draws = np.loadtxt(tmp_path / "draws.csv", delimiter=",", skiprows=1)
    y = np.loadtxt(tmp_path / "test.csv", delimiter=",", skiprows=1)[:, 1]
    ours = metrics.score(draws, y)
    for name in ("crps", "nll"):
        assert ours[name] == pytest.approx(theirs[name]["mean"], rel=1e-4)
        assert ours[f"{name}_median"] == pytest.approx(theirs[name]["median"], rel=1e-4)
    assert ours["mae"] == pytest.approx(theirs["mae"], rel=1e-5)
    assert ours["rmse"] == pytest.approx(theirs["rmse"], rel=1e-5)
    assert ours["coverage90"] == pytest.approx(theirs["interval"]["0.9"]["coverage"])
    assert ours["width90"] == pytest.approx(theirs["interval"]["0.9"]["width"], rel=1e-5)
    assert ours["qice"] == pytest.approx(theirs["qice"], abs=1e-6)
