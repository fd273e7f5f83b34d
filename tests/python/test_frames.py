"""Frames of all kinds give the same table, and so the same model, to the bit."""

from __future__ import annotations

import datetime
import decimal
import io

import numpy as np
import pytest

from conftest import SMALL

from mirrorball import MirrorballRegressor, _core, frames

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROWS = 120
RANDOM = np.random.default_rng(3)
COLUMNS = {
    "number": RANDOM.normal(size=ROWS),
    "narrow": 2000 + RANDOM.uniform(0, 20, ROWS).round(2),
    "count": RANDOM.integers(0, 9, ROWS),
    "colour": RANDOM.choice(["red", "green", "blue"], ROWS).astype(object),
}
TARGET = np.where(COLUMNS["colour"] == "red", 3.0, 0.0) + COLUMNS["number"] + RANDOM.normal(0, 0.1, ROWS)


class StreamOnly:
    def __init__(self, table):
        self.held = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.held.__arrow_c_stream__()


class ArrayOnly:
    def __init__(self, table):
        self.held = table.combine_chunks().to_batches()[0]

    def __arrow_c_array__(self, requested_schema=None):
        return self.held.__arrow_c_array__()


def arrow(**changes):
    return pa.table({**COLUMNS, **changes})


FRAMES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas category": lambda: pd.DataFrame(COLUMNS).astype({"colour": "category"}),
    "pandas string": lambda: pd.DataFrame(COLUMNS).astype({"colour": "string"}),
    "pandas nullable": lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas pyarrow": lambda: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda: pl.DataFrame({**COLUMNS, "colour": list(COLUMNS["colour"])}),
    "polars categorical": lambda: pl.DataFrame({**COLUMNS, "colour": list(COLUMNS["colour"])}).with_columns(
        pl.col("colour").cast(pl.Categorical)
    ),
    "polars enum": lambda: pl.DataFrame({**COLUMNS, "colour": list(COLUMNS["colour"])}).with_columns(
        pl.col("colour").cast(pl.Enum(["blue", "red", "green", "never"]))
    ),
    "pyarrow": arrow,
    "pyarrow dictionary": lambda: arrow(colour=pa.array(COLUMNS["colour"]).dictionary_encode()),
    "pyarrow large string": lambda: arrow(colour=pa.array(COLUMNS["colour"], pa.large_string())),
    "pyarrow string view": lambda: arrow(colour=pa.array(COLUMNS["colour"], pa.string_view())),
    "chunks": lambda: pa.concat_tables([arrow().slice(0, 7), arrow().slice(7, 60), arrow().slice(67)]),
    "stream": lambda: StreamOnly(arrow()),
    "one array": lambda: ArrayOnly(arrow()),
}


@pytest.fixture(scope="module")
def tiny():
    return dict(networks=1, width=8, n_jobs=1, options=dict(waves=2, min_steps=60, forest=4, gaussian_process=0, boosting=0))


@pytest.fixture(scope="module")
def expected(tiny, tmp_path_factory):
    """The model of the same table as CSV, by the library's own reader."""
    path = tmp_path_factory.mktemp("frames") / "data.csv"
    pd.DataFrame({**COLUMNS, "y": TARGET}).to_csv(path, index=False)
    options = _core.Options()
    for name, value in {"networks": 1, "width": 8, "threads": 1, **tiny["options"]}.items():
        options.set(name, str(value))
    return _core.fit(_core.Table.read(str(path)), None, ["y"], "", options, None)[0].to_bytes()


@pytest.mark.parametrize("kind", FRAMES)
def test_all_frames_give_one_model(kind, tiny, expected):
    model = MirrorballRegressor(**tiny).fit(FRAMES[kind](), TARGET)
    assert list(model.feature_names_in_) == list(COLUMNS)
    assert model.n_features_in_ == 4
    assert set(model.categories_) == {"colour"}
    assert model.model_.to_bytes() == expected
    other = next(name for name in FRAMES if name != kind)
    if not (kind.startswith("pandas") or other.startswith("pandas")):
        assert (model.predict(FRAMES[other]()) == model.predict(FRAMES[kind]())).all()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "stream"])
def test_targets_of_all_kinds(kind, tiny):
    X = RANDOM.normal(size=(60, 2))
    Y = {"first": X[:, 0] + 1.0, "second": X[:, 1] - X[:, 0]}
    make = {
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
        "pyarrow": pa.table,
        "stream": lambda y: StreamOnly(pa.table(y)),
    }
    model = MirrorballRegressor(**tiny).fit(X, make[kind](Y))
    assert model.target_names_ == ["first", "second"]
    plain = MirrorballRegressor(**tiny).fit(X, np.column_stack(list(Y.values())))
    assert (plain.predict(X) == model.predict(X)).all()


