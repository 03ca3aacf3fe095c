"""Greedy matching by colours on several threads (redblue_omp.cpp)."""

from __future__ import annotations

import ctypes
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.cpu.common import (
    cancel_flag,
    check_status,
    choose_threads,
    native_available,
    rows_of,
)
from gpucore.errors import ParameterError
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.colours import blue_limit, round_numbers
from gpucore.families.redblue.native import (
    check_generator,
    check_seed,
    check_select,
    wrap,
)
from gpucore.families.redblue.record import in_graph_numbers
from gpucore.family import Method
from gpucore.params import check_flag, check_whole
from gpucore.problems.graph.numbering import permuted
from gpucore.record.threads import BUDGET, ThreadRecorder

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

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


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    select: str = "weighted",
    p: float = 0.53406,
    generator: str = "md5",
    seed: int = 0,
    permute: bool = False,
    max_rounds: int = 10_000,
) -> MatchingResult:
    """Return the matching of algorithm 3 of the red/blue paper.

    In every round live vertices are coloured blue or red (:mod:`gpucore.families.redblue.colours`),
    blue ones propose to red ones, red ones respond to one proposal, and these pairs are matched.
    The matching is the same for any number of threads and for the kernels with the same parameters.

    Parameters
    ----------
    graph : Graph
        The graph; loops are left out, weights may be any.
    threads : int, optional
        Number of threads; default: one for each core.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
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

    Returns
    -------
    MatchingResult
        Figures are ``rounds``, and lists with a number for each round: vertices ``matched`` and
        vertices ``dead``, that is, found without live neighbours.

    Raises
    ------
    ParameterError
        Also if vertices are left after `max_rounds`.
    Cancelled, DeviceError

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, sections 3 and 4 (the run with TBB).

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> result = run(Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [1, 5, 1]))
    >>> sum(result.figures["matched"]) == 2 * result.cardinality
    True
    """
    words = (check_select(select), check_generator(generator))
    limit = blue_limit(p)
    workers = choose_threads(threads)
    numbers = round_numbers(check_seed(seed), check_whole("max_rounds", max_rounds, 1, 1_000_000))
    other = permuted(graph, int(seed)) if check_flag("permute", permute) else None
    mate = np.empty(graph.num_vertices, np.int32)
    matched, dead = np.zeros((2, max_rounds), np.int32)
    found = [array.ctypes.data for array in (mate, matched, dead)]
    rows = (argument.value for argument in rows_of(graph if other is None else other.graph))
    method = native.load().cpu_redblue_omp
    recorder = ThreadRecorder(record, workers, record_budget)
    with cancel_flag(cancel) as flag:
        task = _Task(
            *rows,
            workers,
            *words,
            limit,
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
    params = {
        "select": select,
        "p": float(p),
        "generator": generator,
        "seed": int(seed),
        "permute": permute,
        "max_rounds": int(max_rounds),
        "threads": workers,
    }
    raw = recorder.collect()
    if other is not None:
        mate, raw = other.given_mates(mate), in_graph_numbers(raw, other)
    rounds = rounds_of(graph.num_vertices, figures["matched"], figures["dead"])
    return wrap("redblue_omp", graph, mate, seconds, params, figures, raw, rounds)


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


METHOD = Method(
    name="redblue_omp",
    title="Red/blue, multicore",
    source="Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm 3 (with TBB)",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
    parallel=True,
)
