"""The results file survives crashes."""

import pytest

from tables import results


def record(split, **more):
    return {"table": "concrete", "split": split, "method": "gp", **more}


def test_last_line_of_a_cell_wins(tmp_path):
    path = tmp_path / "deep" / "results.jsonl"
    for value in (1, 2):
        results.append(path, record(0, value=value))
    results.append(path, record(1))
    assert len(path.read_text().splitlines()) == 3
    read = results.read(path)
    assert len(read) == 2 and read["concrete", 0, "gp"]["value"] == 2


def test_a_torn_line_costs_its_own_cell_only(tmp_path):
    path = tmp_path / "results.jsonl"
    results.append(path, record(0))
    with path.open("a") as file:
        file.write('{"table": "concrete", "spl')
    results.append(path, record(2))
    assert set(results.read(path)) == {("concrete", 0, "gp"), ("concrete", 2, "gp")}


def test_numbers_that_are_none_are_never_written(tmp_path):
    with pytest.raises(ValueError):
        results.append(tmp_path / "results.jsonl", record(0, value=float("nan")))
    assert results.read(tmp_path / "results.jsonl") == {}


def test_two_runs_do_not_share_a_file(tmp_path):
    path = tmp_path / "results.jsonl"
    with results.only_writer(path), pytest.raises(SystemExit, match="another run"), results.only_writer(path):
        pass
    with results.only_writer(path):
        pass
