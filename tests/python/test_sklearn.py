"""The estimator inside scikit-learn."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from conftest import SMALL
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mirrorball import MirrorballRegressor, _core

#: As scikit-learn's own SGDRegressor, forests and histogram boosting declare it: training is stochastic.
EXPECTED = {"check_sample_weight_equivalence_on_dense_data": "weights are not equivalent to repeated rows"}


@parametrize_with_checks(
    [MirrorballRegressor(**{**SMALL, "networks": 1})], expected_failed_checks=lambda estimator: EXPECTED
)
def test_estimator_checks(estimator, check):
    check(estimator)


def test_a_dozen_parameters_and_all_options():
    names = list(inspect.signature(MirrorballRegressor).parameters)
    assert len(names) == 14
    listed = MirrorballRegressor.__doc__.split("\n    options : ")[1].split("\n    random_state : ")[0]
    for option in _core.option_list():
        assert option.name in names or f"``{option.name}``" in listed or option.name in ("seed", "threads")


def test_options_reach_the_fit(data):
    model = MirrorballRegressor(
        preset="paper", width=8, epochs=2, options={"valid_samples": 5}, random_state=3, n_jobs=1
    ).fit(*data)
    given = {"width": 8, "epochs": 2, "valid_samples": 5, "seed": 3, "threads": 1}
    assert model.options_ == {**_core.preset("paper"), **given}
    assert len(model.history_) == 1
    assert len(model.history_[0]["train"]) == len(model.history_[0]["valid"]) == 2


def test_epochs_alone_are_as_many_as_asked_for(data):
    model = MirrorballRegressor(epochs=2, networks=1, width=8, n_jobs=1).fit(*data)
    assert model.options_["min_steps"] == -1
    assert model.plan_["epochs"] == 2
    assert model.plan_["training_rows"] + model.plan_["validation_rows"] == len(data[0])
    assert model.plan_["precision"] in ("float32", "bfloat16")
    assert len(model.history_[0]["valid"]) == 2


def test_clone_and_params(small):
    model = clone(MirrorballRegressor(preset="disco", **small).set_params(width=7))
    assert model.get_params()["width"] == 7
    assert model.get_params()["preset"] == "disco"
    assert not hasattr(model, "model_")


def test_random_state(data, small):
    X, y = data

    def predict(**given):
        return MirrorballRegressor(**small, **given).fit(X, y).predict(X[:20])

    first = predict()
    assert (predict(random_state=0) == first).all()
    assert (predict(random_state=np.int64(5)) == predict(random_state=5)).all()
    assert not (predict(random_state=5) == first).all()
    state = np.random.RandomState(7)
    once, again = predict(random_state=state), predict(random_state=state)
    assert not (once == again).all()
    assert (predict(random_state=np.random.RandomState(7)) == once).all()


def test_results_do_not_depend_on_jobs(data, small):
    X, y = data
    del small["n_jobs"]
    models = [MirrorballRegressor(**small, n_jobs=jobs).fit(X, y) for jobs in (1, 3, -1, None)]
    for model in models[1:]:
        assert (model.sample(X, 5) == models[0].sample(X, 5)).all()
        assert model.model_.to_bytes() == models[0].model_.to_bytes()


def test_n_jobs_obeys_joblib(monkeypatch):
    from mirrorball.settings import cores, threads_of

    assert threads_of(MirrorballRegressor(n_jobs=3)) == 3
    assert threads_of(MirrorballRegressor(n_jobs=-1)) == cores()
    assert threads_of(MirrorballRegressor(n_jobs=-cores() - 5)) == 1
    assert threads_of(MirrorballRegressor(options={"threads": 0})) == cores()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads_of(MirrorballRegressor()) == 1
    with pytest.raises(ValueError, match="n_jobs is 0"):
        threads_of(MirrorballRegressor(n_jobs=0))


def test_pipeline_with_names(data, small):
    pd = pytest.importorskip("pandas")
    X, y = data
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), MirrorballRegressor(**small))
    pipeline.fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert list(pipeline[-1].feature_names_in_) == ["a", "b"]
    assert pipeline.predict(pd.DataFrame(X[:3], columns=["a", "b"])).shape == (3,)


def test_grid_search_over_processes(data, small):
    small["n_jobs"] = 1
    search = GridSearchCV(MirrorballRegressor(**small), {"width": [4, 16]}, cv=2, n_jobs=2, error_score="raise")
    search.fit(*data)
    alone = MirrorballRegressor(**small).set_params(**search.best_params_).fit(*data)
    assert (search.predict(data[0]) == alone.predict(data[0])).all()


def test_grid_search_scored_by_crps(data, small):
    search = GridSearchCV(
        MirrorballRegressor(**small), {"width": [8]}, cv=2, scoring=MirrorballRegressor.crps_score, error_score="raise"
    )
    assert -1 < search.fit(*data).best_score_ < 0


def test_cross_val_predict_and_transformed_target(data, small):
    X, y = data
    model = TransformedTargetRegressor(MirrorballRegressor(**small), func=np.exp, inverse_func=np.log)
    assert cross_val_predict(model, X, y, cv=2).shape == y.shape


def test_scores(fitted, data):
    X, y = data
    mean = fitted.predict(X)
    assert fitted.score(X, y) == pytest.approx(1 - ((y - mean) ** 2).sum() / ((y - y.mean()) ** 2).sum())
    dist = fitted.predict_dist(X)
    assert fitted.crps_score(X, y) == pytest.approx(-dist.crps(y).mean())
    weights = np.arange(len(y))
    assert fitted.crps_score(X, y, weights) == pytest.approx(-np.average(dist.crps(y), weights=weights))


def test_it_learns_the_shape(fitted, data):
    """Two branches, and nothing between them: a mean and a spread could not say so."""
    X, y = data
    far = np.abs(X[:, 0]) > 0.6
    draws = fitted.sample(X[far], 200)[:, :, 0]
    between = np.abs(draws) < 0.3 * np.abs(X[far, :1])
    assert between.mean() < 0.25
    low, high = fitted.predict_interval(X, 0.9)
    assert 0.8 < np.mean((low <= y) & (y <= high)) <= 1


def test_several_targets(fitted_pairs, pairs):
    X, Y = pairs
    assert fitted_pairs.target_names_ == ["y1", "y2"]
    assert fitted_pairs.predict(X[:7]).shape == (7, 2)
    assert fitted_pairs.sample(X[:7], 5).shape == (7, 5, 2)
    assert fitted_pairs.predict_quantiles(X[:7], [0.1, 0.5, 0.9]).shape == (7, 3, 2)
    assert fitted_pairs.predict_interval(X[:7])[1].shape == (7, 2)
    assert fitted_pairs.functions(X[:7], 4).shape == (7, 4, 2)
    assert np.isfinite(fitted_pairs.score(X, Y))
    draws = fitted_pairs.sample(X, 50)
    residual = draws[:, :, 1] - 2 * draws[:, :, 0] - X[:, 1:]
    assert np.abs(residual).mean() < 0.5 * np.abs(draws[:, :, 1] - draws[:, :, 1].mean(axis=1, keepdims=True)).mean()


def test_one_column_of_targets_is_one_target(data, small):
    """As for scikit-learn's forests: with their warning, and predictions of one dimension."""
    X, y = data
    expected = MirrorballRegressor(**small).fit(X, y)
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"):
        model = MirrorballRegressor(**small).fit(X, y[:, None])
    with pytest.warns(DataConversionWarning):
        forest = RandomForestRegressor(2).fit(X, y[:, None])
    assert model.predict(X).shape == forest.predict(X).shape == (400,)
    assert (model.predict(X) == expected.predict(X)).all()
    assert model.predict_interval(X[:4])[0].shape == (4,)


