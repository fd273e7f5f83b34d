"""Docstrings as the reference shows them: those that are computed (`__doc__ = f"…{PARAMETERS}…"`) with the constants
they name, and examples without a heading under one.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import griffe


class Docstrings(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = readable(obj.docstring.value)

    def on_class_instance(self, *, node: ast.AST | griffe.ObjectNode, cls: griffe.Class, **kwargs: Any) -> None:
        for statement in getattr(node, "body", ()):
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "__doc__":
                text = eval(compile(ast.Expression(statement.value), str(cls.filepath), "eval"), constants(cls))
                cls.docstring = griffe.Docstring(text, lineno=statement.lineno, parent=cls)


def readable(text: str) -> str:
    """With a heading above the examples, and the default first among choices: griffe takes the first for it."""
    if not re.search(r"^Examples\n", text, re.MULTILINE):
        text = re.sub(r"\n\n(?=>>> )", "\n\nExamples\n--------\n", text, count=1)
    return re.sub(r"(?m)^(\s*\w+ : )\{(.*)\}, default (.+)$", default_first, text)


def default_first(match: re.Match) -> str:
    choices = match[2].split(", ")
    return match[1] + "{" + ", ".join([match[3], *(each for each in choices if each != match[3])]) + "}"


def constants(cls: griffe.Class) -> dict[str, Any]:
    """Texts that the modules beside a class define."""
    found = {}
    for path in sorted(cls.package.filepath.parent.glob("*.py")):
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                found[getattr(statement.targets[0], "id", "")] = statement.value.value
    return found
