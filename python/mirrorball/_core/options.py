"""The table of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._library import Library, Owner, Text, json_of, made_by


@dataclass(frozen=True)
class OptionInfo:
    """One line of the table of options."""

    name: str
    group: str
    kind: str  #: "integer", "number", "switch", "choice", "size" or "folder"
    help: str
    choices: list[str]
    low: float
    high: float
    expert: bool  #: for research; rarely needed
    old_names: list[str]  #: of earlier versions, still accepted
    old_choices: dict[str, str]  #: values of earlier versions, still accepted, and what they are called now


def option_list() -> list[OptionInfo]:
    """The one table of options."""
    return [OptionInfo(**info) for info in json_of(Library.option_list)]


def preset_list() -> list[str]:
    """The names of the presets."""
    return json_of(Library.preset_list)


def preset(name: str) -> dict[str, Any]:
    """The options of a preset."""
    return Options(name).values()


_VALUE: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "switch": lambda text: text == "true",
    "choice": str,
    "size": str,
    "folder": str,
}
_KINDS = {info.name: info.kind for info in option_list()}


class Options(Owner):
    """Everything that decides a fit."""

    _free = Library.options_free

    def __init__(self, preset: str = "default") -> None:
        self._as_parameter_ = made_by(Library.options_new, Text.of(preset))

    def set(self, name: str, value: str) -> None:
        """Sets one from its text; a bad value is a ValueError."""
        Library.options_set(self, Text.of(name), Text.of(value))

    def values(self) -> dict[str, Any]:
        """All of them, by name."""
        texts = json_of(Library.options_values, self)
        return {name: _VALUE[_KINDS[name]](text) for name, text in texts.items()}
