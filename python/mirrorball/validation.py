"""Cross-validation of predictive distributions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.validation import _num_samples, indexable

from . import frames, metrics
from ._core import SUMMARY_SAMPLES
from ._html import page, sentence, table
from ._numbers import plain_text
from ._warnings import MirrorballWarning
from .distribution import Distribution
from .pipeline import predict_dist
from .report import table_text

__all__ = ["CrossValidation", "cross_validate"]


#: Titles of the scores that are printed, those of ``mirrorball cv``; coverages and widths are added by level.
_TITLES = {"crps": "CRPS", "mae": "MAE", "rmse": "RMSE", "nll": "NLL"}


@dataclass(frozen=True, repr=False)
class CrossValidation:
    """The scores of a cross-validation; prints what ``mirrorball cv`` prints: the folds of each target, mean and deviation.

    Attributes
    ----------
    scores : dict of str to array of shape (folds,)
        ``crps``, ``mae`` (of the median), ``rmse`` (of the mean), ``nll``, and ``coverage_90`` and ``width_90`` for every
        level, as ``mirrorball cv --json`` calls them; also ``training_crps`` (of the distribution of the training
        targets, the same for every row) and ``skill`` (1 - crps / training_crps). With several targets, means over them;
        ``energy_score`` is joint.
    train_rows, test_rows : list of int
        Numbers of rows in each fold.
    estimators : list
        The fitted models, if requested.
    targets : dict of str to dict of str to array of shape (folds,)
        The scores of each target by itself.

    Examples
    --------
    >>> price = {"crps": np.array([1.0, 2.0]), "coverage_90": np.array([0.5, 1.0])}
    >>> found = CrossValidation(price, [10, 10], [5, 5], [], {"price": price})
    >>> found
    2 folds
    <BLANKLINE>
    price  rows  CRPS  cover 90%
    1         5     1        0.5
    2         5     2          1
    mean          1.5       0.75
    ± sd         0.71       0.35
    >>> found.mean()
    {'crps': 1.5, 'coverage_90': 0.75}
    """

    scores: dict[str, NDArray[np.float64]]
    train_rows: list[int]
    test_rows: list[int]
    estimators: list[Any]
    targets: dict[str, dict[str, NDArray[np.float64]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.test_rows)

    def mean(self) -> dict[str, float]:
        """The mean of each score over the folds.

        Returns
        -------
        dict of str to float

        Examples
        --------
        >>> CrossValidation({"mae": np.array([1.0, 3.0])}, [4, 4], [2, 2], []).mean()
        {'mae': 2.0}
        """
        return {name: float(values.mean()) for name, values in self.scores.items()}

    def std(self) -> dict[str, float]:
        """The standard deviation of each score over the folds, with folds - 1 in the denominator.

        Returns
        -------
        dict of str to float

        Examples
        --------
        >>> CrossValidation({"mae": np.array([1.0, 2.0, 3.0])}, [4, 4, 4], [2, 2, 2], []).std()
        {'mae': 1.0}
        """
        return {name: float(values.std(ddof=1)) for name, values in self.scores.items()}

    def __repr__(self) -> str:
        parts = [f"{len(self)} fold{'s' * (len(self) != 1)}"]
        for name, scores in self.targets.items():
            titles, rows = self._rows(scores)
            parts.append(table_text(["rows", *titles], rows, left=4, corner=name))
        if "energy_score" in self.scores:
            spread = f" ± {plain_text(self.std()['energy_score'], 2)}" if len(self) > 1 else ""
            parts.append(f"Energy score, joint  {plain_text(self.mean()['energy_score'])}{spread}")
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        parts = []
        for name, scores in self.targets.items():
            titles, rows = self._rows(scores)
            parts.append(table([name, "rows", *titles], [[first, *cells] for first, cells in rows.items()]))
        return page(sentence(repr(self).partition("\n")[0]), *parts)

    def _rows(self, scores: dict[str, NDArray[np.float64]]) -> tuple[list[str], dict[str, list[str]]]:
        """Titles, and the cells of each fold, of their mean and of their deviation."""
        shown = _shown(scores)
        rows = {
            str(k + 1): [f"{count:,}", *(plain_text(scores[name][k]) for name in shown)]
            for k, count in enumerate(self.test_rows)
        }
        rows["mean"] = ["", *(plain_text(scores[name].mean()) for name in shown)]
        if len(self) > 1:
            rows["± sd"] = ["", *(plain_text(scores[name].std(ddof=1), 2) for name in shown)]
        return list(shown.values()), rows


def _shown(scores: dict[str, Any]) -> dict[str, str]:
    """The scores that are printed, with their titles: coverage at all levels, and the width of the widest interval."""
    shown = {name: title for name, title in _TITLES.items() if name in scores}
    levels = [name.removeprefix("coverage_") for name in scores if name.startswith("coverage_")]
    shown |= {f"coverage_{level}": f"cover {level}%" for level in levels}
    widths = [level for level in levels if f"width_{level}" in scores]
    return shown | ({f"width_{level}": f"width {level}%" for level in [max(widths, key=float)]} if widths else {})


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: int | Any = 5,
    groups: ArrayLike | str | None = None,
    time: ArrayLike | str | None = None,
    sample_weight: ArrayLike | None = None,
    levels: Sequence[float] = (0.5, 0.9),
    n_samples: int = SUMMARY_SAMPLES,
    random_state: int = 0,
    return_estimators: bool = False,
) -> CrossValidation:
    """Fits the estimator on parts of the rows and scores its distributions on the others.

    Parameters
    ----------
    estimator : MirrorballRegressor, or a Pipeline or TransformedTargetRegressor around one
        Copies of it are fitted, one after the other, each with all threads that it may use.
    X : array or frame of shape (rows, features)
    y : array or frame of shape (rows,) or (rows, targets)
    cv : int or splitter, default 5
        Number of folds; or a splitter of scikit-learn, or an iterable of (train, test) row numbers.
    groups : array of shape (rows,) or name of a column of X, optional
        Rows of one group are never in training and test at once, nor in training and validation of a fit. A column
        given by its name is no feature then.
    time : array of shape (rows,) or name of a column of X, optional
        Folds in the order of time: each is predicted by a model of all rows before it, whose validation rows are the
        latest of these. There are ``cv`` folds; the first part of the rows is only trained on. Rows of the same time
        stay together.
    sample_weight : array of shape (rows,), optional
        Used in fits and scores.
    levels : sequence of float, default (0.5, 0.9)
        The probabilities of the intervals whose coverage and width are computed.
    n_samples : int, default 1000
        Number of samples per row.
    random_state : int, default 0
        Which rows are in which fold.
    return_estimators : bool, default False
        Keep the fitted models.

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor, cross_validate
    >>> X = np.random.default_rng(0).uniform(-1, 1, (120, 1))
    >>> model = MirrorballRegressor(networks=1, epochs=5, calibrate="none")
    >>> found = cross_validate(model, X, X[:, 0], cv=3, levels=[0.9])
    >>> list(found.scores)
    ['crps', 'mae', 'rmse', 'nll', 'coverage_90', 'width_90', 'training_crps', 'skill']
    >>> found.test_rows
    [40, 40, 40]
    """
    indexable(X, y, sample_weight)
    targets = _target_array(y)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    by_group, by_time = (
        None if values is None else _row_values(X, values, what)
        for values, what in ((groups, "groups"), (time, "time"))
    )
    per_row = {"sample_weight": weights, "groups": by_group, "valid_by": by_time}
    if isinstance(groups, str):
        X = _without(X, groups)
    folds: list[_Fold] = []
    for train, test in _splits(_num_samples(X), cv, by_group, by_time, random_state):
        given = {name: values[train] for name, values in per_row.items() if values is not None}
        model = _fitted(estimator, _safe_indexing(X, train), _safe_indexing(y, train), given)
        dist = predict_dist(model, _safe_indexing(X, test), n_samples=n_samples)
        given = {"sample_weight": _part(weights, test), "multioutput": "raw_values"}
        scores = _scores(targets[train], targets[test], dist, levels, _part(weights, train), given)
        joint = (
            metrics.energy_score(targets[test], dist, sample_weight=_part(weights, test))
            if len(targets.T) > 1
            else None
        )
        folds.append(_Fold(len(train), len(test), model, dist.target_names, scores, joint))
    return _validation_of(folds, return_estimators)


class _Fold(NamedTuple):
    """What one fold came to."""

    train_rows: int
    test_rows: int
    estimator: Any
    targets: Sequence[str]
    scores: dict[str, NDArray[np.float64]]  # one of each target
    joint: float | None  # the energy score of several


def _validation_of(folds: list[_Fold], keep_estimators: bool) -> CrossValidation:
    by_target = {
        name: {score: np.array([fold.scores[score][t] for fold in folds]) for score in folds[0].scores}
        for t, name in enumerate(folds[0].targets)
    }
    scores = {name: np.mean([one[name] for one in by_target.values()], axis=0) for name in folds[0].scores}
    scores["skill"] = _skill(scores["crps"], scores["training_crps"])
    if len(by_target) > 1:
        scores["energy_score"] = np.array([fold.joint for fold in folds])
    return CrossValidation(
        scores,
        [fold.train_rows for fold in folds],
        [fold.test_rows for fold in folds],
        [fold.estimator for fold in folds] if keep_estimators else [],
        by_target,
    )


def _target_array(y: Any) -> NDArray[np.float64]:
    """Targets of shape (rows, targets)."""
    values = check_array(frames.targets_of(y)[0], dtype=np.float64, ensure_2d=False, input_name="y")
    return values.reshape(len(values), -1)


def _part(weights: NDArray[np.float64] | None, rows: NDArray[np.intp]) -> NDArray[np.float64] | None:
    return None if weights is None else weights[rows]


def _fitted(estimator: Any, X: Any, y: Any, given: dict[str, NDArray[Any]]) -> Any:
    """A fitted copy; what is given per row goes to the last step of a pipeline."""
    model = clone(estimator)
    step = f"{model.steps[-1][0]}__" if hasattr(model, "steps") else ""
    return model.fit(X, y, **{step + name: values for name, values in given.items()})


def _splits(
    count: int, cv: Any, groups: NDArray[Any] | None, time: NDArray[Any] | None, random_state: int
) -> Iterable[tuple[Any, Any]]:
    """Row numbers of training and test, fold by fold."""
    if groups is not None and time is not None:
        raise ValueError("groups and time are given: folds can follow one of them")
    if hasattr(cv, "split"):
        return cv.split(np.zeros(count), None, groups)
    if not isinstance(cv, (int, np.integer)):
        return cv
    if cv < (2 if time is None else 1):
        raise ValueError(f"cv is {cv}: it must be 2 or more")
    if time is not None:
        return _forward_splits(time, int(cv))
    if groups is not None:
        return GroupKFold(int(cv)).split(np.zeros(count), None, groups)
    return KFold(int(cv), shuffle=True, random_state=random_state).split(np.zeros(count))


def _row_values(X: Any, values: Any, what: str) -> NDArray[Any]:
    """One value per row, given as such or by the name of a column."""
    if isinstance(values, str):
        if values not in frames.arrow_names(X):
            raise ValueError(f"{what} is {values!r}, and X has no column of that name")
        values = X[values]
    array = np.asarray(values)
    if array.shape != (_num_samples(X),):
        raise ValueError(f"{what} has shape {array.shape}, and X has {_num_samples(X)} rows")
    return array


def _without(X: Any, name: str) -> Any:
    """A frame without one of its columns."""
    if frames.is_pandas(X):
        return X.drop(columns=name)
    return X.drop_columns(name) if hasattr(X, "drop_columns") else X.drop(name)


def _forward_splits(time: NDArray[Any], folds: int) -> Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Cuts the rows in their order into folds + 1 parts of nearly equal size; each but the first is a test.

    >>> [(train.tolist(), test.tolist()) for train, test in _forward_splits(np.array([3, 1, 2, 2, 0, 5]), 2)]
    [([4, 1], [2, 3]), ([4, 1, 2, 3], [0, 5])]
    """
    order = np.argsort(time, kind="stable")
    moments = time[order]
    cuts = [round(k * len(order) / (folds + 1)) for k in range(1, folds + 1)]
    cuts = [int(np.searchsorted(moments, moments[cut])) for cut in cuts] + [len(order)]
    if cuts[0] == 0 or any(low >= high for low, high in zip(cuts, cuts[1:])):
        raise ValueError(
            f"time has {len(np.unique(time))} different values, too few or too unevenly spread for {folds} folds: give"
            " a smaller cv"
        )
    return [(order[:low], order[low:high]) for low, high in zip(cuts, cuts[1:])]