def test_a_series_gives_its_name(tiny):
    X = RANDOM.normal(size=(60, 2))
    for y in (pd.Series(X[:, 0], name="price"), pl.Series("price", X[:, 0])):
        model = MirrorballRegressor(**tiny).fit(X, y)
        assert model.target_names_ == ["price"]
        assert model.predict(X).shape == (60,)
    frame = pd.DataFrame(X, columns=["price", "y"])
    assert MirrorballRegressor(**tiny).fit(frame, frame["price"]).target_names_ == ["price_"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", ["rows", "columns", "slice", "backwards", "readonly"])
def test_floats_of_all_layouts(dtype, layout):
    matrix = RANDOM.normal(size=(50, 6)).astype(dtype)
    X = {
        "rows": matrix,
        "columns": np.asfortranarray(matrix),
        "slice": matrix[::2, 1::2],
        "backwards": matrix[::-1],
        "readonly": matrix.copy(),
    }[layout]
    X.flags.writeable = layout != "readonly"
    table = frames.table_of(X, [f"c{i}" for i in range(X.shape[1])])
    for i in range(X.shape[1]):
        np.testing.assert_array_equal(table.numbers(f"c{i}"), X[:, i])


def column(values, categories=()):
    table = frames.table_of(pd.DataFrame({"c": values}), ["c"], categories)
    return table.categories("c") if table.is_category("c") else table.numbers("c").tolist()


def polars_column(values):
    table = frames.arrow_table(pl.DataFrame({"c": values}))
    return table.categories("c") if table.is_category("c") else table.numbers("c").tolist()


def test_kinds_of_columns():
    nan = pytest.approx(np.nan, nan_ok=True)
    assert column(pd.array([1, None, 3], "Int64")) == [1, nan, 3]
    assert column(pd.array([0.5, None], "Float32")) == [0.5, nan]
    assert column(pd.array([True, None, False], "boolean")) == [1, nan, 0]
    assert column([True, False]) == [1, 0]
    assert column(pd.array(["a", None, "b", "a"], "string")) == ["a", "b"]
    assert column(["a", None, np.nan, "b"]) == ["a", "b"]
    assert column(pd.Categorical([3, 1, 3, None])) == ["3", "1"]
    assert column(pd.Categorical(["x", "y"], categories=["unused", "y", "x"])) == ["x", "y"]
    assert column([1, 2.5, None]) == [1, 2.5, nan]
    assert column(pd.Series([1, "b", 2.5], dtype=object)) == ["1", "b", "2.5"]
    assert column(pd.Series([decimal.Decimal("1.5"), None], dtype=object)) == [1.5, nan]
    assert column([3.0, 1.0, 3.0], categories=["c"]) == ["3", "1"]
    assert column(pd.Series([None, None], dtype=object)) == [nan, nan]


def test_times_are_seconds():
    nan = pytest.approx(np.nan, nan_ok=True)
    instants = [datetime.datetime(2020, 1, 1, 0, 0, 30, 500000), None]
    seconds = [1577836830.5, nan]
    for unit in ("s", "ms", "us", "ns"):
        whole = [1577836830.0 if unit == "s" else 1577836830.5, nan]
        assert column(pd.Series(instants).astype(f"datetime64[{unit}]")) == whole
    assert column(pd.Series(instants).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")) == seconds
    assert column(pd.Series(instants, dtype=object)) == seconds
    assert polars_column(instants) == seconds
    assert polars_column(pl.Series(instants).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")) == seconds
    dates = [datetime.date(1970, 1, 3), None]
    assert column(pd.Series(dates, dtype=object)) == [2 * 86400, nan]
    assert polars_column(dates) == [2 * 86400, nan]
    spans = [datetime.timedelta(hours=1, milliseconds=250), None]
    assert column(pd.Series(spans)) == [3600.25, nan]
    assert polars_column(spans) == [3600.25, nan]
    assert polars_column([datetime.time(1, 0, 1)]) == [3601]
    table = frames.table_of(np.array([["2020-01-02"], ["NaT"]], "datetime64[D]"), ["c"])
    assert table.numbers("c").tolist() == [1577923200, nan]


def test_numpy_objects_and_texts(tiny):
    X = np.column_stack([COLUMNS["number"].astype(object), COLUMNS["colour"]])
    model = MirrorballRegressor(**tiny).fit(X, TARGET)
    assert set(model.categories_) == {"x1"}
    assert sorted(model.categories_["x1"]) == ["blue", "green", "red"]
    texts = MirrorballRegressor(**tiny).fit(COLUMNS["colour"].astype(str).reshape(-1, 1), TARGET)
    assert set(texts.categories_) == {"x0"}


def test_lists_of_numbers_and_texts(tiny):
    rows = [[number, colour] for number, colour in zip(COLUMNS["number"].tolist(), COLUMNS["colour"])]
    assert set(MirrorballRegressor(**tiny).fit(rows, TARGET).categories_) == {"x1"}


def test_numbers_as_categories(tiny):
    X = np.column_stack([COLUMNS["count"], COLUMNS["number"]])
    by_place = MirrorballRegressor(**tiny, categorical_features=[0]).fit(X, TARGET)
    assert set(by_place.categories_) == {"x0"}
    assert set(by_place.categories_["x0"]) == set("012345678")
    assert by_place.predict(X[:5]).shape == (5,)
    frame = pl.DataFrame({"count": COLUMNS["count"], "number": COLUMNS["number"]})
    for features in (["count"], [0], [-2]):
        model = MirrorballRegressor(**tiny, categorical_features=features).fit(frame, TARGET)
        assert (model.predict(frame) == by_place.predict(X)).all()
    with pytest.raises(ValueError, match="names 'colour', but the 2 features are count, number"):
        MirrorballRegressor(**tiny, categorical_features=["colour"]).fit(frame, TARGET)
    with pytest.raises(ValueError, match="names 2, but the 2 features are x0, x1"):
        MirrorballRegressor(**tiny, categorical_features=[2]).fit(X, TARGET)


def test_gaps_and_new_levels_are_predicted(tiny):
    model = MirrorballRegressor(**tiny).fit(pd.DataFrame(COLUMNS), TARGET)
    row = pd.DataFrame({"number": [np.nan], "narrow": [2001.0], "count": [1], "colour": ["violet"]})
    with pytest.warns(UserWarning, match="none of the values of 'colour'"):
        assert np.isfinite(model.predict(row)).all()
    row["colour"] = None
    assert np.isfinite(model.predict(row)).all()


def test_names_are_checked(tiny):
    frame = pl.DataFrame({"a": COLUMNS["number"], "b": COLUMNS["narrow"]})
    model = MirrorballRegressor(**tiny).fit(frame, TARGET)
    with pytest.raises(ValueError, match="they are b, a, and were a, b"):
        model.predict(frame.select("b", "a"))
    with pytest.raises(ValueError, match="X has 1 features, but MirrorballRegressor is expecting 2"):
        model.predict(frame.select("a"))
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        from_array = model.predict(frame.to_numpy())
    assert (from_array == model.predict(frame)).all()
    nameless = MirrorballRegressor(**tiny).fit(frame.to_numpy(), TARGET)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert (nameless.predict(frame) == nameless.predict(frame.to_numpy())).all()


def test_a_csv_of_the_same_digits_is_the_same(tiny):
    """float32 columns come back from text as they were."""
    values = RANDOM.normal(size=(80, 2)).astype(np.float32)
    text = io.StringIO()
    pd.DataFrame(values, columns=["a", "b"]).to_csv(text, index=False)
    again = pd.read_csv(io.StringIO(text.getvalue()))
    y = values[:, 0].astype(float)
    first = MirrorballRegressor(**tiny).fit(values, y).predict(values)
    assert (MirrorballRegressor(**tiny).fit(again.to_numpy(), y).predict(values) == first).all()


def test_errors():
    with pytest.raises(ValueError, match=r"column 'c' has the Arrow type '\+L'|'\+l'"):
        frames.arrow_table(pl.DataFrame({"c": [[1, 2], [3]]}))
    with pytest.raises(TypeError, match="column 'c': the argument must be a string or a number, not 'dict'"):
        column(pd.Series([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="column 'c' has dtype complex128"):
        frames.table_of(pd.DataFrame({"c": [1j]}), ["c"])


def test_a_mask_of_categories(data):
    X, y = data
    coarse = np.column_stack([X[:, 0], np.round(X[:, 1])])  # with -0 and 0
    masked = MirrorballRegressor(categorical_features=[False, True], **SMALL).fit(coarse, y)
    assert sorted(masked.categories_["x1"]) == ["-1", "0", "1"] and set(masked.categories_) == {"x1"}
    for wrong in ("x1", 1, [1.5], [True]):
        with pytest.raises(ValueError, match="categorical_features is"):
            MirrorballRegressor(categorical_features=wrong, **SMALL).fit(coarse, y)


def test_levels_of_any_kind(data):
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "part": pd.qcut(X[:, 1], 3)})
    assert len(MirrorballRegressor(**SMALL).fit(frame, y).categories_["part"]) == 3


def test_a_row_alone_is_the_row_among_others(fitted, data):
    X, _ = data
    together = fitted.sample(X[:40], 7)
    for row in range(40):
        np.testing.assert_array_equal(fitted.sample(X[row : row + 1], 7)[0], together[row])
