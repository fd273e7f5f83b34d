"""What samples answer, against numpy and scipy."""

from __future__ import annotations

import pickle
from copy import copy

import numpy as np
import pytest
from scipy import stats

from mirrorball import Distribution

RANDOM = np.random.default_rng(2)
ONE = RANDOM.normal(size=(6, 200))
TWO = RANDOM.normal(size=(5, 150, 2)) @ np.array([[1.0, 0.7], [0.0, 0.5]])


def test_one_target():
    dist = Distribution(ONE)
    assert dist.samples.shape == (6, 200, 1)
    assert dist.target_names == ["y"]
    np.testing.assert_allclose(dist.mean(), ONE.mean(axis=1))
    np.testing.assert_allclose(dist.std(), ONE.std(axis=1, ddof=1))
    np.testing.assert_allclose(dist.var(), ONE.var(axis=1, ddof=1))
    np.testing.assert_allclose(dist.quantile([0, 0.1, 0.77, 1]), np.quantile(ONE, [0, 0.1, 0.77, 1], axis=1).T)
    np.testing.assert_allclose(dist.median(), np.median(ONE, axis=1))
    np.testing.assert_allclose(dist.ppf(0.3), np.quantile(ONE, 0.3, axis=1))
    low, high = dist.interval(0.8)
    np.testing.assert_allclose([low, high], np.quantile(ONE, [0.1, 0.9], axis=1))


def test_several_targets():
    dist = Distribution(TWO, ["a", "b"])
    np.testing.assert_allclose(dist.mean(), TWO.mean(axis=1))
    np.testing.assert_allclose(dist.quantile(0.4), np.quantile(TWO, 0.4, axis=1))
    assert dist.quantile([0.1, 0.2, 0.3]).shape == (5, 3, 2)
    np.testing.assert_allclose(dist.marginal("b").mean(), TWO[:, :, 1].mean(axis=1))
    assert dist.interval(0.5)[0].shape == (5, 2)


@pytest.mark.parametrize("y", [0.3, np.linspace(-1, 1, 6), np.linspace(-1, 1, 24).reshape(6, 4), [[0.1, 0.2]]])
def test_cdf_and_density_of_one_target(y):
    dist = Distribution(ONE)
    points = np.broadcast_to(
        np.reshape(y, (-1, 1)) if np.ndim(y) == 1 else y, (6, np.shape(y)[1] if np.ndim(y) == 2 else 1)
    )
    cdf = (ONE[:, None, :] <= points[:, :, None]).mean(axis=2)
    pdf = np.array([stats.gaussian_kde(row)(at) for row, at in zip(ONE, points)])
    if np.ndim(y) < 2:
        cdf, pdf = cdf[:, 0], pdf[:, 0]
    np.testing.assert_allclose(dist.cdf(y), cdf)
    np.testing.assert_allclose(dist.pdf(y), pdf, rtol=1e-6)
    np.testing.assert_allclose(dist.logpdf(y), np.log(pdf), atol=1e-6)


def test_joint_density():
    y = RANDOM.normal(size=(5, 2))
    dist = Distribution(TWO)
    expected = [stats.gaussian_kde(row.T)(at)[0] for row, at in zip(TWO, y)]
    np.testing.assert_allclose(dist.pdf(y), expected, rtol=1e-6)
    grid = RANDOM.normal(size=(1, 7, 2))
    assert dist.pdf(grid).shape == (5, 7)
    np.testing.assert_allclose(dist.pdf(grid)[3], stats.gaussian_kde(TWO[3].T)(grid[0].T), rtol=1e-6)
    assert dist.cdf(y).shape == (5, 2)


