"""Write a solution, with the owner's names, as CSV, JSON, NumPy or Matrix Market."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.io import mmwrite

from gpucore.errors import ParameterError
from gpucore.saving import check_target, replacing
from gpucore.solutions.form import Table, form_of

if TYPE_CHECKING:
    from gpucore.result import Result

#: Endings of files, and what separates the columns of tables.
SEPARATORS = {".csv": ",", ".tsv": "\t"}
ENDINGS = (*SEPARATORS, ".json", ".npz", ".mtx")
#: Rows of a table that are made into text at a time.
_ROWS = 1 << 16


def table_of(problem: Any, result: Result, family: str, most: int | None = None) -> Table:
    """Return the solution of a result as a table with the owner's names; its first `most` rows.

    Examples
    --------
    >>> import gpucore
    >>> graph = gpucore.Graph.from_edges(3, [0, 1], [1, 2], [2.0, 5.0], names=["a", "b", "c"])
    >>> table_of(graph, gpucore.run("greedy", graph), "matching").rows()
    [('b', 'c', 5.0)]
    """
    return form_of(family).table(problem, result, most)


def check_output(path: str | Path, family: str) -> None:
    """Check before a run, not after it, that its solution can be written.

    Raises
    ------
    ParameterError
        The ending means no format, or none that this family has; or no file can be written there.
    """
    ending = Path(path).suffix.lower()
    form = form_of(family)
    if ending == ".mtx" and form.matrix is None:
        raise ParameterError(
            f"only matchings are written as matrices; name the output of {family} "
            + " or ".join(known for known in ENDINGS if known != ".mtx")
        )
    if ending not in ENDINGS:
        raise ParameterError(
            f"{Path(path).name}: solutions are written to files that end in {', '.join(ENDINGS)}"
        )
    check_target(path, ParameterError)


def save_solution(
    path: str | Path, problem: Any, result: Result, family: str, /, **about: Any
) -> None:
    """Write the solution of a result; the format follows from the name's ending.

    Parameters
    ----------
    path : str or Path
        Ends in .csv, .tsv (a table), .json (the table with parameters and measures), .npz (arrays,
        members numbered from 0), or, for matchings, .mtx (a matrix with an entry a pair).
    problem
        The problem that was solved.
    result : Result
        Of any runner.
    family : str
        Name of the family.
    **about
        Further values for the JSON form, such as the name of the graph; `problem`, how it was
        prepared, stands in the .npz form too.

    Raises
    ------
    ParameterError
        As for :func:`check_output`.
    """
    check_output(path, family)
    ending = Path(path).suffix.lower()
    with replacing(path, ParameterError) as file:
        if ending == ".npz":
            np.savez_compressed(file, **_arrays(result, family, about))
        elif ending == ".mtx":
            _write_matrix(file, problem, result, family)
        else:
            for part in solution_text(problem, result, family, ending, **about):
                file.write(part.encode())


def solution_text(
    problem: Any, result: Result, family: str, ending: str, /, **about: Any
) -> list[str]:
    """Return a solution as the parts of a text, CSV, TSV or JSON."""
    table = table_of(problem, result, family)
    if ending == ".json":
        return [_json(table, problem, result, family, about)]
    return _csv(table, SEPARATORS[ending])


def _csv(table: Table, separator: str) -> list[str]:
    parts = []
    for begin in range(0, max(table.total, 1), _ROWS):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        if not begin:
            writer.writerow(table.columns)
        columns = (column[begin : begin + _ROWS] for column in table.columns.values())
        writer.writerows(zip(*columns, strict=True))
        parts.append(text.getvalue())
    return parts


def _json(table: Table, problem: Any, result: Result, family: str, about: dict[str, Any]) -> str:
    """Return one object; the rows of the table stand one a line."""
    form = form_of(family)
    head = {
        "family": family,
        "algorithm": result.algorithm,
        "params": result.params,
        "measures": result.figures,
        **about,
        **(form.extras(problem, result) if form.extras else {}),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    titles = list(table.columns)
    rows = ",\n".join(
        json.dumps(dict(zip(titles, row, strict=True)), ensure_ascii=False) for row in table.rows()
    )
    lines.append(f"{json.dumps(table.name)}: [\n{rows}\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _arrays(result: Result, family: str, about: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays of a solution, the levels of a hierarchy as ``level_1``, ..., and texts."""
    levels = getattr(result, "levels", ())
    return {
        **result.solution(),
        **{f"level_{at}": level for at, level in enumerate(levels, 1)},
        "params": np.array(json.dumps(result.params)),
        "measures": np.array(json.dumps(result.figures)),
        "problem": np.array(json.dumps(about.get("problem", {}))),
        "family": np.array(family),
        **({"algorithm": np.array(result.algorithm)} if result.algorithm else {}),
    }


def _write_matrix(file: Any, problem: Any, result: Result, family: str) -> None:
    form = form_of(family)
    assert form.matrix is not None
    shape, rows, columns, values = form.matrix(problem, result)
    matrix = sparse.coo_array((values, (rows, columns)), shape=shape)
    if form.symmetric:  # SciPy keeps the lower triangle
        matrix = (matrix + matrix.T).tocoo()
    mmwrite(
        file,
        matrix,
        comment=f" matching by {result.algorithm}",
        symmetry="symmetric" if form.symmetric else "general",
    )
