"""Mirrorball: predictive distributions from tables.

>>> from mirrorball import MirrorballRegressor
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import laws, metrics, pipeline, plot, scoring
    from ._warnings import MirrorballWarning
    from .density import Density
    from .distribution import Distribution, Uncertainty
    from .explanation import Explanation
    from .pages import Explorer, Report
    from .regressor import MirrorballRegressor
    from .report import Column, Columns, FitReport
    from .validation import CrossValidation, cross_validate

#: The module of each public name. It is imported when first used, so that `import mirrorball` costs next to nothing.
_HOME = {
    "Column": "report",
    "Columns": "report",
    "CrossValidation": "validation",
    "Density": "density",
    "Distribution": "distribution",
    "Explanation": "explanation",
    "Explorer": "pages",
    "FitReport": "report",
    "MirrorballRegressor": "regressor",
    "MirrorballWarning": "_warnings",
    "Report": "pages",
    "Uncertainty": "distribution",
    "cross_validate": "validation",
}
_MODULES = ("laws", "metrics", "pipeline", "plot", "scoring")

__all__ = [
    "Column",
    "Columns",
    "CrossValidation",
    "Density",
    "Distribution",
    "Explanation",
    "Explorer",
    "FitReport",
    "MirrorballRegressor",
    "MirrorballWarning",
    "Report",
    "Uncertainty",
    "__version__",
    "cross_validate",
    "laws",
    "metrics",
    "pipeline",
    "plot",
    "scoring",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value = importlib.import_module("mirrorball._core").__version__
    elif name in _MODULES:
        value = importlib.import_module(f"mirrorball.{name}")
    elif name in _HOME:
        value = getattr(importlib.import_module(f"mirrorball.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'mirrorball' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
