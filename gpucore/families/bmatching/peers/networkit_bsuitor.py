"""NetworKit's b-Suitor, an independent implementation to compare with.

It runs on one thread. Weights are cast to double without loss. NetworKit has its own rule for ties,
so with equal weights its mates, and even its weight, may differ from ours; with distinct weights
there is only one b-stable b-matching. The measured time does not contain building its graph.

Its capacities are ours, cut to the degrees, which changes no b-matching: NetworKit makes room for
as many mates as a vertex may have. Edges of a vertex that may have none are left out: NetworKit
11.3 can give such a vertex a mate.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import installed
from gpucore.errors import DeviceError, ParameterError
from gpucore.families.bmatching.capacity import capacities, describe_b
from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.native import CapacityParams, make_result
from gpucore.families.matching.peers.networkit_suitor import networkit_graph
from gpucore.format import human_bytes
from gpucore.memory import available_memory
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.bmatching.result import BMatchingResult
    from gpucore.problems.graph.graph import Graph

#: Bytes that NetworKit needs, rounded up: for each vertex, each place of a mate, and each edge. Its
#: answer is a Python set for each vertex.
_PER_VERTEX, _PER_PLACE, _PER_EDGE = 500, 120, 100

#: Largest sum of b(v)^2 times the degree, of b(v) at most the degree: NetworKit searches all places
#: of a vertex one by one, and needs about two minutes for so much.
MAX_WORK = 5e11


def run(graph: Graph, params: CapacityParams, context: Context) -> BMatchingResult:
    """Return NetworKit's b-matching.

    Raises
    ------
    ParameterError
        `b` is not valid, or NetworKit would take minutes (:data:`MAX_WORK`); it cannot be
        interrupted.
    DeviceError
        There is not enough memory.
    Cancelled
    """
    capacity = capacities(graph, params.b)
    rooms = np.minimum(capacity, graph.degrees)
    _check_size(graph, rooms)
    import networkit

    check(context.cancel)
    theirs = networkit_graph(graph, rooms > 0)
    check(context.cancel)
    matcher = networkit.matching.BSuitorMatcher(theirs, rooms.tolist())
    start = time.perf_counter()
    matcher.run()
    seconds = time.perf_counter() - start
    check(context.cancel)
    starts, mates = _lists(matcher.getBMatching().getMatches())
    return make_result(
        "networkit_bsuitor",
        graph,
        capacity,
        starts,
        mates,
        seconds,
        params={"b": describe_b(params.b)},
        threads=1,
        versions={"networkit": networkit.__version__},
    )


def _check_size(graph: Graph, rooms: np.ndarray) -> None:
    need = _PER_VERTEX * graph.num_vertices + _PER_PLACE * int(rooms.sum())
    need += _PER_EDGE * graph.num_edges
    if need > (free := available_memory()):
        raise DeviceError(
            f"networkit_bsuitor needs about {human_bytes(need)} of memory on {graph!r}, and "
            f"{human_bytes(free)} are free; take bsuitor_serial, or a smaller graph"
        )
    work = float((np.square(rooms, dtype=np.float64) * graph.degrees).sum())
    if work > MAX_WORK:
        raise ParameterError(
            f"networkit_bsuitor takes a b up to a sum of b(v)^2 x degree = {MAX_WORK:.2g}, here it "
            f"is {work:.2g}; take a smaller b, or bsuitor_serial"
        )


def _lists(matches: list[set[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mates of every vertex, ascending, from a set for each vertex."""
    starts = np.zeros(len(matches) + 1, np.int64)
    np.cumsum([len(own) for own in matches], out=starts[1:])
    ascending = (mate for own in matches for mate in sorted(own))
    return starts, np.fromiter(ascending, np.int32, count=int(starts[-1]))


METHOD = Runner(
    name="networkit_bsuitor",
    title="NetworKit's b-Suitor",
    source="NetworKit, BSuitorMatcher",
    run=run,
    certify=partial(certify_result, stability="weak"),
    params=CapacityParams,
    where="library",
    available=partial(installed, "networkit", "NetworKit"),
)
