"""The program of the package: its own process, its signals, and files that pyarrow reads for it."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import mirrorball
from mirrorball import MirrorballRegressor

pa = pytest.importorskip("pyarrow")
import pyarrow.feather
import pyarrow.parquet

PROGRAM = pathlib.Path(sys.executable).with_name("mirrorball")
FLAGS = ["--networks", "1", "--width", "8", "--min-steps", "60", "--forest", "4", "--threads", "1"]
FLAGS += ["--gaussian-process", "0", "--boosting", "0", "--quiet"]


def run(*words, **settings):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, **settings)


def done(*words):
    found = run(*words)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_it_is_the_program():
    assert done("--version") == f"mirrorball {mirrorball.__version__}\n"
    same = subprocess.run([sys.executable, "-m", "mirrorball", "--version"], capture_output=True, text=True, check=True)
    assert same.stdout == done("--version")
    bad = run("fti")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "did you mean 'fit'" in bad.stderr


def test_it_takes_the_process_over(tmp_path):
    """Python is gone, and so are its ways with signals."""
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{i},{i % 7}\n" for i in range(500)))
    words = ["fit", "x.csv", "--target", "y", "--out", "m", "--epochs", "100000", "--patience", "-1"]
    child = subprocess.Popen([PROGRAM, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(300):
            if os.readlink(f"/proc/{child.pid}/exe").endswith("_core/mirrorball"):
                break
            time.sleep(0.1)
        else:
            pytest.fail("it is still Python")
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=120)
    finally:
        child.kill()
    assert child.returncode == 130, err
    assert (tmp_path / "m").exists()


ROWS = 200
RANDOM = np.random.default_rng(5)
NUMBER = RANDOM.normal(size=ROWS)
ZONE = RANDOM.choice(["01", "02", 'a, "b"\nc', " d"], ROWS)
DAY = [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(i)) for i in range(ROWS)]
COLUMNS = {
    "number": pa.array([None if i % 9 == 0 else x for i, x in enumerate(NUMBER)]),
    "half": pa.array(NUMBER.astype(np.float16)),
    "big": pa.array([2**60 + i * 2**40 for i in range(ROWS)]),
    "flag": pa.array([bool(i % 3 == 0) for i in range(ROWS)]),
    "zone": pa.array([None if i % 11 == 0 else text for i, text in enumerate(ZONE)]),
    "shade": pa.array(RANDOM.choice(["light", "dark"], ROWS)).dictionary_encode(),
    "day": pa.array(DAY),
    "instant": pa.array([1_700_000_000_123 + 86_400_000 * i for i in range(ROWS)], pa.timestamp("ms", "Asia/Tokyo")),
    "clock": pa.array([datetime.time(i % 24, i % 60, 1) for i in range(ROWS)], pa.time64("us")),
    "span": pa.array([datetime.timedelta(seconds=i, milliseconds=250) for i in range(ROWS)]),
    "money": pa.array([decimal.Decimal(i) / 100 for i in range(ROWS)], pa.decimal128(9, 2)),
    "nothing": pa.nulls(ROWS),
    "y": pa.array(NUMBER + (ZONE == "01")),
}

WRITERS = {
    "parquet": lambda table, path: pyarrow.parquet.write_table(table, path, row_group_size=70),
    "feather": lambda table, path: pyarrow.feather.write_feather(table, path, chunksize=70),
    "arrow": lambda table, path: write_stream(table, path),
}


def write_stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table, 70)


@pytest.fixture(scope="module")
def expected():
    """The model that Python makes of the same columns."""
    options = dict(networks=1, width=8, n_jobs=1, options=dict(min_steps=60, forest=4, gaussian_process=0, boosting=0))
    table = pa.table(COLUMNS)
    return MirrorballRegressor(**options).fit(table.drop_columns(["y"]), table["y"].to_numpy())


@pytest.mark.parametrize("kind", WRITERS)
def test_types_stay(kind, tmp_path, expected):
    path = tmp_path / f"data.{kind}"
    WRITERS[kind](pa.table(COLUMNS), path)
    found = run("fit", path, "--target", "y", "--out", tmp_path / "model", *FLAGS)
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "model").read_bytes() == expected.model_.to_bytes()
    means = done("predict", tmp_path / "model", path, "--mean").split()
    np.testing.assert_allclose(
        [float(mean) for mean in means[1:]], expected.predict(pa.table(COLUMNS).drop_columns(["y"])), rtol=1e-5
    )
    scores = json.loads(done("score", tmp_path / "model", path, "--json"))
    assert scores["rows"] == ROWS


def test_a_pattern_of_files_is_one_table(tmp_path, expected):
    table = pa.table(COLUMNS)
    for place, (begin, count) in enumerate([(0, 90), (90, ROWS)]):
        pyarrow.parquet.write_table(table.slice(begin, count), tmp_path / f"part-{place}.parquet")
    done("fit", tmp_path / "part-*.parquet", "--target", "y", "--out", tmp_path / "model", *FLAGS)
    assert (tmp_path / "model").read_bytes() == expected.model_.to_bytes()


def test_options_name_files_too(tmp_path):
    table = pa.table({"x": NUMBER, "y": 2 * NUMBER})
    pyarrow.parquet.write_table(table, tmp_path / "valid.parquet")
    (tmp_path / "train.csv").write_text("x,y\n" + "".join(f"{x},{2 * x}\n" for x in NUMBER.tolist()))
    valid = f"--valid={tmp_path / 'valid.parquet'}"
    done("fit", tmp_path / "train.csv", "--target", "y", valid, "--out", tmp_path / "model", *FLAGS)


def test_columns_that_are_no_values_are_left_out(tmp_path):
    table = pa.table({"x": NUMBER, "tags": [["a"]] * ROWS, "__index_level_0__": range(ROWS), "y": NUMBER})
    pyarrow.parquet.write_table(table, tmp_path / "data.parquet")
    found = run("fit", tmp_path / "data.parquet", "--target", "y", "--out", tmp_path / "model", *FLAGS)
    assert found.returncode == 0
    assert "column 'tags' is left out" in found.stderr
    assert MirrorballRegressor.load(tmp_path / "model").model_.features == ["x"]


def test_text_dates_are_dates(tmp_path):
    """As in a CSV file; and a column that only begins with dates is text."""
    days = [str(day) for day in DAY]
    table = pa.table({"day": days, "mixed": [*days[:-1], "later"], "y": NUMBER})
    pyarrow.parquet.write_table(table, tmp_path / "data.parquet", row_group_size=70)
    done("fit", tmp_path / "data.parquet", "--target", "y", "--out", tmp_path / "model", *FLAGS)
    day, mixed = MirrorballRegressor.load(tmp_path / "model").model_.schema.features
    assert (day.kind, day.dates, mixed.kind) == ("number", True, "category")


def test_errors(tmp_path):
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(pa.table({"x": NUMBER, "y": NUMBER}), path)
    words = ["fit", path, "--target", "y", "--out", tmp_path / "model", *FLAGS]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "without")}
    (tmp_path / "without" / "pyarrow").mkdir(parents=True)
    (tmp_path / "without" / "pyarrow" / "__init__.py").write_text("raise ImportError('not here')")
    found = run(*words, env=environment)
    assert found.returncode == 2
    assert re.fullmatch(r"mirrorball: .*data.parquet is a Parquet file, and .*: pip install pyarrow\n", found.stderr)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    found = run(*words)
    assert found.returncode == 2
    assert "data.parquet: " in found.stderr and "Traceback" not in found.stderr


def test_the_program_alone_names_the_way(tmp_path):
    for kind, write in WRITERS.items():
        path = tmp_path / f"data.{kind}"
        write(pa.table({"x": NUMBER, "y": NUMBER}), path)
        alone = pathlib.Path(mirrorball.__file__).with_name("_core") / "mirrorball"
        found = subprocess.run(
            [alone, "fit", path, "--target", "y", "--out", tmp_path / "model"], capture_output=True, text=True
        )
        assert found.returncode == 2
        assert "run `pip install mirrorball-ml pyarrow`, then the same command" in found.stderr
