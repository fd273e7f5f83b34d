"""Scorers and meta-estimators of scikit-learn: pipelines, searches, transformed targets."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from mirrorball import MirrorballRegressor, metrics, pipeline, scoring

TINY = dict(networks=1, width=8, epochs=2, n_jobs=1, calibrate="none", options=dict(forest=0, gaussian_process=0, boosting=0))
ALL = [
    scoring.crps,
    scoring.energy_score,
    scoring.mae,
    scoring.rmse,
    scoring.log_score,
    scoring.coverage(0.9),
    scoring.interval_width(0.9),
    scoring.interval_score(0.9),
    scoring.pinball(0.95),
]


@pytest.fixture(scope="module")
def piped(data):
    return make_pipeline(StandardScaler(), MinMaxScaler(), MirrorballRegressor(**TINY)).fit(*data)


@pytest.mark.parametrize("scorer", ALL, ids=lambda scorer: scorer.name)
def test_a_scorer_is_its_metric(scorer, fitted, data):
    X, y = data
    dist = fitted.predict_dist(X)
    weights = np.arange(400.0)
    expected = {
        "crps": -metrics.crps(y, dist, sample_weight=weights),
        "energy_score": -metrics.crps(y, dist, sample_weight=weights),
        "mae": -np.average(np.abs(dist.median() - y), weights=weights),
        "rmse": -np.sqrt(np.average((dist.mean() - y) ** 2, weights=weights)),
        "log_score": np.average(dist.logpdf(y), weights=weights),
        "coverage_90": metrics.coverage(y, dist, 0.9, sample_weight=weights),
        "width_90": -metrics.interval_width(dist, 0.9, sample_weight=weights),
        "interval_score_90": -metrics.interval_score(y, dist, 0.9, sample_weight=weights),
        "pinball_95": -metrics.pinball(y, dist, 0.95, sample_weight=weights),
    }
    assert scorer(fitted, X, y, sample_weight=weights) == pytest.approx(expected[scorer.name], rel=1e-9)
    assert pickle.loads(pickle.dumps(scorer)) == scorer


def test_several_targets_have_scores(fitted_pairs, pairs):
    for scorer in ALL:
        assert np.isfinite(scorer(fitted_pairs, *pairs)), scorer


def test_cross_val_score_and_searches(data):
    X, y = data
    model = MirrorballRegressor(**TINY)
    assert (cross_val_score(model, X, y, cv=2, scoring=scoring.crps) < 0).all()
    piped = make_pipeline(StandardScaler(), model)
    grid = {"mirrorballregressor__width": [4, 8]}
    search = GridSearchCV(piped, grid, cv=2, scoring=scoring.crps, error_score="raise").fit(X, y)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) < 0
    assert search.score(X, y) == scoring.crps(search, X, y)
    both = {"crps": scoring.crps, "covered": scoring.coverage(0.9)}
    several = GridSearchCV(piped, grid, cv=2, scoring=both, refit="crps", error_score="raise").fit(X, y)
    assert several.cv_results_["mean_test_crps"] == pytest.approx(search.cv_results_["mean_test_score"])
    assert (several.cv_results_["mean_test_covered"] >= 0).all()


def test_combined_scorers_predict_once(data, monkeypatch):
    X, y = data
    calls = []
    predict_dist = scoring.predict_dist
    monkeypatch.setattr(scoring, "predict_dist", lambda *given, **more: calls.append(1) or predict_dist(*given, **more))
    together = scoring.combine(scoring.crps, scoring.mae, scoring.coverage(0.5))
    found = cross_validate(MirrorballRegressor(**TINY), X, y, cv=2, scoring=together, error_score="raise")
    assert len(calls) == 2
    alone = cross_validate(MirrorballRegressor(**TINY), X, y, cv=2, scoring=scoring.mae)
    assert (found["test_mae"] == alone["test_score"]).all() and {"test_crps", "test_coverage_50"} <= set(found)
    with pytest.raises(ValueError, match="the scorers are mae, mae: give one at least, with different names"):
        scoring.combine(scoring.mae, scoring.mae)


def test_a_pipeline_gives_intervals_quantiles_and_samples(piped, data):
    X, _ = data
    inside, last = piped[:-1].transform(X), piped[-1]
    for found, expected in zip(pipeline.predict_interval(piped, X, 0.8), last.predict_interval(inside, 0.8)):
        assert (found == expected).all()
    assert (pipeline.predict_quantiles(piped, X, [0.1, 0.9]) == last.predict_quantiles(inside, [0.1, 0.9])).all()
    assert (pipeline.sample(piped, X, 7, seed=3) == last.sample(inside, 7, seed=3)).all()
    assert (pipeline.predict_dist(piped, X, n_samples=50).samples == last.sample(inside, 50)).all()
    assert (pipeline.sample(last, inside, 7) == last.sample(inside, 7)).all()
    search = GridSearchCV(piped, {"mirrorballregressor__width": [8]}, cv=2).fit(*data)
    assert (pipeline.sample(search, X, 7) == pipeline.sample(piped, X, 7)).all()


def test_transformed_targets_come_back_sample_by_sample(data):
    X, y = data
    model = MirrorballRegressor(**TINY)
    wrapped = TransformedTargetRegressor(model, func=np.log, inverse_func=np.exp).fit(X, np.exp(y))
    plain = model.fit(X, y)
    np.testing.assert_allclose(pipeline.sample(wrapped, X, 5), np.exp(plain.sample(X, 5)))
    np.testing.assert_allclose(
        pipeline.predict_quantiles(wrapped, X, 0.5, n_samples=101),
        np.exp(plain.predict_quantiles(X, 0.5, n_samples=101)),
    )
    scaled = TransformedTargetRegressor(make_pipeline(StandardScaler(), model), transformer=StandardScaler())
    low, high = pipeline.predict_interval(scaled.fit(X, y), X)
    assert low.shape == high.shape == (400,) and y.min() <= low.min() <= high.max() <= y.max() + 1e-6


def test_other_estimators_are_refused(data):
    with pytest.raises(TypeError, match="LinearRegression has no predictive distribution: give a fitted Mirrorball"):
        pipeline.predict_interval(LinearRegression().fit(*data), data[0])


def test_set_output_of_a_pipeline_keeps_names_and_categories(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 0] > 0, "up", "down")})
    scale = ColumnTransformer([("scale", StandardScaler(), ["a", "b"])], remainder="passthrough")
    piped = make_pipeline(scale, MirrorballRegressor(**TINY)).set_output(transform="pandas").fit(frame, y)
    assert list(piped[-1].feature_names_in_) == ["scale__a", "scale__b", "remainder__c"]
    assert set(piped[-1].categories_) == {"remainder__c"}
    assert pipeline.predict_interval(piped, frame)[0].shape == (400,)
