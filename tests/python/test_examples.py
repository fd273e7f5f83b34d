"""The examples run, say what they should, and leave pictures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

#: They need no more than what the extra `plot` installs.
WITHOUT = """
import runpy, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("pandas", "polars"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
sys.path.insert(0, sys.argv[2])
import short_fits
short_fits.install(epochs=40)
runpy.run_path(sys.argv[1])
"""

FOLDER = Path(__file__).parents[2] / "examples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def run(script: Path, tmp_path: Path, **environment: str) -> str:
    environment = {
        **os.environ,
        "MPLBACKEND": "Agg",
        "MIRRORBALL_PICTURES": str(tmp_path),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(script), str(Path(__file__).parent)],
        cwd=FOLDER.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=SCRIPTS, ids=lambda script: script.stem, scope="module")
def done(request, tmp_path_factory):
    """A script's name, what it printed and the pictures it left."""
    folder = tmp_path_factory.mktemp("pictures")
    text = run(request.param, folder, MIRRORBALL_DATA=str(folder / "nowhere"))
    return request.param.stem, text, sorted(folder.glob("*.png"))


def test_there_are_three():
    assert len(SCRIPTS) == 3


def lines_with(words: str, text: str) -> str:
    return "\n".join(line for line in text.splitlines() if words in line)


def numbers_after(word: str, text: str) -> list[float]:
    return [float(line.split(word)[1].split()[0]) for line in text.splitlines() if word in line]


def test_leaves_pictures_and_says_what_it_should(done):
    name, text, pictures = done
    assert pictures
    assert all(picture.stat().st_size > 5000 for picture in pictures)
    if name == "1_intervals_on_housing":
        model, nothing = numbers_after(" CRPS ", lines_with("interval covers", text))
        assert model < 0.6 * nothing
    elif name == "2_two_targets_jointly":
        for score in ("joint NLL", "energy score"):
            jointly, one_by_one = numbers_after(score, text)
            assert jointly < one_by_one
    else:
        assert numbers_after("Hellinger", text.replace(",", ""))[0] < 0.4


def test_housing_with_the_real_table(tmp_path):
    folder = Path(os.environ.get("MIRRORBALL_DATA", FOLDER.parents[2] / "shared" / "datasets"))
    if not (folder / "california.csv.gz").exists():
        pytest.skip("MIRRORBALL_DATA names no folder with california.csv.gz")
    text = run(FOLDER / "1_intervals_on_housing.py", tmp_path, MIRRORBALL_DATA=str(folder))
    assert "MedHouseVal" in text
    model, nothing = numbers_after(" CRPS ", lines_with("interval covers", text))
    assert model < 0.6 * nothing
