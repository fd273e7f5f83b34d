"""The notebooks run, and what their texts say is so."""

import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
pytest.importorskip("nbclient")

from conftest import PROGRAM
from run_notebook import run

#: Enough for what the texts say; the notebooks themselves train longer.
SHORT = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import short_fits; short_fits.install(epochs=15)"
FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Runs a notebook and gives what it printed."""
    old = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), str(PROGRAM.parent), old])

    def text(name: str) -> str:
        done = run(FOLDER / f"{name}.ipynb", str(tmp_path_factory.mktemp(name)), SHORT)
        return "".join(
            output.text for cell in done.cells if cell.cell_type == "code" for output in cell.outputs if "text" in output
        )

    yield text
    os.environ["PATH"] = old


def number(pattern: str, text: str) -> float:
    found = re.search(pattern + r"\s+(-?[\d.]+)", text)
    assert found, f"{pattern} in {text}"
    return float(found[1])


def test_all_are_run():
    names = {path.stem for path in FOLDER.glob("*.ipynb")}
    assert names == {"1_order_by_cost", "2_a_joint_event", "3_a_tail_explained", "4_monitoring"}


def test_a_quantile_by_cost_is_the_cheapest_order(notebook):
    text = notebook("1_order_by_cost")
    others = [number(rule, text) for rule in (r"(?m)^mean", r"(?m)^median", r"(?m)^mean \+ \d+ loaves")]
    assert number(r"(?m)^quantile 0\.725", text) < min(others)


def test_a_joint_event_needs_the_joint_distribution(notebook):
    text = notebook("2_a_joint_event")
    missed = number("connections missed", text)
    assert abs(number("predicted, jointly", text) - missed) < 4
    assert number("predicted, as if independent", text) > missed + 4
    assert number("Brier score, jointly", text) < number("Brier score, as if independent", text)


def test_a_tail_has_drivers_of_its_own(notebook):
    text = notebook("3_a_tail_explained")
    assert number("more than 45 minutes late: .*% of the trips, predicted", text) == pytest.approx(
        number("more than 45 minutes late:", text), abs=2
    )
    risk = [float(share) for share in re.findall(r"more than 45 minutes late: ([\d.]+)%$", text, re.MULTILINE)]
    assert risk[0] > 3 * risk[1]


@pytest.mark.skipif(not (PROGRAM.parents[1] / "web" / "report.html").exists(), reason="the pages are not built")
def test_monitoring_sees_what_changed(notebook):
    text = notebook("4_monitoring")
    before, _, after = text.partition("month 10:")
    assert "laboratory" not in before
    assert "laboratory" in after and "outside" in after
    assert number("refitted +coverage", text) > 85 > number("as it was +coverage", text)
