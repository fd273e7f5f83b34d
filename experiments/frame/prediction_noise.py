"""What independent instead of evenly spread noise in prediction changes, by one network per table that predicts in both ways."""

from __future__ import annotations

from experiments.frame.experiment import Numbers
from tables.summary import Summary

SCORES = {"crps": "mean CRPS", "crps_median": "median CRPS", "mae": "MAE", "rmse": "RMSE", "nll_median": "median NLL"}
METHOD = "paper"  # whose committed scores are of evenly spread noise


def change(found: Numbers, name: str) -> dict[str, float]:
    """By table, in shares of the score; of the NLL the difference."""
    pairs = {table: scores[name] for table, scores in found["tables"].items()}
    return {table: independent - even if is_logarithm(name) else independent / even - 1 for table, (even, independent) in pairs.items()}


def is_logarithm(name: str) -> bool:
    return name.startswith("nll")


def told(found: Numbers) -> str:
    """The smallest and the largest change over the tables, score by score."""
    said = []
    for name, label in SCORES.items():
        changes = change(found, name).values()
        said.append(f"{label} " + " to ".join(f"{end:+.3f}" if is_logarithm(name) else f"{end:+.1%}" for end in (min(changes), max(changes))))
    return ", ".join(said)


def applied(summary: Summary, found: Numbers) -> Summary:
    """The scores of the tables, with those of DN+ changed table by table."""
    changes = {name: change(found, name) for name in SCORES}

    def changed(table: str, scores: dict) -> dict:
        new = {name: scores[name] + by_table[table] if is_logarithm(name) else scores[name] * (1 + by_table[table])
               for name, by_table in changes.items() if table in by_table}
        return scores | new

    return Summary(record | {"scores": changed(record["table"], record["scores"])}
                   if record["method"] == METHOD and record["status"] == "ok" else record for record in summary.cells.values())
