"""Models as files and bytes, between Python and the command line."""

from __future__ import annotations

import copy
import io
import json
import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import SMALL
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from mirrorball import MirrorballRegressor, metrics

GIVEN = {name: value for name, value in SMALL.items() if name not in ("n_jobs", "options")} | SMALL["options"]
FLAGS = [word for name, value in GIVEN.items() for word in ("--" + name.replace("_", "-"), value)] + ["--threads", 1]


@pytest.fixture
def csv(tmp_path, data):
    """The data as text that reads back to the same doubles."""
    X, y = data
    path = tmp_path / "data.csv"
    rows = [f"{a!r},{b!r},{c!r}" for a, b, c in np.column_stack([X, y]).tolist()]
    path.write_text("\n".join(["x0,x1,y", *rows]) + "\n")
    return path


def numbers(text):
    return np.genfromtxt(io.StringIO(text), delimiter=",", skip_header=1)


#: What the command line writes of a number.
seven_digits = np.vectorize(lambda number: float(f"{number:.7g}"))


def test_the_command_line_fits_the_same_model(fitted, csv, tmp_path, program):
    program("fit", csv, "--target", "y", "--out", tmp_path / "cli", "--quiet", *FLAGS)
    fitted.save(tmp_path / "python")
    assert (tmp_path / "cli").read_bytes() == (tmp_path / "python").read_bytes()


def test_the_command_line_scores_the_same(fitted, data, csv, tmp_path, program):
    X, y = data
    fitted.save(tmp_path / "model")
    scores = json.loads(program("score", tmp_path / "model", csv, "--json"))
    dist = fitted.predict_dist(X)
    # The command line scores what a table keeps of the target, a float, to its seven digits: of these, the same bits.
    kept = seven_digits(y.astype(np.float32).astype(float))
    own = json.loads(json.dumps(metrics.summary(kept, dist)))["targets"]
    for curve in ("level", "share", "low", "high"):  # Python has the curve of the calibration too
        assert len(own["y"]["calibration"].pop(curve)) == 99
    assert own == scores["targets"]
    assert scores["targets"]["y"]["crps"]["mean"] == pytest.approx(dist.crps(y).mean(), rel=1e-6)
    assert scores["energy_score"]["mean"] == scores["targets"]["y"]["crps"]["mean"]
    written = numbers(program("predict", tmp_path / "model", csv, "--samples", 20))
    np.testing.assert_array_equal(written, seven_digits(fitted.sample(X, 20)[:, :, 0]))
    means = numbers(program("predict", tmp_path / "model", csv, "--mean"))
    np.testing.assert_array_equal(means, seven_digits(fitted.predict(X)))


def test_score_report_and_python_have_one_verdict(fitted, data, csv, tmp_path, program):
    X, y = data
    fitted.save(tmp_path / "model")
    words = json.loads(program("score", tmp_path / "model", csv, "--json"))["targets"]["y"]["calibration"]["words"]
    page = tmp_path / "report.json"
    program("report", tmp_path / "model", csv, "--explain-rows", 0, "--json", "--quiet", "--out", page)
    kept = seven_digits(y.astype(np.float32).astype(float))
    assert json.loads(page.read_text())["targets"][0]["calibration"]["words"] == words
    assert metrics.calibration(kept, fitted.predict_dist(X))["words"] == words


def test_python_reads_the_command_lines_model(fitted, data, csv, tmp_path, program):
    program("fit", csv, "--target", "y", "--out", tmp_path / "model", "--quiet", *FLAGS)
    model = MirrorballRegressor.load(tmp_path / "model")
    assert (model.sample(data[0], 9) == fitted.sample(data[0], 9)).all()
    assert model.get_params()["width"] == SMALL["width"]
    assert model.target_names_ == ["y"]
    assert len(model.history_) == SMALL["networks"]


