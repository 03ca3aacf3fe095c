"""The notebooks run from top to bottom and are committed without outputs."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

LABS = Path(__file__).parents[2] / "labs"
NOTEBOOKS = sorted(LABS.glob("*/*.ipynb"), key=lambda path: path.name)
#: Players in the notebooks that have some.
PLAYERS = {
    "01-suitor": 4,
    "02-louvain": 3,
    "03-bipartite": 3,
    "04-marriage": 2,
    "05-redblue": 2,
    "06-sgd": 2,
    "07-bmatching": 2,
}


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_labs():
    assert [path.stem for path in NOTEBOOKS] == [
        "00-what-is-a-warp",
        "00b-blocks-and-memory",
        *PLAYERS,
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path):
    notebook = read(path)
    nbformat.validate(notebook)
    for cell in code_cells(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_begins_with_its_length_and_ends_with_the_score(path):
    cells = read(path).cells
    assert re.search(r"\*About \d+ minutes.*\bcore\b", cells[0].source, re.DOTALL)
    assert "labs.score()" in cells[-1].source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_little_code(path):
    for cell in code_cells(read(path)):
        assert len(cell.source.splitlines()) <= 16


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, lab_compiler):
    notebook = read(path)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    shown = str([cell.outputs for cell in code_cells(notebook)])
    assert "Guess first." in shown
    assert "Your turn." in shown  # the kernel, or the rule, that the reader must fix
    assert "Not yet." not in shown  # a cell as it came gets no verdict
    players = [
        output
        for cell in code_cells(notebook)
        for output in cell.outputs
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    assert len(players) == PLAYERS.get(path.stem, 0)
