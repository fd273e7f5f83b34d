"""What the command line prints about a fit, Python warns of and keeps."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import SMALL

from mirrorball import MirrorballRegressor, MirrorballWarning

pd = pytest.importorskip("pandas")
TINY = dict(networks=1, width=8, epochs=1, n_jobs=1, options=dict(forest=0, gaussian_process=0, boosting=0))


def fit(frame, y=None, **given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MirrorballRegressor(**{**TINY, **given}).fit(frame, np.linspace(0, 1, len(frame)) if y is None else y)
    assert [str(one.message) for one in caught if one.category is MirrorballWarning] == model.warnings_
    assert all(one.filename == __file__ for one in caught)
    return model


def about_data(model):
    """Without what an epoch of a tiny network deserves to hear."""
    return [text for text in model.warnings_ if "no better than the training distribution" not in text]


def test_nothing_is_wrong(data):
    assert about_data(fit(pd.DataFrame(data[0], columns=["a", "b"]))) == []


def test_doubtful_columns(data):
    rows = np.arange(400)
    frame = pd.DataFrame({
        "size": data[0][:, 0],
        "id": rows + 1000,
        "name": [f"n{row}" for row in rows],
        "age": np.where(rows % 40 == 0, "n.a.?", (rows % 30).astype(str)),
    })
    assert about_data(fit(frame)) == [
        "column 'id' has a different integer in every row; drop it if it is a row number",
        "column 'name' is not used: it has 400 different texts in 400 rows",
        "column 'age' is read as text because of 'n.a.?' (30 of its 31 values are numbers); replace such cells by missing"
        " values to use the column as numbers",
    ]
    assert about_data(fit(frame[["id"]])) == []  # a feature that is alone is meant
    declared = fit(frame[["size", "name", "age"]], categorical_features=["name", "age"])
    assert about_data(declared) == ["column 'name' is not used: it has 400 different texts in 400 rows"]


@pytest.mark.parametrize("stray", ["2024-02-30", "2024"])
def test_one_bad_date(data, stray):
    days = [f"2024-01-{1 + row % 28:02}" for row in range(400)]
    days[4] = stray
    assert about_data(fit(pd.DataFrame({"size": data[0][:, 0], "day": days}))) == [
        f"column 'day' is read as text because of '{stray}' in data row 5 (28 of its 29 values are dates); correct that"
        " cell, or replace it by a missing value, to use the column as dates"
    ]


def test_what_the_command_line_prints(tmp_path, program, data):
    import subprocess

    from conftest import PROGRAM

    frame = pd.DataFrame({"size": data[0][:, 0], "id": np.arange(400), "y": data[1]})
    frame.to_csv(tmp_path / "data.csv", index=False)
    words = [PROGRAM, "fit", tmp_path / "data.csv", "--target", "y", "--out", tmp_path / "m", "--epochs", "1"]
    done = subprocess.run([*words, "--networks", "1"], capture_output=True, text=True)
    assert "note: column 'id' has a different integer in every row; drop it with --ignore id if it is a row" in done.stderr


def test_numbers_and_dates_in_other_forms(data):
    rows = np.arange(400)
    frame = pd.DataFrame({
        "size": data[0][:, 0],
        "fare": [f"${row % 50}.50" for row in rows],
        "day": [f"{1 + row % 28:02}.01.2024" for row in rows],
    })
    assert about_data(fit(frame)) == [
        "column 'fare' looks like numbers, for example '$0.50'; write them like 1234.5 to use the column as numbers",
        "column 'day' looks like dates, for example '01.01.2024'; write them like 2024-02-29 to use the column as dates",
    ]


def test_too_few_rows_to_calibrate(data):
    X, y = data
    assert about_data(fit(X[:60], y[:60])) == ["not calibrated: fewer than 30 validation rows (12)"]
    assert about_data(fit(X[:60], y[:60], calibrate="none")) == []
    assert about_data(fit(X, y, preset="point")) == []
    assert about_data(fit(X, y, preset="point", calibrate="interval")) == [
        "not calibrated: a point network predicts a single number"
    ]


def test_the_report_of_a_fit(fitted, data, tmp_path):
    report = fitted.fit_report_
    [scores] = report["targets"].values()
    assert report["rows"] == 80 and report["kind"] == "validation"
    assert 0 < scores["crps"] < scores["training_crps"] and 0.5 < scores["coverage_90"] <= 1
    first, titles, line = repr(report).splitlines()
    assert first == "error on 80 validation rows"
    assert titles.split()[0] == "CRPS" and line.split()[0] == "y"
    fitted.save(tmp_path / "model")
    assert MirrorballRegressor.load(tmp_path / "model").fit_report_ == report
    assert fit(data[0][:20], data[1][:20]).fit_report_ is None


def test_columns_are_told():
    frame = pd.DataFrame({
        "size": np.linspace(1, 5, 61),
        "day": pd.date_range("2024-01-01", periods=61),
        "hour": pd.date_range("2024-01-01", periods=61, freq="min"),
        "colour": ["red", "green", "green"] * 20 + ["green"],
        "zip": [str(k) for k in range(10)] * 6 + ["0"],
    })
    frame.loc[2, "colour"] = None
    model = fit(frame, calibrate="none")
    assert repr(model.columns_).splitlines() == [
        "size: number from 1 to 5, median 3",
        "day: date from 2024-01-01 to 2024-03-01, median 2024-01-31",
        "hour: date from 2024-01-01 00:00:00 to 2024-01-01 01:00:00, median 2024-01-01 00:30:00",
        "colour: category with 2 categories (green, red), with missing values",
        f"zip: category with 10 categories ({', '.join(model.categories_['zip'][:5])}, …)",
    ]
    assert model.columns_["colour"].categories == ["green", "red"] and model.columns_[0].name == "size"
    with pytest.raises(KeyError):
        model.columns_["weight"]


def test_unknown_categories_are_warned_of():
    frame = pd.DataFrame({"zip": ["01234", "04567"] * 30, "size": np.linspace(0, 1, 60)})
    model = MirrorballRegressor(**{**SMALL, "calibrate": "none"}).fit(frame, frame["size"])
    with pytest.warns(MirrorballWarning, match="none of the values of 'zip' occurred in training") as caught:
        model.predict(frame.assign(zip=[1234, 4567] * 30))
    assert caught[0].filename == __file__


def test_a_corrupt_target_is_pointed_out(data):
    X, y = data
    wrong = y.copy()
    wrong[17] = 1e6
    [sentence] = about_data(fit(X, wrong))
    assert sentence.startswith("the target 'y' has a value far from all others: 1e+06 in data row 18")


def test_a_fit_that_learnt_nothing(data):
    X, _ = data
    noise = np.random.default_rng(1).normal(size=len(X))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MirrorballRegressor(options={"networks": 1, "width": 8, "epochs": 1}).fit(X, noise)
    assert model.fit_report_["targets"]["y"]["skill"] <= 0
    assert any("no better than the training distribution" in str(one.message) for one in caught)


def test_a_constant_target_is_pointed_out(data):
    X, _ = data
    with pytest.warns(MirrorballWarning, match="nothing to learn"):
        MirrorballRegressor(options={"networks": 1, "width": 8, "epochs": 1}).fit(X, np.ones(len(X)))


def test_groups_are_values_not_a_name(data):
    X, y = data
    with pytest.raises(ValueError, match="one per row"):
        MirrorballRegressor().fit(X, y, groups="shop")


def test_nan_as_a_parameter_is_named(data):
    X, y = data
    with pytest.raises(ValueError, match="learning_rate"):
        MirrorballRegressor(learning_rate=float("nan")).fit(X, y)
