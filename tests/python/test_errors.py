"""Bad input is a ValueError with both numbers and a way out."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mirrorball import MirrorballRegressor

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20.0)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"width": 0}, "width 0 is out of range: use 1 to 4096"),
        ({"width": 3.5}, "width '3.5' is not an integer"),
        ({"learning_rate": "fast"}, "learning_rate 'fast' is not a number"),
        ({"options": {"activation": "rely"}}, "activation 'rely' is not one of relu, .*did you mean 'relu'"),
        ({"options": {"refit": 2}}, "refit '2' is not a switch value"),
        ({"options": {"btach": 2}}, r"there is no option 'btach' in options: did you mean options=\{'batch': ...\}"),
        ({"options": {"width": 4}, "width": 8}, r"width is 8 and options\['width'\] is 4: give one of them"),
        ({"options": {"seed": 4}, "random_state": 8}, "options has 'seed', and random_state is given"),
        ({"options": ["batch"]}, r"options is \['batch'\]: give a dictionary"),
        ({"preset": "papr"}, "unknown preset 'papr': .*did you mean 'paper'"),
        ({"random_state": -3}, "random_state is -3: it must be 0 or more"),
        ({"options": {"cosines": 1}}, "1 cosines are too few for 1 noise dimensions"),
        ({"options": {"fair": True, "sampling": "stratified"}}, "use sampling independent, or fair false"),
        ({"calibrate": "conformal"}, "conformal calibration uses half of the validation rows, but there are only 4"),
    ],
)
def test_options(options, words):
    with pytest.raises(ValueError, match=words):
        MirrorballRegressor(**options).fit(X, Y)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((X, Y[:7]), r"inconsistent numbers of samples: \[20, 7\]"),
        ((X, None), "requires y to be passed"),
        ((X[:, 0], Y), "Expected 2D array, got 1D array"),
        ((X[:1], Y[:1]), "1 sample.*minimum of 2"),
        ((X[:0], Y[:0]), "0 sample"),
        ((X, np.full(20, np.nan)), "Input y contains NaN"),
        ((X, np.zeros((20, 2, 2))), "dim"),
        ((np.where(X == 4, np.inf, X), Y), "Input X contains infinity"),
        ((X, Y, np.ones(3)), r"sample_weight.shape == \(3,\), expected \(20,\)"),
        ((X, Y, -np.ones(20)), "Negative values in data passed to `sample_weight`"),
        ((X, Y, np.zeros(20)), "weight|zero"),
        ((X, Y, None, (X[:, :1], Y)), "X has 1 features, but MirrorballRegressor is expecting 2"),
        ((X, Y, None, (X, np.zeros((20, 2)))), r"eval_set has 2 target\(s\), the training rows have 1"),
        ((X, Y, None, (X, Y, np.ones(20))), "eval_set has weights, but the training rows have none"),
        ((X, Y, None, X), r"eval_set must be \(X, y\)"),
        ((1e39 * X, Y), "beyond 3.4e38"),
    ],
)
def test_fit(arguments, words):
    with pytest.raises(ValueError, match=words):
        MirrorballRegressor(networks=1, width=4, epochs=1, n_jobs=1).fit(*arguments)


def test_predict(fitted):
    rows = np.zeros((2, 2))
    with pytest.raises(ValueError, match="X has 3 features, but MirrorballRegressor is expecting 2 features"):
        fitted.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="n_samples is 0: it must be 1 or more"):
        fitted.sample(rows, 0)
    with pytest.raises(ValueError, match="level 5 is outside 0 to 1"):
        fitted.predict_quantiles(rows, 5)
    with pytest.raises(ValueError, match="coverage 90 is not between 0 and 1"):
        fitted.predict_interval(rows, 90)
    with pytest.raises(ValueError, match="column 'x0' contains text, but the model expects numbers"):
        fitted.predict(np.array([["a", "b"]]))


def test_a_bad_fit_leaves_no_table_behind():
    """The same estimator fits good rows after bad ones."""
    model = MirrorballRegressor(networks=1, width=4, epochs=1, n_jobs=1)
    with pytest.raises(ValueError):
        model.fit(X, Y, np.zeros(20))
    assert model.fit(X, Y).predict(X).shape == (20,)


def test_numbers_that_are_none(fitted, data):
    X, _ = data
    for words in ({"seed": -1}, {"seed": None}, {"n_samples": 1.5}, {"n_samples": -1}):
        with pytest.raises(ValueError, match=f"{next(iter(words))} is"):
            fitted.predict(X, **words)
    with pytest.raises(ValueError, match="at least one non-zero"):
        fitted.crps_score(X, data[1], sample_weight=np.zeros(400))


@pytest.mark.parametrize("kind", ["array", "objects", "pandas", "category", "polars", "frame"])
def test_a_target_of_text_is_refused(data, kind):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    texts = np.where(data[1] > 0, "high", "low")
    y = {
        "array": texts,
        "objects": texts.astype(object),
        "pandas": pd.Series(texts),
        "category": pd.Series(texts, dtype="category"),
        "polars": pl.Series("price", texts),
        "frame": pl.DataFrame({"price": texts}),
    }[kind]
    with pytest.raises(ValueError, match=r"y contains text \('(high|low)'\): .* classes are not supported. Use a"):
        MirrorballRegressor().fit(data[0], y)


def test_numbers_as_text_are_a_target(data, small):
    X, y = data
    model = MirrorballRegressor(**small).fit(X, y.astype(str))
    assert (model.predict(X) == MirrorballRegressor(**small).fit(X, y).predict(X)).all()


def test_a_table_without_rows_has_empty_forecasts(fitted, fitted_pairs, data):
    pd = pytest.importorskip("pandas")
    for nothing in (np.empty((0, 2)), pd.DataFrame({"x0": [], "x1": []}, dtype=object)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # names, where the model has none
            assert fitted.predict(nothing).shape == (0,)
            assert fitted.predict_quantiles(nothing, [0.1, 0.9]).shape == (0, 2)
            assert [end.shape for end in fitted.predict_interval(nothing)] == [(0,), (0,)]
            assert fitted_pairs.sample(nothing, 7).shape == (0, 7, 2)
            assert len(fitted_pairs.predict_dist(nothing)) == 0
    with pytest.raises(ValueError, match="0 sample"):
        fitted.crps_score(np.empty((0, 2)), np.empty(0))


def test_an_array_has_the_columns_in_the_order_of_the_fit():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"kind": ["a", "b"] * 20, "size": np.arange(40.0)})
    model = MirrorballRegressor(networks=1, width=4, epochs=1, n_jobs=1).fit(frame, frame["size"])
    with pytest.warns(UserWarning, match="X does not have valid feature names, but MirrorballRegressor was fitted with"):
        same = model.predict(frame.to_numpy())
    np.testing.assert_array_equal(same, model.predict(frame))
    with pytest.raises(ValueError, match="contains text, but the model expects numbers"), pytest.warns(UserWarning):
        model.predict(frame[["size", "kind"]].to_numpy())


@pytest.mark.parametrize("kind, words", [("M8[D]", "contains dates .* the days since a fixed date"), ("m8[s]", "durations")])
def test_targets_are_numbers(kind, words):
    with pytest.raises(ValueError, match=words):
        MirrorballRegressor().fit(X, np.arange(20).astype(kind))
