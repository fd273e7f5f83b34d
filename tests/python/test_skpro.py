"""The skpro adapter, by skpro's own checks and beside the estimator it wraps."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("skpro")
import pandas as pd
from mirrorball import MirrorballRegressor
from mirrorball.skpro import MirrorballProbaRegressor
from skpro.utils.estimator_checks import check_estimator

SMALL = {"networks": 1, "width": 8, "epochs": 3, "options": {"gaussian_process": 0, "boosting": 0}}


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120), "kind": rng.choice(["u", "v"], 120)}, index=range(1000, 1120))
    y = pd.DataFrame({"p": X["a"] + rng.normal(size=120), "q": 5 - X["a"]}, index=X.index)
    return MirrorballProbaRegressor(MirrorballRegressor(**SMALL), n_samples=50).fit(X, y), X, y


def test_passes_skpros_checks():
    results = check_estimator(MirrorballProbaRegressor, raise_exceptions=False, verbose=False)
    failed = {name: result for name, result in results.items() if result != "PASSED"}
    assert not failed
    assert len(results) > 30


def test_is_the_estimator_it_wraps(fitted):
    model, X, y = fitted
    wrapped = MirrorballRegressor(**SMALL).fit(X, y)
    dist = wrapped.predict_dist(X, n_samples=50)
    np.testing.assert_array_equal(model.predict(X), wrapped.predict(X))
    np.testing.assert_allclose(model.predict_var(X), dist.var(), rtol=1e-9)
    low, high = dist.interval(0.8)
    interval = model.predict_interval(X, coverage=0.8)
    np.testing.assert_allclose(interval.xs("lower", axis=1, level=2), low)
    np.testing.assert_allclose(interval.xs("upper", axis=1, level=2), high)
    quantiles = model.predict_quantiles(X, alpha=[0.1, 0.5])
    np.testing.assert_allclose(quantiles["q"], dist.quantile([0.1, 0.5])[:, :, 1])


def test_distribution_holds_the_draws(fitted):
    model, X, _ = fitted
    some = X[:6]
    proba = model.predict_proba(some)
    draws = model.regressor_.sample(some, 50)
    np.testing.assert_allclose(proba.mean(), draws.mean(axis=1))
    np.testing.assert_allclose(proba.cdf(pd.DataFrame(4.0, some.index, ["p", "q"])), (draws <= 4).mean(axis=1))
    # A sample is a joint draw: p and q of one row come from the same one.
    one = proba.sample().to_numpy()
    assert (np.abs(draws - one[:, None]).sum(axis=2).min(axis=1) < 1e-12).all()


def test_parameters_are_reached_from_outside(fitted):
    model = fitted[0]
    assert model.get_params()["regressor__width"] == 8
    assert model.clone().set_params(regressor__width=16).get_params()["regressor__width"] == 16
    assert model.regressor is not model.regressor_


def test_without_skpro_the_error_says_what_to_install():
    code = "import sys; sys.modules['skpro'] = None; import mirrorball.skpro"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "pip install 'mirrorball-ml[skpro]'" in done.stderr
