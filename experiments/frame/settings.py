"""The paper's network in its synthetic experiments, as options."""

from __future__ import annotations

from typing import Any

#: What `as_printed` means, as the records of the experiments have it.
AS_PRINTED = {"transforms": "none", "prediction_noise": "independent"}


def as_printed(seed: int, **options: Any) -> dict[str, Any]:
    """One network, x and y as they are, all rows, every epoch: nothing is held out and nothing chosen.

    The preset has independent noise in training and in prediction.
    """
    raw = AS_PRINTED["transforms"]
    printed = {"input_transform": raw, "target_transform": raw, "valid_fraction": 0.0}
    return {"preset": "paper", **printed, "random_state": seed, **options}


def plain(seed: int, **hurry: Any) -> dict[str, Any]:
    """Mirrorball as it comes. `hurry` makes it small for the quick version."""
    return {"preset": "default", "random_state": seed, **hurry}


HURRY = {"networks": 1, "min_steps": 0, "epochs": 10, "forest": 8, "boosting": 8, "gaussian_process": 0, "neighbours": 0}


def on_tables(seed: int, **options: Any) -> dict[str, Any]:
    """The paper's settings on real tables: normal quantiles in and out; a tenth of the rows says when to stop."""
    return {"preset": "paper", "patience": 10, "random_state": seed, **options}
