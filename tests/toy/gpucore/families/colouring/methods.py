"""A method on the processor: NetworkX's greedy colouring."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import describe_cpu
from gpucore.families.colouring.certificate import certify_result
from gpucore.families.colouring.run import ColouringResult
from gpucore.family import Method
from gpucore.progress import check

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    strategy: str = "largest_first",
) -> ColouringResult:
    """Colour a graph, vertices of large degree first; it runs on one thread.

    Building NetworkX's graph is not in the measured time.
    """
    import networkx as nx  # large: only where it is used

    theirs = graph.to_networkx()
    theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
    check(cancel)
    start = time.perf_counter()
    found = nx.greedy_color(theirs, strategy)
    seconds = time.perf_counter() - start
    colour = np.array([found[v] for v in range(graph.num_vertices)], dtype=np.int32)
    return ColouringResult(
        algorithm="networkx_colouring",
        device=describe_cpu(1) | {"networkx": nx.__version__},
        seconds=seconds,
        figures={"colours": int(colour.max(initial=-1)) + 1},
        params={"strategy": strategy},
        colour=colour,
    )


METHODS = (
    Method(
        name="networkx_colouring",
        title="NetworkX's greedy colouring",
        source="NetworkX, greedy_color",
        run=run,
        available=lambda: None,
        certify=certify_result,
    ),
)
