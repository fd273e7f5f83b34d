"""Pictures of predictive distributions. Needs matplotlib: ``pip install 'mirrorball[plot]'``.

Each function takes an optional ``ax`` to draw into, makes a figure of its own without one, and returns the Axes.
``draws`` is what ``predict_dist`` or ``sample`` return, or an array of rows x samples (x targets) of any model. Where
several models can be compared, ``draws`` may be a dictionary of names and draws. Colours are told apart by colour-blind
readers too.
"""

from ._calibration import calibration_curve, pit_histogram, width_against_coverage
from ._predictive import density, fan_chart, functions, joint
from ._training import learning_curves

__all__ = [
    "calibration_curve",
    "density",
    "fan_chart",
    "functions",
    "joint",
    "learning_curves",
    "pit_histogram",
    "width_against_coverage",
]
