"""Mirrorball: whole predictive distributions from tables.

>>> from mirrorball import MirrorballRegressor
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .distribution import Distribution
    from .regressor import MirrorballRegressor

#: Where each public name lives. It is imported when first used, so that `import mirrorball` costs next to nothing.
_HOME = {
    "MirrorballRegressor": "mirrorball.regressor",
    "Distribution": "mirrorball.distribution",
    "Explanation": "mirrorball.explanation",
    "laws": "mirrorball.laws",
    "metrics": "mirrorball.metrics",
    "plot": "mirrorball.plot",
}

__all__ = ["Distribution", "Explanation", "MirrorballRegressor", "__version__", "laws", "metrics", "plot"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value = importlib.import_module("mirrorball._core").__version__
    elif name in _HOME:
        module = importlib.import_module(_HOME[name])
        value = module if name in ("laws", "metrics", "plot") else getattr(module, name)
    else:
        raise AttributeError(f"module 'mirrorball' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
