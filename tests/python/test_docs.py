"""What the guide shows is run."""

import os
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import PROGRAM
from mirrorball import _core
from short_fits import short_fit

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "python.md"
SHAPES = {"mean": (200,), "low": (200,), "quantiles": (200, 3), "samples": (200, 500, 1)}


def blocks(text: str) -> list[tuple[int, str]]:
    """Python code of a page, with the line it starts in."""
    found = re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(text[: match.start(1)].count("\n"), match.group(1)) for match in found]


def test_guide_runs(tmp_path, monkeypatch):
    for package in ("matplotlib", "pandas", "polars", "skpro"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.setattr(_core, "fit", short_fit(epochs=20))
    names: dict = {"__name__": "guide"}
    code = blocks(GUIDE.read_text(encoding="utf-8"))
    assert len(code) >= 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message="More than 20 figures")
        for line, block in code:
            exec(compile("\n" * line + block, str(GUIDE), "exec"), names)
            if "model.sample(test, 500)" in block:
                assert {name: names[name].shape for name in SHAPES} == SHAPES
    assert os.path.exists("price.mirrorball")
    matplotlib.pyplot.close("all")


def test_the_file_format_page_reads_a_model(tmp_path, monkeypatch, capsys, program):
    """Its commands make the model that its code opens, with the safetensors package, and computes by hand."""
    page = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^    mirrorball (.*)$", page, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words, _, file = command.partition(" > ")
        printed = program(*words.split())
        if file:
            Path(file).write_text(printed)
    names: dict = {}
    for line, block in blocks(page):
        exec(compile("\n" * line + block, "file-format.md", "exec"), names)
    shown = re.search(r"It prints\n\n((?:    .*\n)+)", page)
    assert shown
    found, expected = capsys.readouterr().out, shown.group(1)
    assert found.splitlines()[0] == expected.splitlines()[0].strip()
    numbers = [[float(word) for word in re.findall(r"-?\d+\.\d+", text)] for text in (found, expected)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.03)  # another instruction set trains another network
    assert "hidden.0.weight" in str(sorted(names["tensor"])) and names["metadata"]["format"] == "mirrorball"


def test_links_of_the_guide_lead_somewhere():
    text = GUIDE.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", text):
        page, _, place = target.partition("#")
        if page:
            assert (GUIDE.parent / page).exists(), target
        else:
            assert place in headings, target


def test_guides_show_what_comes_out(program):
    """Shell commands and Python code of README and guides, in their order, with what the pages show below them."""
    pytest.importorskip("pandas")
    guides = sorted((ROOT / "docs" / "guides").glob("*.md"))
    assert len(guides) >= 10
    run = subprocess.run(
        [sys.executable, ROOT / "tests" / "doc_examples", PROGRAM, ROOT / "README.md", *guides, "--python", sys.executable],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_tables_of_the_guides_are_current():
    """docs/data has what tools/make_flats.py writes."""
    made = runpy.run_path(str(ROOT / "tools" / "make_flats.py"))["tables"]()
    assert {name: (ROOT / "docs" / "data" / name).read_text(encoding="utf-8") for name in made} == made
