"""The compiled library: its C functions, and how values, arrays and errors cross the border."""

from __future__ import annotations

import array
import ctypes
import itertools
import json
import pathlib
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, ClassVar

#: Beside this file, where the build puts it.
FILE = pathlib.Path(__file__).with_name("libmirrorball.so")
_library = ctypes.CDLL(str(FILE))


class Text(ctypes.Structure):
    """A text in UTF-8, or bytes."""

    _fields_: ClassVar = [("data", c_char_p), ("size", c_size_t)]

    @classmethod
    def of(cls, text: str | bytes) -> Text:
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"a text is needed, not {type(text).__name__!r}")
        data = text.encode() if isinstance(text, str) else text
        return cls(data, len(data))


class _TextOut(ctypes.Structure):
    """The same from the library, where c_char_p would end at the first zero byte."""

    _fields_: ClassVar = [("data", c_void_p), ("size", c_size_t)]

    def bytes(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""


class Texts(ctypes.Structure):
    """Several texts, one behind the other, and where each ends."""

    kept: array.array
    _fields_: ClassVar = [("bytes", c_char_p), ("ends", c_void_p), ("count", c_size_t)]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        encoded = [text.encode() for text in texts]
        ends = array.array("q", itertools.accumulate(map(len, encoded)))
        made = cls(b"".join(encoded), ends.buffer_info()[0], len(encoded))
        made.kept = ends
        return made


class Strided(ctypes.Structure):
    """A column of any layout: a slice of a matrix is taken without a copy."""

    _fields_: ClassVar = [("first", c_void_p), ("size", c_size_t), ("step", ctypes.c_ssize_t)]


class Cube(ctypes.Structure):
    """Samples of any layout, rows x samples x targets, with the steps of each axis in values."""

    _fields_: ClassVar = [
        ("first", c_void_p),
        *((name, c_size_t) for name in ("rows", "samples", "targets")),
        *((name, ctypes.c_ssize_t) for name in ("row_step", "sample_step", "target_step")),
    ]


class Progress(ctypes.Structure):
    """News of long work; all but the share is of a fit."""

    share: float
    seconds_left: float  #: below 0 before there is an estimate
    lowest_score: float  #: of any network so far; 0 before there is one
    networks: int
    networks_done: int
    epoch: int
    epochs: int
    phase: int  #: 0 forest, 1 training, 2 calibration, 3 refit, 4 cache
    _fields_: ClassVar = [
        *((name, c_double) for name in ("share", "seconds_left", "lowest_score")),
        *((name, c_int) for name in ("networks", "networks_done", "epoch", "epochs", "phase")),
    ]


class ExplainQuestion(ctypes.Structure):
    """A question to a function of Python's, which is answered before the next news are."""

    samples: int | None  #: address of rows x targets x count numbers; None: nothing is asked
    rows: int
    targets: int
    count: int
    answers: int  #: address of one number per row, or one per sample of the one row
    inside: int  #: which samples count is asked, not the explained number
    _fields_: ClassVar = [
        ("samples", c_void_p),
        *((name, c_size_t) for name in ("rows", "targets", "count")),
        ("answers", c_void_p),
        ("inside", c_int),
    ]


class ExplainRequest(ctypes.Structure):
    """What is explained, and with how much work."""

    _fields_: ClassVar = [
        *((name, Text) for name in ("of", "where", "target")),
        ("samples", c_size_t),
        ("seed", c_uint64),
        ("background_rows", c_size_t),
        ("coalitions", c_size_t),
        ("threads", c_uint),
        *((name, c_int) for name in ("calibrated", "asks_number", "asks_inside")),
        ("question", POINTER(ExplainQuestion)),
    ]


class ReportRequest(ctypes.Structure):
    """What a report is called, and how much work goes into it."""

    _fields_: ClassVar = [
        *((name, Text) for name in ("title", "model_name", "data_name")),
        *((name, c_size_t) for name in ("rows", "explained", "samples")),
        ("seed", c_uint64),
        ("threads", c_uint),
    ]


#: Functions of Python's that read a file for the program; the first argument is the file as the library knows it.
OpenForeign = ctypes.CFUNCTYPE(c_int64, c_void_p, c_char_p)
ReadForeign = ctypes.CFUNCTYPE(c_int64, c_void_p, c_int64, c_void_p, c_size_t)
CloseForeign = ctypes.CFUNCTYPE(None, c_int64)


def _declare(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = getattr(_library, "mirrorball_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_failure_kind = _declare("failure_kind", c_int, c_void_p)
_failure_text = _declare("failure_text", _TextOut, c_void_p)
_failure_free = _declare("failure_free", None, c_void_p)
_text = _declare("text", _TextOut, c_void_p)
_text_free = _declare("text_free", None, c_void_p)

#: By the kinds of border.h.
_ERRORS = {1: ValueError, 2: OSError, 3: IndexError, 4: MemoryError, 5: RuntimeError}


def _check(failure: int | None, *_: Any) -> None:
    """Raises what a call failed with."""
    if failure is None:
        return
    kind, text = _failure_kind(failure), _failure_text(failure).bytes().decode("utf-8", "replace")
    _failure_free(failure)
    raise _ERRORS[kind](text)


def _function(name: str, *arguments: Any) -> Callable[..., None]:
    """A function that may fail; errors are raised."""
    function = _declare(name, c_void_p, *arguments)
    function.errcheck = _check  # type: ignore[attr-defined]
    return function


class Library:
    """The functions of the library."""

    version = _declare("version", c_char_p)
    cores = _function("cores", POINTER(c_uint))
    machine = _function("machine", c_void_p)
    option_list = _function("option_list", c_void_p)
    preset_list = _function("preset_list", c_void_p)
    options_new = _function("options_new", Text, c_void_p)
    options_free = _declare("options_free", None, c_void_p)
    options_set = _function("options_set", c_void_p, Text, Text)
    options_values = _function("options_values", c_void_p, c_void_p)
    table_new = _function("table_new", c_void_p)
    table_free = _declare("table_free", None, c_void_p)
    table_from_stream = _function("table_from_stream", c_void_p, Texts, c_void_p)
    table_from_array = _function("table_from_array", c_void_p, c_void_p, Texts, c_void_p)
    table_read = _function("table_read", Text, Texts, c_void_p)
    table_add_numbers = _function("table_add_numbers", c_void_p, Text, Strided)
    table_add_floats = _function("table_add_floats", c_void_p, Text, Strided)
    table_add_number_categories = _function("table_add_number_categories", c_void_p, Text, Strided)
    table_add_codes = _function("table_add_codes", c_void_p, Text, c_void_p, c_size_t, Texts)
    table_add_texts = _function("table_add_texts", c_void_p, Text, Texts)
    table_names = _function("table_names", c_void_p, c_void_p)
    table_set_names = _function("table_set_names", c_void_p, Texts)
    table_set_dates = _function("table_set_dates", c_void_p, Text)
    table_is_category = _function("table_is_category", c_void_p, Text, POINTER(c_int))
    table_numbers = _function("table_numbers", c_void_p, Text, c_void_p)
    table_categories = _function("table_categories", c_void_p, Text, c_void_p)
    table_column_hint = _function("table_column_hint", c_void_p, Text, c_int, c_void_p)
    table_rows = _declare("table_rows", c_size_t, c_void_p)
    fit = _function("fit", c_void_p, c_void_p, Texts, Text, Text, Text, Texts, c_void_p, c_void_p)
    fit_part = _function(
        "fit_part", c_void_p, c_void_p, Texts, Text, Text, Text, Texts, c_void_p, Text, c_size_t, Text, c_void_p
    )
    fit_part_bytes = _function("fit_part_bytes", c_void_p, c_void_p)
    fit_of_parts = _function(
        "fit_of_parts", c_void_p, c_void_p, Texts, Text, Text, Text, Texts, c_void_p, Text, c_void_p
    )
    fit_warnings = _function("fit_warnings", c_void_p, Texts, c_void_p)
    fit_model = _function("fit_model", c_void_p, c_void_p)
    work_wait = _declare("work_wait", c_int, c_void_p, c_double, POINTER(Progress))
    work_answer = _declare("work_answer", None, c_void_p, c_int)
    work_free = _declare("work_free", None, c_void_p)
    model_free = _declare("model_free", None, c_void_p)
    model_load = _function("model_load", Text, c_void_p)
    model_save = _function("model_save", c_void_p, Text)
    model_to_bytes = _function("model_to_bytes", c_void_p, c_void_p)
    model_from_bytes = _function("model_from_bytes", Text, c_void_p)
    model_description = _function("model_description", c_void_p, c_void_p)
    model_facts = _function("model_facts", c_void_p, c_void_p)
    model_options = _function("model_options", c_void_p, c_void_p)
    model_training_quantile = _function(
        "model_training_quantile", c_void_p, c_int, c_size_t, c_double, POINTER(c_double)
    )
    model_warnings = _function("model_warnings", c_void_p, c_void_p, c_void_p)
    model_nearby = _function("model_nearby", *3 * [c_void_p], c_size_t, c_void_p)
    model_predict = _function(
        "model_predict", c_void_p, c_void_p, c_size_t, c_size_t, c_size_t, c_uint64, c_uint, c_int, c_void_p
    )
    predictive_new = _function("predictive_new", POINTER(Cube), Texts, c_void_p)
    predictive_free = _declare("predictive_free", None, c_void_p)
    predictive_draws = _declare("predictive_draws", c_void_p, c_void_p, *3 * [POINTER(c_size_t)])
    predictive_names = _function("predictive_names", c_void_p, c_void_p)
    predictive_limits = _declare("predictive_limits", None, c_void_p, c_void_p)
    predictive_set_limits = _function("predictive_set_limits", c_void_p, c_void_p)
    predictive_sources = _declare("predictive_sources", c_int, c_void_p, c_void_p)
    predictive_set_sources = _function("predictive_set_sources", c_void_p, c_void_p, c_size_t)
    predictive_shape = _function(
        "predictive_shape", c_void_p, c_size_t, c_size_t, c_double, c_double, c_size_t, c_void_p
    )
    predictive_mean = _function("predictive_mean", c_void_p, c_uint, c_void_p)
    predictive_sd = _function("predictive_sd", c_void_p, c_uint, c_void_p)
    predictive_uncertainty = _function("predictive_uncertainty", c_void_p, c_uint, c_void_p)
    predictive_quantiles = _function("predictive_quantiles", c_void_p, c_void_p, c_size_t, c_uint, c_void_p)
    predictive_cdf = _function("predictive_cdf", c_void_p, c_void_p, *3 * [c_size_t], c_uint, c_void_p)
    predictive_log_density = _function("predictive_log_density", c_void_p, c_void_p, *3 * [c_size_t], c_uint, c_void_p)
    predictive_crps = _function("predictive_crps", c_void_p, c_void_p, *2 * [c_size_t], c_int, c_uint, c_void_p)
    predictive_energy_score = _function(
        "predictive_energy_score", c_void_p, c_void_p, *2 * [c_size_t], c_int, c_uint, c_void_p
    )
    predictive_probability = _function("predictive_probability", c_void_p, Text, c_uint, c_void_p)
    summary_samples = _declare("summary_samples", c_size_t)
    pit = _function("pit", c_void_p, c_void_p, c_size_t, c_uint, c_void_p)
    kde_nll = _function("kde_nll", c_void_p, c_void_p, c_size_t, c_int, c_uint, c_void_p, POINTER(c_size_t))
    law_distances = _function("law_distances", c_void_p, Text, c_void_p, c_size_t, c_uint, c_void_p)
    sample_distances = _function("sample_distances", c_void_p, c_void_p, c_size_t, c_uint, c_void_p)
    score_summary = _function("score_summary", c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_uint, c_void_p)
    law_names = _function("law_names", c_void_p)
    law = _function("law", Text, c_void_p)
    law_facts = _function("law_facts", c_void_p, c_void_p)
    law_positions = _function("law_positions", c_void_p, c_size_t, c_void_p)
    law_data = _function("law_data", c_void_p, c_size_t, c_uint64, c_void_p)
    law_density = _function("law_density", *3 * [c_void_p], *2 * [c_size_t], c_void_p)
    law_cdf = _function("law_cdf", *3 * [c_void_p], *2 * [c_size_t], c_void_p)
    law_sample = _function("law_sample", c_void_p, c_void_p, c_size_t, c_size_t, c_uint64, c_void_p)
    explain = _function("explain", *3 * [c_void_p], POINTER(ExplainRequest), c_void_p)
    explanation = _function("explanation", c_void_p, c_void_p)
    explanation_free = _declare("explanation_free", None, c_void_p)
    explanation_facts = _function("explanation_facts", c_void_p, c_void_p)
    explanation_numbers = _function("explanation_numbers", *6 * [c_void_p])
    report = _function("report", c_void_p, c_void_p, POINTER(ReportRequest), c_void_p)
    report_parts = _function("report_parts", *4 * [c_void_p])
    explorer_new = _function("explorer_new", Text, Text, c_void_p, c_int, c_uint, c_void_p)
    explorer_port = _declare("explorer_port", c_int, c_void_p)
    explorer_free = _declare("explorer_free", None, c_void_p)
    foreign_categories = _declare("foreign_categories", None, c_void_p, Texts)
    foreign_failed = _declare("foreign_failed", None, c_void_p, Text)
    main_in_python = _declare("main_in_python", c_int, c_int, POINTER(c_char_p), OpenForeign, ReadForeign, CloseForeign)


def made_by(function: Callable[..., None], *arguments: Any) -> c_void_p:
    """The pointer that a function gives through its last argument."""
    pointer = c_void_p()
    function(*arguments, ctypes.byref(pointer))
    return pointer


def _taken(pointer: c_void_p) -> bytes:
    """The bytes of a text of the library's, which is freed."""
    try:
        return _text(pointer).bytes()
    finally:
        _text_free(pointer)


def bytes_of(function: Callable[..., None], *arguments: Any) -> bytes:
    """The bytes that a function gives through its last argument."""
    return _taken(made_by(function, *arguments))


def texts_of(function: Callable[..., None], count: int, *arguments: Any) -> list[bytes]:
    """The same of several texts."""
    pointers = [c_void_p() for _ in range(count)]
    function(*arguments, *map(ctypes.byref, pointers))
    return [_taken(pointer) for pointer in pointers]


def json_of(function: Callable[..., None], *arguments: Any) -> Any:
    """The same, where they are JSON."""
    return json.loads(bytes_of(function, *arguments))


class Owner:
    """Owns what the library made, and can be handed to its functions."""

    _free: ClassVar[Callable[[c_void_p], None]]
    _as_parameter_: c_void_p | None = None

    @classmethod
    def _owning(cls, pointer: c_void_p) -> Any:
        made = cls.__new__(cls)
        made._as_parameter_ = pointer
        return made

    def __del__(self) -> None:
        if self._as_parameter_:  # not None, and not null
            type(self)._free(self._as_parameter_)
            self._as_parameter_ = None
