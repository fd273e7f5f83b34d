"""Whole cells, in processes of their own, with the one method that needs no rival."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tables import __main__, results, runner
from tables.__main__ import numbers, parser
from tables.runner import Plan, chosen_before, too_slow


@pytest.fixture
def plan(tmp_path):
    rows = np.random.RandomState(0).normal(size=(60, 3))
    np.savetxt(tmp_path / "mine.csv", rows, delimiter=",", header="a,b,y", comments="")
    return Plan(
        tables=["mine"], splits=[0, 1], methods=["marginal"], threads=1, time_limit=60, slow_after=60,
        data=tmp_path, out=tmp_path / "out", program=Path("/nowhere/mirrorball"),
    )


def lines(plan):
    return plan.results_path.read_text().splitlines()


def test_a_cell_is_recorded_in_full(plan):
    assert runner.run(replace(plan, splits=[0])) == 0
    (record,) = results.read(plan.results_path).values()
    assert record["status"] == "ok"
    assert record["rows"] == {"train": 49, "valid": 5, "test": 6}
    assert record["scores"]["crps"] > 0
    assert set(record["seconds"]) == {"fit", "predict"}
    assert record["peak_mb"] > 10 and record["threads"] == 1 and record["machine"]["cores"] >= 1
    assert "numpy" in record["versions"]


def test_what_is_done_is_not_run_again(plan):
    runner.run(replace(plan, splits=[0]))
    first = lines(plan)
    runner.run(plan)
    assert lines(plan)[:1] == first and len(lines(plan)) == 2
    runner.run(plan)
    assert len(lines(plan)) == 2
    assert plan.left() == [] and len(replace(plan, splits=[0, 1, 2]).left()) == 1
    runner.run(replace(plan, redo=True))
    assert len(lines(plan)) == 4


def test_a_crash_costs_one_cell(plan):
    assert runner.run(replace(plan, splits=[0], methods=["mirrorball", "marginal"])) == 1
    read = results.read(plan.results_path)
    assert read["mine", 0, "mirrorball"]["status"] == "failed"
    assert "/nowhere/mirrorball" in read["mine", 0, "mirrorball"]["error"]
    assert read["mine", 0, "mirrorball"]["commit"]  # which program it was
    assert read["mine", 0, "marginal"]["status"] == "ok" and "commit" not in read["mine", 0, "marginal"]
    runner.run(replace(plan, splits=[0], methods=["mirrorball", "marginal"], retry=True))
    assert len(lines(plan)) == 3


def test_a_cell_over_the_time_limit_is_stopped(plan):
    assert runner.run(replace(plan, splits=[0], time_limit=0)) == 1
    (record,) = results.read(plan.results_path).values()
    assert record["status"] == "timeout" and "--time-limit" in record["error"]


def test_a_slow_method_runs_one_split(plan):
    assert runner.run(replace(plan, slow_after=-1)) == 0
    assert set(results.read(plan.results_path)) == {("mine", 0, "marginal")}


def record(seconds, **more):
    return {"status": "ok", "threads": 2, "cpu_seconds": {"fit": seconds, "predict": 0}, "chosen": {}} | more


def test_slowness_is_told_per_table_and_method():
    done = {("a", 0, "gp"): record(200)}
    assert too_slow(("a", 1, "gp"), done, 50)
    assert not too_slow(("a", 0, "gp"), done, 50)
    assert not too_slow(("b", 1, "gp"), done, 50)
    assert not too_slow(("a", 1, "lgbm"), done, 50)
    assert not too_slow(("a", 1, "gp"), done, 150)


def test_a_later_split_takes_over_what_the_first_chose():
    done = {
        ("a", 2, "qrf"): record(1, chosen={"leaf": 3}),
        ("a", 1, "qrf"): record(1, chosen={"leaf": 1}),
        ("a", 0, "qrf"): {"status": "failed"},
    }
    assert chosen_before(("a", 3, "qrf"), done) == {"leaf": 1}
    assert chosen_before(("a", 1, "qrf"), done) == {}
    assert chosen_before(("b", 1, "qrf"), done) == {}


def test_what_is_redone_is_tuned_anew(plan, monkeypatch):
    seen = []

    def run_cell(_, cell, chosen):
        seen.append((cell[1], chosen))
        table, split, method = cell
        return record(1, table=table, split=split, method=method, chosen={"leaf": len(seen)}, wall_seconds=1,
                      scores={"crps": 1.0})

    monkeypatch.setattr(runner, "run_cell", run_cell)
    runner.run(plan)
    runner.run(replace(plan, redo=True))
    assert seen == [(0, {}), (1, {"leaf": 1}), (0, {}), (1, {"leaf": 3})]


def test_ctrl_c_ends_in_one_line(monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(__main__, "run_verb", interrupted)
    monkeypatch.setattr("sys.argv", ["tables", "run"])
    assert __main__.main() == 130
    assert capsys.readouterr().err == "\nstopped; the next run goes on from here\n"


def test_one_number_of_splits_is_a_count():
    assert numbers("2") == [0, 1]
    assert numbers("0,4") == [0, 4]
    assert numbers("2,0,2") == [2, 0]


@pytest.mark.parametrize("text, why", [("0", "0 is below 1"), ("-1,2", "-1 is below 0")])
def test_splits_that_cannot_be_are_refused(text, why, capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["run", f"--splits={text}"])
    assert why in capsys.readouterr().err
