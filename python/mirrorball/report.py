"""What a fitted model has to say about itself: its error on held-out rows, and its columns."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _core
from ._html import page, sentence, table
from ._numbers import plain_text
from .features import Roles

__all__ = ["Column", "Columns", "FitReport"]

_NAMED = 5  # categories that a line names
_TITLES = ("CRPS", "training CRPS", "skill", "MAE", "90% coverage", "90% width")


class FitReport(Mapping[str, Any]):
    """The error of a model on rows that were held out of its training, in the target's units.

    A mapping with ``rows``, ``kind`` (``"validation"`` or ``"conformal"``: which held-out rows these are),
    ``cross_fitted`` (a row is scored with the calibration of other rows) and ``targets``: for each target ``crps``,
    ``mae`` (of the median), ``coverage_90`` and ``width_90`` (of the 90% interval), ``training_crps`` (the CRPS of the
    distribution of the training targets, the same for every row) and ``skill`` (1 - crps / training_crps). It prints
    as a table.

    Examples
    --------
    >>> report = FitReport({"rows": 50, "kind": "validation", "cross_fitted": True, "targets": {"price": {
    ...     "crps": 1.25, "mae": 1.5, "coverage_90": 0.92, "width_90": 7.5, "training_crps": 5.0, "skill": 0.75}}})
    >>> report
    error on 50 validation rows
              CRPS  training CRPS  skill  MAE  90% coverage  90% width
    price     1.25              5    75%  1.5           92%        7.5
    >>> report["targets"]["price"]["crps"]
    1.25
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        rows = {name: _cells(scores) for name, scores in self["targets"].items()}
        return f"error on {self['rows']:,} {self['kind']} rows\n" + table_text(_TITLES, rows)

    def _repr_html_(self) -> str:
        return page(self._table())

    def _table(self) -> str:
        rows = [[name, *_cells(scores)] for name, scores in self["targets"].items()]
        return sentence(f"Error on {self['rows']:,} {self['kind']} rows") + table(["", *_TITLES], rows)


def _cells(scores: Mapping[str, float]) -> list[str]:
    return [
        plain_text(scores["crps"]),
        plain_text(scores["training_crps"]),
        f"{scores['skill']:.0%}",
        plain_text(scores["mae"]),
        f"{100 * scores['coverage_90']:.3g}%",
        plain_text(scores["width_90"]),
    ]


def table_text(titles: Sequence[str], rows: Mapping[str, Sequence[str]], left: int = 8, corner: str = "") -> str:
    """Lines with a name and right-aligned cells, under their titles."""
    names = max([left, len(corner), *map(len, rows)])
    widths = [max([len(title), *(len(cells[k]) for cells in rows.values())]) for k, title in enumerate(titles)]

    def line(name: str, cells: Sequence[str]) -> str:
        return f"{name:<{names}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths))

    return "\n".join([line(corner, titles), *(line(name, cells) for name, cells in rows.items())])


def fit_report_of(model: _core.Model) -> FitReport | None:
    """The report of a model; None where fewer than 10 rows were held out, and for files of version 0.1."""
    return None if model.fit_report is None else FitReport(model.fit_report)


@dataclass(frozen=True)
class Column:
    """One feature of a model, as it was in training.

    Attributes
    ----------
    name : str
    kind : {"number", "date", "category"}
    missing : bool
        Whether training rows had missing values there.
    categories : list of str
        Those kept, the most frequent first; empty for numbers and dates.
    low, median, high : float
        Of the training values, dates in seconds since 1970; NaN for categories. Where the feature is only shifted and
        scaled (``input_transform="standard"``), low and high are the 0.1% and 99.9% quantiles of a normal distribution.

    Examples
    --------
    >>> Column("colour", "category", False, ["red", "green"])
    colour: category with 2 categories (red, green)
    """

    name: str
    kind: str
    missing: bool
    categories: list[str] = field(default_factory=list)
    low: float = float("nan")
    median: float = float("nan")
    high: float = float("nan")

    def __repr__(self) -> str:
        return f"{self.name}: {self.kind} {self._detail()}{', with missing values' if self.missing else ''}"

    def _detail(self) -> str:
        if self.kind == "category":
            count = len(self.categories)
            named = ", ".join(self.categories[:_NAMED]) + (", …" if count > _NAMED else "")
            return f"with {count} categor{'y' if count == 1 else 'ies'} ({named})"
        low, median, high = (self._shown(value) for value in (self.low, self.median, self.high))
        return f"from {low} to {high}, median {median}"

    def _shown(self, value: float) -> str:
        if self.kind != "date":
            return f"{value:.6g}"
        instant = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=round(value))
        return instant.date().isoformat() if self.high - self.low > 86400 else instant.isoformat(" ")


class Columns(tuple[Column, ...]):
    """The features of a model in their order; prints one line each.

    Examples
    --------
    >>> columns = Columns([Column("colour", "category", True, ["red"]), Column("size", "number", False, [], 1, 2, 4)])
    >>> columns
    colour: category with 1 category (red), with missing values
    size: number from 1 to 4, median 2
    >>> columns["size"].kind
    'number'
    """

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """A feature by its name or position."""
        if isinstance(key, str):
            for column in self:
                if column.name == key:
                    return column
            raise KeyError(key)
        return super().__getitem__(key)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        return page(self._table())

    def _table(self) -> str:
        return table(["", "", ""], [[one.name, one.kind, one._detail()] for one in self], left=3)


def columns_of(model: _core.Model) -> Columns:
    """The features of a model."""
    return Columns(map(_column, model.schema.features))


def _column(schema: _core.ColumnSchema) -> Column:
    if schema.kind == "category":
        return Column(schema.name, "category", schema.missing, schema.categories)
    low, high = schema.training_quantile(0), schema.training_quantile(1)
    return Column(schema.name, "date" if schema.dates else "number", schema.missing, [], low, schema.median, high)


def column_warnings(table: _core.Table, roles: Roles, declared: Collection[str]) -> list[str]:
    """What looks wrong about a training table, as the command line prints it."""
    others = {*roles.targets, roles.weight, roles.group, *roles.ignore}
    features = [name for name in table.names if name not in others]
    found = []
    for name in features:
        hint = table.column_hint(name, name in declared)
        if hint and (table.is_category(name) or len(features) > 1):  # a number that is alone is meant
            found.append(hint)
    return found + _core.fit_warnings(table, roles.targets)


def model_warnings(model: _core.Model) -> list[str]:
    """What looks wrong about a fit, as the command line prints it."""
    options = model.options.values()
    if model.calibration or options["calibrate"] == "none":
        return model.weak_fits
    if options["architecture"] == "point":
        return ["not calibrated: a point network predicts a single number", *model.weak_fits]
    return [f"not calibrated: fewer than 30 validation rows ({model.plan['validation_rows']})", *model.weak_fits]
