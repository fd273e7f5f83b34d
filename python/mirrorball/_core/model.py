"""Models, and the fit that makes them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ._library import Library, Owner, Progress, Text, Texts, bytes_of, json_of, made_by
from .options import Options
from .predictive import Predictive
from .table import Table
from .work import Work


@dataclass(frozen=True)
class ColumnSchema:
    """One column of a model, as it was in training."""

    name: str
    kind: str  #: "number" or "category"
    dates: bool  #: whether the numbers are dates, in seconds since 1970
    transform: str | None  #: how a number is transformed; None for a category
    by_value: bool  #: whether it enters by its value as well as by its rank
    categories: list[str]  #: those kept, most frequent first
    missing: bool  #: whether training rows had missing values here
    median: float
    limits: list[float] | None  #: of a target, the range that its samples can have
    _quantile: Callable[[float], float] = field(repr=False, compare=False)

    def training_quantile(self, probability: float) -> float:
        """The training value at a probability."""
        return self._quantile(probability)


@dataclass(frozen=True)
class Schema:
    """The features of a model in their order, and its targets."""

    features: list[ColumnSchema]
    targets: list[ColumnSchema]


@dataclass(frozen=True)
class Calibration:
    """How the samples of one target are corrected."""

    forest_weight: float
    process_weight: float
    boost_weight: float
    spread: float
    tail_weight: float
    tail_spread: float
    interval: float


class Model(Owner):
    """A fitted model: immutable, safe to use from several threads."""

    _free = Library.model_free

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return json_of(Library.model_facts, self)

    @property
    def targets(self) -> list[str]:
        return list(self._facts["targets"])

    @property
    def features(self) -> list[str]:
        return list(self._facts["features"])

    @property
    def options(self) -> Options:
        return Options._owning(made_by(Library.model_options, self))

    @property
    def plan(self) -> dict[str, Any]:
        """Every option as it was settled for the training rows."""
        return dict(self._facts["plan"])

    @property
    def schema(self) -> Schema:
        return Schema(self._columns("features"), self._columns("targets"))

    @property
    def calibration(self) -> list[Calibration]:
        """One for each target; empty where the samples are the networks' own."""
        return [Calibration(**one) for one in self._facts["calibration"]]

    @property
    def parameters(self) -> int:
        return self._facts["parameters"]

    @property
    def fit_report(self) -> dict[str, Any] | None:
        """The error on held-out rows; None where there is no estimate."""
        return self._facts["fit_report"]

    @property
    def weak_fits(self) -> list[str]:
        """A sentence for each target that is predicted no better than by the training distribution."""
        return self._facts["weak_fits"]

    @property
    def training_rows(self) -> int:
        return self._facts["training_rows"]

    def warnings(self, table: Table) -> list[str]:
        """What looks wrong about a table that `predict` takes without complaint, a sentence each."""
        return json_of(Library.model_warnings, self, table)

    def nearby(self, table: Table, rows: Table, feature: int) -> list[int]:
        """How many rows of a table are near each of these, which differ in one feature; empty where the table is too small."""
        return json_of(Library.model_nearby, self, table, rows, feature)

    def history(self) -> list[dict[str, Any]]:
        """One dict per network: train and valid by epoch, best_epoch, stopped, refit."""
        arrays = ("train", "valid")
        return [
            {name: np.array(value, dtype=np.float64) if name in arrays else value for name, value in network.items()}
            for network in self._facts["history"]
        ]

    def description(self) -> str:
        """The header of the model file, as JSON text."""
        return bytes_of(Library.model_description, self).decode()

    def save(self, path: str) -> None:
        Library.model_save(self, Text.of(os.fsencode(path)))

    @classmethod
    def load(cls, path: str) -> Model:
        return cls._owning(made_by(Library.model_load, Text.of(os.fsencode(path))))

    def to_bytes(self) -> bytes:
        """The model file, in memory."""
        return bytes_of(Library.model_to_bytes, self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        return cls._owning(made_by(Library.model_from_bytes, Text.of(data)))

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, state: bytes) -> None:
        self._as_parameter_ = made_by(Library.model_from_bytes, Text.of(state))

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def predict(
        self,
        table: Table,
        begin: int,
        end: int,
        samples: int,
        seed: int = 0,
        threads: int = 0,
        calibrated: bool = True,
    ) -> Predictive:
        """Samples for rows [begin, end) of a table."""
        return Predictive._owning(
            made_by(Library.model_predict, self, table, begin, end, samples, seed, threads, calibrated)
        )

    def _columns(self, which: str) -> list[ColumnSchema]:
        def quantile(place: int) -> Callable[[float], float]:
            def at(probability: float) -> float:
                value = ctypes.c_double()
                Library.model_training_quantile(self, which == "targets", place, probability, ctypes.byref(value))
                return value.value

            return at

        columns = self._facts["schema"][which]
        return [
            ColumnSchema(**{**column, "categories": list(column["categories"])}, _quantile=quantile(place))
            for place, column in enumerate(columns)
        ]


def fit(
    train: Table,
    valid: Table | None,
    targets: Sequence[str],
    weight: str,
    options: Options,
    progress: Callable[[Progress], Any] | None,
    group: str = "",
    valid_by: str = "",
    ignore: Sequence[str] = (),
    parts: bytes | None = None,
) -> tuple[Model, bool]:
    """Fits a model and uses up the tables. Returns it and whether Ctrl-C ended the training early.

    `progress` is called with news and ends training by returning false. `group` and `valid_by` are columns that choose
    the rows held out. `parts` are networks that `fit_part` has trained.
    """
    roles = Texts.of(targets), Text.of(weight), Text.of(group), Text.of(valid_by), Texts.of(ignore)
    if parts is None:
        work = Work(Library.fit, train, valid, *roles, options)
    else:
        work = Work(Library.fit_of_parts, train, valid, *roles, options, Text.of(parts))
    stopped_by = work.watch(progress or (lambda _: True))
    if stopped_by is not None and not isinstance(stopped_by, KeyboardInterrupt):
        raise stopped_by
    return Model._owning(made_by(Library.fit_model, work)), stopped_by is not None


def fit_part(
    train: Table,
    valid: Table | None,
    targets: Sequence[str],
    weight: str,
    options: Options,
    phase: str,
    network: int,
    parts: bytes,
) -> bytes:
    """Trains one network of a fit, from 0, in the phase "training" or, given all parts of the first, "refit".

    Uses up the tables. The parts of a fit are joined as bytes.
    """
    roles = Texts.of(targets), Text.of(weight), Text.of(""), Text.of(""), Texts.of(())
    work = Work(Library.fit_part, train, valid, *roles, options, Text.of(phase), network, Text.of(parts))
    stopped_by = work.watch(lambda _: True)
    if stopped_by is not None:
        raise stopped_by
    return bytes_of(Library.fit_part_bytes, work)


def fit_warnings(table: Table, targets: Sequence[str]) -> list[str]:
    """What looks wrong about the targets of a table, a sentence each."""
    return json_of(Library.fit_warnings, table, Texts.of(targets))
