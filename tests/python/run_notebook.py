"""run_notebook NOTEBOOK...: runs notebooks in a folder that is thrown away, and keeps their outputs in them."""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def run(path: Path, folder: str, first: str = "") -> nbformat.NotebookNode:
    """The notebook with what comes out; `first` is code that runs before its own."""
    notebook = nbformat.read(path, as_version=4)
    if first:
        notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    NotebookClient(notebook, timeout=300, coalesce_streams=True, resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if each.get("data", {}).get("text/html") != ""]  # progress bars
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(run(Path(name), folder), name)