def test_summaries_agree_with_the_distribution(fitted, data):
    X, _ = data
    dist = fitted.predict_dist(X, n_samples=300, seed=4)
    assert (dist.mean() == fitted.predict(X, n_samples=300, seed=4)).all()
    assert (dist.samples == fitted.sample(X, 300, seed=4)).all()
    assert (dist.quantile([0.1, 0.9]) == fitted.predict_quantiles(X, [0.1, 0.9], n_samples=300, seed=4)).all()
    assert fitted.predict_quantiles(X, 0.5).shape == (len(X),)
    assert not (fitted.sample(X, 300, seed=5) == dist.samples).all()


def test_blocks_do_not_matter(fitted, data, monkeypatch):
    X, _ = data
    whole = fitted.sample(X, 10)
    monkeypatch.setattr("mirrorball.prediction._BLOCK", 70)
    assert (fitted.sample(X, 10) == whole).all()


def test_functions_are_smooth(fitted):
    grid = np.column_stack([np.linspace(-1, 1, 200), np.zeros(200)])
    functions = fitted.functions(grid, 6)[:, :, 0]
    assert np.abs(np.diff(functions, axis=0)).max() < 0.3


def test_weights_move_the_forecast(data, small):
    X, y = data
    up = MirrorballRegressor(**small).fit(X, y, sample_weight=np.where(y > 0, 10, 1))
    down = MirrorballRegressor(**small).fit(X, y, sample_weight=np.where(y > 0, 1, 10))
    assert up.predict(X).mean() > down.predict(X).mean() + 0.1


