"""Explanations: what they add up to, regions, categories and gaps, and the shap package beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import SMALL

from mirrorball import MirrorballRegressor


def test_values_add_up(fitted, data):
    X, _ = data
    found = fitted.explain(X[:4], X, samples=200, background_rows=30)
    assert found.values.shape == (4, 2) and found.exact
    np.testing.assert_allclose(found.base_values + found.values.sum(axis=1), found.output)
    np.testing.assert_allclose(found.output, fitted.predict(X[:4], samples=200))
    np.testing.assert_allclose(found.data, X[:4], rtol=1e-6)
    assert found.feature_names == ["x0", "x1"]


def test_of_a_region(fitted_pairs, pairs):
    X, _ = pairs
    found = fitted_pairs.explain(X[:1], X, of="region", where="y1 > 0 and y2 > 0", samples=200)
    dist = fitted_pairs.predict_dist(X[:1], samples=200)
    assert found.output[0] == found.probability[0] == dist.probability("y1 > 0 and y2 > 0")[0]
    upper = fitted_pairs.explain(X[:1], X, target="y2", where="y1 > 0", samples=200).output[0]
    kept = dist.draws[0, dist.draws[0, :, 0] > 0, 1]
    assert upper == pytest.approx(kept.mean())


def test_dates_are_shown_as_dates():
    frame = pd.DataFrame({"day": pd.date_range("2022-01-01", periods=120), "a": np.linspace(0, 1, 120)})
    frame.loc[3, "day"] = pd.NaT
    model = MirrorballRegressor(**SMALL).fit(frame, frame["a"])
    found = model.explain(frame.iloc[:4], frame, samples=50, background_rows=10)
    assert list(found.data[:, 0]) == ["2022-01-01", "2022-01-02", "2022-01-03", ""]
    np.testing.assert_allclose(found.data[:, 1].astype(float), frame["a"][:4], rtol=1e-6)


def test_categories_and_gaps_are_features():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=200), "kind": random.choice(["left", "right"], 200)})
    frame.loc[::7, "a"] = np.nan
    y = np.where(frame["kind"] == "left", -2.0, 2.0) + frame["a"].fillna(0)
    model = MirrorballRegressor(**SMALL).fit(frame, y)
    found = model.explain(frame.iloc[[0, 1]], frame, samples=100, background_rows=20)
    assert np.isnan(found.data[0, 0]) and found.data[0, 1] == frame["kind"][0]
    assert np.abs(found.values[:, 1]).min() > 0.5  # the kind decides


def test_bad_words_are_refused(fitted, data):
    X, _ = data
    with pytest.raises(ValueError, match="mean"):
        fitted.explain(X[:1], X, of="mode")
    with pytest.raises(ValueError, match="has probability 0"):
        fitted.explain(X[:1], X, where="y > 100", samples=50)
    with pytest.raises(ValueError, match="'z'"):
        fitted.predict_dist(X[:1]).probability("z > 0")


def test_agrees_with_shap(fitted, data):
    shap = pytest.importorskip("shap")
    X, _ = data
    ours = fitted.explain(X[:2], X[:15], of="quantile:0.9", samples=100)
    theirs = shap.KernelExplainer(lambda rows: fitted.predict_quantiles(rows, 0.9, samples=100), X[:15])
    np.testing.assert_allclose(ours.values, theirs.shap_values(X[:2], l1_reg=0, silent=True), atol=1e-6)
    assert ours.to_shap().values.shape == (2, 2)
