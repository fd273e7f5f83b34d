"""The methods, one file each. A method is a function from a task to a forecast.

A method's module is imported when it is run, so that nobody needs all rivals to run one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
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
    settings: dict[str, float] = field(default_factory=dict)

    @property
    def needs_program(self) -> bool:
        return self.module in ("mirrorball", "harder")

    def load(self) -> Callable[[Task], Forecast]:
        function = getattr(import_module(f"tables.methods.{self.module}"), self.function)
        return partial(function, **self.settings) if self.settings else function


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
}

# The plain fit on tables made harder, step by step. They are compared with the plain fit, not with the rivals.
HARDER = {
    "levels64": Method("64 categories", "harder", "categories", settings={"levels": 64}),
    "levels16": Method("16 categories", "harder", "categories", settings={"levels": 16}),
    "levels4": Method("4 categories", "harder", "categories", settings={"levels": 4}),
    "gaps5": Method("5% missing", "harder", "gaps", settings={"share": 0.05}),
    "gaps20": Method("20% missing", "harder", "gaps", settings={"share": 0.2}),
    "gaps40": Method("40% missing", "harder", "gaps", settings={"share": 0.4}),
    "false0": Method("false, weight 0", "harder", "false_rows", settings={"weight": 0.0}),
    "false10": Method("false, weight 0.1", "harder", "false_rows", settings={"weight": 0.1}),
    "false100": Method("false, weight 1", "harder", "false_rows", settings={"weight": 1.0}),
}
RIVALS = tuple(METHODS)

# Runs when asked for: the yardstick of a forecast that knows no feature, and the harder tables.
METHODS |= {"marginal": Method("No features", "marginal", packages=("numpy",))} | HARDER