def test_eval_set(data, small):
    X, y = data
    model = MirrorballRegressor(**small).fit(X[:300], y[:300], eval_set=(X[300:], y[300:]))
    assert model.model_.training_rows == 300
    listed = MirrorballRegressor(**small).fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])])
    assert (listed.predict(X) == model.predict(X)).all()
    weighted = MirrorballRegressor(**small).fit(X[:300], y[:300], np.ones(300), eval_set=(X[300:], y[300:]))
    assert weighted.model_.training_rows == 300


def test_groups_are_held_out_whole(data, small):
    X, y = data
    groups = np.repeat([f"shop {k}" for k in range(20)], 20)
    model = MirrorballRegressor(**small).fit(X, y, groups=groups)
    assert model.plan_["group"] == "groups" and model.plan_["validation_rows"] % 20 == 0
    assert model.n_features_in_ == 2 and model.predict(X).shape == (400,)
    numbers = MirrorballRegressor(**small).fit(X, y, groups=np.repeat(np.arange(20), 20))
    assert (numbers.predict(X) == model.predict(X)).all()
    with pytest.raises(ValueError, match=r"groups has shape \(3,\), and X has 400 rows"):
        MirrorballRegressor(**small).fit(X, y, groups=[1, 2, 3])


def test_the_latest_rows_are_held_out(data, small):
    pd = pytest.importorskip("pandas")
    X, y = data
    time = np.random.default_rng(0).permutation(400)
    model = MirrorballRegressor(**small).fit(X, y, valid_by=time)
    assert model.plan_["valid_by"] == "valid_by" and model.n_features_in_ == 2
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(time, unit="D")
    for dates in (days, pd.Series(days), days.strftime("%Y-%m-%d").to_numpy(dtype=object)):
        assert (MirrorballRegressor(**small).fit(X, y, valid_by=dates).predict(X) == model.predict(X)).all()
    frame = pd.DataFrame({"a": X[:, 0], "day": days})
    named = MirrorballRegressor(**small).fit(frame, y, valid_by="day")
    assert named.plan_["valid_by"] == "day" and list(named.feature_names_in_) == ["a", "day"]
    with pytest.raises(ValueError, match="valid_by is 'hour', but the features are a, day"):
        MirrorballRegressor(**small).fit(frame, y, valid_by="hour")
    with pytest.raises(ValueError, match="eval_set has the validation rows: leave out groups and valid_by"):
        MirrorballRegressor(**small).fit(X, y, valid_by=time, eval_set=(X, y))