def test_scores_by_their_definition():
    y = RANDOM.normal(size=6)
    pairs = np.abs(ONE[:, :, None] - ONE[:, None, :])
    error = np.abs(ONE - y[:, None]).mean(axis=1)
    np.testing.assert_allclose(Distribution(ONE).crps(y), error - pairs.mean(axis=(1, 2)) / 2)
    np.testing.assert_allclose(Distribution(ONE).crps(y, fair=True), error - pairs.sum(axis=(1, 2)) / (2 * 200 * 199))
    np.testing.assert_allclose(Distribution(ONE).energy_score(y), Distribution(ONE).crps(y), rtol=1e-6)
    y = RANDOM.normal(size=(5, 2))
    pairs = np.linalg.norm(TWO[:, :, None] - TWO[:, None, :], axis=3)
    error = np.linalg.norm(TWO - y[:, None], axis=2).mean(axis=1)
    np.testing.assert_allclose(Distribution(TWO).energy_score(y), error - pairs.mean(axis=(1, 2)) / 2, rtol=1e-6)
    assert Distribution(TWO).crps(y).shape == (5, 2)


def test_probability():
    dist = Distribution(TWO, ["a", "b"])
    inside = (TWO[:, :, 0] < 0.2) & (TWO[:, :, 1] >= -0.5)
    np.testing.assert_allclose(dist.probability(lambda a, b: (a < 0.2) & (b >= -0.5)), inside.mean(axis=1))
    np.testing.assert_allclose(dist.probability({"a": (None, 0.2), "b": (-0.5, None)}), inside.mean(axis=1))
    with pytest.raises(ValueError, match="unknown target 'c'; the targets are a, b"):
        dist.probability({"c": (0, 1)})
    with pytest.raises(ValueError, match=r"shape \(5,\); expected \(5, 150\)"):
        dist.probability(lambda a, b: a[:, 0] > 0)
    with pytest.raises(TypeError, match="float: give text"):
        dist.probability(0.5)


def test_sample_keeps_draws_joint():
    dist = Distribution(np.stack([ONE, 2 * ONE], axis=2))
    for n in (10, 200, 500):
        sample = dist.sample(n, seed=1)
        assert sample.shape == (6, n, 2)
        np.testing.assert_array_equal(sample[:, :, 1], 2 * sample[:, :, 0])
        assert (sample == dist.sample(n, seed=1)).all()
    assert len(np.unique(dist.sample(200)[0, :, 0])) == 200
    assert (dist.sample() == dist.samples).all()


def test_rows_and_pickle():
    dist = Distribution(TWO, ["a", "b"])
    assert len(dist) == 5
    assert (dist[1:3].samples == TWO[1:3]).all()
    assert (dist[4].samples == TWO[4:]).all()
    again = pickle.loads(pickle.dumps(dist))
    assert (again.samples == dist.samples).all() and again.target_names == ["a", "b"]


def test_parts_keep_the_threads(fitted, data):
    """What is made of a distribution uses as many threads as the model was given."""
    dist = copy(fitted).set_params(n_jobs=1).predict_dist(data[0][:4], n_samples=10)
    assert dist._threads == 1
    for part in (dist[1:], dist[0], dist[[2, 1]], dist.marginal("y"), pickle.loads(pickle.dumps(dist)), copy(dist)):
        assert part._threads == 1
    assert Distribution(ONE)[1:]._threads == 0  # all cores, as before


def test_draws_outlive_the_distribution():
    draws = Distribution(ONE).samples
    np.testing.assert_array_equal(draws[:, :, 0], ONE)


def test_errors():
    dist = Distribution(ONE)
    with pytest.raises(ValueError, match=r"shape \(3,\); expected rows x samples"):
        Distribution([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="1 targets, and there are 2 names"):
        Distribution(ONE, ["a", "b"])
    with pytest.raises(ValueError, match="level 1.5 is outside 0 to 1"):
        dist.quantile([0.5, 1.5])
    with pytest.raises(ValueError, match="coverage 90 is not between 0 and 1"):
        dist.interval(90)
    with pytest.raises(ValueError, match=r"y has shape \(4,\), and the forecast has 6 rows of 1 target"):
        dist.crps(np.zeros(4))
    with pytest.raises(ValueError, match=r"y has shape \(4,\), and the forecast has 6 rows of 1 target"):
        dist.cdf(np.zeros(4))
