"""The package as it is installed."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import mirrorball

FOLDER = pathlib.Path(mirrorball.__file__).parent

#: What the manylinux policies let come from outside.
ALLOWED = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1"}


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


def test_a_wheel_brings_its_libraries():
    [extension] = FOLDER.glob("_core*.so")
    libraries, path = needed(extension)
    beside = {file.name for file in FOLDER.glob("lib*.so*")}
    assert path == ["$ORIGIN"]
    assert beside <= libraries
    assert libraries - beside <= ALLOWED | {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    for file in beside:
        assert needed(FOLDER / file)[0] <= ALLOWED


def test_options_are_those_of_the_table():
    made = subprocess.run(
        [sys.executable, ROOT / "tools" / "make_options.py"], capture_output=True, text=True, check=True
    )
    assert (ROOT / "python" / "mirrorball" / "_options.py").read_text() == made.stdout, (
        "make it again: build/venv/bin/python tools/make_options.py > python/mirrorball/_options.py"
    )


def test_types_are_there():
    assert (FOLDER / "py.typed").exists()
    stub = (FOLDER / "_core.pyi").read_text()
    for name in ("class Table", "class Model", "class Predictive", "def fit", "def option_list"):
        assert name in stub


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules([str(FOLDER)])])
def test_docstrings_run(name):
    module = importlib.import_module(f"mirrorball.{name}")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_public_methods_have_docstrings():
    for kind in (mirrorball.MirrorballRegressor, mirrorball.Distribution):
        undescribed = {"mean", "var", "median", "target_names"}  # the name says it
        for name, member in vars(kind).items():
            if not name.startswith("_") and callable(member) and name not in undescribed:
                assert member.__doc__, name
