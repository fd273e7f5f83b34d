"""Parameters, the options dictionary, and names of version 0.1."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import SMALL
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from mirrorball import Distribution, MirrorballRegressor, _core, laws, metrics


@pytest.mark.parametrize(
    "old, hint, attribute, value",
    [
        ({"min_steps": 300}, r"options=\{'min_steps': 300\}", "options", {"min_steps": 300}),
        ({"quantiles": 50}, r"options=\{'knots': 50\}", "options", {"knots": 50}),
        ({"members": 3}, "use networks=3", "networks", 3),
        ({"seed": 5}, "use random_state=5", "random_state", 5),
        ({"threads": 2}, "use n_jobs=2", "n_jobs", 2),
        ({"threads": 0}, "use n_jobs=0", "n_jobs", None),
    ],
)
def test_old_keywords_are_taken_with_a_hint(old, hint, attribute, value):
    with pytest.warns(FutureWarning, match=hint):
        model = MirrorballRegressor(**old)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert clone(model).get_params()[attribute] == getattr(model, attribute) == value


def test_an_old_keyword_joins_the_options_that_are_there():
    given = {"forest": 0}
    with pytest.warns(FutureWarning):
        model = MirrorballRegressor(options=given, batch=64, min_steps=None)
    assert model.options == {"forest": 0, "batch": 64} and given == {"forest": 0}
    with pytest.raises(ValueError, match="members is 2 and networks is 3: give networks only"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        MirrorballRegressor(networks=3, members=2)


def test_unknown_keywords_have_a_suggestion():
    with pytest.raises(TypeError, match=r"no parameter 'learning_rates': did you mean learning_rate=...\?"):
        MirrorballRegressor(learning_rates=0.1)
    with pytest.raises(TypeError, match=r"no parameter 'foresst': did you mean options=\{'forest': ...\}\?"):
        MirrorballRegressor(foresst=0)
    with pytest.raises(TypeError, match=r"no parameter 'xyzzy': .* `mirrorball fit --help-all` all options"):
        MirrorballRegressor(xyzzy=0)


def test_old_names_of_options_and_values(data):
    model = MirrorballRegressor(**{**SMALL, "options": {"quantiles": 50, "forest": 0}}, calibrate="levels")
    with pytest.warns(FutureWarning) as caught:
        model.fit(*data)
    words = [str(one.message) for one in caught]
    assert "the option 'quantiles' is deprecated: use 'knots'" in words
    assert "calibrate='levels' is deprecated: use 'interval'" in words
    assert model.options_["knots"] == 50 and model.options_["calibrate"] == "interval"


def test_every_old_name_leads_to_a_present_one():
    for info in _core.option_list():
        for old in info.old_names:
            with pytest.warns(FutureWarning, match=info.name):
                MirrorballRegressor(**{old: _core.preset("default")[info.name]})


def test_single_options_are_set_and_searched(data):
    model = MirrorballRegressor(**SMALL).set_params(options__batch=16, width=8)
    assert model.options == {**SMALL["options"], "batch": 16} and model.width == 8
    assert SMALL["options"].keys() == {"waves", "min_steps", "forest", "gaussian_process", "boosting"}
    with pytest.warns(FutureWarning, match="use networks=1"):
        assert model.set_params(members=1).networks == 1
    with pytest.raises(ValueError, match="Invalid parameter 'xyzzy'"):
        model.set_params(xyzzy=1)
    grid = {"mirrorballregressor__options__activation": ["relu", "tanh"]}
    search = GridSearchCV(make_pipeline(model), grid, cv=2, error_score="raise").fit(*data)
    chosen = search.best_params_["mirrorballregressor__options__activation"]
    assert search.best_estimator_[-1].options_["activation"] == chosen


def test_a_loaded_model_has_its_parameters(fitted, tmp_path):
    fitted.save(tmp_path / "model")
    params = MirrorballRegressor.load(tmp_path / "model").get_params()
    assert params == {**fitted.get_params(), "n_jobs": None}


def test_old_names_of_arguments(fitted, data):
    X = data[0][:3]
    with pytest.warns(FutureWarning, match=r"predict\(samples=...\) is deprecated: use n_samples=..."):
        assert (fitted.predict(X, samples=50) == fitted.predict(X, n_samples=50)).all()
    with pytest.warns(FutureWarning, match="use n_samples"):
        assert fitted.sample(X, n=7).shape == (3, 7, 1)
    with pytest.warns(FutureWarning, match="use n_samples"):
        assert laws.crossing.sample([0.1], n=7).shape == (1, 7, 1)
    dist = Distribution([[1.0, 2.0]])
    with pytest.warns(FutureWarning, match="use Distribution.samples"):
        assert (dist.draws == dist.samples).all()
    with pytest.warns(FutureWarning, match=r"crps\(draws=...\) is deprecated: use samples=..."):
        assert metrics.crps([1.5], draws=dist) == metrics.crps([1.5], dist)
    with pytest.raises(TypeError, match="'samples' and also its old name 'draws'"):
        metrics.crps([1.5], samples=dist, draws=dist)


def test_warnings_point_to_the_caller(fitted, data):
    with pytest.warns(FutureWarning) as caught:
        fitted.predict(data[0][:3], samples=np.int64(5))
    assert caught[0].filename == __file__
