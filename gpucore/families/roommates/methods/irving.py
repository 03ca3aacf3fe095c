"""Irving's algorithm for stable roommates (irving.cpp)."""

from __future__ import annotations

import ctypes
import time
from typing import TYPE_CHECKING

import numpy as np

from gpucore import native
from gpucore.cpu.common import cancel_flag, check_status, describe_cpu
from gpucore.families.roommates.certificate import certify_result
from gpucore.families.roommates.result import RoommatesResult
from gpucore.problems.roommates.roommates import Roommates, as_roommates
from gpucore.runner import Context, NoParams, native_runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

_ARRAY = ctypes.c_void_p


class _Task(ctypes.Structure):
    """``IrvingTask`` of irving.cpp."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("indptr", _ARRAY),
        ("others", _ARRAY),
        ("ranks", _ARRAY),
        ("cancel", ctypes.POINTER(ctypes.c_int)),
        ("successor", _ARRAY),
        ("proposals", ctypes.c_longlong),
        ("rotations", ctypes.c_longlong),
        ("parties", ctypes.c_int),
        ("undecided", ctypes.c_int),
    )


def run(graph: Graph | Roommates, params: NoParams, context: Context) -> RoommatesResult:
    """Return a stable matching of the persons, or the proof that there is none.

    Parameters
    ----------
    graph : Roommates or Graph
        The lists; a graph's are by weight
        (:meth:`gpucore.problems.roommates.roommates.Roommates.from_graph`).
    params : NoParams
    context : Context

    Returns
    -------
    RoommatesResult
        Figures beyond those of every method: ``parties``, the number of odd parties, with which no
        matching is stable, and ``undecided``, the number of persons who had a choice left after
        the first phase: 0 where lists are by weight.

    Raises
    ------
    GraphError, Cancelled, DeviceError

    Examples
    --------
    >>> import gpucore
    >>> three = Roommates.from_lists([[1, 2], [2, 0], [0, 1]])
    >>> gpucore.run("irving", three).successor.tolist()
    [1, 2, 0]
    """
    problem = as_roommates(graph)
    successor = np.empty(problem.num_vertices, np.int32)
    lists = [array.ctypes.data for array in (problem.indptr, problem.others, problem.ranks)]
    with cancel_flag(context.cancel) as flag:
        task = _Task(problem.num_vertices, *lists, ctypes.pointer(flag), successor.ctypes.data)
        start = time.perf_counter()
        status = native.load().cpu_irving(ctypes.byref(task))
        seconds = time.perf_counter() - start
    check_status("irving", graph, 1, status)
    return _wrap(successor, task, seconds)


def _wrap(successor: np.ndarray, task: _Task, seconds: float) -> RoommatesResult:
    solvable = task.parties == 0
    alone = successor == np.arange(successor.size)
    mate = np.where(alone | (not solvable), np.int32(-1), successor)
    return RoommatesResult(
        algorithm="irving",
        device=describe_cpu(1),
        seconds=seconds,
        figures={
            "solvable": solvable,
            "cardinality": int(np.count_nonzero(mate >= 0)) // 2,
            "proposals": task.proposals,
            "rotations": task.rotations,
            "parties": task.parties,
            "undecided": task.undecided,
        },
        params={"threads": 1},
        mate=mate,
        successor=successor,
    )


METHOD = native_runner(
    name="irving",
    title="Irving",
    source="Irving, J. Algorithms 6 (1985); Tan, J. Algorithms 12 (1991)",
    run=run,
    certify=certify_result,
    records=False,
)
