"""Plots of predictive distributions. Needs matplotlib: ``pip install 'mirrorball-ml[plot]'``.

Each function takes an optional ``ax`` to draw into, creates a figure without one, and returns the Axes.
``samples`` is what ``predict_dist`` or ``sample`` return, or an array of rows x samples (x targets) of any model. Where
several models can be compared, ``samples`` may be a dictionary of names and samples. The colours are those of the report and
the explorer, which people with any colour vision tell apart; on a dark ground they are the dark ones (`style`).
"""

from ._along import along
from ._calibration import calibration_curve, pit_histogram
from ._density import density
from ._explanation import explanation, importance
from ._fan import fan_chart
from ._functions import functions
from ._joint import joint
from ._palette import style
from ._training import learning_curves
from ._width import width_against_coverage

__all__ = [
    "along",
    "calibration_curve",
    "density",
    "explanation",
    "fan_chart",
    "functions",
    "importance",
    "joint",
    "learning_curves",
    "pit_histogram",
    "style",
    "width_against_coverage",
]
