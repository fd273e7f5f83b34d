"""What an experiment is: cells of work, numbers made from what they left, one figure, one section of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Settings = dict[str, Any]
Result = dict[str, np.ndarray]  # what a cell leaves: numbers and arrays by name
Results = dict[str, Result]  # by the name of the cell
Numbers = dict[str, Any]  # JSON


@dataclass(frozen=True)
class Cell:
    """A piece of work that is lost or kept as a whole: `work(workshop, **settings)`.

    Name and settings are its identity: a cell with the same ones is not run again.
    """

    name: str
    work: Callable[..., Result]
    settings: Settings = field(default_factory=dict)


def by_seed(work: Callable[..., Result], key: str, names: Iterable[str], settings: Settings) -> list[Cell]:
    """A cell "NAME SEED" for each of `names`, which `work` takes as `key`, and each of the settings' seeds."""
    return [
        Cell(f"{name} {seed}", work, {key: name, "seed": seed} | settings["fit"])
        for seed in range(settings["seeds"])
        for name in names
    ]


class Claim(NamedTuple):
    """What the paper says or its text lets expect, what we found, and whether that agrees.

    None: the two cannot be compared, and `ours` says why.
    """

    paper: str
    ours: str
    holds: bool | None


@dataclass(frozen=True, eq=False)
class Experiment:
    """`full` is what `make paper` runs, `quick` a small version of it for the tests; both go to `cells`."""

    name: str
    title: str
    about: str  # the module's docstring: its first line, then data and settings in words
    caption: str  # of the figure
    full: Settings
    quick: Settings
    cells: Callable[[Settings], list[Cell]]
    numbers: Callable[[Settings, Results], Numbers]
    draw: Callable[[Numbers, Results], Figure]
    claims: Callable[[Numbers], list[Claim]]
    section: Callable[[Numbers], list[str]]  # tables and what they mean, in Markdown
    table: str | None = None  # a data table that it needs
    drawn_from_numbers: bool = False  # `draw` takes nothing of the cells: the figure can be made again from the record
    complete: Callable[[Numbers], bool] = lambda numbers: True  # whether the figure can be drawn: a record may keep older numbers without parts of it
