"""The estimator inside scikit-learn."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from conftest import SMALL
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mirrorball import MirrorballRegressor, _core

#: As scikit-learn's own SGDRegressor, forests and histogram boosting declare it: training is stochastic.
EXPECTED = {"check_sample_weight_equivalence_on_dense_data": "weights are not equivalent to repeated rows"}


@parametrize_with_checks(
    [MirrorballRegressor(**{**SMALL, "members": 1})], expected_failed_checks=lambda estimator: EXPECTED
)
def test_estimator_checks(estimator, check):
    check(estimator)


def test_every_option_is_a_keyword():
    names = list(inspect.signature(MirrorballRegressor).parameters)
    common = [option.name for option in _core.option_list() if not option.expert]
    expert = [option.name for option in _core.option_list() if option.expert]
    assert names == ["preset", *common, "categorical_features", "random_state", "n_jobs", "verbose", *expert]
    for option in _core.option_list():
        entry = MirrorballRegressor.__doc__.split(f"\n    {option.name} : ")[1].split("\n")[1]
        assert entry.strip().startswith("Expert option: ") == option.expert


def test_options_reach_the_fit(data):
    model = MirrorballRegressor(preset="paper", width=8, epochs=2, valid_draws=5, random_state=3, threads=1).fit(*data)
    assert model.options_ == {
        **_core.preset("paper"),
        "width": 8,
        "epochs": 2,
        "valid_draws": 5,
        "seed": 3,
        "threads": 1,
    }
    assert len(model.history_) == 1
    assert len(model.history_[0]["train"]) == len(model.history_[0]["valid"]) == 2


def test_epochs_alone_are_as_many_as_asked_for(data):
    model = MirrorballRegressor(epochs=2, members=1, width=8, n_jobs=1).fit(*data)
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
    assert (predict(seed=0, random_state=0) == first).all()
    assert (predict(random_state=np.int64(5)) == predict(seed=5)).all()
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
    assert threads_of(MirrorballRegressor(threads=0)) == cores()
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


def test_one_column_of_targets_keeps_its_shape(data, small):
    X, y = data
    model = MirrorballRegressor(**small).fit(X, y[:, None])
    assert model.predict(X[:4]).shape == (4, 1)
    assert (model.predict(X)[:, 0] == MirrorballRegressor(**small).fit(X, y).predict(X)).all()


def test_summaries_agree_with_the_distribution(fitted, data):
    X, _ = data
    dist = fitted.predict_dist(X, samples=300, seed=4)
    assert (dist.mean() == fitted.predict(X, samples=300, seed=4)).all()
    assert (dist.draws == fitted.sample(X, 300, seed=4)).all()
    assert (dist.quantile([0.1, 0.9]) == fitted.predict_quantiles(X, [0.1, 0.9], samples=300, seed=4)).all()
    assert fitted.predict_quantiles(X, 0.5).shape == (len(X),)
    assert not (fitted.sample(X, 300, seed=5) == dist.draws).all()


def test_blocks_do_not_matter(fitted, data, monkeypatch):
    X, _ = data
    whole = fitted.sample(X, 10)
    monkeypatch.setattr("mirrorball.regressor._BLOCK", 70)
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
