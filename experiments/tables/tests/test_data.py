"""Loading, on small files; downloading, on a bunch made by hand."""

import gzip
import hashlib
from types import SimpleNamespace

import numpy as np
import pandas
import pytest
from sklearn import datasets

from tables import data
from tables.__main__ import available


def test_reads_plain_and_gzipped_files(tmp_path):
    text = "a,b,y\n1,2,3\n4,5,6\n"
    (tmp_path / "mine.csv").write_text(text)
    with gzip.open(tmp_path / "concrete.csv.gz", "wt") as file:
        file.write(text)
    for name in ("mine", "concrete"):
        table = data.load(name, tmp_path)
        np.testing.assert_array_equal(table.x, [[1, 2], [4, 5]])
        np.testing.assert_array_equal(table.y, [3, 6])


def test_sulfur_keeps_its_first_target(tmp_path):
    (tmp_path / "sulfur.csv").write_text("u1,u2,y1,y2\n1,2,3,4\n5,6,7,8\n")
    table = data.load("sulfur", tmp_path)
    np.testing.assert_array_equal(table.x, [[1, 2], [5, 6]])
    np.testing.assert_array_equal(table.y, [3, 7])


def test_gaps_and_text_are_refused(tmp_path):
    for cell in ("", "red"):
        (tmp_path / "bad.csv").write_text(f"a,y\n1,2\n{cell},3\n")
        with pytest.raises(ValueError, match="numbers without gaps"):
            data.load("bad", tmp_path)


def test_a_missing_table_says_how_to_get_it(tmp_path):
    with pytest.raises(data.MissingTable, match="OpenML dataset 4353.*--data"):
        data.load("concrete", tmp_path)


def test_another_file_is_refused_unless_told_to_go_on(tmp_path, monkeypatch):
    text = "a,y\n1,2\n3,4\n"
    (tmp_path / "concrete.csv").write_text(text)
    with pytest.raises(SystemExit, match=r"concrete.csv is not the file .* --any-data"):
        available(["concrete"], tmp_path)
    assert available(["concrete"], tmp_path, any_data=True) == ["concrete"]
    monkeypatch.setitem(data.SHA256, "concrete", hashlib.sha256(text.encode()).hexdigest())
    assert available(["concrete"], tmp_path) == ["concrete"]
    (tmp_path / "concrete.csv").unlink()
    with gzip.open(tmp_path / "concrete.csv.gz", "wt") as file:
        file.write(text)
    assert available(["concrete"], tmp_path) == ["concrete"]  # packed or not: the text counts


def test_every_table_has_a_checksum():
    assert set(data.SHA256) == set(data.TABLES) and all(len(one) == 64 for one in data.SHA256.values())


def test_synthetic_laws_need_no_file(tmp_path):
    table = data.load("crossing", tmp_path)
    assert table.x.shape == (3000, 1) and table.y.shape == (3000,)


def test_fetch_writes_what_load_reads(tmp_path, monkeypatch):
    frame = pandas.DataFrame({
        "id": ["7", "8"], "date": ["20140502T000000", "20140512T000000"], "price": [2.5, 3.5], "rooms": [1, 2],
    })
    bunch = SimpleNamespace(frame=frame, target_names=["price"])
    monkeypatch.setattr(datasets, "fetch_openml", lambda data_id, **_: {42635: bunch}[data_id])
    data.fetch("house_sales", tmp_path / "new")
    table = data.load("house_sales", tmp_path / "new")
    np.testing.assert_array_equal(table.x, [[0, 1], [10, 2]])
    np.testing.assert_array_equal(table.y, [2.5, 3.5])


def test_without_a_network_the_laws_run_instead(tmp_path, monkeypatch, capsys):
    def no_network(**_):
        raise OSError("no network")

    monkeypatch.setattr(datasets, "fetch_openml", no_network)
    monkeypatch.setattr(datasets, "fetch_california_housing", no_network)
    assert available(list(data.TABLES), tmp_path) == ["unimodal", "crossing"]
    said = capsys.readouterr().err
    assert "OpenML dataset 4353" in said and "UCI" in said and "running on unimodal, crossing" in said


def test_a_table_asked_for_by_name_has_no_substitute(tmp_path):
    with pytest.raises(SystemExit, match="no table is to be had of concretE"):
        available(["concretE"], tmp_path)


def test_a_download_that_fails_is_no_reason_to_stop(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "fetch", lambda name, folder: (_ for _ in ()).throw(data.MissingTable(name)))
    (tmp_path / "kin8nm.csv").write_text("a,y\n1,2\n")
    assert available(["concrete", "kin8nm"], tmp_path, any_data=True) == ["kin8nm"]
