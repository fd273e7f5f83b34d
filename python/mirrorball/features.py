"""From X and y to the library's tables, checked as scikit-learn does it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from . import _core, frames
from ._options import Parameters
from ._warnings import warn


@dataclass
class Roles:
    """What the columns of a training table are for, by name; the others are features."""

    targets: list[str]
    weight: str = ""
    group: str = ""
    valid_by: str = ""
    ignore: list[str] = field(default_factory=list)


class FeatureTables(Parameters):
    """What an estimator has to do with its input."""

    n_features_in_: int
    feature_names_in_: NDArray[Any]
    categories_: dict[str, list[str]]
    columns_: Any

    def _targets(self, y: Any) -> tuple[NDArray[np.float64], list[str] | None]:
        """Targets of shape (rows, targets), and their names where they have any.

        One column alone is one target, with the warning of scikit-learn's forests.
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y, names = frames.targets_of(y)
        y = self._numbers(y)
        if y.ndim > 2:
            raise ValueError(f"y has {y.ndim} dimensions: one target has 1, several have 2")
        if y.ndim == 2 and y.shape[1] == 1:
            warn(
                "A column-vector y was passed when a 1d array was expected. Please change the shape of y to"
                " (n_samples,), for example using ravel().",
                DataConversionWarning,
            )
        return y.reshape(len(y), -1), names

    def _numbers(self, y: Any) -> NDArray[np.float64]:
        """y as an array of numbers; words and times are errors that say what to do."""
        kind = getattr(getattr(y, "dtype", None), "kind", "")
        if kind in ("m", "M"):
            what, instead = ("durations", "seconds") if kind == "m" else ("dates", "the days since a fixed date")
            raise ValueError(
                f"y contains {what} (dtype {y.dtype}): only numeric targets are supported; convert it to a number, for"
                f" example {instead}"
            )
        text = frames.first_text(y)
        if text is not None:
            raise ValueError(
                f"y contains text ({text!r}): {type(self).__name__} predicts numbers, classes are not supported. Use a"
                " classifier for classes, or convert the target to numbers"
            )
        return check_array(y, dtype=np.float64, ensure_2d=False, input_name="y", estimator=self)

    def _training_table(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, groups: Any, valid_by: Any
    ) -> tuple[_core.Table, Roles]:
        """Features, targets and all else that a fit takes in one table, and what its columns are for."""
        values, names = self._targets(y)
        table = self._feature_table(X, fitting=True)
        features = table.names
        if names is None:
            names = ["y"] if values.shape[1] == 1 else numbered("y", 1, values.shape[1])
        roles = Roles(unlike(names, features))
        if sample_weight is not None:
            [roles.weight] = unlike(["sample_weight"], features + roles.targets)
        add_targets(table, values, roles, sample_weight)
        if isinstance(groups, str):
            raise ValueError(f"groups is {groups!r}: give the values, one per row, for example groups=X[{groups!r}]")
        if groups is not None:
            [roles.group] = unlike(["groups"], table.names)
            frames.add_column(table, roles.group, groups, "groups", as_category=True)
        self._choose_by(table, features, roles, valid_by)
        return table, roles

    def _choose_by(self, table: _core.Table, features: list[str], roles: Roles, valid_by: Any) -> None:
        """Notes the column whose greatest values are held out: a feature by its name, or one that is added."""
        if isinstance(valid_by, str):
            if valid_by not in features:
                raise ValueError(f"valid_by is {valid_by!r}, but the features are {', '.join(features)}")
            roles.valid_by = valid_by
        elif valid_by is not None:
            [roles.valid_by] = unlike(["valid_by"], table.names)
            frames.add_column(table, roles.valid_by, valid_by, "valid_by")
            roles.ignore = [roles.valid_by]

    def _validation_table(self, eval_set: tuple, roles: Roles) -> _core.Table:
        """The same for rows of the user's own, with the names of the training rows."""
        X, y, *weights = eval_set
        if roles.group or roles.valid_by:
            raise ValueError("eval_set has the validation rows: leave out groups and valid_by")
        if weights and weights[0] is not None and not roles.weight:
            raise ValueError("eval_set has weights, but the training rows have none: give sample_weight too")
        values = self._targets(y)[0]
        if values.shape[1] != len(roles.targets):
            raise ValueError(f"eval_set has {values.shape[1]} target(s), the training rows have {len(roles.targets)}")
        table = self._feature_table(X)
        add_targets(table, values, roles, weights[0] if weights else None)
        return table

    def _feature_table(self, X: Any, fitting: bool = False) -> _core.Table:
        """The features of X."""
        if hasattr(X, "collect") and hasattr(X, "lazy") and not hasattr(X, "__arrow_c_stream__"):
            raise ValueError("X is a lazy frame: collect it first, X.collect()")
        table = self._arrow_table(X, fitting) if frames.is_arrow(X) else self._array_table(X, fitting)
        return table if len(table) or not hasattr(self, "columns_") else self._empty_table()

    def _empty_table(self) -> _core.Table:
        """A table without rows, whose columns have the kinds they had in training."""
        table = _core.Table()
        for column in self.columns_:
            if column.kind == "category":
                table.add_codes(column.name, np.empty(0, np.int32), [])
            else:
                table.add_numbers(column.name, np.empty(0))
        return table

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
        names = list(getattr(self, "feature_names_in_", numbered("x", 0, self.n_features_in_)))
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
            warn(f"X has feature names, but {type(self).__name__} was fitted without feature names", UserWarning)
            table.set_names(numbered("x", 0, len(names)))
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


