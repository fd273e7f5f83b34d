"""The uncertainty of forecasts in its two parts."""

import pickle

import numpy as np
import pytest
from mirrorball import Distribution, MirrorballRegressor, Uncertainty


def half_distance(x):
    return np.abs(x[:, None] - x[None, :]).mean() / 2


def twin(samples, sources):
    """Of one row, straight from the definitions: rows are variance and expected CRPS, columns total, aleatoric, epistemic."""
    n, own = len(samples), [samples[sources == k] for k in np.unique(sources)]
    weights = [len(part) / n for part in own]
    factor = n / (n - 1)
    variance = [
        samples.var(ddof=1),
        factor * sum(w * part.var() for w, part in zip(weights, own)),
        factor * sum(w * (part.mean() - samples.mean()) ** 2 for w, part in zip(weights, own)),
    ]
    # Half the energy distance to the mixture: E|X - Y| - E|X - X'| / 2 - E|Y - Y'| / 2.
    apart = [np.abs(part[:, None] - samples[None, :]).mean() - half_distance(part) - half_distance(samples) for part in own]
    return np.array([variance, [half_distance(samples), np.dot(weights, [*map(half_distance, own)]), np.dot(weights, apart)]])


def test_is_the_twins():
    rng = np.random.default_rng(1)
    sources = rng.integers(0, 4, 60)
    samples = rng.normal(size=(5, 60, 2)) * (1 + sources[:, None]) + sources[:, None]
    dist = Distribution(samples, sources=sources)
    assert (dist.sources == sources).all()
    for place, measure in enumerate(["variance", "expected_crps"]):
        found = dist.uncertainty(measure)
        assert isinstance(found, Uncertainty) and found.total.shape == (5, 2)
        expected = np.array([[twin(samples[i, :, t], sources)[place] for t in range(2)] for i in range(5)])
        np.testing.assert_allclose(np.stack(found, axis=-1), expected, rtol=1e-11)
    np.testing.assert_allclose(dist.uncertainty().total, dist.var(), rtol=1e-12)


def test_follows_rows_targets_and_pickles():
    rng = np.random.default_rng(2)
    dist = Distribution(rng.normal(size=(4, 9, 2)), ["a", "b"], sources=np.arange(9) % 3)
    whole = dist.uncertainty().epistemic
    assert (dist[1:3].uncertainty().epistemic == whole[1:3]).all()
    assert (dist.marginal("b").uncertainty().epistemic == whole[:, 1]).all()
    again = pickle.loads(pickle.dumps(dist))
    assert (again.sources == dist.sources).all() and (again.uncertainty().epistemic == whole).all()
    assert Distribution(rng.normal(size=(4, 9))).sources is None


def test_of_a_model(small, data):
    X, y = data
    small.update(options=dict(small["options"], gaussian_process=500))
    fitted = MirrorballRegressor(**small).fit(X, y)
    dist = fitted.predict_dist(X[:20])
    for measure in ["variance", "expected_crps"]:
        found = fitted.predict_uncertainty(X[:20], measure)
        assert all((one == other).all() for one, other in zip(found, dist.uncertainty(measure)))
        np.testing.assert_allclose(found.aleatoric + found.epistemic, found.total, rtol=1e-12)
        assert (found.epistemic > 0).all() and (found.aleatoric > 0).all()
    assert set(np.unique(dist.sources)) <= {0, 1, 2, 3}  # two networks, the forest, the Gaussian process
    assert fitted.predict_uncertainty(X[:0]).total.shape == (0,)


def test_of_a_single_network(small, data):
    X, y = data
    small.update(networks=1, options=dict(small["options"], forest=0, gaussian_process=0))
    alone = MirrorballRegressor(**small).fit(X, y)
    found = alone.predict_uncertainty(X[:5], "expected_crps")
    assert (found.epistemic == 0).all() and (found.aleatoric == found.total).all() and (found.total > 0).all()


def test_refusals(fitted, data):
    X, _ = data
    with pytest.raises(ValueError, match="'spread' is unknown: use 'variance' or 'expected_crps'"):
        fitted.predict_uncertainty(X[:2], "spread")
    with pytest.raises(ValueError, match="which network each sample comes from is not known"):
        Distribution([[1.0, 2.0]]).uncertainty()
    with pytest.raises(ValueError, match="3 sources for 2 samples"):
        Distribution([[1.0, 2.0]], sources=[0, 1, 1])
    for bad in ([0.5, 1], [-1, 0], [[0, 1]]):
        with pytest.raises(ValueError, match="whole numbers from 0 on"):
            Distribution([[1.0, 2.0]], sources=bad)
