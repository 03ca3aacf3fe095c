"""Greedy matching in random order of the vertices (greedy_random.cpp)."""

from __future__ import annotations

import ctypes
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore import native
from gpucore.cpu.common import (
    cancel_flag,
    check_status,
    rows_of,
)
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.native import (
    check_seed,
    check_select,
    wrap,
)
from gpucore.families.redblue.record import in_graph_numbers
from gpucore.params import check_flag, settle
from gpucore.problems.graph.numbering import permuted
from gpucore.record.threads import ThreadRecorder
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class GreedyParams:
    """Parameters of algorithm 1.

    Attributes
    ----------
    select : {"weighted", "random", "first"}
        Take the free neighbour with the heaviest edge (of equal ones the larger number), the first
        one in the list from a random place on, or the first of the list.
    seed : int
        Seed of the order, which is drawn before the timed run, and of the random places.
    permute : bool
        First renumber the vertices in the random order, before the timed run, as the paper does:
        the first of a list is then the one whose turn comes first. The numbers are those of
        :mod:`gpucore.families.redblue.run` with this seed.
    """

    select: str = "weighted"
    seed: int = 0
    permute: bool = False

    def __post_init__(self) -> None:
        check_select(self.select)
        settle(self, seed=check_seed(self.seed))
        check_flag("permute", self.permute)


def run(graph: Graph, params: GreedyParams, context: Context) -> MatchingResult:
    """Return a maximal matching: algorithm 1 of the red/blue paper.

    The vertices come in random order; each that is still free takes a free neighbour.

    Parameters
    ----------
    graph : Graph
        The graph; loops are left out, weights may be any.
    params : GreedyParams
    context : Context

    Raises
    ------
    Cancelled, DeviceError

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, section 2.

    Examples
    --------
    >>> import gpucore
    >>> gpucore.run("greedy_random", gpucore.Graph.from_edges(3, [0, 1], [1, 2])).cardinality
    1
    """
    rng = np.random.default_rng(params.seed)
    order = rng.permutation(graph.num_vertices).astype(np.int32)
    salt = int(rng.integers(0, 2**32))
    other = permuted(graph, params.seed) if params.permute else None
    if other is not None:
        order = np.arange(graph.num_vertices, dtype=np.int32)
    mate = np.empty(graph.num_vertices, np.int32)
    method = native.load().cpu_greedy_random
    recorder = ThreadRecorder(context.record, 1, context.record_budget)
    with cancel_flag(context.cancel) as flag:
        start = time.perf_counter()
        status = method(
            *rows_of(graph if other is None else other.graph),
            ctypes.c_void_p(order.ctypes.data),
            ctypes.c_int(check_select(params.select)),
            ctypes.c_uint(salt),
            ctypes.byref(flag),
            ctypes.c_void_p(mate.ctypes.data),
            ctypes.c_void_p(recorder.pointer),
        )
        seconds = time.perf_counter() - start
    check_status("greedy_random", graph, 1, status)
    raw = recorder.collect()
    if other is not None:
        mate, raw = other.given_mates(mate), in_graph_numbers(raw, other)
    settings = {**asdict(params), "threads": 1}
    return wrap("greedy_random", graph, mate, seconds, settings, raw=raw)


METHOD = native_runner(
    name="greedy_random",
    title="Greedy, random order",
    source="Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm 1",
    run=run,
    certify=certify_result,
    params=GreedyParams,
)
