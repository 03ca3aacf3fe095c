"""Communities of classical small graphs: modularity and time by the number of starts, and others'.

    python benchmarks/small_communities.py [--device cuda] [--runs 5] [--others] OUT.json

One start is a search in the order of the vertices' numbers; by default small graphs have several
(``gpucore/families/communities/starts.py``).  A GPU's results depend on the schedule: the lowest
modularity of the runs is kept, and the median time after a first run.  The others, of which the
highest of 20 seeds is kept, are NetworkX's Louvain and igraph's; modularity is computed here.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from machine import commit, hardware, write_rows

import gpucore
from gpucore.device import get_device
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.families.communities.starts import starts_of
from gpucore.problems.graph.convert import from_networkx
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values

SEEDS = 20
#: Data sets that come with Warplens, and graphs that NetworkX makes.
DATA = (
    "florentine", "karate", "lesmis", "polbooks", "football", "netscience", "usairports",
    "email-eu-core", "power",
)  # fmt: skip
MADE: dict[str, Callable[[], Any]] = {
    "Petersen": nx.petersen_graph,
    "Heawood": nx.heawood_graph,
    "Pappus": nx.pappus_graph,
    "Desargues": nx.desargues_graph,
    "dodecahedron": nx.dodecahedral_graph,
    "icosahedron": nx.icosahedral_graph,
    "Tutte": nx.tutte_graph,
    "Frucht": nx.frucht_graph,
    "hypercube, 64 vertices": lambda: nx.hypercube_graph(6),
    "southern women": nx.davis_southern_women_graph,
    "karate, weighted": nx.karate_club_graph,
    "caveman, 10 x 6": lambda: nx.connected_caveman_graph(10, 6),
    "relaxed caveman, 20 x 8": lambda: nx.relaxed_caveman_graph(20, 8, 0.2, seed=1),
    "ring of cliques, 30 x 5": lambda: nx.ring_of_cliques(30, 5),
    "windmill, 8 x 5": lambda: nx.windmill_graph(8, 5),
    "grid, 10 x 10": lambda: nx.grid_2d_graph(10, 10),
    "random, 100 vertices": lambda: nx.gnp_random_graph(100, 0.05, seed=1),
    "binary tree, 127 vertices": lambda: nx.balanced_tree(2, 6),
    "LFR, 250 vertices": lambda: nx.LFR_benchmark_graph(
        250, 3, 1.5, 0.009, average_degree=5, min_community=20, seed=10
    ),
}


def graphs() -> dict[str, Graph]:
    """Return all graphs by name."""
    made = {name: from_networkx(nx.Graph(make())) for name, make in MADE.items()}
    return made | {name: absolute_values(gpucore.load(name)) for name in DATA}


def ours(graph: Graph, variant: str, starts: int | None, device: str, runs: int) -> dict[str, Any]:
    """Return the lowest modularity of several certified runs, and their median time."""
    options = {"device": device, "variant": variant, "starts": starts}
    gpucore.run("louvain", graph, **options)
    found = [gpucore.run("louvain", graph, **options) for _ in range(runs)]
    assert all(result.certificate.ok for result in found)
    return {
        "modularity": min(result.modularity for result in found),
        "seconds": statistics.median(result.seconds for result in found),
    }


def native(graph: Graph, starts: int) -> dict[str, Any]:
    """Return what the method on one core finds; with its default, as NetworkX gets it."""
    result = gpucore.run("louvain_serial", graph, certify=False, threshold=1e-7, starts=starts)
    return {"modularity": result.modularity, "seconds": result.seconds}


def others(graph: Graph) -> dict[str, Any]:
    """Return the best of NetworkX's and of igraph's Louvain, and their medians."""
    import igraph

    theirs = graph.to_networkx()
    (u, v, w), matrix = graph.edges(), adjacency(graph)
    also = igraph.Graph(n=graph.num_vertices, edges=list(zip(u.tolist(), v.tolist(), strict=True)))
    igraph.set_random_number_generator(random)
    found: dict[str, list[float]] = {"networkx": [], "igraph": []}
    begin = time.perf_counter()
    for seed in range(SEEDS):
        parts = nx.community.louvain_communities(theirs, seed=seed)
        found["networkx"].append(nx.community.modularity(theirs, parts))
    seconds = (time.perf_counter() - begin) / SEEDS
    for seed in range(SEEDS):
        random.seed(seed)
        label = np.array(also.community_multilevel(weights=w.tolist()).membership)
        found["igraph"].append(modularity(matrix, label.astype(np.int64), 1.0))
    rows = {name: {"best": max(q), "median": statistics.median(q)} for name, q in found.items()}
    return rows | {"networkx_seconds": seconds}


def main() -> None:
    """Measure, and write a row for each graph."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--device", default="host")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--others", action="store_true")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name, graph in graphs().items():
        starts = starts_of(graph.num_vertices, len(graph.indices))
        row = {"graph": name, "vertices": graph.num_vertices, "edges": graph.num_edges}
        row["starts"] = starts
        for variant in ("fast", "leiden"):
            for label, count in (("one", 1), ("default", None)):
                found = ours(graph, variant, count, arguments.device, arguments.runs)
                row[f"{variant}, {label}"] = found
        own = starts_of(graph.num_vertices, len(graph.indices), native=True)
        row |= {"native, one": native(graph, 1), "native, default": native(graph, own)}
        row["native starts"] = own
        rows.append(row | (others(graph) if arguments.others else {}))
        print(json.dumps(rows[-1]), flush=True)
    about = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": get_device(arguments.device).describe(),
        "runs": arguments.runs,
        "seeds": SEEDS,
    }
    write_rows(arguments.out, about, rows)


if __name__ == "__main__":
    main()
