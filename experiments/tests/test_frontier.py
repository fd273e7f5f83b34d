"""The frontier: its rows, tables with text, runs that go on, and the page that the results give."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

from experiments.frontier import __main__, data, page, results, runner, sets
from experiments.frontier.sets import SETS, Cell

PROGRAM = __main__.PROGRAM


@pytest.fixture
def plan(tmp_path):
    """A made-up table of forty rows, with text and missing values, as one of the fifteen."""
    random = np.random.RandomState(0)
    words = ["a", "b", '"c, d"', "e", ""]
    rows = [f"{x:.3f},{'NA' if i % 7 == 0 else i},{words[i % 5]},{x + i % 3:.3f}" for i, x in enumerate(random.normal(size=40))]
    (tmp_path / "more").mkdir()
    with gzip.open(tmp_path / "more" / "machine.csv.gz", "wt", encoding="utf-8-sig") as file:
        file.write("\n".join(["a,b,c,y", *rows]) + "\n")
    said = []
    made = runner.Plan(cells=[Cell("more", "machine", 0, k, "marginal") for k in (0, 1)], data=tmp_path, program=PROGRAM,
                       commit="abc", threads=1, out=tmp_path / "results.csv", say=said.append)
    return made, said


def test_a_run_goes_on_where_it_stopped(plan):
    plan, said = plan
    assert runner.run(replace(plan, cells=plan.cells[:1])) == 0
    first = plan.out.read_text()
    assert runner.run(plan) == 0
    assert plan.out.read_text().startswith(first) and len(results.read(plan.out)) == 2 and len(said) == 2
    assert runner.run(plan) == 0 and len(said) == 2
    record = results.read(plan.out)[plan.cells[0]]
    assert record["status"] == "ok" and record["rows_train"] == "36" and record["rows_test"] == "4" and float(record["crps"]) > 0
    with open(plan.out, "a") as file:
        file.write("more,machine,0,1,marg")  # cut short
    assert len(results.read(plan.out)) == 2


def test_no_time_is_no_fit(plan):
    plan, said = plan
    assert runner.run(replace(plan, minutes=-1)) == 0 and said == ["2 results left for the next run"]


def test_absent_tables_are_named(plan):
    plan, said = plan
    cells = [Cell("S", "california", 500, 0), Cell("B", "diabetes", 0, 1)]
    assert runner.available(cells, plan.data, plan.say) == cells[1:]
    assert "california" in said[0] and "1 of 2 results are left out" in said[0] and "--data" in said[0]
    with pytest.raises(data.MissingTable, match="no california.csv.gz"):
        data.load("california", plan.data)


def test_mirrorball_reads_text_and_gaps(plan):
    if not PROGRAM.is_file():
        pytest.skip(f"there is no {PROGRAM}")
    plan, said = plan
    assert runner.run(replace(plan, cells=[Cell("more", "machine", 0, 0)])) == 0
    [record] = results.read(plan.out).values()
    assert record["samples"] == "500" and record["program"].startswith("mirrorball") and record["commit"] == "abc"
    assert float(record["fit_cpu"]) > 0 and record["program_sha256"]


def test_a_failure_has_a_line(plan):
    plan, _ = plan
    assert runner.run(replace(plan, cells=[Cell("more", "machine", 0, 0)], program=plan.data / "none")) == 1
    [record] = results.read(plan.out).values()
    assert record["status"] == "failed" and "none" in record["error"]


def test_features_are_what_each_package_takes(plan):
    table = data.load("machine", plan[0].data)
    train = np.arange(30)
    assert table.cells.shape == (40, 3) and table.y.dtype == float
    assert data.features(table, "mirrorball", train).x[0, 1] == "NA"
    trees = data.features(table, "lgbm", train)
    assert trees.categorical == (2,) and np.isnan(trees.x[0, 1]) and set(trees.x[:, 2]) == {0, 1, 2, 3, 4}
    boosted = data.features(table, "catboost", train)
    assert boosted.categorical == (2,) and isinstance(boosted.x[0, 2], str) and np.isnan(boosted.x[0, 1])
    forest = data.features(table, "qrf", train)
    assert forest.x.shape == (40, 7) and np.isfinite(forest.x).all() and (forest.x[:, 2:].sum(axis=1) == 1).all()
    assert forest.x[0, 1] == np.median([i for i in range(30) if i % 7])
    rare = data.features(table, "lgbm", np.flatnonzero(table.cells[:, 2] != table.cells[0, 2]))
    assert np.isnan(rare.x[0, 2])  # not among the training rows


@pytest.mark.parametrize("name, subset, rows, train, test", [
    ("B", 0, 60, 50, 10), ("A", 40, 60, 30, 10), ("S", 40, 60, 30, 10), ("D", 0, 60, 54, 6), ("more", 0, 60, 54, 6)])
def test_rows_train_or_test(name, subset, rows, train, test):
    split = sets.split(Cell(name, "any", subset, 1), rows)
    parts = [*split.train, *split.valid, *split.test]
    assert len(set(parts)) == len(parts) == train + test and len(split.test) == test
    other = sets.split(Cell(name, "any", subset, 2), rows)
    assert name == "D" or set(other.test) != set(split.test)


def test_splits_are_the_first_or_those_named():
    assert [cell.k for cell in SETS["B"].cells("B", 2, ["yacht"])] == [1, 2]
    assert [cell.k for cell in SETS["B"].cells("B", [5, 3], ["yacht"])] == [3, 5]
    assert len(SETS["B"].cells("B")) == 30 and len(SETS["S"].cells("S")) == 40 and len(SETS["more"].cells("more")) == 225


def test_folds_are_disjoint():
    tests = np.concatenate([sets.split(Cell("B", "any", 0, k), 61).test for k in range(6)])
    assert sorted(tests) == list(range(61))


def test_a_table_too_small_is_refused():
    with pytest.raises(ValueError, match="has 60 rows, but set A takes 500"):
        sets.split(Cell("A", "any", 500, 0), 60)


def test_yacht_has_the_published_units():
    resistance = np.array([0.01, 0.27, 8.62, 62.42])
    table = data.Table("yacht", np.empty((4, 0), object), np.round(np.log(resistance) - data.LOG_RESISTANCE, 4))
    assert data.as_published(table).y == pytest.approx(resistance)
    other = data.Table("machine", table.cells, table.y)
    assert data.as_published(other) is other


def test_crps_of_no_features_is_that_of_the_training_targets():
    from experiments.frontier.cell import crps_of_no_features

    train, y = np.array([0.0, 3.0, 1.0]), np.array([2.0, -1.0])
    slow = [np.abs(train - one).mean() - np.abs(train[:, None] - train).mean() / 2 for one in y]
    assert crps_of_no_features(train, y) == pytest.approx(np.mean(slow))


def test_page_is_what_the_results_give(tmp_path):
    page.write(tmp_path / "frontier.md")
    assert (tmp_path / "frontier.md").read_text() == page.PAGE.read_text()


def line(table, k, crps, **more):
    scores = dict.fromkeys(results.SCORES, "1") | {"crps": str(crps), "coverage90": "0.9", "rmse": "2"}
    return dict.fromkeys(results.COLUMNS, "") | scores | {
        "set": "B", "table": table, "subset": "0", "k": str(k), "method": "mirrorball", "status": "ok", "rows_train": "2000", "rows_test": "1",
        "fit_cpu": "3", "crps_of_no_features": "5"} | more


def figure(table, k, method, crps):
    return {"set": "B", "table": table, "subset": "", "k": str(k), "method": method, "crps": str(crps), "nll": "", "mse": "", "coverage90": "0.8",
            "fit_seconds": "1", "crps_of_no_features": "5", "source": "some"}


def test_ours_is_compared_on_the_same_folds():
    published = [figure("yacht", 1, "ngboost", 2.0), figure("yacht", 2, "ngboost", 99.0), figure("yacht", 1, "card", 3.0)]
    frontier = page.Frontier([line("yacht", 1, 2.2)], published)
    contest = frontier.contest("B", "yacht", 0)
    assert contest.best == "ngboost" and contest.ratio == pytest.approx(1.1) and (contest.done, contest.splits) == (1, 5)
    shown = page.text(frontier)
    assert "yacht 10.0% to NGBoost" in shown and "4 of 5 splits of yacht" in shown and "set B: diabetes, concrete" in shown and "set A: all tables" in shown
    assert shown.index("What is lost") < shown.index("Overview")


def test_development_tables_stand_apart():
    frontier = page.Frontier([line("yacht", 1, 2.0), line("diabetes", 1, 1.0)], [figure("yacht", 1, "card", 1.0), figure("diabetes", 1, "card", 2.0)])
    assert "| geometric mean, development tables |  |  |  | 2.000 |" in page.text(frontier)
    assert "| geometric mean, other tables |  |  |  | 0.500 |" in page.text(frontier)


def test_published_figures_have_a_source():
    figures = results.published()
    assert {record["source"] for record in figures} == {"silaskoemen/diffgbm", "rizbicki/tabDensityComparisons", "PriorLabs/TabPFN"}
    for name in ("B", "A", "S", "D"):
        assert {(record["table"], int(record["subset"] or 0)) for record in figures if record["set"] == name} == set(SETS[name].tables)


def test_only_mirrorball_runs_on_published_sets(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.argv", ["frontier", "B", "--methods", "lgbm", "--out", str(tmp_path / "results.csv")])
    with pytest.raises(SystemExit, match="only Mirrorball runs there"):
        __main__.main()
