"""Methods on the processor; each is the native function ``cpu_NAME``.

References
----------
.. [1] R. W. Irving, "An efficient algorithm for the stable roommates problem", J. Algorithms 6
   (1985).
.. [2] R. W. Irving, S. Scott, "The stable fixtures problem - a many-to-many extension of stable
   roommates", Discrete Applied Mathematics 155 (2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.cpu.call import call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Struct, struct
from gpucore.errors import ParameterError
from gpucore.families.roommates import certificate, fixtures_certificate
from gpucore.families.roommates.fixtures import FixturesResult
from gpucore.families.roommates.record import roommates_record
from gpucore.families.roommates.result import RoommatesResult
from gpucore.params import is_whole
from gpucore.problems.roommates.roommates import Roommates, as_roommates
from gpucore.record.record import about
from gpucore.result import from_pairs
from gpucore.runner import Context, NoParams, native_runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Largest number of mates that may be asked for.
MAX_B = 2**31 - 1


#: What both methods count.
_COUNTED = ("proposals", "rotations", "parties", "undecided")
_Irving = struct(
    "IrvingTask",
    "int32 n, int64[] indptr, int32[] others ranks, cancel, int32[] successor, "
    "int64 proposals rotations, int32 parties undecided, recording",
)
_Fixtures = struct(
    "FixturesTask",
    "int32 n, int64[] indptr, int32[] others ranks capacity, cancel, uint8[] bids, "
    "int32[] successor, int64 proposals rotations, int32 parties undecided, recording",
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


def irving(graph: Graph | Roommates, params: NoParams, context: Context) -> RoommatesResult:
    """Return a stable matching of the people, or the proof that there is none.

    Parameters
    ----------
    graph : Roommates or Graph
        The lists; a graph's are by weight
        (:meth:`gpucore.problems.roommates.roommates.Roommates.from_graph`).

    Returns
    -------
    RoommatesResult
        Figures beyond those of every method: ``parties``, the number of odd parties, with which no
        matching is stable, and ``undecided``, the number of people who had a choice left after
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
    n = problem.num_vertices
    successor = np.empty(n, np.int32)
    task = _Irving(n, problem.indptr, problem.others, problem.ranks, successor, 0, 0, 0, 0)
    seconds, raw = call("irving", task, graph, cancel=context.cancel, **context.recorded)
    alone = successor == np.arange(n)
    mate = np.where(alone | (task.parties > 0), np.int32(-1), successor)
    result = RoommatesResult(
        algorithm="irving",
        device=describe_cpu(1),
        seconds=seconds,
        figures=_figures(task, int(np.count_nonzero(mate >= 0))),
        params={"threads": 1},
        mate=mate,
        successor=successor,
    )
    if raw is None:
        return result
    in_party = successor[successor] != np.arange(n)
    party = np.where(in_party, successor, np.int32(-1))
    bids = problem.others == np.repeat(successor, np.diff(problem.indptr))
    record = roommates_record(raw, problem, bids=bids, party=party, **about(result))
    return replace(result, record=record)


def irving_scott(
    graph: Graph | Roommates, params: FixturesParams, context: Context
) -> FixturesResult:
    """Return a stable solution in which each person has several mates, or the proof of none.

    The graph, the figures and the errors are those of :func:`irving`, and ParameterError.

    Examples
    --------
    >>> four = Roommates.from_lists([[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 1, 2]])
    >>> import gpucore
    >>> one, two = (gpucore.run("irving_scott", four, b=b) for b in (1, 2))
    >>> one.solvable, two.lists()
    (False, [[1, 2], [0, 2], [0, 1], []])
    """
    problem, b = as_roommates(graph), params.b
    n = problem.num_vertices
    capacity = check_b(b, n)
    bids, successor = np.empty(problem.others.size, np.uint8), np.empty(n, np.int32)
    lists = (problem.indptr, problem.others, problem.ranks)
    task = _Fixtures(n, *lists, capacity, bids, successor, 0, 0, 0, 0)
    seconds, raw = call("irving_scott", task, graph, cancel=context.cancel, **context.recorded)
    starts, mates = mutual_mates(problem, bids)
    result = FixturesResult(
        algorithm="irving_scott",
        device=describe_cpu(1),
        seconds=seconds,
        figures=_figures(task, 0 if task.parties else mates.size),
        params={"threads": 1, "b": int(b) if is_whole(b) else "given"},
        capacity=capacity,
        starts=starts,
        mates=mates,
        successor=successor,
    )
    if raw is None:
        return result
    party = np.where(successor == np.arange(n), np.int32(-1), successor)
    record = roommates_record(
        raw, problem, bids=bids, party=party, capacity=capacity, **about(result)
    )
    return replace(result, record=record)


def _figures(task: Struct, ends: int) -> dict[str, Any]:
    """Return the figures of a run; `ends` are those of its pairs."""
    counted = {name: int(getattr(task, name)) for name in _COUNTED}
    return {"solvable": not counted["parties"], "cardinality": ends // 2, **counted}


def check_b(b: int | Sequence[int] | NDArray[np.integer], n: int) -> NDArray[np.int32]:
    """Return how many mates each person may have, or raise ParameterError."""
    room = np.asarray(b)
    fits = room.shape in ((), (n,)) and (room.dtype.kind in "iu" or room.size == 0)
    if not fits or (room.size and not 0 <= int(room.min()) <= int(room.max()) <= MAX_B):
        raise ParameterError(
            f"b must be a whole number from 0 to {MAX_B}, or one for each of the {n} people"
        )
    return np.broadcast_to(room, (n,)).astype(np.int32)


def mutual_mates(
    problem: Roommates, bids: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the mates of each person, ascending: those who bid for each other.

    Parameters
    ----------
    problem : Roommates
    bids : ndarray of int, shape (entries,)
        For each entry of the lists whether the person's proposal stands there.
    """
    rows = np.repeat(np.arange(problem.num_vertices), np.diff(problem.indptr))
    in_return = bids[problem.indptr[problem.others] + problem.ranks - 1]
    both = ((bids & in_return) != 0) & (rows < problem.others)
    return from_pairs(problem.num_vertices, rows[both], problem.others[both])


METHODS = (
    native_runner(
        "irving",
        "Irving",
        "Irving, J. Algorithms 6 (1985); Tan, J. Algorithms 12 (1991)",
        irving,
        certificate.certify_result,
    ),
    native_runner(
        "irving_scott",
        "Irving–Scott",
        "Irving and Scott, Discrete Applied Mathematics 155 (2007)",
        irving_scott,
        fixtures_certificate.certify_result,
        FixturesParams,
    ),
)
