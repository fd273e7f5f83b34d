"""Shapley values."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import ExplainQuestion, ExplainRequest, Library, Owner, Text, json_of, made_by
from .arrays import pointer
from .model import Model
from .table import Table
from .work import Work


class Explanation(Owner):
    """Shapley values of some rows."""

    _free = Library.explanation_free

    features: list[str]
    cells: list[str]  #: what stands in the table, rows x features; empty where a value is missing
    background: list[int]  #: rows of the background that were used
    exact: bool
    coalitions: int
    rows: int
    _numbers: list[NDArray[np.float64]]

    @classmethod
    def _owning(cls, pointer_: ctypes.c_void_p) -> Explanation:
        made = super()._owning(pointer_)
        vars(made).update(json_of(Library.explanation_facts, made))
        each = (made.rows, len(made.features))
        shapes = (each, *3 * [(made.rows,)], each)
        made._numbers = [np.empty(shape) for shape in shapes]
        Library.explanation_numbers(made, *map(pointer, made._numbers))
        return made

    def values(self) -> NDArray[np.float64]:
        return self._numbers[0]

    def base(self) -> NDArray[np.float64]:
        return self._numbers[1]

    def output(self) -> NDArray[np.float64]:
        return self._numbers[2]

    def errors(self) -> NDArray[np.float64]:
        return self._numbers[4]

    def probability(self) -> NDArray[np.float64]:
        return self._numbers[3]


#: Gets one array of samples per target, each of shape (rows, samples). As what is explained it returns one number per
#: row, as a region an array of the same shape: which samples lie inside.
SampleFunction = Callable[..., Any]


def name_of(asked: str | SampleFunction) -> str:
    """What was asked for, as text; of a function its name."""
    return asked if isinstance(asked, str) else getattr(asked, "__name__", "function").replace("<lambda>", "function")


def _answer(function: SampleFunction, asked: ExplainQuestion) -> None:
    """Writes what the function says to the question."""
    doubles = ctypes.POINTER(ctypes.c_double)
    shape = (asked.rows, asked.targets, asked.count)
    samples = np.ctypeslib.as_array(ctypes.cast(ctypes.c_void_p(asked.samples), doubles), shape)
    samples = samples.copy()  # the library's own are gone when the function may still have them
    expected = (asked.rows, asked.count) if asked.inside else (asked.rows,)
    found = np.asarray(function(*(samples[:, t] for t in range(asked.targets))))
    if found.shape != expected:
        what = "where" if asked.inside else "of"
        raise ValueError(f"the function given as {what} returned an array of shape {found.shape}; expected {expected}")
    answers = np.ctypeslib.as_array(ctypes.cast(asked.answers, doubles), (found.size,))
    answers[:] = found.astype(bool).ravel() if asked.inside else found
    if not np.isfinite(answers).all():
        raise ValueError("the function given as of returned a value that is not finite: return numbers")


def _share_inside(where: SampleFunction) -> SampleFunction:
    """The probability of a region as a number of each row."""

    def share(*samples: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.asarray(where(*samples), dtype=bool)
        if inside.shape != samples[0].shape:
            raise ValueError(
                f"the function given as where returned an array of shape {inside.shape}; expected {samples[0].shape}"
            )
        return inside.mean(axis=1)

    return share


def explain(
    model: Model,
    table: Table,
    background: Table,
    of: str | SampleFunction,
    where: str | SampleFunction,
    target: str,
    samples: int,
    seed: int,
    threads: int,
    calibrated: bool,
    background_rows: int,
    coalitions: int,
    progress: Callable[[float], Any] | None,
) -> Explanation:
    """Why a number that the samples give is what it is, in every row of a table."""
    share_of = callable(where) and of == "region"
    if callable(where) and of == "region":
        of, where = _share_inside(where), ""
    names = ("mean" if callable(of) else of, "" if callable(where) else where, target)
    texts = (Text.of(name) for name in names)
    question = ExplainQuestion()
    request = ExplainRequest(
        *texts, samples, seed, background_rows, coalitions, threads, calibrated, callable(of), callable(where),
        ctypes.pointer(question),
    )  # fmt: skip
    work = Work(Library.explain, model, table, background, ctypes.byref(request))

    def show(news: Any) -> bool:
        if question.samples:
            _answer(where if question.inside else of, question)  # type: ignore[arg-type]
        elif progress is not None:
            progress(news.share)
        return True

    stopped_by = work.watch(show)
    if stopped_by is not None:
        raise stopped_by
    found = Explanation._owning(made_by(Library.explanation, work))
    if share_of:
        found.probability()[:] = found.output()
    return found
