"""Read a solution from a file: one that this package wrote, or another program."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.format import counted
from gpucore.io.matrix_market import read_entries
from gpucore.io.npz import names_of_arrays, read_arrays
from gpucore.io.numbers import read_numbers
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problems.preferences.sides import read_text
from gpucore.record.storage import HEADER
from gpucore.solutions.form import Answer, forms

#: Arrays of a NumPy file that are texts about the solution.
_TEXTS = ("params", "measures", "problem", "algorithm", "family")
#: Most levels of a hierarchy in a NumPy file.
_LEVELS = 100
#: Keys of a JSON object that are about a solution; another key holds the solution.
_ABOUT = {"family", "algorithm", "params", "measures", "graph", "warplens", "problem", "notes"}
#: Bytes of Python objects for a byte of text, as measured on tables of short numbers.
_BYTES_PER_BYTE = 30


def read_answer(given: Source | str | Path, *, limits: Limits | None = None) -> Answer:
    """Read a solution; the format follows from the name's ending.

    Parameters
    ----------
    given : Source, str or Path
        Ends in .csv, .tsv or .txt (a table with or without titles, or a value for each vertex),
        .json (an object with a table, a list of pairs, lists of members or a value for each
        vertex), .npz or .npy (arrays), .mtx (a matrix with an entry a pair).
    limits : Limits, optional
        Larger files are refused.

    Raises
    ------
    GraphError
        The file cannot be read; the text has the cause.
    """
    source = Source.of(given)
    source = replace(source, limits=limits or source.limits)
    ending = Path(source.name.removesuffix(".gz")).suffix.lower()
    if ending == ".mtx":
        return _of_matrix(source)
    if ending == ".npz":
        if HEADER in names_of_arrays(source):
            raise GraphError(
                f"{source.name} is the record of a run, not a solution; warplens run --output "
                "writes one"
            )
        known = {name for form in forms().values() for name in form.arrays}
        known |= {*_TEXTS, *(f"level_{at}" for at in range(1, _LEVELS + 1))}
        return _of_arrays(source.name, read_arrays(source, known))
    if ending == ".npy":
        column = read_numbers(source.name, "a number for each vertex", source.limits)
        return Answer(source.name, {"1": column.tolist()})
    # Twice as much again while rows are split; `read_text` takes a quarter of what is allowed.
    most = 4 * source.limits.max_bytes // _BYTES_PER_BYTE
    text = read_text(replace(source, limits=replace(source.limits, max_bytes=most)))
    if ending == ".json":
        return _of_json(source.name, text)
    if ending in (".csv", ".tsv", ".txt", ""):
        return _of_table(source.name, text)
    raise GraphError(
        f"{source.name}: a solution is read from .csv, .tsv, .txt, .json, .npz, .npy or .mtx"
    )


def _of_table(name: str, text: str) -> Answer:
    rows = _rows(name, text)
    if not rows:
        return Answer(name)
    titled = _are_titles(rows[0])
    titles = _clean(rows[0]) if titled else [str(at + 1) for at in range(len(rows[0]))]
    body = rows[1:] if titled else rows
    if len(set(titles)) < len(titles):
        raise GraphError(f"{name}: two columns have the same title")
    for at, row in enumerate(body):
        if len(row) != len(titles):
            raise GraphError(
                f"{name}: row {at + 1} has {counted(len(row), 'column')}, "
                f"the others have {len(titles)}"
            )
    columns = {title: [row[at] for row in body] for at, title in enumerate(titles)}
    return Answer(name, columns, titled=titled)


def _rows(name: str, text: str) -> list[list[str]]:
    """Return the cells of each row; comments stand before the first row, or between blanks."""
    lines = text.replace("\r\n", "\n").split("\n")
    begin = next((at for at, line in enumerate(lines) if not _is_comment(line)), len(lines))
    lines = lines[begin:]
    mark = next((mark for mark in "\t;," if lines and mark in lines[0]), None)
    if mark is None:
        return [line.split() for line in lines if not _is_comment(line)]
    cells = csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=mark)
    try:
        return [row for row in cells if row]
    except csv.Error as error:
        raise GraphError(f"{name}: this is not a table ({error})") from None


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip()[0] in "#%"


def _clean(titles: Sequence[str]) -> list[str]:
    return [title.strip().lower() for title in titles]


def _are_titles(cells: Sequence[str]) -> bool:
    """Return whether a first row is titles: all that families know, and so no names of members."""
    known = {title for form in forms().values() for titles in form.titles for title in titles}
    return any(cell in known for cell in _clean(cells))


def _of_json(name: str, text: str) -> Answer:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GraphError(f"{name}: this is not JSON ({error})") from None
    about: Mapping[str, Any] = {}
    if isinstance(found, dict):
        about = {key: value for key, value in found.items() if key in _ABOUT}
        body = {key: value for key, value in found.items() if key not in _ABOUT}
    else:
        body = {"": found}
    known = {array for form in forms().values() for array in form.arrays}
    arrays = {
        key: np.asarray(value)
        for key, value in body.items()
        if key in known and _are_numbers(value)
    }
    columns, titled = _columns_of(name, {k: v for k, v in body.items() if k not in arrays})
    return Answer(
        name,
        columns,
        arrays,
        titled=titled,
        params=_object(about.get("params")),
        measures=_object(about.get("measures")),
        problem=_object(about.get("problem")),
        family=str(about.get("family", "")),
        algorithm=str(about.get("algorithm", "")),
    )


def _are_numbers(value: Any) -> bool:
    """Return whether a value of JSON is a list of whole numbers of 64 bits."""
    return isinstance(value, list) and all(
        type(item) is int and abs(item) < 1 << 63 for item in value
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _columns_of(name: str, body: Mapping[str, Any]) -> tuple[dict[str, Sequence[Any]], bool]:
    """Return the columns of what a JSON file holds, and whether they have titles."""
    columns: dict[str, Sequence[Any]] = {}
    titled = False
    for key, value in body.items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            titles = list(value[0])
            if any(list(row) != titles for row in value):
                raise GraphError(f"{name}: the objects in {key!r} have different keys")
            columns |= {title.strip().lower(): [row[title] for row in value] for title in titles}
            titled = True
        elif isinstance(value, list) and value and all(isinstance(row, list) for row in value):
            columns |= _of_lists(value)
        elif isinstance(value, list):
            columns[key.lower() or "1"] = value
            titled = titled or bool(key)
    if columns or all(isinstance(value, list) for value in body.values()):
        return columns, titled
    # An object from members to values: {"a": 0, "b": 1}.
    plain = {key: value for key, value in body.items() if isinstance(value, str | int)}
    return {"vertex": list(plain), "value": list(plain.values())}, False


def _of_lists(rows: list[list[Any]]) -> dict[str, Sequence[Any]]:
    """Return pairs as two columns, other lists as the groups that they are."""
    if all(len(row) in (2, 3) for row in rows) and len({len(row) for row in rows}) == 1:
        width = len(rows[0])
        return {
            **{str(at + 1): [row[at] for row in rows] for at in range(width)},
            "groups": rows,
        }
    return {"groups": rows}


def _of_arrays(name: str, arrays: Mapping[str, NDArray[Any]]) -> Answer:
    texts = {key: str(arrays[key]) for key in _TEXTS if key in arrays}
    solution = {key: array for key, array in arrays.items() if key not in texts}
    try:
        params, measures, problem = (json.loads(texts.get(key, "{}")) for key in _TEXTS[:3])
    except (ValueError, RecursionError) as error:
        raise GraphError(f"{name}: its parameters are not JSON ({error})") from None
    return Answer(
        name,
        arrays=solution,
        params=_object(params),
        measures=_object(measures),
        problem=_object(problem),
        algorithm=texts.get("algorithm", ""),
        family=texts.get("family", ""),
    )


def _of_matrix(source: Source) -> Answer:
    entries = read_entries(source)
    rows, columns = entries.rows.astype(np.int64), entries.columns.astype(np.int64)
    if entries.values is not None:  # zeros are no pairs
        rows, columns = rows[entries.values != 0], columns[entries.values != 0]
    shape = np.array([entries.header.rows, entries.header.columns])
    return Answer(source.name, arrays={"rows": rows, "columns": columns, "shape": shape})
