"""Bad input is a ValueError with both numbers and a way out."""

from __future__ import annotations

import numpy as np
import pytest

from mirrorball import MirrorballRegressor

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20.0)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"width": 0}, "width 0 is outside 1 to 4096"),
        ({"width": 3.5}, "width '3.5' is not an integer"),
        ({"learning_rate": "fast"}, "learning_rate 'fast' is not a number"),
        ({"activation": "rely"}, "activation 'rely' is not one of relu, .*did you mean 'relu'"),
        ({"refit": 2}, "refit '2' is neither true nor false"),
        ({"preset": "papr"}, "there is no preset 'papr': .*did you mean 'paper'"),
        ({"seed": -1}, "seed -1 is outside 0 to 1.84467e"),
        ({"random_state": -3}, "random_state is -3: it must be 0 or more"),
        ({"seed": 1, "random_state": 2}, "seed is 1 and random_state is 2"),
        ({"threads": 1, "n_jobs": 2}, "threads is 1 and n_jobs is 2"),
        ({"cosines": 1}, "1 cosines among 1 noise dimensions are too few"),
        ({"fair": True, "sampling": "stratified"}, "use sampling independent, or fair false"),
        ({"calibrate": "conformal"}, "conformal calibration takes half of the validation rows, and there are 4"),
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
        MirrorballRegressor(members=1, width=4, epochs=1, n_jobs=1).fit(*arguments)


def test_predict(fitted):
    rows = np.zeros((2, 2))
    with pytest.raises(ValueError, match="X has 3 features, but MirrorballRegressor is expecting 2 features"):
        fitted.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="samples is 0: it must be 1 or more"):
        fitted.sample(rows, 0)
    with pytest.raises(ValueError, match="level 5 is outside 0 to 1"):
        fitted.predict_quantiles(rows, 5)
    with pytest.raises(ValueError, match="coverage 90 is not between 0 and 1"):
        fitted.predict_interval(rows, 90)
    with pytest.raises(ValueError, match="column 'x0' holds text, but the model was trained on numbers"):
        fitted.predict(np.array([["a", "b"]]))


def test_a_bad_fit_leaves_no_table_behind():
    """The same estimator fits good rows after bad ones."""
    model = MirrorballRegressor(members=1, width=4, epochs=1, n_jobs=1)
    with pytest.raises(ValueError):
        model.fit(X, Y, np.zeros(20))
    assert model.fit(X, Y).predict(X).shape == (20,)


def test_numbers_that_are_none(fitted, data):
    X, _ = data
    for words in ({"seed": -1}, {"seed": None}, {"samples": 1.5}, {"samples": -1}):
        with pytest.raises(ValueError, match=f"{next(iter(words))} is"):
            fitted.predict(X, **words)
    with pytest.raises(ValueError, match="at least one non-zero"):
        fitted.crps_score(X, data[1], sample_weight=np.zeros(400))


def test_targets_that_are_times_are_refused(data):
    with pytest.raises(ValueError, match="for example seconds"):
        MirrorballRegressor().fit(data[0], np.arange(400).astype("datetime64[D]"))
