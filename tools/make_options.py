"""Writes python/mirrorball/_options.py from the one table of options (src/options/table.cc).

    build/venv/bin/python tools/make_options.py > python/mirrorball/_options.py

A test compares the file with what this writes.
"""

from __future__ import annotations

import textwrap

from mirrorball import _core

#: Parameters beside the options: name, type, words for the docstring.
FIRST = [
    (
        "preset",
        "str",
        '"default"',
        "Where the options start: {presets}. An option left at None has the preset's value.",
    )
]
LAST = [
    (
        "categorical_features",
        "Sequence[str] | Sequence[int] | None",
        "None",
        "Names or places of columns of numbers to take as categories. Columns of text and of categorical dtypes are"
        " categories by themselves.",
    ),
    (
        "random_state",
        "int | np.random.RandomState | None",
        "None",
        "Another name of `seed`, as scikit-learn calls it. None is 0: the same data give the same model. A RandomState"
        " gives a new seed at every fit.",
    ),
    (
        "n_jobs",
        "int | None",
        "None",
        "Another name of `threads`, as scikit-learn calls it. None and -1 take all cores, -2 all but one; None obeys"
        " OMP_NUM_THREADS, which joblib sets in its worker processes. Results do not depend on it.",
    ),
    (
        "verbose",
        "bool | None",
        "None",
        "Whether long work shows a bar. None shows one on a terminal and in a notebook; True writes lines elsewhere.",
    ),
]


def type_of(option: _core.OptionInfo) -> str:
    if option.kind == "choice":
        return "Literal[" + ", ".join(f'"{choice}"' for choice in option.choices) + "] | None"
    return {"integer": "int | None", "number": "float | None", "switch": "bool | None"}[option.kind]


def doc_type(option: _core.OptionInfo, default) -> str:
    if option.kind == "choice":
        return "{" + ", ".join(f'"{choice}"' for choice in option.choices) + f'}}, default "{default}"'
    number = f"{default:g}" if option.kind == "number" else default
    return {"integer": "int", "number": "float", "switch": "bool"}[option.kind] + f", default {number}"


def sentence(option: _core.OptionInfo) -> str:
    words = option.help
    start = words.split()[0]
    mark = "Expert option: " if option.expert else ""
    return mark + (words if mark or start in option.choices else words[0].upper() + words[1:]) + "."


def option_docs(options: list[_core.OptionInfo]) -> list[str]:
    defaults = _core.preset("default")
    return [entry(f"{option.name} : {doc_type(option, defaults[option.name])}", sentence(option)) for option in options]


def entry(head: str, words: str) -> str:
    wrapped = textwrap.wrap(words, 108, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"    {head}"] + [f"        {line}" for line in wrapped])


def main() -> None:
    options = _core.option_list()
    common = [option for option in options if not option.expert]
    expert = [option for option in options if option.expert]
    presets = ", ".join(f'"{name}"' for name in _core.preset_list())
    extra = {name: words.format(presets=presets) for name, _, _, words in FIRST + LAST}

    parameters = [(name, f"{kind} = {value}") for name, kind, value, _ in FIRST]
    parameters += [(option.name, f"{type_of(option)} = None") for option in common]
    parameters += [(name, f"{kind} = {value}") for name, kind, value, _ in LAST]
    parameters += [(option.name, f"{type_of(option)} = None") for option in expert]

    docs = [entry(f"{name} : {kind}, default {value}", extra[name]) for name, kind, value, _ in FIRST]
    docs += option_docs(common)
    for name, kind, value, _ in LAST:
        docs.append(entry(f"{name} : {kind.replace(' | None', '')}, default {value}", extra[name]))
    docs += option_docs(expert)

    print('"""The estimator\'s parameters. Made by tools/make_options.py from the table of options: do not edit."""')
    print("\nfrom __future__ import annotations\n")
    print("from collections.abc import Sequence\nfrom typing import Literal\n\nimport numpy as np\n")
    print("#: The fields of Options.")
    print("OPTION_NAMES = (" + "".join(f'\n    "{option.name}",' for option in options) + "\n)\n")
    print("#: The parameters in words, for docstrings.")
    print('PARAMETERS = """\\\n' + "\n".join(docs) + '\n"""\n\n')
    print("class Parameters:")
    print('    """Holds what the constructor was given, as scikit-learn wants it."""\n')
    print("    def __init__(\n        self,\n        *,")
    print("".join(f"        {name}: {kind},\n" for name, kind in parameters) + "    ) -> None:")
    print("\n".join(f"        self.{name} = {name}" for name, _ in parameters))


if __name__ == "__main__":
    main()
