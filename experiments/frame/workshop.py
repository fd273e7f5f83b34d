"""Where the work is done: fitted models are kept by their settings, so that experiments share them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from mirrorball import MirrorballRegressor, laws

from experiments.frame import store
from tables import data as tables_data
from tables.splits import split_rows


class Data(NamedTuple):
    """Rows to learn from, and a name that says which."""

    name: str
    x: np.ndarray
    y: np.ndarray


class Table(NamedTuple):
    """A split of a real table with all its targets."""

    train: Data
    test: Data
    features: list[str]
    targets: list[str]


def law_data(law: str, seed: int, rows: int | None = None) -> Data:
    """Rows of a known law, as many as in the paper unless told otherwise."""
    rows = laws.get(law).default_rows if rows is None else rows
    return Data(f"{law}, {rows} rows, seed {seed}", *laws.get(law).data(rows, seed=seed))


def split(rows: Data, share: float, seed: int) -> tuple[Data, Data]:
    """All but a share of the rows, at random, and that share."""
    order = np.random.RandomState(seed).permutation(len(rows.y))
    held = round(share * len(order))

    def part(name: str, some: np.ndarray) -> Data:
        return Data(f"{rows.name}, {name} {share:g}", rows.x[some], rows.y[some])

    return part("all but", order[held:]), part("only", order[:held])


@dataclass(frozen=True)
class Workshop:
    """`folder` keeps models and cells, `data` has the tables; `any_data` takes others than those of the committed results.

    `build` says which program it is: models of another one are fitted anew.
    """

    folder: Path
    data: Path
    threads: int = 1
    any_data: bool = False
    build: str = ""

    def model(self, rows: Data, valid: Data | None = None, *, preset: str, **options: Any) -> MirrorballRegressor:
        """The model of these rows and options: read if it was fitted before, else fitted and kept.

        With `valid` these rows make the validation scores, instead of a share of the others.
        """
        names = rows.name if valid is None else [rows.name, valid.name]
        path = self.folder / "models" / f"{store.key(self.build, names, preset, options)}.mirrorball"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            seed = options.pop("random_state", None)
            model = MirrorballRegressor(preset=preset, random_state=seed, n_jobs=self.threads, options=options)
            model.fit(rows.x, rows.y, eval_set=None if valid is None else (valid.x, valid.y)).save(path)
        return MirrorballRegressor.load(path)

    def lacks(self, table: str) -> str | None:
        """Why a table is not to be had; None if it is, maybe fetched just now."""
        try:
            if self.lacks_file(table):
                tables_data.fetch(table, self.data)
            if not self.any_data:
                tables_data.check(table, self.data)
        except (tables_data.MissingTable, tables_data.OtherTable, OSError) as error:
            return str(error)
        return None

    def lacks_file(self, table: str) -> bool:
        return tables_data.find(table, self.data) is None

    def table(self, name: str, split: int = 0) -> Table:
        """A split of `tables`, with all targets. Its validation rows are among those to learn from."""
        path = tables_data.find(name, self.data)
        with tables_data.opened(path) as file:
            names = file.readline().strip().split(",")
            cells = np.loadtxt(file, delimiter=",")
        count = max(1, len(tables_data.SOURCES[name].targets))
        x, y = cells[:, :-count], cells[:, -count:]
        rows = split_rows(len(cells), split)
        learn = np.concatenate([rows.train, rows.valid])
        train, test = (Data(f"{name}, split {split}, {part}", x[some], y[some])
                       for part, some in (("train", learn), ("test", rows.test)))
        return Table(train, test, names[:-count], names[-count:])
