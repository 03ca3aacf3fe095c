"""Matchings of rows with columns as files, and the properties that anybody's may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.bipartite.certificate import certify_bipartite, certify_result
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.members import sides
from gpucore.solutions.form import Answer, NotASolution, Property, SolutionForm, Table, only
from gpucore.solutions.match import numbered_pairs

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph

#: Checks without which the arrays are no matching.
_BASIC = ("well formed", "mutual", "pairs are edges")
_TITLES = (("row", "column"),)


def _pairs(result: BipartiteResult) -> tuple[Any, Any]:
    rows = np.flatnonzero(result.row_match >= 0)
    return rows, result.row_match[rows]


def _table(graph: BipartiteGraph, result: BipartiteResult, most: int | None) -> Table:
    (one, other), (rows, columns) = sides(graph), _pairs(result)
    ends = {"row": one.labels(rows[:most]), "column": other.labels(columns[:most])}
    return Table("pairs", ends, rows.size)


def _result(graph: BipartiteGraph, answer: Answer) -> BipartiteResult:
    if "row_match" in answer.arrays and "column_match" in answer.arrays:
        arrays = answer.arrays["row_match"], answer.arrays["column_match"]
    else:
        one, other = sides(graph)
        arrays = _matches(graph, *numbered_pairs(answer, one, other, _TITLES))
    result: BipartiteResult = answer.result(
        BipartiteResult, row_match=arrays[0], column_match=arrays[1]
    )
    return result


def _matches(graph: BipartiteGraph, rows: Any, columns: Any) -> tuple[Any, Any]:
    """Return the arrays of a set of pairs; NotASolution if a row or column has two."""
    for side, ends in zip(sides(graph), (rows, columns), strict=True):
        number = np.bincount(ends, minlength=side.count)
        if (number > 1).any():
            name = side.labels(np.flatnonzero(number > 1)[:1])[0]
            raise NotASolution("mutual", f"{side.noun} {name} stands in {int(number.max())} pairs")
    row_match = np.full(graph.num_rows, -1, np.int32)
    column_match = np.full(graph.num_columns, -1, np.int32)
    row_match[rows], column_match[columns] = columns, rows
    return row_match, column_match


def _basic(graph: BipartiteGraph, result: BipartiteResult) -> Certificate:
    found = certify_bipartite(graph, result.row_match, result.column_match)
    return with_reported(only(found, _BASIC), result)


def _matrix(
    graph: BipartiteGraph, result: BipartiteResult
) -> tuple[tuple[int, int], Any, Any, Any]:
    rows, columns = _pairs(result)
    return (graph.num_rows, graph.num_columns), rows, columns, np.ones(rows.size, np.int64)


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(Property("maximum", "No matching has more pairs.", certify_result),),
    titles=_TITLES,
    arrays=("row_match", "column_match"),
    matrix=_matrix,
)