def numbered(letter: str, first: int, count: int) -> list[str]:
    """
    >>> numbered("x", 0, 2)
    ['x0', 'x1']
    """
    return [f"{letter}{i}" for i in range(first, first + count)]


def unlike(names: list[str], taken: list[str]) -> list[str]:
    """Names with underscores behind those that are taken.

    >>> unlike(["a", "y"], ["y"])
    ['a', 'y_']
    """
    out: list[str] = []
    for name in names:
        while name in taken or name in out:
            name += "_"
        out.append(name)
    return out


def one_set(eval_set: tuple | list) -> tuple:
    """An eval_set may be a list of one."""
    one = eval_set[0] if isinstance(eval_set, list) and len(eval_set) == 1 else eval_set
    if not isinstance(one, tuple) or len(one) not in (2, 3):
        raise ValueError("eval_set must be (X, y) or (X, y, sample_weight)")
    return one


def check_lengths(rows: int, targets: int) -> None:
    if rows != targets:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {targets}]")


def _listed(features: Any, count: int) -> list:
    """The categorical features as a list of names and places; a mask of booleans says which of all."""
    if features is None:
        return []
    wrong = f"categorical_features is {features!r}: give a list of names or of positions, or a mask"
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
    """Rows that are needed: one trains and one validates. Forecasts of no rows are empty."""
    return 2 if fitting else 0


def _check_rows(rows: int, fitting: bool) -> None:
    if rows < _least(fitting):
        raise ValueError(f"Found array with {rows} sample(s) while a minimum of {_least(fitting)} is required")


def add_targets(
    table: _core.Table, values: NDArray[np.float64], roles: Roles, sample_weight: ArrayLike | None = None
) -> None:
    """Adds targets, and weights where there is a name for them; all 1 where they are None."""
    check_lengths(len(table), len(values))
    if values.shape[1] != len(roles.targets):
        raise ValueError(f"y has {values.shape[1]} target(s), the model has {len(roles.targets)}")
    for place, name in enumerate(roles.targets):
        table.add_numbers(name, values[:, place])
    if roles.weight:
        table.add_numbers(
            roles.weight, _check_sample_weight(sample_weight, values, dtype=np.float64, ensure_non_negative=True)
        )
