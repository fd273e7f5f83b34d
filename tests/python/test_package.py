"""The package as it is installed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import mirrorball

FOLDER = pathlib.Path(mirrorball.__file__).parent

#: What comes from the system: glibc, and what auditwheel copies into a wheel.
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
COPIED = {"libhwy.so.1", "libz.so.1", "libzstd.so.1"}


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_import_is_light():
    """Nothing heavy is imported before it is used; what is not imported takes no time."""
    loaded = python("import sys; before = set(sys.modules); import mirrorball; print(*set(sys.modules) - before)")
    assert not {"numpy", "sklearn", "scipy", "pandas", "polars", "pyarrow", "matplotlib"} & set(loaded.split())
    assert "MirrorballRegressor" in python("import mirrorball; print(dir(mirrorball))")
    assert python("import mirrorball; print(mirrorball.__version__)").strip() == version()
    with pytest.raises(AttributeError, match="no attribute 'Regressor'"):
        _ = mirrorball.Regressor


def test_frames_are_not_imported():
    loaded = python("import sys, mirrorball; mirrorball.Distribution([[1.0]]).mean(); print(*sys.modules)").split()
    assert not {"sklearn", "pandas", "polars", "pyarrow", "matplotlib"} & set(loaded)


def version():
    text = (ROOT / "include" / "mirrorball" / "version.h").read_text()
    return re.search(r'VERSION "(.*)"', text)[1]


def needed(file):
    headers = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"NEEDED.*\[(.*)\]", headers)), re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", headers)


def test_the_library_has_its_own_run_time():
    """Neither Python nor the C++ run time of the machine: one library for every version of Python."""
    assert needed(FOLDER / "_core" / "libmirrorball.so")[0] <= SYSTEM | COPIED
    assert needed(FOLDER / "_core" / "mirrorball") == ({"libmirrorball.so", "libc.so.6"}, ["$ORIGIN"])


def test_only_the_border_is_exported():
    names = ["nm", "--dynamic", "--defined-only", FOLDER / "_core" / "libmirrorball.so"]
    exported = subprocess.run(names, capture_output=True, text=True, check=True).stdout.split("\n")
    assert len(exported) > 50
    assert {line.split()[-1].split("_")[0] for line in exported if line} == {"mirrorball"}


def test_every_function_of_the_border_is_declared():
    sources = "".join(file.read_text() for file in (ROOT / "python" / "binding").glob("*.cc"))
    defined = set(re.findall(r"MIRRORBALL_BORDER[^(]*?\bmirrorball_(\w+)\(", sources)) - {"main"}  # of the executable
    declared = set(re.findall(r'_(?:declare|function)\(\s*"(\w+)"', (FOLDER / "_core" / "_library.py").read_text()))
    assert defined == declared


def test_one_message_names_all_missing_libraries(tmp_path):
    absent = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("fmt", "Eigen3")]
    done = subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path, *absent], capture_output=True, text=True)
    assert done.returncode != 0
    assert "libraries that are not installed: fmt, Eigen" in done.stderr
    assert "sudo apt-get install libfmt-dev libeigen3-dev\n" in done.stderr
    assert "tools/bootstrap --library" in done.stderr


def test_a_missing_compiler_is_one_message(tmp_path):
    environment = {**os.environ, "CXX": "no-such-compiler -m64"}
    done = subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path], capture_output=True, text=True, env=environment)
    assert done.returncode != 0
    assert "needs a C++ compiler, and there is none: no-such-compiler\n" in done.stderr
    assert "tools/bootstrap --library" in done.stderr


def test_licences_of_everything_inside():
    """tools/licences collects them; a library or npm package that came since is not there."""
    text = (ROOT / "THIRD_PARTY_LICENSES.txt").read_text()
    titles = {name for title in re.findall(r"^=+\n(.*)\n=+$", text, re.M) for name in title.split(", ")}
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    packages = {path.removeprefix("node_modules/") for path, about in locked.items() if path and not about.get("dev")}
    assert packages <= titles
    wanted = re.findall(r"^ *mirrorball_needs\((\S+)", (ROOT / "cmake" / "Requirements.cmake").read_text(), re.M)
    assert set(wanted) - {"pkg-config", "GoogleTest", "cpp-httplib"} | {"libxsmm", "libstdc++", "libgcc"} <= titles


def test_options_are_those_of_the_table():
    words = [sys.executable, ROOT / "tools" / "make_options.py", "--check"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types_are_there():
    assert (FOLDER / "py.typed").exists()


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules([str(FOLDER)])])
def test_docstrings_run(name):
    module = importlib.import_module(f"mirrorball.{name}")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def public():
    """Every class, method, property and function of the API reference, by name."""
    found = {}
    modules = (mirrorball.laws, mirrorball.metrics, mirrorball.pipeline, mirrorball.plot, mirrorball.scoring)
    for module in (mirrorball, *modules):
        for name in module.__all__:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or inspect.isroutine(thing)):
                continue
            found[f"{module.__name__}.{name}"] = thing
            own = vars(thing).items() if inspect.isclass(thing) and thing.__module__.startswith("mirrorball") else ()
            for inner, member in own:
                member = getattr(member, "fget", None) or getattr(member, "__func__", member)
                if not inner.startswith("_") and inspect.isfunction(member) and inner not in ("draws", "set_fit_request"):
                    found[f"{module.__name__}.{name}.{inner}"] = member
    return found


def test_everything_public_is_described():
    for name, thing in public().items():
        words = thing.__doc__ or ""
        assert "Examples\n" in words, name
        parameters = [] if inspect.isclass(thing) else list(inspect.signature(thing).parameters)
        for parameter in parameters:
            assert parameter in ("self", "cls") or re.search(rf"^\s+(\w+, )*\**{parameter}(, \w+)* : ", words, re.M), (name, parameter)


@pytest.mark.parametrize("name, thing", [(n, thing) for n, thing in public().items() if hasattr(thing, "__wrapped__")])
def test_examples_of_wrapped_functions_run(name, thing):
    """doctest does not look behind decorators."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    module = sys.modules[thing.__module__]
    [test] = doctest.DocTestFinder(recurse=False).find(inspect.unwrap(thing), name, module, dict(vars(module)))
    assert doctest.DocTestRunner().run(test).failed == 0
    pyplot.close("all")
