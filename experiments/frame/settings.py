"""The paper's network in its synthetic experiments, as options."""

from __future__ import annotations

from typing import Any


def as_printed(seed: int, **options: Any) -> dict[str, Any]:
    """One network, plain numbers in and out, all rows, every epoch: nothing is held out and nothing chosen.

    The paper takes x and y as they are; `standard` only shifts and scales them.
    """
    printed = {"input_transform": "standard", "target_transform": "standard", "valid_fraction": 0.0}
    return {"preset": "paper", **printed, "random_state": seed, **options}


def plain(seed: int, **hurry: Any) -> dict[str, Any]:
    """Mirrorball as it comes. `hurry` makes it small for the quick version."""
    return {"preset": "default", "random_state": seed, **hurry}


HURRY = {"members": 1, "min_steps": 0, "epochs": 10, "forest": 8}


def on_tables(seed: int, **options: Any) -> dict[str, Any]:
    """The paper's settings on real tables: normal quantiles in and out; a tenth of the rows says when to stop."""
    return {"preset": "paper", "patience": 10, "random_state": seed, **options}
