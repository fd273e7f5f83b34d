"""The report's page, and the explorer on this machine."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from ._library import Library, Owner, ReportRequest, Text, made_by, texts_of
from .model import Model
from .table import Table
from .work import Work


class ReportParts(NamedTuple):
    """A report: the page, its numbers as JSON, and what it says first."""

    html: str
    numbers: str
    summary: list[str]
    warnings: list[str]


def report(
    model: Model,
    table: Table,
    title: str,
    model_name: str,
    data_name: str,
    rows: int,
    explained: int,
    samples: int,
    seed: int,
    threads: int,
    progress: Callable[[float], Any],
) -> ReportParts:
    """How a model does on a table, with or without the targets in it."""
    names = (Text.of(text) for text in (title, model_name, data_name))
    request = ReportRequest(*names, rows, explained, samples, seed, threads)
    work = Work(Library.report, model, table, ctypes.byref(request))

    def show(news: Any) -> bool:
        progress(news.share)
        return True

    stopped_by = work.watch(show)
    if stopped_by is not None:
        raise stopped_by
    html, numbers, words = (text.decode() for text in texts_of(Library.report_parts, 3, work))
    return ReportParts(html, numbers, **json.loads(words))


class Explorer(Owner):
    """A model that is served on this machine, until it is freed."""

    _free = Library.explorer_free

    def __init__(self, model: Model, name: str, background: Table | None, port: int, threads: int) -> None:
        """`background` is emptied."""
        bytes_ = Text.of(model.to_bytes())
        self._as_parameter_ = made_by(Library.explorer_new, bytes_, Text.of(name), background, port, threads)

    @property
    def port(self) -> int:
        return Library.explorer_port(self)