def _scores(
    trained: NDArray[np.float64],
    observed: NDArray[np.float64],
    dist: Distribution,
    levels: Sequence[float],
    train_weights: NDArray[np.float64] | None,
    given: dict[str, Any],
) -> dict[str, NDArray[np.float64]]:
    """The scores of one fold, one of each target."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MirrorballWarning)  # of samples without spread, once a fold
        nll = metrics.nll(observed, dist, **given)
    found = {
        "crps": metrics.crps(observed, dist, **given),
        "mae": metrics.mae(observed, dist, **given),
        "rmse": metrics.rmse(observed, dist, **given),
        "nll": nll,
    }
    for level in levels:
        found[f"coverage_{100 * level:.6g}"] = metrics.coverage(observed, dist, level, **given)
    for level in levels:
        found[f"width_{100 * level:.6g}"] = metrics.interval_width(dist, level, **given)
    known = _training_distribution(trained, train_weights, len(dist))
    found["training_crps"] = metrics.crps(observed, known, **given)
    found["skill"] = _skill(found["crps"], found["training_crps"])
    return found


def _skill(crps: NDArray[np.float64], training_crps: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 - np.divide(crps, training_crps, out=np.ones_like(crps), where=training_crps > 0)


def _training_distribution(
    trained: NDArray[np.float64], weights: NDArray[np.float64] | None, rows: int
) -> NDArray[np.float64]:
    """Quantiles of the training targets, 200 of each, the same for every row."""
    levels = (np.arange(200) + 0.5) / 200
    columns = []
    for values in trained.T:
        order = np.argsort(values)
        share = np.ones(len(values)) if weights is None else weights[order]
        reached = (np.cumsum(share) - share / 2) / share.sum()
        columns.append(np.interp(levels, reached, values[order]))
    return np.broadcast_to(np.stack(columns, axis=-1), (rows, 200, len(columns)))
