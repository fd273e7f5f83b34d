"""The wheel as it is distributed, in an environment that has nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from email.parser import Parser

import pytest
from conftest import ROOT

GLIBC = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
#: What Debian's libhwy needs, and numpy too.
RUN_TIME = {"libstdc++.so.6", "libgcc_s.so.1"}

FIT = """
import numpy as np
from mirrorball import MirrorballRegressor
X = np.random.default_rng(0).normal(size=(200, 2))
model = MirrorballRegressor(networks=1, width=8, min_steps=60, n_jobs=1).fit(X, X[:, 0])
low, high = model.predict_interval(X, 0.9)
assert (low < high).all()
model.save("python.mirrorball")
"""


@pytest.fixture(scope="module")
def wheel():
    done = subprocess.run([ROOT / "tools" / "wheel", "--built"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-1]


@pytest.fixture(scope="module")
def folder(wheel, tmp_path_factory):
    """An environment with the wheel and what it asks for."""
    made = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "venv", made / "venv"], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([made / "venv" / "bin" / "pip", "install", *quiet, wheel], check=True)
    return made


def run(folder, *words):
    """A command of the environment, with no other on the path."""
    settings = {"cwd": folder, "env": {"PATH": str(folder / "venv" / "bin")}, "capture_output": True, "text": True}
    done = subprocess.run([folder / "venv" / "bin" / words[0], *words[1:]], **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_wheel_for_every_python(wheel):
    assert re.search(r"mirrorball_ml-[0-9.]+-py3-none-manylinux_\d+_\d+_\w+\.whl$", wheel)


def test_it_needs_nothing_that_numpy_does_not(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    files = [file for file in tmp_path.rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
    assert len(files) > 2
    for file in files:
        headers = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
        system = GLIBC | RUN_TIME if file.name.startswith("libhwy") else GLIBC
        assert set(re.findall(r"NEEDED.*\[(.*)\]", headers)) <= system | {other.name for other in files}


def test_metadata_and_licences(wheel):
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        about = Parser().parsestr(archive.read(name).decode())
        licences = [name for name in archive.namelist() if "/licenses/" in name and not name.endswith("/")]
    assert (about["Name"], about["License-Expression"]) == ("mirrorball-ml", "Apache-2.0")
    assert about["Author"] == "The Mirrorball developers"
    assert sorted(name.rsplit("/", 1)[1] for name in licences) == ["LICENSE", "THIRD_PARTY_LICENSES.txt"]


def test_python_and_program_in_an_empty_environment(folder):
    run(folder, "python", "-c", FIT)
    (folder / "data.csv").write_text("x0,x1,y\n" + "".join(f"{i % 17},{i % 5},{i % 17}\n" for i in range(300)))
    flags = ["--networks", "1", "--width", "8", "--min-steps", "60", "--threads", "1", "--quiet"]
    run(folder, "mirrorball", "fit", "data.csv", "--target", "y", "--out", "cli.mirrorball", *flags)
    for model in ("cli.mirrorball", "python.mirrorball"):
        assert len(run(folder, "mirrorball", "predict", model, "data.csv", "--mean").split()) == 301
    run(folder, "mirrorball", "report", "cli.mirrorball", "data.csv", "--out", "report.html", "--explain-rows", "2", "--quiet")
    page = (folder / "report.html").read_text()
    if (ROOT / "build" / "web" / "report.html").exists() and os.environ.get("PAGES") != "off":
        assert "<script" in page and len(page) > 100_000
