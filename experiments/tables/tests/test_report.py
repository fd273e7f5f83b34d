"""The report, on results made up so that every number in it is known."""

import pytest

from tables import results
from tables.report import geometric, number, write_report
from tables.summary import Summary, rank


def record(table, split, method, crps, fit=1.0, nll=0.0, **more):
    scores = {
        "mae": crps, "rmse": crps, "crps": crps, "crps_median": crps, "nll": nll, "nll_median": nll, "nll_floored": 0,
        "coverage90": 0.9, "width90": 4 * crps, "qice": 0.01,
    }
    if method == "basenn":
        scores |= dict.fromkeys(name for name in scores if name not in ("mae", "rmse"))
    return {
        "table": table, "split": split, "method": method, "status": "ok", "threads": 2, "when": "2024-05-01T00:00:00",
        "machine": {"cpu": "abacus", "cores": 2, "memory_gb": 1}, "versions": {"numpy": "1"}, "wall_seconds": fit,
        "scores": scores, "cpu_seconds": {"fit": fit, "tune": 0.5, "predict": 0.1}, "peak_mb": 100, **more,
    }


def failure(table, split, method):
    whole = record(table, split, method, 1)
    del whole["scores"], whole["cpu_seconds"]
    return whole | {"status": "failed", "error": "out of luck"}


@pytest.fixture
def records():
    return [
        record("concrete", 0, "mirrorball", 1.0), record("concrete", 1, "mirrorball", 3.0),
        record("concrete", 0, "lgbm", 2.0, fit=4), record("concrete", 1, "lgbm", 6.0, fit=4),
        record("concrete", 0, "gp", 0.5, fit=100),
        record("concrete", 0, "basenn", 9.0),
        record("kin8nm", 0, "mirrorball", 1.0, nll=-1), record("kin8nm", 0, "lgbm", 2.0, nll=1),
        failure("kin8nm", 0, "gp"),
        record("kin8nm", 0, "basenn", 9.0),
    ]


def test_methods_are_compared_on_common_splits(records):
    summary = Summary(records)
    assert summary.value("concrete", "mirrorball", "crps") == 2.0
    assert summary.contest("concrete", "crps") == {"mirrorball": 1.0, "lgbm": 2.0, "gp": 0.5}
    assert summary.ratio("lgbm", "mirrorball", "crps") == pytest.approx(2)
    assert summary.ratio("gp", "mirrorball", "crps") == pytest.approx(0.5)
    assert summary.difference("lgbm", "mirrorball", "nll") == pytest.approx(1)


def test_a_rival_that_is_ahead_is_named_on_the_splits_that_both_have(records):
    summary = Summary([*records, record("concrete", 1, "catboost", 2.5)])
    assert summary.behind("concrete", "mirrorball", "crps") == {"gp": 0.5, "catboost": 0.5}
    assert summary.behind("kin8nm", "mirrorball", "crps") == {}
    assert summary.behind("california", "mirrorball", "crps") is None


def test_the_median_time_counts_but_the_tuning_of_the_table():
    entries = [record("concrete", split, "lgbm", 1.0, fit=fit) for split, fit in enumerate((4.0, 3.0, 20.0))]
    entries[1]["cpu_seconds"]["tune"] = 0.0
    summary = Summary(entries)
    assert [summary.value("concrete", "lgbm", stage) for stage in ("fit", "tune", "predict")] == [4.0, 0.5, 0.1]


def test_a_time_below_the_clocks_step_does_not_rule_the_mean():
    assert geometric([0.0, 1.0]) == pytest.approx(0.1)
    assert geometric([0.0, 0.0]) == 0.0 and geometric([]) is None


def test_a_failed_method_is_last_and_a_missing_one_waits(records):
    summary = Summary(records)
    assert summary.average_ranks("crps") == ({"mirrorball": 1.5, "lgbm": 2.5, "gp": 2.0}, 2)
    without = Summary([entry for entry in records if entry["status"] == "ok"])
    assert without.average_ranks("crps")[1] == 1


def test_points_are_ranked_by_errors_only(records):
    summary = Summary(records)
    assert "basenn" not in summary.average_ranks("crps")[0]
    assert "basenn" in summary.average_ranks("mae")[0]


def test_equal_values_share_their_rank():
    assert list(rank([1.0, 2.0, 1.0, 3.0])) == [1.5, 3.0, 1.5, 4.0]


def test_report_has_ours_beside_the_printed(records, tmp_path):
    for entry in records:
        results.append(tmp_path / "results.jsonl", entry)
    text = write_report(tmp_path)
    assert (tmp_path / "report.md").read_text() == text
    assert "<svg" in (tmp_path / "report.svg").read_text()
    # MAE: all on the split that all have, the paper's number in brackets, and ours over both splits at the end.
    assert "| concrete | 1 | 1 | 9 (3.05) | 2 (2.6) | **0.5** (2.68) | 2 |" in text
    assert "| Mirrorball | 2 × 1-2 |" in text and "Not run: DN+ (paper)" in text
    assert "ahead of all on 1 of 2 tables; behind on concrete (Gaussian process by 100.0%)" in text
    assert "less CPU time than that of LightGBM 51 without tuning on 1 of 2" in text
    assert "kin8nm, split 0, Gaussian process: out of luck" in text
    assert "abacus, 2 cores" in text


def test_methods_without_a_common_split_are_not_compared(tmp_path):
    for entry in (record("concrete", 0, "mirrorball", 1.0), record("concrete", 1, "lgbm", 2.0)):
        results.append(tmp_path / "results.jsonl", entry)
    assert "| concrete | 0 |  |  | 1 |" in write_report(tmp_path)


def test_harder_tables_stand_apart(records, tmp_path):
    gaps = [record("concrete", 0, "gaps20", 1.5), failure("kin8nm", 0, "gaps20")]
    for entry in [*records, *gaps, record("concrete", 0, "marginal", 8.0)]:
        results.append(tmp_path / "results.jsonl", entry)
    text = write_report(tmp_path)
    assert "| table | 20% missing | No features |" in text
    assert "| concrete | 1.500 | 8.000 |" in text and "| kin8nm | failed |  |" in text
    assert "gaps20" not in Summary([*records, *gaps]).methods


def test_no_results_is_a_clear_error(tmp_path):
    with pytest.raises(SystemExit, match="tables run"):
        write_report(tmp_path)


@pytest.mark.parametrize("value,text", [
    (0.20384, "0.2038"), (42684.0, "42.68k"), (0.00096491, "9.649E-4"), (-1.5, "-1.5"), (0.0, "0"), (1.3e24, "1.3e+24"),
])
def test_numbers_are_short(value, text):
    assert number(value) == text
