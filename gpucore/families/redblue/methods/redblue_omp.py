"""Greedy matching by colours on several threads (redblue_omp.cpp)."""

from __future__ import annotations

import ctypes
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.cpu.common import cancel_flag, check_status, rows_of
from gpucore.errors import ParameterError
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.colours import BEST_P, blue_limit, round_numbers
from gpucore.families.redblue.native import (
    check_generator,
    check_seed,
    check_select,
    wrap,
)
from gpucore.families.redblue.record import in_graph_numbers
from gpucore.params import check_flag, check_whole, settle
from gpucore.problems.graph.numbering import permuted
from gpucore.record.threads import ThreadRecorder
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

_ARRAY = ctypes.c_void_p


class _Task(ctypes.Structure):
    """``RedBlueTask`` of redblue.h."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("indptr", _ARRAY),
        ("indices", _ARRAY),
        ("weights", _ARRAY),
        ("threads", ctypes.c_int),
        ("select", ctypes.c_int),
        ("philox", ctypes.c_int),
        ("blue_below", ctypes.c_uint),
        ("max_rounds", ctypes.c_int),
        ("numbers", _ARRAY),
        ("cancel", ctypes.POINTER(ctypes.c_int)),
        ("mate", _ARRAY),
        ("matched", _ARRAY),
        ("dead", _ARRAY),
        ("rounds", ctypes.c_int),
        ("left", ctypes.c_int),
        ("recording", _ARRAY),
    )


@dataclass(frozen=True)
class RedblueOmpParams:
    """Parameters of algorithm 3 on the processor.

    Attributes
    ----------
    select : {"weighted", "random", "first"}
        Propose and respond along the heaviest edge (ties: to the larger number), to the first
        eligible neighbour in the list from a random place on, or to the first of the list;
        see :class:`gpucore.families.redblue.run.RedblueParams`.
    p : float
        Probability of blue, above 0 and below 1.
    generator : {"md5", "philox"}
        Generator of the colours: a quarter of MD5, or Philox.
    seed : int
        Seed of the rounds' random numbers, and of the vertices' numbers if permuted.
    permute : bool
        First number the vertices at random, before the timed run.
    max_rounds : int
        Raise an error after this many rounds.
    """

    select: str = "weighted"
    p: float = BEST_P
    generator: str = "md5"
    seed: int = 0
    permute: bool = False
    max_rounds: int = 10_000

    def __post_init__(self) -> None:
        check_select(self.select)
        check_generator(self.generator)
        blue_limit(self.p)
        settle(self, p=float(self.p), seed=check_seed(self.seed))
        check_flag("permute", self.permute)
        check_whole("max_rounds", self.max_rounds, 1, 1_000_000)


def run(graph: Graph, params: RedblueOmpParams, context: Context) -> MatchingResult:
    """Return the matching of algorithm 3 of the red/blue paper.

    In every round live vertices are coloured blue or red (:mod:`gpucore.families.redblue.colours`),
    blue ones propose to red ones, red ones respond to one proposal, and these pairs are matched.
    The matching is the same for any number of threads and for the kernels with the same parameters.

    Parameters
    ----------
    graph : Graph
        The graph; loops are left out, weights may be any.
    params : RedblueOmpParams
    context : Context

    Returns
    -------
    MatchingResult
        Figures are ``rounds``, and lists with a number for each round: vertices ``matched`` and
        vertices ``dead``, that is, found without live neighbours.

    Raises
    ------
    ParameterError
        Vertices are left after `max_rounds`.
    Cancelled, DeviceError

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, sections 3 and 4 (the run with TBB).

    Examples
    --------
    >>> import gpucore
    >>> path = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [1, 5, 1])
    >>> result = gpucore.run("redblue_omp", path)
    >>> sum(result.figures["matched"]) == 2 * result.cardinality
    True
    """
    workers, max_rounds = context.workers, params.max_rounds
    numbers = round_numbers(params.seed, max_rounds)
    other = permuted(graph, params.seed) if params.permute else None
    mate = np.empty(graph.num_vertices, np.int32)
    matched, dead = np.zeros((2, max_rounds), np.int32)
    found = [array.ctypes.data for array in (mate, matched, dead)]
    rows = (argument.value for argument in rows_of(graph if other is None else other.graph))
    method = native.load().cpu_redblue_omp
    recorder = ThreadRecorder(context.record, workers, context.record_budget)
    with cancel_flag(context.cancel) as flag:
        task = _Task(
            *rows,
            workers,
            check_select(params.select),
            check_generator(params.generator),
            blue_limit(params.p),
            max_rounds,
            numbers.ctypes.data,
            ctypes.pointer(flag),
            *found,
            recording=recorder.pointer,
        )
        start = time.perf_counter()
        status = method(ctypes.byref(task))
        seconds = time.perf_counter() - start
    check_status("redblue_omp", graph, workers, status)
    if task.left:
        raise ParameterError(
            f"{task.left} vertices are neither matched nor alone after {max_rounds} rounds; "
            "allow more by max_rounds, or choose p nearer to a half"
        )
    figures: dict[str, Any] = {
        "rounds": task.rounds,
        "matched": matched[: task.rounds].tolist(),
        "dead": dead[: task.rounds].tolist(),
    }
    raw = recorder.collect()
    if other is not None:
        mate, raw = other.given_mates(mate), in_graph_numbers(raw, other)
    settings = {**asdict(params), "threads": workers}
    rounds = rounds_of(graph.num_vertices, figures["matched"], figures["dead"])
    return wrap("redblue_omp", graph, mate, seconds, settings, figures, raw, rounds)


def rounds_of(n: int, matched: list[int], dead: list[int]) -> list[dict[str, int]]:
    """Return the numbers of each round for the record.

    Examples
    --------
    >>> rounds_of(5, [2, 2], [0, 1])
    [{'live': 5, 'matched': 2, 'dead': 0}, {'live': 3, 'matched': 2, 'dead': 1}]
    """
    rounds, live = [], n
    for some, others in zip(matched, dead, strict=True):
        rounds.append({"live": live, "matched": some, "dead": others})
        live -= some + others
    return rounds


METHOD = native_runner(
    name="redblue_omp",
    title="Red/blue, multicore",
    source="Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm 3 (with TBB)",
    run=run,
    certify=certify_result,
    params=RedblueOmpParams,
    parallel=True,
)
