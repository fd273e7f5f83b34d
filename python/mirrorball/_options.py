"""The estimator's parameters. Made by tools/make_options.py from the table of options: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._warnings import takes_old_names

#: The options that are parameters; all others are entries of `options`.
MAIN = (
    "networks",
    "width",
    "epochs",
    "learning_rate",
    "target_transform",
    "calibrate",
    "time_limit",
    "device",
)


class Parameters:
    """Holds what the constructor was given, as scikit-learn wants it."""

    @takes_old_names
    def __init__(
        self,
        *,
        preset: str = "default",
        networks: int | None = None,
        width: int | None = None,
        epochs: int | None = None,
        learning_rate: float | None = None,
        target_transform: Literal["quantile", "standard", "rankit", "none", "even", "auto", "smooth"] | None = None,
        calibrate: Literal["none", "scale", "interval", "conformal"] | None = None,
        time_limit: float | None = None,
        device: str | None = None,
        categorical_features: Sequence[str] | Sequence[int] | Sequence[bool] | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.preset = preset
        self.networks = networks
        self.width = width
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.target_transform = target_transform
        self.calibrate = calibrate
        self.time_limit = time_limit
        self.device = device
        self.categorical_features = categorical_features
        self.options = options
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
