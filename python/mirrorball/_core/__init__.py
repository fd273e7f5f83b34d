"""The library behind the package, by ctypes: private to it, and may change with every version."""

from __future__ import annotations

from ._library import Progress
from .explain import Explanation, explain, name_of
from .laws import Law, law, law_names
from .machine import __version__, cores, machine
from .model import Calibration, ColumnSchema, Model, Schema, fit, fit_part, fit_warnings
from .options import OptionInfo, Options, option_list, preset, preset_list
from .pages import Explorer, ReportParts, report
from .predictive import SUMMARY_SAMPLES, Predictive
from .scores import kde_nll, law_distances, pit, sample_distances, score_summary
from .table import Table

__all__ = [
    "SUMMARY_SAMPLES",
    "Calibration",
    "ColumnSchema",
    "Explanation",
    "Explorer",
    "Law",
    "Model",
    "OptionInfo",
    "Options",
    "Predictive",
    "Progress",
    "ReportParts",
    "Schema",
    "Table",
    "__version__",
    "cores",
    "explain",
    "fit",
    "fit_part",
    "fit_warnings",
    "kde_nll",
    "law",
    "law_distances",
    "law_names",
    "machine",
    "name_of",
    "option_list",
    "pit",
    "preset",
    "preset_list",
    "report",
    "sample_distances",
    "score_summary",
]
