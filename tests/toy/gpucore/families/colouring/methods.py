"""A method on the processor: NetworkX's greedy colouring."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import describe_cpu
from gpucore.families.colouring.certificate import certify_result
from gpucore.families.colouring.run import ColouringResult
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class StrategyParams:
    """Parameters of NetworkX's greedy colouring.

    Attributes
    ----------
    strategy : str
        NetworkX's name of an order of the vertices.
    """

    strategy: str = "largest_first"


def run(graph: Graph, params: StrategyParams, context: Context) -> ColouringResult:
    """Colour a graph, vertices of large degree first; it runs on one thread.

    Building NetworkX's graph is not in the measured time.
    """
    import networkx as nx  # large: only where it is used

    theirs = graph.to_networkx()
    theirs.remove_edges_from(list(nx.selfloop_edges(theirs)))
    check(context.cancel)
    start = time.perf_counter()
    found = nx.greedy_color(theirs, params.strategy)
    seconds = time.perf_counter() - start
    colour = np.array([found[v] for v in range(graph.num_vertices)], dtype=np.int32)
    return ColouringResult(
        algorithm="networkx_colouring",
        device=describe_cpu(1) | {"networkx": nx.__version__},
        seconds=seconds,
        figures={"colours": int(colour.max(initial=-1)) + 1},
        params=asdict(params),
        colour=colour,
    )


METHODS = (
    Runner(
        name="networkx_colouring",
        title="NetworkX's greedy colouring",
        source="NetworkX, greedy_color",
        run=run,
        certify=certify_result,
        params=StrategyParams,
        where="library",
    ),
)
