"""The examples run, say what they should, and leave pictures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

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
        [sys.executable, str(script)],
        cwd=FOLDER.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_three():
    assert len(SCRIPTS) == 3


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_runs_and_leaves_pictures(script, tmp_path):
    text = run(script, tmp_path, MIRRORBALL_DATA=str(tmp_path / "nowhere"))
    assert text
    pictures = list(tmp_path.glob("*.png"))
    assert pictures
    assert all(picture.stat().st_size > 5000 for picture in pictures)


def test_joint_draws_beat_shuffled_ones(tmp_path):
    text = run(FOLDER / "2_two_targets_jointly.py", tmp_path)
    score = {line.split()[0]: float(line.split()[-1]) for line in text.splitlines() if "energy score" in line}
    assert score["jointly"] < score["one"]


def test_housing_with_the_real_table(tmp_path):
    folder = Path(os.environ.get("MIRRORBALL_DATA", FOLDER.parents[2] / "shared" / "datasets"))
    if not (folder / "california.csv.gz").exists():
        pytest.skip("MIRRORBALL_DATA names no folder with california.csv.gz")
    text = run(FOLDER / "1_intervals_on_housing.py", tmp_path, MIRRORBALL_DATA=str(folder))
    assert "MedHouseVal" in text
    crps = [float(line.split("CRPS")[1].split()[0]) for line in text.splitlines() if "CRPS" in line]
    assert crps[0] < 0.6 * crps[1]
