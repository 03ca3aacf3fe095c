"""The notebooks as assignments: each exercise is followed by a cell that a grader runs.

A check already runs the reader's kernel under many schedules, with the race detector, on graphs
that the reader has not seen, and certifies the result. So the graders need one line: whether the
book (:mod:`labs.kit.book`) says that the exercise was solved before its answer was shown.

nbgrader: https://nbgrader.readthedocs.io, Otter: https://otter-grader.readthedocs.io.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpucore.errors import ParameterError
from gpucore.saving import make_directory, new_folder, replacing

from .kit import book

LABS = Path(__file__).parent
GRADERS = ("nbgrader", "otter")
_FIX = "name another folder for the assignments"

_OTTER_TEST = """OK_FORMAT = True

test = {{
    "name": {name!r},
    "points": 1,
    "suites": [
        {{
            "cases": [{{"code": {code!r}, "hidden": False, "locked": False}}],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }}
    ],
}}
"""


def export(grader: str, folder: Path) -> list[Path]:
    """Write all notebooks as assignments.

    Parameters
    ----------
    grader : {"nbgrader", "otter"}
    folder : Path
        For nbgrader a course: ``source/LAB/LAB.ipynb``. For Otter ``LAB/LAB.ipynb`` and its
        ``LAB/tests/``.

    Returns
    -------
    list of Path
        The notebooks.

    Raises
    ------
    ParameterError
        There is no such grader, or the folder cannot be written to.
    """
    if grader not in GRADERS:
        raise ParameterError(f"there is no grader {grader!r}; choose from {', '.join(GRADERS)}")
    written = []
    with new_folder(folder, ParameterError, _FIX):
        for path in sorted(LABS.glob("*/*.ipynb"), key=lambda path: path.name):
            notebook = json.loads(path.read_text("utf-8"))
            names = list(exercises_of(notebook))
            if not names:
                continue
            place = (folder / "source" if grader == "nbgrader" else folder) / path.stem
            make_directory(place, ParameterError, _FIX)
            if grader == "otter":
                _write_otter_tests(place / "tests", [name for _, name in names])
            _add_cells(notebook, names, grader)
            with replacing(place / path.name, ParameterError, _FIX) as file:
                file.write(json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n")
            written.append(place / path.name)
    return written


def exercises_of(notebook: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the cell and the id of every exercise of a notebook, each once.

    Found by reading the cells, not by running them.
    """
    known: dict[str, Any] = {}
    seen = set()
    for index, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        lines = "".join(cell["source"]).splitlines()
        tree = ast.parse("\n".join("" if line[:1] in "%!" else line for line in lines))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom | ast.Import):
                known |= _imported(node)
            name = _exercise(node, known) if isinstance(node, ast.Call) else None
            if name is not None and name not in seen:
                seen.add(name)
                yield index, name


def _imported(node: ast.ImportFrom | ast.Import) -> dict[str, Any]:
    """Return the objects that an import of the labs binds."""
    found = {}
    for alias in node.names:
        if isinstance(node, ast.Import):
            if alias.name.startswith("warplens.") and alias.asname:
                found[alias.asname] = importlib.import_module(alias.name)
        elif (node.module or "").startswith("warplens"):
            module = importlib.import_module(str(node.module))
            if not hasattr(module, alias.name):
                module = importlib.import_module(f"{node.module}.{alias.name}")
                found[alias.asname or alias.name] = module
            else:
                found[alias.asname or alias.name] = getattr(module, alias.name)
    return found


def _exercise(call: ast.Call, known: dict[str, Any]) -> str | None:
    """Return the id of the exercise that a call checks; None if it checks none."""
    check = _object(call.func, known)
    template = book.template_of(check)
    if template is None:
        return None
    # Only plain values can be part of an id; what else is given is left as it is written.
    given = [_value(one) for one in call.args]
    named = {one.arg: _value(one.value) for one in call.keywords if one.arg is not None}
    bound = inspect.signature(check).bind(*given, **named)
    bound.apply_defaults()
    return template.format_map(bound.arguments)


def _object(node: ast.expr, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_object(node.value, known), node.attr, None)
    return None


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


def _add_cells(notebook: dict[str, Any], names: list[tuple[int, str]], grader: str) -> None:
    """Put a grader's cell behind every exercise; from the last on, so that the places stay."""
    for index, name in reversed(names):
        notebook["cells"].insert(index + 1, _cell(name, grader))
    if grader == "otter":
        start = _code("import otter\n\ngrader = otter.Notebook()", "otter-begin", {})
        notebook["cells"].insert(0, start)


def _cell(name: str, grader: str) -> dict[str, Any]:
    ident = file_name(name)
    if grader == "otter":
        return _code(f'grader.check("{ident}")', f"check-{ident}", {"editable": False})
    metadata = {
        "grade": True,
        "grade_id": ident,
        "locked": True,
        "points": 1,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return _code(_question(name), f"grade-{ident}", {"nbgrader": metadata})


def _question(name: str) -> str:
    return f'from warplens import labs\n\nassert labs.passed("{name}"), "not solved: {name}"'


def _code(source: str, ident: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": ident[:64],
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def file_name(name: str) -> str:
    """Return an exercise's id as a file name.

    Examples
    --------
    >>> file_name("matching/mate-of-3")
    'matching-mate-of-3'
    """
    return name.replace("/", "-")


def _write_otter_tests(folder: Path, names: list[str]) -> None:
    make_directory(folder, ParameterError, _FIX)
    for name in names:
        ident = file_name(name)
        code = "\n".join(f">>> {line}" for line in _question(name).splitlines() if line)
        with replacing(folder / f"{ident}.py", ParameterError, _FIX) as file:
            file.write(_OTTER_TEST.format(name=ident, code=code).encode())
