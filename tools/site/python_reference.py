"""What the Python reference lists: the public names of the package, for mkdocstrings."""

from __future__ import annotations

import ast
from pathlib import Path

FIRST = ("MirrorballRegressor", "Distribution", "Explanation")  # the others follow in the order of __all__
MODULES = {
    "metrics": "Scores",
    "scoring": "Scorers",
    "pipeline": "Pipelines",
    "plot": "Plots",
    "laws": "Known distributions",
    "skpro": "skpro",
    "dask": "Dask",
}
OPTIONAL = ("skpro", "dask")  # not imported by the package
INHERITED = "    options:\n      inherited_members: true\n"  # its methods lie in several files
MODULE = """## {title} {{ #mirrorball.{name} }}

::: mirrorball.{name}
    options:
      heading_level: 3
      show_root_heading: false
      show_root_toc_entry: false
"""


def directives(package: Path) -> str:
    homes = {name: path.stem for path in package.glob("*.py") for name in defined(path)}
    public = [name for name in public_names(package / "__init__.py") if not name.startswith("_")]
    modules = [name for name in public if (package / f"{name}.py").exists() or (package / name).is_dir()]
    things = [*FIRST, *(name for name in public if name not in (*FIRST, *modules))]
    made = [f"::: mirrorball.{homes[name]}.{name}\n{INHERITED if name == FIRST[0] else ''}" for name in things]
    listed = [name for name in MODULES if name in modules or name in OPTIONAL]
    listed += [name for name in modules if name not in MODULES]
    made += [MODULE.format(title=MODULES.get(name, name.capitalize()), name=name) for name in listed]
    return "\n".join(made)


def defined(path: Path) -> list[str]:
    kinds = (ast.ClassDef, ast.FunctionDef)
    return [node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, kinds)]


def public_names(path: Path) -> list[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    raise ValueError(f"{path} has no __all__")
