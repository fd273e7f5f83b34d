"""Explanations: what they add up to, regions, categories and gaps, and the shap package beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import SMALL

from mirrorball import MirrorballRegressor


def test_values_add_up(fitted, data):
    X, _ = data
    found = fitted.explain(X[:4], X, n_samples=200, background_rows=30)
    assert found.values.shape == (4, 2) and found.exact
    np.testing.assert_allclose(found.base_values + found.values.sum(axis=1), found.output)
    np.testing.assert_allclose(found.output, fitted.predict(X[:4], n_samples=200))
    np.testing.assert_allclose(found.data, X[:4], rtol=1e-6)
    assert found.feature_names == ["x0", "x1"]


def test_of_a_region(fitted_pairs, pairs):
    X, _ = pairs
    found = fitted_pairs.explain(X[:1], X, of="region", where="y1 > 0 and y2 > 0", n_samples=200)
    dist = fitted_pairs.predict_dist(X[:1], n_samples=200)
    assert found.output[0] == found.probability[0] == dist.probability("y1 > 0 and y2 > 0")[0]
    upper = fitted_pairs.explain(X[:1], X, target="y2", where="y1 > 0", n_samples=200).output[0]
    kept = dist.samples[0, dist.samples[0, :, 0] > 0, 1]
    assert upper == pytest.approx(kept.mean())


def test_errors(fitted, data):
    X, _ = data
    some = fitted.explain(X[:2], X, n_samples=100, background_rows=25)
    every = fitted.explain(X[:2], X, n_samples=100, background_rows=len(X))
    assert some.errors.shape == some.values.shape and (some.errors > 0).all()
    np.testing.assert_allclose(every.errors, 0, atol=1e-9)  # two features: all sets of all rows
    np.testing.assert_allclose(some.base_values, every.base_values)  # of all rows, however few are used
    assert (np.abs(some.values - every.values) < 5 * some.errors).all()


def test_functions_of_the_samples(fitted_pairs, pairs):
    X, _ = pairs
    options = {"n_samples": 100, "background_rows": 20}
    shapes = []

    def spread(y1, y2):
        shapes.append(y1.shape)
        assert y1.shape == y2.shape
        return y2.std(axis=1, ddof=1)

    found = fitted_pairs.explain(X[:1], X, of=spread, **options)
    same = fitted_pairs.explain(X[:1], X, of="sd", target="y2", **options)
    np.testing.assert_allclose(found.values, same.values, atol=1e-9)
    np.testing.assert_allclose(found.errors, same.errors, atol=1e-9)
    assert found.of == "spread" and max(rows for rows, _ in shapes) > 1  # many rows at a time

    inside = "y1 > 0 or not y2 < 0.5"
    text = fitted_pairs.explain(X[:1], X, of="region", where=inside, **options)
    called = fitted_pairs.explain(X[:1], X, of="region", where=lambda y1, y2: (y1 > 0) | (y2 >= 0.5), **options)
    np.testing.assert_allclose(called.values, text.values, atol=1e-12)
    assert called.probability[0] == called.output[0] == text.probability[0]

    text = fitted_pairs.explain(X[:1], X, target="y2", where=inside, **options)
    called = fitted_pairs.explain(X[:1], X, target="y2", where=lambda y1, y2: (y1 > 0) | (y2 >= 0.5), **options)
    np.testing.assert_array_equal(called.values, text.values)
    assert called.probability[0] == text.probability[0]


def test_functions_that_fail(fitted_pairs, pairs):
    X, _ = pairs
    options = {"n_samples": 50, "background_rows": 10}

    def wrong(*samples):
        raise KeyError("own words")

    with pytest.raises(KeyError, match="own words"):
        fitted_pairs.explain(X[:1], X, of=wrong, **options)
    with pytest.raises(ValueError, match=r"given as of returned .* \(1, 50\); expected \(1,\)"):
        fitted_pairs.explain(X[:1], X, of=lambda y1, y2: y1, **options)
    with pytest.raises(ValueError, match=r"given as where returned .* expected \(1, 50\)"):
        fitted_pairs.explain(X[:1], X, target="y1", where=lambda y1, y2: y1.mean(axis=1) > 0, **options)
    with pytest.raises(ValueError, match="not finite"):
        fitted_pairs.explain(X[:1], X, of=lambda y1, y2: y1[:, 0] * np.nan, **options)
    with pytest.raises(ValueError, match="contains none of its 50 samples"):
        fitted_pairs.explain(X[:1], X, target="y1", where=lambda y1, y2: y1 > 1e9, **options)
    with pytest.raises(ValueError, match="remove the target 'y1'"):
        fitted_pairs.explain(X[:1], X, of=lambda y1, y2: y1.max(axis=1), target="y1", **options)


def test_dates_are_shown_as_dates():
    frame = pd.DataFrame({"day": pd.date_range("2022-01-01", periods=120), "a": np.linspace(0, 1, 120)})
    frame.loc[3, "day"] = pd.NaT
    model = MirrorballRegressor(**SMALL).fit(frame, frame["a"])
    found = model.explain(frame.iloc[:4], frame, n_samples=50, background_rows=10)
    assert list(found.data[:, 0]) == ["2022-01-01", "2022-01-02", "2022-01-03", ""]
    np.testing.assert_allclose(found.data[:, 1].astype(float), frame["a"][:4], rtol=1e-6)


def test_categories_and_gaps_are_features():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=200), "kind": random.choice(["left", "right"], 200)})
    frame.loc[::7, "a"] = np.nan
    y = np.where(frame["kind"] == "left", -2.0, 2.0) + frame["a"].fillna(0)
    model = MirrorballRegressor(**SMALL).fit(frame, y)
    found = model.explain(frame.iloc[[0, 1]], frame, n_samples=100, background_rows=20)
    assert np.isnan(found.data[0, 0]) and found.data[0, 1] == frame["kind"][0]
    assert np.abs(found.values[:, 1]).min() > 0.5  # the kind decides


def test_bad_words_are_refused(fitted, data):
    X, _ = data
    with pytest.raises(ValueError, match="mean"):
        fitted.explain(X[:1], X, of="mode")
    with pytest.raises(ValueError, match="contains none of its"):
        fitted.explain(X[:1], X, where="y > 100", n_samples=50)
    with pytest.raises(ValueError, match="'z'"):
        fitted.predict_dist(X[:1]).probability("z > 0")


def test_agrees_with_shap(fitted, data):
    shap = pytest.importorskip("shap")
    X, _ = data
    ours = fitted.explain(X[:2], X[:15], of="quantile:0.9", n_samples=100)
    theirs = shap.KernelExplainer(lambda rows: fitted.predict_quantiles(rows, 0.9, n_samples=100), X[:15])
    np.testing.assert_allclose(ours.values, theirs.shap_values(X[:2], l1_reg=0, silent=True), atol=1e-6)
    assert ours.to_shap().values.shape == (2, 2)
