"""Cross-validation."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from mirrorball import MirrorballRegressor, cross_validate, metrics

TINY = dict(networks=1, width=8, epochs=2, n_jobs=1, calibrate="none", options=dict(forest=0, gaussian_process=0, boosting=0))


@pytest.fixture(scope="module")
def found(data):
    return cross_validate(MirrorballRegressor(**TINY), *data, cv=3, levels=(0.5, 0.9), return_estimators=True)


def test_scores_are_those_of_the_folds(found, data):
    X, y = data
    splits = list(KFold(3, shuffle=True, random_state=0).split(X))
    assert found.test_rows == [len(test) for _, test in splits] and sum(found.test_rows) == 400
    for k, (train, test) in enumerate(splits):
        dist = found.estimators[k].predict_dist(X[test])
        assert found.scores["crps"][k] == pytest.approx(metrics.crps(y[test], dist))
        assert found.scores["mae"][k] == pytest.approx(np.abs(dist.median() - y[test]).mean())
        assert found.scores["rmse"][k] == pytest.approx(np.sqrt(((dist.mean() - y[test]) ** 2).mean()))
        assert found.scores["coverage_90"][k] == metrics.coverage(y[test], dist, 0.9)
        assert found.scores["width_50"][k] == pytest.approx(metrics.interval_width(dist, 0.5))
        marginal = metrics.crps(y[test], np.tile(y[train], (len(test), 1)))
        assert found.scores["training_crps"][k] == pytest.approx(marginal, rel=0.01)
        skill = 1 - found.scores["crps"][k] / found.scores["training_crps"][k]
        assert found.scores["skill"][k] == pytest.approx(skill)


def test_it_prints_what_the_program_prints(found, pairs, tmp_path, program):
    lines = repr(found).splitlines()
    assert lines[0] == "3 folds"
    assert re.split("  +", lines[2]) == ["y", "rows", "CRPS", "MAE", "RMSE", "NLL", "cover 50%", "cover 90%", "width 90%"]
    assert [line.split()[0] for line in lines[3:]] == ["1", "2", "3", "mean", "±"]
    assert len({len(line) for line in lines[2:]}) == 1
    assert found.mean()["crps"] == pytest.approx(found.scores["crps"].mean())
    assert len(found) == 3 and "cover 90%" in found._repr_html_()
    X, Y = pairs
    np.savetxt(tmp_path / "table.csv", np.column_stack([X, Y]), delimiter=",", header="a,b,y1,y2", comments="")
    flags = "--target y1 --target y2 --folds 2 --networks 1 --width 8 --epochs 1 --forest 0 --calibrate none --quiet"
    shell = program("cv", tmp_path / "table.csv", *flags.split())
    ours = cross_validate(MirrorballRegressor(**TINY), X, Y, cv=2)
    titles = [re.split("  +", line.strip())[1:] for line in shell.splitlines() if "CRPS" in line]
    assert [re.split("  +", line)[1:] for line in repr(ours).splitlines() if "CRPS" in line] == titles
    told = json.loads(program("cv", tmp_path / "table.csv", *flags.split(), "--json"))
    assert list(ours.targets) == list(told["targets"]) == ["y1", "y2"]
    assert set(told["targets"]["y1"]) <= set(ours.targets["y1"]) and "energy_score" in ours.scores
    assert "Energy score, joint" in repr(ours)


def test_groups_stay_together(data):
    X, y = data
    groups = np.arange(400) // 50
    model = MirrorballRegressor(**TINY)
    scores = cross_validate(model, X, y, cv=4, groups=groups)
    assert scores.test_rows == [100] * 4
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(shop=groups.astype(str))
    for named in (frame, pytest.importorskip("polars").from_pandas(frame), pytest.importorskip("pyarrow").table(frame)):
        by_name = cross_validate(model, named, y, cv=4, groups="shop")
        assert (by_name.scores["crps"] == scores.scores["crps"]).all()
    with pytest.raises(ValueError, match="groups is 'store', and X has no column of that name"):
        cross_validate(model, frame, y, groups="store")
    with pytest.raises(ValueError, match=r"groups has shape \(3,\), and X has 400 rows"):
        cross_validate(model, frame, y, groups=[1, 2, 3])


def test_time_runs_forward(data, monkeypatch):
    X, y = data
    time = np.random.default_rng(0).permutation(np.repeat(np.arange(40), 10)).astype("datetime64[D]")
    fits = []
    fit = MirrorballRegressor.fit
    monkeypatch.setattr(MirrorballRegressor, "fit", lambda self, X, y, **given: fits.append(X) or fit(self, X, y, **given))
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": X[:, 0], "day": time})
    scores = cross_validate(MirrorballRegressor(**TINY), frame, y, cv=3, time="day", return_estimators=True)
    assert {model.plan_["valid_by"] for model in scores.estimators} == {"valid_by"}
    assert scores.train_rows == [100, 200, 300] and scores.test_rows == [100] * 3
    assert [rows["day"].n_unique() for rows in fits] == [10, 20, 30]
    assert max(fits[0]["day"]) < min(set(frame["day"]) - set(fits[0]["day"]))
    with pytest.raises(ValueError, match="time has 2 different values, too few"):
        cross_validate(MirrorballRegressor(**TINY), X, y, cv=3, time=np.arange(400) // 200)


def test_pipelines_weights_targets_and_splitters(pairs):
    X, Y = pairs
    piped = make_pipeline(StandardScaler(), MirrorballRegressor(**TINY))
    weights = np.linspace(0, 1, 400)
    scores = cross_validate(piped, X, Y, cv=KFold(2), sample_weight=weights)
    assert scores.test_rows == [200, 200] and "energy_score" in scores.scores
    assert (scores.scores["crps"] != cross_validate(piped, X, Y, cv=KFold(2)).scores["crps"]).all()
    once = cross_validate(piped, X, Y, cv=[(np.arange(200), np.arange(200, 400))])
    assert once.test_rows == [200] and "± sd" not in repr(once)
    with pytest.raises(ValueError, match="cv is 1: it must be 2 or more"):
        cross_validate(piped, X, Y, cv=1)
    with pytest.raises(ValueError, match="groups and time are given"):
        cross_validate(piped, X, Y, groups=weights, time=weights)
