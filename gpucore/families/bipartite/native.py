"""Shared by the CPU methods for bipartite matching: the native call, the checks, the result."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.call import Called, call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Report, layout, struct
from gpucore.families.bipartite.initial_matching import (
    Initial,
    check_given,
    check_initial,
    describe_initial,
)
from gpucore.families.bipartite.record import STEP_KINDS, bipartite_record
from gpucore.families.bipartite.result import BipartiteResult, other_side
from gpucore.problems.bipartite.prepare import as_bipartite
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: Initial matchings and their numbers in bipartite.h; a given one has the last.
INITIAL = {"cheap": 1, "none": 0}
_GIVEN = 2

#: Steps of a record whose phase, level and kind are kept.
_STEP_ROOM = 1 << 16
#: What the record's rows know of a step.
_NO_COUNTS = {"frontier": 0, "reached": 0, "paths": 0, "cardinality": -1}


class _Work(Report):
    """``BipartiteWork`` of bipartite.h."""

    _fields_ = layout(
        "int64 initial_cardinality cardinality phases levels edges, float64 initial_seconds, "
        "int64 steps"
    )


_Task = struct(
    "BipartiteTask",
    "int32 num_rows num_columns, int64[] indptr, int32[] rows, int64[] row_indptr, "
    "int32[] columns, int32 initial, threads, cancel, int32[] row_match column_match phase_paths, "
    "Work* work, recording, int32[] steps, int32 step_room",
    Work=_Work,
)


def run_native(
    name: str,
    graph: Graph,
    cancel: Cancel | None,
    initial: Initial,
    *,
    threads: int = 1,
    both_sides: bool = False,
    in_levels: bool = True,
    record: str = "off",
    record_budget: int = BUDGET,
) -> BipartiteResult:
    """Run the native method ``cpu_<name>``.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    graph : BipartiteGraph
        The problem.
    cancel : Cancel or None
        Checked while the method runs.
    initial : {"cheap", "none"} or array_like of int, shape (rows,)
        The matching to begin with; an array has the column of each row, -1 for none.
    threads : int
        Threads of the method.
    both_sides : bool
        Whether the method reads the lists of the rows, too.
    in_levels : bool
        Whether it searches level by level; if not, the figure ``levels`` is None.
    record, record_budget
        As for :func:`gpucore.run`.

    Returns
    -------
    BipartiteResult
        `seconds` is the time of the native call, its initial matching included. Figures beyond
        those of every method: ``edges``, the entries that were read, and ``phase_paths``,
        how many paths each phase found. The last phase finds none, unless all rows or all
        columns with entries are already matched.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError
    """
    matrix = as_bipartite(graph)
    check_initial(initial, tuple(INITIAL))
    given = None if isinstance(initial, str) else check_given(matrix, initial)
    rows, columns = matrix.shape
    row_match = np.empty(rows, np.int32) if given is None else given
    column_match = np.empty(columns, np.int32) if given is None else other_side(given, columns)
    # A phase that is not the last one finds a path, and there are no more paths than pairs.
    phase_paths = np.empty(min(rows, columns) + 1, np.int32)
    number = INITIAL[initial] if isinstance(initial, str) else _GIVEN
    steps = np.zeros((0 if record == "off" else _STEP_ROOM, 3), np.int32)
    begins = _begins(matrix, initial, given) if len(steps) else None
    work, (seconds, raw) = _call(
        name,
        matrix,
        number,
        (row_match, column_match, phase_paths),
        both_sides=both_sides,
        steps=steps,
        threads=threads,
        cancel=cancel,
        record=record,
        record_budget=record_budget,
    )
    result = make_result(
        name,
        row_match,
        column_match,
        seconds,
        threads=threads,
        params=describe_initial(initial, work.initial_cardinality),
        figures={
            "initial_cardinality": work.initial_cardinality,
            "initial_seconds": work.initial_seconds,
            "phases": work.phases,
            "levels": work.levels if in_levels else None,
            "edges": work.edges,
            "phase_paths": phase_paths[: work.phases].tolist(),
        },
    )
    if raw is None or begins is None:
        return result
    log = steps[: work.steps].tolist()
    kept = bipartite_record(
        raw,
        matrix,
        algorithm=name,
        params=result.params,
        device=result.device,
        steps=[_NO_COUNTS | {"phase": p, "level": v, "kind": STEP_KINDS[k]} for p, v, k in log],
        phases=_phases(work, phase_paths, log),
        initial_row_match=begins,
        row_match=row_match,
        column_match=column_match,
    )
    return dataclasses.replace(result, record=kept)


def _begins(matrix: BipartiteGraph, initial: Initial, given: np.ndarray | None) -> np.ndarray:
    """Return the column of each row in the initial matching, before a run changes it."""
    if given is not None:
        return given.copy()
    if isinstance(initial, str) and initial == "cheap":
        return cheap_matching(matrix)
    return np.full(matrix.shape[0], -1, np.int32)


def _phases(work: _Work, paths: np.ndarray, log: list[list[int]]) -> list[dict[str, int]]:
    """Return the numbers of each phase for the record."""
    levels = Counter(phase for phase, level, _ in log if level >= 0)
    pairs = work.initial_cardinality + np.cumsum(paths[: work.phases])
    return [
        {
            "levels": levels[number],
            "paths": int(paths[number - 1]),
            "cardinality": int(pairs[number - 1]),
            "grafted": 0,
        }
        for number in range(1, work.phases + 1)
    ]


def cheap_matching(graph: Graph, cancel: Cancel | None = None) -> np.ndarray:
    """Return the cheap matching with which the methods on the processor begin.

    Every column takes its first free row, one column after the other; see Duff, Kaya and Uçar,
    "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS 38(2), 2011.

    Returns
    -------
    ndarray of int32, shape (rows,)
        The column of each row, -1 for none: it can be given to any method as its initial matching.

    Raises
    ------
    GraphError, Cancelled, DeviceError

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> cheap_matching(BipartiteGraph.from_matrix([[1, 1, 0], [1, 0, 1]])).tolist()
    [0, 2]
    """
    matrix = as_bipartite(graph)
    found = [np.empty(size, np.int32) for size in (*matrix.shape, 1)]
    _call("cheap_matching", matrix, INITIAL["cheap"], found, cancel=cancel)
    return found[0]


def _call(
    name: str,
    matrix: BipartiteGraph,
    initial: int,
    found: Sequence[np.ndarray],
    *,
    both_sides: bool = False,
    steps: np.ndarray | None = None,
    **context: Any,
) -> tuple[_Work, Called]:
    """Call ``cpu_<name>``, which fills `found` and `steps`; `context` is that of the call."""
    sides = (*matrix.by_column(), *(matrix.by_row() if both_sides else (None, None)))
    work, room = _Work(), 0 if steps is None else len(steps)
    task = _Task(*matrix.shape, *sides, initial, *found, work, steps, room)
    return work, call(name, task, matrix, **context)


def make_result(
    name: str,
    row_match: np.ndarray,
    column_match: np.ndarray,
    seconds: float,
    *,
    params: dict[str, Any],
    figures: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
    threads: int = 1,
) -> BipartiteResult:
    """Make a result from a matching; its pairs are counted here for all methods.

    Parameters
    ----------
    name, seconds, params
        What ran, for how long, and how.
    row_match, column_match : ndarray of int32, shapes (rows,) and (columns,)
        See :class:`gpucore.families.bipartite.result.BipartiteResult`.
    figures, versions
        More figures of the run, and versions of the libraries that did it. Results of a
        library have no phases and levels; a library begins with the empty matching.
    threads : int
        Threads that it used.
    """
    unknown = {"initial_cardinality": 0, "initial_seconds": 0.0, "phases": None, "levels": None}
    return BipartiteResult(
        algorithm=name,
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures={"cardinality": int(np.count_nonzero(row_match >= 0))} | unknown | (figures or {}),
        params=params | {"threads": threads},
        row_match=row_match,
        column_match=column_match,
    )
