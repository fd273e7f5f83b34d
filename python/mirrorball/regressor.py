"""The scikit-learn estimator."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted
from sklearn.utils.validation import validate_data

from . import _core, frames
from ._core import SUMMARY_SAMPLES
from ._options import OPTION_NAMES, PARAMETERS, Parameters
from .distribution import Distribution
from .explanation import Explanation
from .progress import Bar, words_of
from .settings import count_of, options_of, threads_of

_BLOCK = 2_000_000  # draws made at a time


class MirrorballRegressor(Parameters, RegressorMixin, BaseEstimator):
    __doc__ = f"""Predicts whole distributions: any number of draws from p(y | x), for one target or several jointly.

    Features may be numbers and categories, with gaps: NaN and None are learned as such. X is a numpy array, a pandas
    or polars frame, or anything with the Arrow PyCapsule interface; columns of text and of categorical dtypes are
    categories, times are seconds.

    Parameters
    ----------
{PARAMETERS.rstrip()}

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where X had names that are strings.
    categories_ : dict of str to list of str
        The levels kept of each feature that is a category, the most frequent first.
    target_names_ : list of str
    history_ : list of dict
        For each network the scores by epoch, "train" and "valid", its "best_epoch" from 1, whether it was "stopped",
        and whether it was trained on with all rows ("refit").
    options_ : dict
        All options of the fit, those of the preset included.
    plan_ : dict
        The same options as they were settled for the training rows, with nothing automatic left: epochs, batch, rows held
        out, ... Files of version 0.1 have no record of it: training_rows is 0 there.
    interrupted_ : bool
        Whether Ctrl-C ended the training early.

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import MirrorballRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-1, 1, (300, 1))
    >>> y = X[:, 0] * random.choice([-1, 1], 300) + random.normal(0, 0.05, 300)
    >>> model = MirrorballRegressor(members=1, min_steps=300).fit(X, y)
    >>> model.predict(X[:5]).shape
    (5,)
    >>> model.sample(X[:5], 100).shape
    (5, 100, 1)
    >>> low, high = model.predict_interval(X[:5], 0.9)
    >>> bool((low < high).all())
    True
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        eval_set: tuple | list[tuple] | None = None,
    ) -> MirrorballRegressor:
        """Fits the model.

        Ctrl-C ends training in good order: the best weights so far make the model, and a warning says so.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        y : array or frame of shape (rows,) or (rows, targets)
            Several targets are learned jointly.
        sample_weight : array of shape (rows,), optional
        eval_set : (X, y) or (X, y, sample_weight), optional
            Rows for choosing the best epoch and for calibration, instead of a share of X.

        Returns
        -------
        self
        """
        options = options_of(self)
        train, targets, weight = self._training_table(X, y, sample_weight)
        valid = None if eval_set is None else self._validation_table(_one_set(eval_set), targets, weight)
        with Bar(self.verbose) as bar:

            def show(news: _core.Progress) -> bool:
                bar.show(news.share, words_of(news))
                return True

            model, self.interrupted_ = _core.fit(train, valid, targets, weight, options, show)
        if self.interrupted_:
            warnings.warn(
                f"training was interrupted: {len(model.history())} network(s) with their best weights make the model",
                RuntimeWarning,
                stacklevel=2,
            )
        return self._take(model)

    def predict(self, X: Any, *, samples: int = SUMMARY_SAMPLES, seed: int = 0) -> NDArray[np.float64]:
        """The mean of each row's distribution, of shape (rows,) or (rows, targets)."""
        mean = np.concatenate([dist.mean() for dist in self._blocks(self._known_table(X), samples, seed)])
        return mean if self._flat else mean.reshape(len(mean), -1)

    def predict_quantiles(
        self, X: Any, q: ArrayLike = (0.05, 0.5, 0.95), *, samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> NDArray[np.float64]:
        """Quantiles: of shape (rows, levels), or (rows, levels, targets); one level alone takes its axis away."""
        return np.concatenate([dist.quantile(q) for dist in self._blocks(self._known_table(X), samples, seed)])

    def predict_interval(
        self, X: Any, coverage: float = 0.9, *, samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper end of the central interval, each of shape (rows,) or (rows, targets)."""
        lower, upper = zip(*(dist.interval(coverage) for dist in self._blocks(self._known_table(X), samples, seed)))
        return np.concatenate(lower), np.concatenate(upper)

    def sample(self, X: Any, n: int = 100, seed: int = 0) -> NDArray[np.float64]:
        """n draws for each row, of shape (rows, n, targets). Draw i of all targets is one joint draw."""
        return self._draws(X, n, seed, calibrated=True)

    def functions(self, X: Any, n: int = 20, seed: int = 0) -> NDArray[np.float64]:
        """n sample functions along the rows of X, of shape (rows, n, targets): the noise is held while x varies.

        These are the networks' own draws, smooth in x, before calibration.
        """
        return self._draws(X, n, seed, calibrated=False)

    def predict_dist(self, X: Any, *, samples: int = SUMMARY_SAMPLES, seed: int = 0) -> Distribution:
        """The distribution of each row, held as so many draws: all the questions at once."""
        draws = self._draws(X, samples, seed, calibrated=True)
        return Distribution._of(_core.Predictive(draws, self.target_names_), threads_of(self))

    def explain(
        self,
        X: Any,
        background: Any,
        *,
        of: str = "mean",
        where: str = "",
        target: str | None = None,
        samples: int = SUMMARY_SAMPLES,
        seed: int = 0,
        background_rows: int = 100,
        coalitions: int = 0,
    ) -> Explanation:
        """Why a number that the distribution gives is what it is: Shapley values, by Kernel SHAP.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
            The rows to explain.
        background : array or frame of shape (rows, features)
            Rows to compare with, often training rows; at most ``background_rows`` of them are taken.
        of : str
            ``"mean"``, ``"sd"``, ``"median"``, ``"quantile:0.9"``, ``"width:0.9"`` or ``"region"``, the probability
            of the region.
        where : str, optional
            A region, as ``"y1 > 0.2 and y2 <= 3"``: only the draws that lie in it at the explained row count.
        target : str, optional
            Whose draws, where there are several targets. Left out, it is the one that ``where`` is about.
        coalitions : int, optional
            Sets of features asked for where more than 12 of them differ from the background.

        Examples
        --------
        >>> import numpy as np
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
        >>> model = MirrorballRegressor(members=1, min_steps=300).fit(X, X[:, 0])
        >>> found = model.explain(X[:3], X, samples=100, background_rows=20)
        >>> bool(np.allclose(found.base_values + found.values.sum(axis=1), found.output))
        True
        """
        rows, others = self._known_table(X), self._known_table(background)
        with Bar(self.verbose) as bar:

            def show(share: float) -> None:
                bar.show(share, "explaining")

            found = _core.explain(
                self.model_, rows, others, of, where, target or "", count_of("samples", samples),
                count_of("seed", seed, 0), threads_of(self), True, count_of("background_rows", background_rows),
                count_of("coalitions", coalitions, 0), show,
            )  # fmt: skip
        texts = {column.name for column in self.model_.schema.features if column.kind == "category" or column.dates}
        return Explanation._of(found, texts)

    def crps_score(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, *, samples: int = SUMMARY_SAMPLES
    ) -> float:
        """Minus the mean CRPS (with several targets, energy score) of the rows: higher is better, as scorers are."""
        targets, rows = self._targets(y)[0], 0
        weights = _check_sample_weight(sample_weight, targets, dtype=np.float64, ensure_non_negative=True)
        scores: list[NDArray[np.float64]] = []
        for dist in self._blocks(self._known_table(X), samples, 0):
            scores.append(dist.energy_score(targets[rows : rows + len(dist)]))
            rows += len(dist)
        _check_lengths(rows, len(targets))
        return -float(np.average(np.concatenate(scores), weights=weights))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file: the command line's, in one piece."""
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MirrorballRegressor:
        """Reads a model file, whoever wrote it. The parameters are those of its fit."""
        model = _core.Model.load(os.fspath(path))
        defaults = _core.preset("default")
        values = model.options.values()
        given = {name: values[name] for name in OPTION_NAMES if values[name] != defaults[name]}
        made = cls(**given)
        names = model.features
        made.n_features_in_ = len(names)
        if names != _numbered("x", 0, len(names)):
            made.feature_names_in_ = np.asarray(names, dtype=object)
        made._flat = len(model.targets) == 1
        made.interrupted_ = any(member["stopped"] for member in model.history())
        made._take(model)
        declared = [name for name, levels in made.categories_.items() if all(map(frames.is_number, levels))]
        made.categorical_features = declared or None  # columns of text are known as such
        return made

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.target_tags.multi_output = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _take(self, model: _core.Model) -> MirrorballRegressor:
        self.model_ = model
        self.target_names_ = model.targets
        self.history_ = model.history()
        self.options_ = model.options.values()
        self.plan_ = model.plan
        self.categories_ = {
            column.name: column.categories for column in model.schema.features if column.kind == "category"
        }
        return self

    def _targets(self, y: Any) -> tuple[NDArray[np.float64], list[str] | None, bool]:
        """Targets of shape (rows, targets), their names where they have any, and whether they were one column."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y, names = frames.targets_of(y)
        if getattr(getattr(y, "dtype", None), "kind", "") in ("m", "M"):
            raise ValueError(f"y has dtype {y.dtype}: give numbers, for example seconds")
        y = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y", estimator=self)
        if y.ndim > 2:
            raise ValueError(f"y has {y.ndim} dimensions: one target has 1, several have 2")
        return y.reshape(len(y), -1), names, y.ndim == 1

    def _training_table(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[_core.Table, list[str], str]:
        """Features, targets and weights in one table, with the names of the last two."""
        values, names, self._flat = self._targets(y)
        table = self._feature_table(X, fitting=True)
        if names is None:
            names = ["y"] if values.shape[1] == 1 else _numbered("y", 1, values.shape[1])
        names = _unlike(names, table.names)
        weight = "" if sample_weight is None else _unlike(["sample_weight"], table.names + names)[0]
        _add_targets(table, values, names, weight, sample_weight)
        return table, names, weight

    def _validation_table(self, eval_set: tuple, names: list[str], weight: str) -> _core.Table:
        """The same for rows of the user's own, with the names of the training rows."""
        X, y, *weights = eval_set
        if weights and weights[0] is not None and not weight:
            raise ValueError("eval_set has weights, but the training rows have none: give sample_weight too")
        values = self._targets(y)[0]
        if values.shape[1] != len(names):
            raise ValueError(f"eval_set has {values.shape[1]} target(s), the training rows have {len(names)}")
        table = self._feature_table(X)
        _add_targets(table, values, names, weight, weights[0] if weights else None)
        return table

    def _feature_table(self, X: Any, fitting: bool = False) -> _core.Table:
        """The features of X, checked as scikit-learn does it."""
        if hasattr(X, "collect") and hasattr(X, "lazy") and not hasattr(X, "__arrow_c_stream__"):
            raise ValueError("X is a lazy frame: collect it first, X.collect()")
        return self._arrow_table(X, fitting) if frames.is_arrow(X) else self._array_table(X, fitting)

    def _array_table(self, X: Any, fitting: bool) -> _core.Table:
        """Of an array or a pandas frame."""
        if frames.is_pandas(X):
            validate_data(self, X, reset=fitting, skip_check_array=True)
            _check_rows(len(X), fitting)
        else:
            X = validate_data(
                self,
                frames.mixed(X),
                reset=fitting,
                dtype=None,
                ensure_all_finite="allow-nan",
                ensure_min_samples=_least(fitting),
            )
        names = list(getattr(self, "feature_names_in_", _numbered("x", 0, self.n_features_in_)))
        return frames.table_of(X, names, self._categories(names, fitting))

    def _arrow_table(self, X: Any, fitting: bool) -> _core.Table:
        """Of an Arrow producer, which brings its names."""
        table = frames.arrow_table(X, self._categories(frames.arrow_names(X), fitting))
        _check_rows(len(table), fitting)
        names = table.names
        if names == [""]:
            raise ValueError("Expected 2D array, got 1D array instead: X is one column without a name; give a frame")
        if fitting:
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting {self.n_features_in_} features"
            )
        elif not hasattr(self, "feature_names_in_"):
            words = f"X has feature names, but {type(self).__name__} was fitted without feature names"
            warnings.warn(words, stacklevel=5)
            table.set_names(_numbered("x", 0, len(names)))
        elif names != list(self.feature_names_in_):
            raise ValueError(
                "The feature names should match those that were passed during fit, in the same order: they are"
                f" {', '.join(names)}, and were {', '.join(self.feature_names_in_)}"
            )
        return table

    def _categories(self, names: list[str], fitting: bool) -> list[str]:
        """The columns to take as categories whatever they hold."""
        if not fitting:
            return list(self.categories_) if hasattr(self, "categories_") else self._declared
        self.__dict__.pop("categories_", None)  # of an earlier fit
        self._declared: list[str] = []
        for feature in _listed(self.categorical_features, len(names)):
            if isinstance(feature, str):
                known = not names or feature in names
                self._declared.append(feature)
            else:
                known = -len(names) <= feature < len(names)
                self._declared.append(names[feature] if known else "")
            if not known:
                raise ValueError(
                    f"categorical_features names {feature!r}, but the {len(names)} features are {', '.join(names)}"
                )
        return self._declared

    def _known_table(self, X: Any) -> _core.Table:
        """The features of X, for a fitted model."""
        check_is_fitted(self)
        table = self._feature_table(X)
        for warning in self.model_.warnings(table):
            warnings.warn(warning, stacklevel=3)
        return table

    def _draws(self, X: Any, n: int, seed: int, calibrated: bool) -> NDArray[np.float64]:
        table = self._known_table(X)
        out: NDArray[np.float64] | None = None
        begin = 0
        for dist in self._blocks(table, n, seed, calibrated):
            if out is None:  # a network without noise has fewer draws than were asked for
                out = np.empty((len(table), *dist.draws.shape[1:]))
            out[begin : begin + len(dist)] = dist.draws
            begin += len(dist)
        assert out is not None  # there is a row at least
        return out

    def _blocks(self, table: _core.Table, samples: int, seed: int, calibrated: bool = True) -> Iterator[Distribution]:
        """Some rows at a time, so that the memory of a summary does not grow with the table."""
        samples, seed = count_of("samples", samples), count_of("seed", seed, 0)
        step = min(max(_BLOCK // (samples * len(self.target_names_)), 1), 4096)
        with Bar(self.verbose) as bar:
            for begin in range(0, len(table), step):
                end = min(begin + step, len(table))
                yield self._predict(table, begin, end, samples, seed, calibrated)
                bar.show(end / len(table), f"{end:,} rows")

    def _predict(
        self, table: _core.Table, begin: int, end: int, samples: int, seed: int, calibrated: bool
    ) -> Distribution:
        threads = threads_of(self)
        return Distribution._of(self.model_.predict(table, begin, end, samples, seed, threads, calibrated), threads)


def _listed(features: Any, count: int) -> list:
    """The categorical features as a list of names and places; a mask of booleans says which of all."""
    if features is None:
        return []
    wrong = f"categorical_features is {features!r}: give a list of names or of places, or a mask"
    if isinstance(features, str) or not hasattr(features, "__iter__"):
        raise ValueError(wrong)
    items = [item.item() if isinstance(item, np.generic) else item for item in features]
    if items and all(isinstance(item, bool) for item in items):
        if len(items) != count:
            raise ValueError(f"categorical_features is a mask of {len(items)}, and there are {count} features")
        return [place for place, chosen in enumerate(items) if chosen]
    if not all(isinstance(item, (str, int)) for item in items):
        raise ValueError(wrong)
    return items


def _least(fitting: bool) -> int:
    """Rows that are needed: one trains and one validates."""
    return 2 if fitting else 1


def _check_rows(rows: int, fitting: bool) -> None:
    if rows < _least(fitting):
        raise ValueError(f"Found array with {rows} sample(s) while a minimum of {_least(fitting)} is required")


def _check_lengths(rows: int, targets: int) -> None:
    if rows != targets:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {targets}]")


def _numbered(letter: str, first: int, count: int) -> list[str]:
    return [f"{letter}{i}" for i in range(first, first + count)]


def _unlike(names: list[str], taken: list[str]) -> list[str]:
    """Names with underscores behind those that are taken."""
    out: list[str] = []
    for name in names:
        while name in taken or name in out:
            name += "_"
        out.append(name)
    return out


def _add_targets(
    table: _core.Table, values: NDArray[np.float64], names: list[str], weight: str, sample_weight: ArrayLike | None
) -> None:
    """Adds targets, and weights where there is a name for them; all 1 where they are None."""
    _check_lengths(len(table), len(values))
    for place, name in enumerate(names):
        table.add_numbers(name, values[:, place])
    if weight:
        table.add_numbers(
            weight, _check_sample_weight(sample_weight, values, dtype=np.float64, ensure_non_negative=True)
        )


def _one_set(eval_set: tuple | list) -> tuple:
    """An eval_set may be a list of one."""
    one = eval_set[0] if isinstance(eval_set, list) and len(eval_set) == 1 else eval_set
    if not isinstance(one, tuple) or len(one) not in (2, 3):
        raise ValueError("eval_set must be (X, y) or (X, y, sample_weight)")
    return one
