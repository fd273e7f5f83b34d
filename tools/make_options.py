"""Writes the estimator's parameters from the one table of options (src/options/table.cc): python/mirrorball/_options.py,
and their part of the docstring in python/mirrorball/regressor.py.

    build/venv/bin/python tools/make_options.py [--check]

With --check it writes nothing, and fails where a file is not current; a test does that.
"""

from __future__ import annotations

import pathlib
import sys
import textwrap
from typing import NamedTuple

from mirrorball import _core

#: The options that are parameters of the estimator. All others are entries of `options`.
MAIN = ("networks", "width", "epochs", "learning_rate", "target_transform", "calibrate", "time_limit", "device")


class Parameter(NamedTuple):
    name: str
    type: str
    default: str
    words: str
    doc_type: str = ""

    def entry(self) -> str:
        head = f"{self.name} : {self.doc_type or self.type.replace(' | None', '') + ', default ' + self.default}"
        return "\n".join([f"    {head}", *wrapped(self.words)])


def wrapped(words: str) -> list[str]:
    return textwrap.wrap(
        words, 116, initial_indent=" " * 8, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False
    )


def groups() -> str:
    """The names of all options that are no parameters, by their groups."""
    names: dict[str, list[str]] = {}
    for option in _core.option_list():
        if option.name not in (*MAIN, "seed", "threads"):
            names.setdefault(option.group, []).append(f"``{option.name}``")
    return "; ".join(f"{group}: {', '.join(members)}" for group, members in names.items())


def parameter_of(name: str) -> Parameter:
    """An option as a parameter; None is the preset's value."""
    [option] = [option for option in _core.option_list() if option.name == name]
    default = _core.preset("default")[name]
    kinds = {"integer": "int", "number": "float", "switch": "bool"}
    if option.kind == "choice":
        listed = ", ".join(f'"{choice}"' for choice in option.choices)
        kind, doc = f"Literal[{listed}]", f'{{{listed}}}, default "{default}"'
        if name == "device":
            kind = "str"  # cuda:N too
    else:
        kind = kinds[option.kind]
        doc = f"{kind}, default {f'{default:g}' if option.kind == 'number' else default}"
    words = option.help
    capital = words if words.split()[0] in option.choices else words[0].upper() + words[1:]
    return Parameter(name, f"{kind} | None", "None", capital + ".", doc)


def parameters() -> list[Parameter]:
    presets = ", ".join(f'"{name}"' for name in _core.preset_list())
    return [
        Parameter(
            "preset",
            "str",
            '"default"',
            f"Where the options start: {presets}. A parameter left at None has the preset's value.",
        ),
        *map(parameter_of, MAIN),
        Parameter(
            "categorical_features",
            "Sequence[str] | Sequence[int] | Sequence[bool] | None",
            "None",
            "Names or positions of columns to treat as categories although they contain numbers or dates, or a mask."
            " Columns of text and of categorical dtypes are categories in any case.",
            "list of str or int, default None",
        ),
        Parameter(
            "options",
            "Mapping[str, Any] | None",
            "None",
            'All other options by name, for example ``{"forest": 0, "batch": 64}``;'
            f" ``mirrorball fit --help-all`` describes them. {groups()}."
            " In a search, ``options__NAME`` sets one of them.",
            "dict of str, default None",
        ),
        Parameter(
            "random_state",
            "int | np.random.RandomState | None",
            "None",
            "The random seed. None is 0: the same data give the same model. A RandomState gives a new seed at every"
            " fit.",
            "int or RandomState, default None",
        ),
        Parameter(
            "n_jobs",
            "int | None",
            "None",
            "Number of threads. None and -1 take all cores, -2 all but one; None respects OMP_NUM_THREADS, which joblib"
            " sets in its worker processes. Results do not depend on it.",
        ),
        Parameter(
            "verbose",
            "bool | None",
            "None",
            "Whether long operations show their progress. None shows a bar on a terminal and in a notebook; True also"
            " prints lines elsewhere; False shows nothing.",
        ),
    ]


def module(listed: list[Parameter]) -> str:
    signature = "".join(f"        {one.name}: {one.type} = {one.default},\n" for one in listed)
    taken = "\n".join(f"        self.{one.name} = {one.name}" for one in listed)
    names = "".join(f'    "{name}",\n' for name in MAIN)
    return f'''"""The estimator\'s parameters. Made by tools/make_options.py from the table of options: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._warnings import takes_old_names

#: The options that are parameters; all others are entries of `options`.
MAIN = (
{names})


class Parameters:
    """Holds what the constructor was given, as scikit-learn wants it."""

    @takes_old_names
    def __init__(
        self,
        *,
{signature}    ) -> None:
{taken}
'''


def with_docstring(text: str, listed: list[Parameter]) -> str:
    """The regressor's source with its parameters between the two headings of its docstring."""
    first, last = "    Parameters\n    ----------\n", "\n\n    Attributes\n    ----------\n"
    before, rest = text.split(first, 1)
    return before + first + "\n".join(one.entry() for one in listed) + last + rest.split(last, 1)[1]


def main() -> None:
    listed = parameters()
    folder = pathlib.Path(__file__).resolve().parents[1] / "python" / "mirrorball"
    regressor = (folder / "regressor.py").read_text()
    made = {"_options.py": module(listed), "regressor.py": with_docstring(regressor, listed)}
    for name, text in made.items():
        file = folder / name
        if "--check" not in sys.argv:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is not current: run build/venv/bin/python tools/make_options.py")


if __name__ == "__main__":
    main()
