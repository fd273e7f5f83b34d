"""The tables: numbers only, features first, target last. Read from a folder, or fetched into it first."""

from __future__ import annotations

import gzip
import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from tables import synthetic


@dataclass(frozen=True)
class Source:
    """Where a table comes from: its OpenML number, or words for a person where there is none."""

    openml: int | None = None
    targets: tuple[str, ...] = ()  # named only where the source does not say it
    by_hand: str = ""


SOURCES = {
    "california": Source(by_hand="scikit-learn's fetch_california_housing"),
    "concrete": Source(4353),
    "kin8nm": Source(189),
    "power_plant": Source(by_hand="'Combined Cycle Power Plant' of the UCI repository, columns AT, V, AP, RH, PE"),
    "house_sales": Source(42635),
    "elevators": Source(216),
    "bank8fm": Source(572),
    "sulfur": Source(23515, targets=("y1", "y2")),
    "superconduct": Source(43174),
    "ailerons": Source(44137),
}
TABLES = tuple(SOURCES)
# Of the CSV text that the committed results come from, unpacked: splits depend on the order of its rows.
SHA256 = {
    "california": "94ef369b909f5c725340b512b7c9a05c1550a554b6592d29303990e3ba521a1f",
    "concrete": "420062102f0cc80439544ffa5546630b60dc6094b03f2ce744a7d4c333f4d45d",
    "kin8nm": "fa953fd4646f0933034f07022dd3b5919be004edc065ac7715582fbb4ef49849",
    "power_plant": "76855630b59fb9b2ef08e02d5907f8c73f18d97a476ac25f06cca6dd7fe2df21",
    "house_sales": "cbdce70816d6529a9fab10991c2ee06ef41cae73f86d3fdb38e2d19bf1602df3",
    "elevators": "447ed9bd16766531c21b620328e6010d98c2c6a0bccb978158a2a94d9a71d808",
    "bank8fm": "4edba9b79f7b6418cd30618e0dfb82e421e98d3a176a007d2813f824ca6b940a",
    "sulfur": "13ab3eeb7e6dd711cd80ef74ffe58917652b587173604712512879fe76998aef",
    "superconduct": "a982beb1bb570ff475370880acb9971b3302072e46f04fe2f3d35332c9e98a23",
    "ailerons": "d8ddd7a713ab26c2f4448f69447a713d7387a0bfed1f9db821251633426cc300",
}


class MissingTable(Exception):
    """A table is neither in the folder nor to be fetched; the text says how to get it."""


class OtherTable(Exception):
    """A file has another content than the one the committed results come from."""


@dataclass(frozen=True)
class Table:
    """x: rows x features, y: rows; both double precision."""

    name: str
    x: np.ndarray
    y: np.ndarray


def load(name: str, folder: Path) -> Table:
    """A synthetic law by its name, or NAME.csv.gz or NAME.csv of the folder.

    Of several targets the first is taken and the others are left out, as in the paper's tables.
    """
    if name in synthetic.LAWS:
        return Table(name, *synthetic.LAWS[name]())
    path = find(name, folder)
    if path is None:
        raise MissingTable(f"there is no {name}.csv.gz or {name}.csv in {folder}: {how_to_get(name)}")
    with opened(path) as file:
        names = [cell.strip() for cell in file.readline().split(",")]
        try:
            cells = np.loadtxt(file, delimiter=",", ndmin=2)
        except ValueError as error:
            raise ValueError(f"{path}: {error}; the tables must be numbers without gaps") from None
    if cells.shape[1] != len(names):
        raise ValueError(f"{path}: {len(names)} names in the header, {cells.shape[1]} numbers in the rows")
    targets = max(1, len(SOURCES[name].targets)) if name in SOURCES else 1
    return Table(name, cells[:, :-targets], cells[:, -targets])


def check(name: str, folder: Path) -> None:
    """Refuses a file of one of the ten tables that is not the one the committed results come from."""
    path = find(name, folder)
    if path is None or name not in SHA256:
        return
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != SHA256[name]:
        raise OtherTable(f"{path} is not the file that the committed results come from (sha256 of the text {found[:12]}…, "
                         f"expected {SHA256[name][:12]}…): other rows or another order give other splits; --any-data goes on")


def opened(path: Path) -> TextIO:
    """A table's file as text."""
    return gzip.open(path, "rt") if path.suffix == ".gz" else open(path)


def find(name: str, folder: Path) -> Path | None:
    """The file of a table, if it is there."""
    candidates = (folder / f"{name}{ending}" for ending in (".csv.gz", ".csv"))
    return next((path for path in candidates if path.is_file()), None)


def how_to_get(name: str) -> str:
    """One sentence for the person who has no copy."""
    source = SOURCES.get(name, Source())
    if source.openml is not None:
        where = f"OpenML dataset {source.openml}"
    else:
        where = source.by_hand or f"a table of your own ({', '.join(TABLES)} are known)"
    return f"get {where}, save it with a header, numbers only, target last; or name another folder with --data"


def fetch(name: str, folder: Path) -> None:
    """Downloads a table through scikit-learn and writes it as `load` expects it."""
    from sklearn import datasets

    source = SOURCES.get(name, Source())
    warnings.simplefilter("ignore")  # scikit-learn warns of every retry; what counts is said below
    try:
        if name == "california":
            bunch = datasets.fetch_california_housing(as_frame=True)
        elif source.openml is not None:
            bunch = datasets.fetch_openml(data_id=source.openml, as_frame=True, parser="auto")
        else:
            raise MissingTable(f"{name} has no OpenML number: {how_to_get(name)}")
    except (OSError, ValueError) as error:
        raise MissingTable(f"{name} is not to be downloaded ({error}): {how_to_get(name)}") from None
    folder.mkdir(parents=True, exist_ok=True)
    frame = targets_last(bunch, source.targets).drop(columns="id", errors="ignore").apply(as_numbers)
    part = folder / f".{name}.part"
    frame.to_csv(part, index=False, compression="gzip")
    part.rename(folder / f"{name}.csv.gz")


def targets_last(bunch, named: tuple[str, ...]):
    """The frame of a scikit-learn bunch with its targets moved to the end."""
    targets = list(named) or list(bunch.target_names or bunch.frame.columns[-1:])
    return bunch.frame[[column for column in bunch.frame.columns if column not in targets] + targets]


def as_numbers(column):
    """A column as it is if it holds numbers, and days since the earliest if it holds dates."""
    import pandas

    try:
        return pandas.to_numeric(column)
    except (ValueError, TypeError):
        days = pandas.to_datetime(column.astype(str))
        return (days - days.min()).dt.days