def test_names_come_back(data, small, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(data[0], columns=["a", "b"]).assign(c=np.where(data[0][:, 0] > 0, "up", "down"))
    model = MirrorballRegressor(**small).fit(frame, pd.DataFrame({"t": data[1], "u": -data[1]}))
    model.save(tmp_path / "model")
    loaded = MirrorballRegressor.load(str(tmp_path / "model"))
    assert list(loaded.feature_names_in_) == ["a", "b", "c"]
    assert loaded.target_names_ == ["t", "u"]
    assert sorted(loaded.categories_["c"]) == ["down", "up"]
    assert (loaded.predict(frame) == model.predict(frame)).all()


@pytest.mark.parametrize("way", ["pickle", "joblib", "deepcopy", "copy"])
def test_copies_are_the_same(way, fitted, data, tmp_path):
    X, _ = data
    if way == "joblib":
        joblib.dump(fitted, tmp_path / "model")
        again = joblib.load(tmp_path / "model")
    elif way == "pickle":
        again = pickle.loads(pickle.dumps(fitted))
    else:
        again = getattr(copy, way)(fitted)
    assert (again.sample(X, 9) == fitted.sample(X, 9)).all()
    assert again.get_params() == fitted.get_params()
    again.set_params(width=3)
    assert fitted.width == SMALL["width"]


def test_a_damaged_pickle_is_refused(fitted):
    """A byte of the model in it is another one; or the pickle ends early."""
    whole = pickle.dumps(fitted)
    model = fitted.model_.to_bytes()
    begin = whole.index(model)
    for at in range(0, len(model), len(model) // 60):
        damaged = bytearray(whole)
        damaged[begin + at] ^= 0x10
        with pytest.raises(ValueError, match="not a usable model"):
            pickle.loads(bytes(damaged))
    for length in range(1, len(whole), len(whole) // 60):
        with pytest.raises((EOFError, pickle.UnpicklingError, ValueError)):
            pickle.loads(whole[:length])


def test_errors(tmp_path, fitted):
    with pytest.raises(NotFittedError):
        MirrorballRegressor().save(tmp_path / "model")
    with pytest.raises(OSError, match="No such file"):
        MirrorballRegressor.load(tmp_path / "missing")
    with pytest.raises(OSError, match="cannot write"):
        fitted.save(tmp_path / "no" / "folder")
    (tmp_path / "text").write_text("this is a text, and not a model")
    with pytest.raises(ValueError, match="text is not a usable model file"):
        MirrorballRegressor.load(tmp_path / "text")
    with pytest.raises(ValueError, match="this is not a usable model: it is too short"):
        type(fitted.model_).from_bytes(b"abc")


def test_a_loaded_model_knows_its_categories(tmp_path):
    """A clone of it, fitted anew, takes the same columns as categories."""
    X = np.column_stack([np.arange(60) % 3, np.linspace(0, 1, 60)])
    frame = pd.DataFrame({"code": X[:, 0], "size": X[:, 1], "colour": ["red", "blue"] * 30})
    for features, declared, given in ((X, "x0", [0]), (frame, "code", ["code"])):
        model = MirrorballRegressor(**SMALL, categorical_features=given).fit(features, X[:, 0])
        model.save(tmp_path / "model")
        again = clone(MirrorballRegressor.load(tmp_path / "model")).fit(features, X[:, 0])
        assert again.categories_ == model.categories_
        assert again.categories_[declared] == ["0", "1", "2"]
        assert again.get_params()["categorical_features"] == [declared]


def test_booleans_and_dates_go_both_ways(tmp_path, program):
    rows = np.arange(80)
    frame = pd.DataFrame({
        "flag": rows % 3 == 0,
        "day": pd.date_range("2024-01-01", periods=80, freq="37h"),
        "zone": pd.date_range("2024-01-01", periods=80, freq="5min", tz="Asia/Kolkata"),
    })
    y = (frame["flag"] + rows / 80).rename("y")
    csv = tmp_path / "data.csv"
    frame.assign(y=y).to_csv(csv, index=False)
    model = MirrorballRegressor(**SMALL).fit(frame, y)
    model.save(tmp_path / "python")
    program("fit", csv, "--target", "y", "--out", tmp_path / "cli", "--quiet", *FLAGS)
    assert (tmp_path / "cli").read_bytes() == (tmp_path / "python").read_bytes()
    means = numbers(program("predict", tmp_path / "python", csv, "--mean"))
    np.testing.assert_array_equal(means, seven_digits(model.predict(frame)))


def test_a_category_spelled_otherwise_gives_a_warning(tmp_path):
    frame = pd.DataFrame({"zip": ["01234", "04567"] * 30, "size": np.linspace(0, 1, 60)})
    model = MirrorballRegressor(**SMALL).fit(frame, frame["size"])
    model.save(tmp_path / "model")
    loaded = MirrorballRegressor.load(tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded.predict(frame)
    with pytest.warns(UserWarning, match="none of the values of 'zip' occurred in training.*here: 1234, 4567; training: 0"):
        loaded.predict(frame.assign(zip=[1234, 4567] * 30))
