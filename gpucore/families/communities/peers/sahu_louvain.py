"""GVE-Louvain on all cores and nu-Louvain on a GPU, to compare with.

S. Sahu, "GVE-Louvain: fast Louvain algorithm for community detection in shared memory setting"
(2023) and "nu-Louvain" for GPUs (2025): https://github.com/puzzlef/louvain-communities-cuda, MIT
licence; the author's instructions are there. Their headers are built with a driver of ours,
``benchmarks/peers/louvain_communities.cu``, whose head has the command, into the program
``louvain-communities``; see :mod:`gpucore.cpu.programs` for where it is looked for. They return
only the final communities, and their results depend on the order of the threads.
"""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.programs import Program
from gpucore.errors import DeviceError
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

HOME = "https://github.com/puzzlef/louvain-communities-cuda"
NEEDS = "with benchmarks/peers/louvain_communities.cu as its main program"
_SAID = re.compile(r"milliseconds (?P<time>[0-9.]+) passes (?P<passes>\d+) sweeps (?P<sweeps>\d+)")


def _run(
    name: str, method: str, program: Program, graph: Graph, params: NoParams, context: Context
) -> CommunityResult:
    """Return the communities of the second of two runs; reading the graph is not timed.

    Raises
    ------
    DeviceError
        The program gives no result, for example without a GPU.
    GraphError, Cancelled
    """
    chosen = context.workers
    graph = for_communities(graph)
    check(context.cancel)
    if not graph.num_edges:
        return make_result(
            name, graph, (), 0.0, params={"resolution": 1.0}, threads=chosen, versions={}
        )
    with tempfile.TemporaryDirectory(prefix="warplens-louvain-") as place:
        source, target = Path(place) / "graph", Path(place) / "communities"
        write_graph(graph, source)
        said = program.run(source, method, str(chosen), target, cancel=context.cancel)
        times = _SAID.search(said)
        community = np.fromfile(target, np.int32) if target.is_file() else np.empty(0, np.int32)
    if times is None or community.size != graph.num_vertices:
        raise DeviceError(f"{program.title} wrote no communities; build it again, see {HOME}")
    return make_result(
        name,
        graph,
        hierarchy([community]),
        float(times["time"]) / 1e3,
        params={"resolution": 1.0},
        threads=chosen,
        figures={"passes": int(times["passes"]), "sweeps": int(times["sweeps"])},
        versions={"program": program.name},
    )


def write_graph(graph: Graph, path: Path) -> None:
    """Write the rows of a graph as the driver reads them."""
    indptr = np.asarray(graph.indptr, "<i8")
    with path.open("wb") as file:
        np.array([graph.num_vertices, len(graph.indices)], "<i8").tofile(file)
        indptr.tofile(file)
        np.asarray(graph.indices, "<i4").tofile(file)
        np.asarray(graph.weights, "<f4").tofile(file)


def _method(name: str, method: str, title: str, source: str, *, parallel: bool) -> Runner:
    program = Program("louvain-communities", title, HOME, NEEDS)
    return Runner(
        name=name,
        title=title,
        source=source,
        run=partial(_run, name, method, program),
        certify=certify_result,
        where="library",
        parallel=parallel,
        available=program.missing,
    )


METHODS = (
    _method("gve_louvain", "gve", "GVE-Louvain", "Sahu, 2023; its own code", parallel=True),
    _method("nu_louvain", "nu", "ν-Louvain (GPU)", "Sahu, 2025; its own code", parallel=False),
)
