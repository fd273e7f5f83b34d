"""The methods, one file each. A method is a function from a task to a forecast.

A method's module is imported when it is run, so that nobody needs all rivals to run one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from tables.task import Forecast, Task


@dataclass(frozen=True)
class Method:
    """`printed` is the method's column in the paper; `packages` are those whose version matters."""

    label: str
    module: str
    function: str = "forecast"
    printed: str | None = None
    packages: tuple[str, ...] = ()

    def load(self) -> Callable[[Task], Forecast]:
        return getattr(import_module(f"tables.methods.{self.module}"), self.function)


METHODS = {
    "mirrorball": Method("Mirrorball", "mirrorball", "default"),
    "paper": Method("DN+ (paper)", "mirrorball", "paper", printed="DN+"),
    "disco": Method("DISCO Nets", "mirrorball", "disco"),
    "basenn": Method("Base NN", "mirrorball", "point", printed="BaseNN"),
    "lgbm": Method("LightGBM 51", "lgbm", printed="LGBM", packages=("lightgbm", "numpy")),
    "qrf": Method("Quantile forest", "qrf", printed="QRF", packages=("quantile-forest", "scikit-learn", "numpy")),
    "ngboost": Method("NGBoost", "ngb", printed="NGB", packages=("ngboost", "scikit-learn", "numpy")),
    "gp": Method("Gaussian process", "gp", printed="GP", packages=("scikit-learn", "scipy", "numpy")),
    "engression": Method("engression", "engr", packages=("engression", "torch", "numpy")),
    "catboost": Method("CatBoost 51", "catb", packages=("catboost", "numpy")),
    "marginal": Method("No features", "marginal", packages=("numpy",)),
}

# "marginal" is a yardstick, not a rival: it runs when asked for.
RIVALS = tuple(name for name in METHODS if name != "marginal")
