"""The paper's sentences about its tables, judged."""

from __future__ import annotations

import pytest
from tables.methods import METHODS
from tables.summary import Summary
from tables.verdicts import PAPERS, verdicts

SCORES = ("mae", "rmse", "crps", "crps_median", "nll", "nll_median")


def summary_of(scale: dict[str, float], fit: dict[str, float]) -> Summary:
    """Two tables; every score of a method is its scale, which is 1 where it is not named."""
    records = []
    for table in ("california", "concrete"):
        for place, method in enumerate(("mirrorball", *PAPERS)):
            value = scale.get(method, 1.0 + 0.01 * place)
            scores = {name: None if method == "basenn" and name not in ("mae", "rmse") else value for name in SCORES}
            records.append({"table": table, "split": 0, "method": method, "status": "ok", "scores": scores,
                            "cpu_seconds": {"fit": fit.get(method, 1.0)}, "peak_mb": 1})
    return Summary(records)


def holds(summary: Summary) -> dict[str, bool]:
    return {verdict.paper: verdict.holds for verdict in verdicts(summary)}


def test_the_six_methods_of_the_paper():
    assert {METHODS[name].printed for name in PAPERS} == {"DN+", "BaseNN", "LGBM", "QRF", "NGB", "GP"}


def test_as_the_paper_prints():
    found = holds(summary_of({"mirrorball": 0.5, "lgbm": 0.8, "paper": 0.91, "basenn": 2.0}, {"paper": 12.8}))
    assert found["DN+ has a lower MAE and RMSE than the base network of the same size"]
    assert found["point forecasts: LightGBM is best, the base network worst"]
    assert found["DN+ costs 12.8 times as much as the base network"]
    assert found["LightGBM 51 is best on average in CRPS"] and not found["DN+ (paper) is best on average in NLL"]
    assert found["not in the paper: Mirrorball's default options are better on average in CRPS than the paper's methods"]


@pytest.mark.parametrize("reduction, agrees", [(0.09, True), (0.044, False), (0.2, False), (-0.1, False)])
def test_a_reduction_must_be_near_the_printed_one(reduction, agrees):
    found = holds(summary_of({"basenn": 1.0, "paper": 1.0 - reduction}, {}))
    assert found["the reduction is 8% of the MAE and 10% of the RMSE"] == agrees
    assert found["DN+ has a lower MAE and RMSE than the base network of the same size"] == (reduction > 0)


def test_a_lost_table_is_said():
    lines = verdicts(summary_of({"mirrorball": 3.0}, {}))
    assert not any(line.holds for line in lines if line.paper.startswith("not in the paper"))


def test_a_tie_is_no_first_place():
    found = holds(summary_of({"mirrorball": 0.5, "lgbm": 0.8, "paper": 0.8}, {}))
    assert not found["LightGBM 51 is best on average in CRPS"] and not found["DN+ (paper) is best on average in NLL"]
