"""Irving and Scott's algorithm for stable fixtures (irving_scott.cpp)."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore import native
from gpucore.cpu.common import cancel_flag, check_status, describe_cpu
from gpucore.errors import ParameterError
from gpucore.families.roommates.fixtures import FixturesResult
from gpucore.families.roommates.fixtures_certificate import certify_result
from gpucore.params import is_whole
from gpucore.problems.roommates.roommates import Roommates, as_roommates
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

_ARRAY = ctypes.c_void_p

#: Largest number of mates that may be asked for.
MAX_B = 2**31 - 1


class _Task(ctypes.Structure):
    """``FixturesTask`` of irving_scott.cpp."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("indptr", _ARRAY),
        ("others", _ARRAY),
        ("ranks", _ARRAY),
        ("capacity", _ARRAY),
        ("cancel", ctypes.POINTER(ctypes.c_int)),
        ("bids", _ARRAY),
        ("successor", _ARRAY),
        ("proposals", ctypes.c_longlong),
        ("rotations", ctypes.c_longlong),
        ("parties", ctypes.c_int),
        ("undecided", ctypes.c_int),
    )


@dataclass(frozen=True)
class FixturesParams:
    """Parameters of stable fixtures.

    Attributes
    ----------
    b : int or array_like of int, shape (n,)
        Most mates of each person, at least 0; 1 for all is the problem of stable roommates.
    """

    b: int | Sequence[int] | NDArray[np.integer] = field(default=2, compare=False)


def run(graph: Graph | Roommates, params: FixturesParams, context: Context) -> FixturesResult:
    """Return a stable solution in which each person has several mates, or the proof of none.

    Parameters
    ----------
    graph : Roommates or Graph
        The lists; a graph's are by weight
        (:meth:`gpucore.problems.roommates.roommates.Roommates.from_graph`).
    params : FixturesParams
    context : Context

    Returns
    -------
    FixturesResult
        Figures beyond those of every method: ``parties``, the number of odd parties, with which no
        solution is stable, and ``undecided``, the number of persons who had a choice left after
        the first phase: 0 where lists are by weight.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] R. W. Irving, S. Scott, "The stable fixtures problem - a many-to-many extension of
       stable roommates", Discrete Applied Mathematics 155 (2007).

    Examples
    --------
    >>> four = Roommates.from_lists([[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 1, 2]])
    >>> import gpucore
    >>> one, two = (gpucore.run("irving_scott", four, b=b) for b in (1, 2))
    >>> one.solvable, two.lists()
    (False, [[1, 2], [0, 2], [0, 1], []])
    """
    problem, b = as_roommates(graph), params.b
    capacity = _check_b(b, problem.num_vertices)
    bids = np.empty(problem.others.size, np.uint8)
    successor = np.empty(problem.num_vertices, np.int32)
    lists = (problem.indptr, problem.others, problem.ranks, capacity)
    with cancel_flag(context.cancel) as flag:
        task = _Task(
            problem.num_vertices,
            *(array.ctypes.data for array in lists),
            ctypes.pointer(flag),
            bids.ctypes.data,
            successor.ctypes.data,
        )
        start = time.perf_counter()
        status = native.load().cpu_irving_scott(ctypes.byref(task))
        seconds = time.perf_counter() - start
    check_status("irving_scott", graph, 1, status)
    starts, mates = _mates(problem, bids)
    solvable = task.parties == 0
    return FixturesResult(
        algorithm="irving_scott",
        device=describe_cpu(1),
        seconds=seconds,
        figures={
            "solvable": solvable,
            "cardinality": mates.size // 2 if solvable else 0,
            "proposals": task.proposals,
            "rotations": task.rotations,
            "parties": task.parties,
            "undecided": task.undecided,
        },
        params={"threads": 1, "b": int(b) if is_whole(b) else "given"},
        capacity=capacity,
        starts=starts,
        mates=mates,
        successor=successor,
    )


def _check_b(b: int | Sequence[int] | NDArray[np.integer], n: int) -> NDArray[np.int32]:
    """Return how many mates each person may have, or raise ParameterError."""
    room = np.asarray(b)
    fits = room.shape in ((), (n,)) and (room.dtype.kind in "iu" or room.size == 0)
    if not fits or (room.size and not 0 <= int(room.min()) <= int(room.max()) <= MAX_B):
        raise ParameterError(
            f"b must be a whole number from 0 to {MAX_B}, or one for each of the {n} persons"
        )
    return np.broadcast_to(room, (n,)).astype(np.int32)


def _mates(problem: Roommates, bids: NDArray[np.uint8]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mates of each person, ascending: those who bid for each other."""
    n = problem.num_vertices
    rows = np.repeat(np.arange(n), np.diff(problem.indptr))
    in_return = bids[problem.indptr[problem.others] + problem.ranks - 1]
    both = (bids & in_return) != 0
    rows, mates = rows[both], problem.others[both]
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=n), out=starts[1:])
    return starts, mates[np.lexsort((mates, rows))]


METHOD = native_runner(
    name="irving_scott",
    title="Irving–Scott",
    source="Irving and Scott, Discrete Applied Mathematics 155 (2007)",
    run=run,
    certify=certify_result,
    params=FixturesParams,
    records=False,
)
