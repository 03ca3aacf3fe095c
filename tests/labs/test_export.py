"""The notebooks as assignments for nbgrader and Otter."""

from __future__ import annotations

import json

import pytest

from gpucore.errors import ParameterError
from warplens.labs.export import LABS, exercises_of, export, file_name
from warplens.labs.kit import book


@pytest.fixture(autouse=True)
def empty_book():
    book.forget()
    yield
    book.forget()


def notebook(*cells):
    return {"cells": [{"cell_type": "code", "source": [cell]} for cell in cells]}


def test_every_exercise_of_the_labs_is_found():
    found = [
        name
        for path in LABS.glob("*/*.ipynb")
        for _, name in exercises_of(json.loads(path.read_text("utf-8")))
    ]
    assert len(found) == len(set(found)) > 60
    assert not [name for name in found if "{" in name]
    assert {name.partition("/")[0] for name in found} >= {"blocks", "warp", "matching", "sgd"}


def test_ids_are_read_from_calls():
    cells = notebook(
        "from warplens.labs.matching import runs as matching\nguess = None",
        "%time 1\nmatching.mate_of(guess, vertex=4, made=club)\nmatching.mate_of(2, 1, club)",
    )
    assert list(exercises_of(cells)) == [(1, "matching/mate-of-4"), (1, "matching/mate-of-1")]


@pytest.mark.parametrize("grader", ["nbgrader", "otter"])
def test_cells_that_grade(tmp_path, grader):
    paths = export(grader, tmp_path)
    assert len(paths) == len(list(LABS.glob("*/*.ipynb")))
    (path,) = [path for path in paths if path.stem == "01-suitor"]
    cells = json.loads(path.read_text("utf-8"))["cells"]
    before = json.loads((LABS / "matching" / "01-suitor.ipynb").read_text("utf-8"))["cells"]
    if grader == "nbgrader":
        assert path.parent == tmp_path / "source" / "01-suitor"
        graded = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
        codes = {cell["metadata"]["nbgrader"]["grade_id"]: cell["source"] for cell in graded}
        code = "".join(codes["matching-rule"])
    else:
        tests = {test.stem: test.read_text() for test in (path.parent / "tests").glob("*.py")}
        graded = [cell for cell in cells if "grader.check" in "".join(cell["source"])]
        assert {"".join(cell["source"]) for cell in graded} == {
            f'grader.check("{name}")' for name in tests
        }
        space = {}
        exec(tests["matching-rule"], space)
        (case,) = space["test"]["suites"][0]["cases"]
        code = case["code"].replace(">>> ", "")
    kept = [cell for cell in cells if cell["source"] in [one["source"] for one in before]]
    assert len(kept) == len(before)
    assert len({cell["id"] for cell in cells}) == len(cells)

    with pytest.raises(AssertionError, match="not solved: matching/rule"):
        exec(code, {})
    book._BOOK["matching/rule"] = book.Entry(tries=["x"], solved=True)
    exec(code, {})
    book._BOOK["matching/rule"].asked = True  # solved after its answer was shown
    with pytest.raises(AssertionError):
        exec(code, {})


def test_an_unknown_grader_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="nbgrader, otter"):
        export("chalk", tmp_path)
    assert file_name("a/b-c") == "a-b-c"
