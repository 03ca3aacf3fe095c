"""From how many edges a call of NetworkX is faster through the backend, the conversion included.

    python benchmarks/networkx_break_even.py [--device cpu] [--runs 5] --out OUT.json

Every declared function that NetworkX has, too, runs on random graphs of 32, 64, ... edges, until
NetworkX needs more than two seconds: by NetworkX itself, by us with the graph's conversion, and by
us on a graph that was converted before.  The time is the processor time of all threads, the least
of several runs, so that other jobs on the machine count little.  The break-even is the smallest
number of edges from which on we are faster at every measured size; null if we are not at the
largest one.

The families declare these numbers (``gpucore.family.Family.networkx_least``).
"""

from __future__ import annotations

import argparse
import platform
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from machine import commit, hardware, write_rows

from gpucore.networkx_backend import NAME, backend

#: Sizes end at this number of edges, or where NetworkX needs more seconds.
MOST_EDGES, MOST_SECONDS = 1 << 18, 2.0
BIPARTITE = ("hopcroft_karp_matching", "eppstein_matching", "to_vertex_cover")
#: Edges for each node.
DEGREE = 4


def case(name: str, edges: int) -> tuple[Any, Callable[..., Any]]:
    """Return a random graph and the function's call, which takes the graph and options."""
    nodes = max(8, edges // DEGREE)
    half = nodes // 2
    top = range(half)
    if name in BIPARTITE:
        graph = nx.bipartite.gnmk_random_graph(half, half, min(edges, half * half), seed=1)
        call = partial(getattr(nx.bipartite, name), top_nodes=top)
        if name == "to_vertex_cover":
            call = partial(call, matching=nx.bipartite.eppstein_matching(graph, top))
        return graph, call
    graph = nx.gnm_random_graph(nodes, edges, seed=1)
    call = getattr(nx if "matching" in name else nx.community, name)
    if name.startswith("is_"):
        return graph, partial(call, matching=nx.maximal_matching(graph))
    if name == "modularity":
        groups: dict[int, set[int]] = {}
        for node in graph:
            groups.setdefault(node % max(1, nodes // 64), set()).add(node)
        return graph, partial(call, communities=list(groups.values()))
    if name == "louvain_partitions":
        return graph, lambda G, **options: list(call(G, seed=1, **options))
    return graph, partial(call, seed=1) if name == "louvain_communities" else call


def least_time(call: Callable[[], Any], runs: int, before: Callable[[], Any]) -> float:
    """Return the least processor time of several calls, each after `before`."""
    times = []
    for _ in range(runs):
        before()
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
        if sum(times) > MOST_SECONDS:
            break
    return min(times)


def measure(name: str, sizes: list[int], device: str, runs: int) -> dict[str, Any]:
    """Return the times of one function at all sizes, and its break-even."""
    rows = []
    takes_device = "additional_parameters" in backend.about(name)
    options = {"backend": NAME} | ({"device": device} if takes_device else {})
    for edges in sizes:
        graph, call = case(name, edges)
        forget = graph.__networkx_cache__.clear
        theirs = partial(call, graph, backend="networkx")
        ours = partial(call, graph, **options)
        ours()  # imports, and compiles on a GPU
        row = {
            "edges": edges,
            "networkx": least_time(theirs, runs, forget),
            "ours": least_time(ours, runs, forget),
            "converted": least_time(ours, runs, lambda: None),
        }
        rows.append({key: round(value, 7) for key, value in row.items()})
        if row["networkx"] > MOST_SECONDS:
            break
    return {
        "function": name,
        "least": break_even(rows, "ours"),
        "least converted": break_even(rows, "converted"),
        "rows": rows,
    }


def break_even(rows: list[dict[str, float]], ours: str) -> int | None:
    """Return the smallest size from which on we are faster at every size, or None."""
    found = None
    for row in reversed(rows):
        if row[ours] >= row["networkx"]:
            break
        found = int(row["edges"])
    return found


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--functions", nargs="*", help="measure these only")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # NetworkX's note that a converted graph is kept
    sizes = [1 << k for k in range(5, MOST_EDGES.bit_length())]
    names = [name for name in backend.references() if not name.startswith("leiden")]
    found = [measure(name, sizes, given.device, given.runs) for name in given.functions or names]
    versions = {
        "python": platform.python_version(), "numpy": np.__version__, "networkx": nx.__version__
    }  # fmt: skip
    about = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": given.device,
        "versions": versions,
        "time": "processor seconds of all threads, the least of the runs",
        "runs": given.runs,
    }
    write_rows(given.out, about, found, "functions")


if __name__ == "__main__":
    main()
