"""Dates written as ISO text are dates, in frames as in files."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import SMALL

from mirrorball import MirrorballRegressor, _core, frames

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TINY = {**SMALL, "networks": 1}
ROWS = 80
DAYS = pd.date_range("2023-11-05", periods=ROWS, freq="31h")
FORMATS = {
    "day": [f"{day:%Y-%m-%d}" for day in DAYS],
    "minute": [f"{day:%Y-%m-%d %H:%M}" for day in DAYS],
    "zone": [f"{day:%Y-%m-%dT%H:%M:%S}+01:00" for day in DAYS],
}
Y = np.sin(np.arange(ROWS) / 9)


def columns(missing):
    texts = {name: list(values) for name, values in FORMATS.items()}
    for values in texts.values():
        values[3] = missing
    return {**texts, "size": np.linspace(0, 1, ROWS)}


FRAMES = {
    "pandas": lambda: pd.DataFrame(columns(None)),
    "pandas objects": lambda: pd.DataFrame(columns(None)).astype(object),
    "pandas string": lambda: pd.DataFrame(columns(pd.NA)).astype(dict.fromkeys(FORMATS, "string")),
    "word for missing": lambda: pd.DataFrame(columns("NaT")),
    "polars": lambda: pl.DataFrame(columns(None)),
    "pyarrow": lambda: pa.table(columns(None)),
    "large string": lambda: pa.table({k: pa.array(v, pa.large_string() if k != "size" else None) for k, v in columns(None).items()}),
    "chunks": lambda: pa.concat_tables([pa.table(columns(None)).slice(0, 30), pa.table(columns(None)).slice(30)]),
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory, program):
    """The command line's model of the same table as CSV."""
    folder = tmp_path_factory.mktemp("dates")
    pd.DataFrame({**columns(None), "y": Y}).to_csv(folder / "data.csv", index=False)
    given = {"networks": 1, "width": TINY["width"], **TINY["options"], "threads": 1}
    flags = [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), value)]
    program("fit", folder / "data.csv", "--target", "y", "--out", folder / "model", "--quiet", *flags)
    return (folder / "model").read_bytes()


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_gives_the_model_of_the_file(kind, expected):
    frame = FRAMES[kind]()
    model = MirrorballRegressor(**TINY).fit(frame, Y)
    assert [column.kind for column in model.columns_] == ["date", "date", "date", "number"]
    assert model.model_.to_bytes() == expected
    real = pd.DataFrame(columns(None)).assign(**{name: pd.to_datetime(pd.Series(columns(None)[name])) for name in FORMATS})
    assert (model.predict(frame) == MirrorballRegressor(**TINY).fit(real, Y).predict(real)).all()


def is_category(values):
    table = frames.table_of(pd.DataFrame({"c": values}), ["c"])
    arrow = frames.arrow_table(pl.DataFrame({"c": values}, strict=False))
    assert table.is_category("c") == arrow.is_category("c")
    return table.is_category("c")


def test_what_is_a_date():
    assert not is_category(["2024-02-29", None, "2023-01-01T10:00:00Z"])
    assert is_category(["2024-02-29", "2023-02-29"])  # no such day
    assert is_category(["2024-02-29", "soon"])
    assert is_category(["2024", "2025"])  # texts of numbers stay categories
    assert is_category(["01/02/2024", "03/02/2024"])


def test_columns_of_missing_text_alone_are_missing_numbers():
    table = frames.arrow_table(pa.table({"c": pa.array([None, None], pa.string())}))
    assert np.isnan(table.numbers("c")).all()


def test_declared_dates_and_categorical_dtypes_are_categories(tmp_path):
    frame = pd.DataFrame({"day": FORMATS["day"][:4] * 20, "size": np.linspace(0, 1, ROWS)})
    for declared in (frame, pl.from_pandas(frame)):
        model = MirrorballRegressor(**TINY, categorical_features=["day"]).fit(declared, Y)
        assert sorted(model.categories_["day"]) == FORMATS["day"][:4]
        model.save(tmp_path / "model")
        loaded = MirrorballRegressor.load(tmp_path / "model")
        assert loaded.categorical_features == ["day"]
        assert (loaded.predict(declared) == model.predict(declared)).all()
    assert set(MirrorballRegressor(**TINY).fit(frame.astype({"day": "category"}), Y).categories_) == {"day"}


def test_a_model_of_dates_takes_text_later(tmp_path):
    real = pd.DataFrame({"day": DAYS.normalize(), "size": np.linspace(0, 1, ROWS)})
    model = MirrorballRegressor(**TINY).fit(real, Y)
    text = real.assign(day=FORMATS["day"])
    assert (model.predict(text) == model.predict(real)).all()
    assert (model.predict(pl.from_pandas(text)) == model.predict(real)).all()
    with pytest.raises(ValueError, match="'day' contains text"):
        model.predict(text.assign(day="someday"))


def test_the_table_says_that_it_holds_dates():
    table = _core.Table()
    table.add_texts("day", ["2024-02-29", ""])
    np.testing.assert_array_equal(table.numbers("day"), [1709164800, np.nan])
