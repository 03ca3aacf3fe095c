"""Large graphs made small: how `fast` ends on the host executor, beside igraph.

    python benchmarks/dense_stages.py [--seed 1] [--runs 5] OUT.json

The kinds are those of ``unseen_graphs.py``, with some tens of times fewer vertices, and with them
the limits between small and large stages.  Threads of 64 blocks move in step, so about as large a
part of the vertices is being visited at a time as on a GPU.  In later stages whose vertices have
many neighbours, blocks meet after each sweep ("sweep"); after each part of it ("part"); or moves
wait until all of a part are decided ("wait", the code as it is).  Every run has other numbers of
the vertices.  igraph's multilevel and Leiden methods have as many seeds as ``--orders`` says.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import igraph
import numpy as np
from machine import commit, hardware, write_rows
from unseen_graphs import chung_lu, power_law_communities, preferential_attachment
from unseen_small_graphs import renumbered

import gpucore
from gpucore.bench.markdown import markdown_table
from gpucore.device.host import HostDevice, HostKernel
from gpucore.families.communities.fast import last, phase, refinement, sizes, small
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.problems.graph.graph import Graph

#: Of each kind a maker, its vertices, how many times fewer these are, and whether it is dense.
KINDS: dict[str, tuple[Any, int, int, bool]] = {
    "power-law communities": (partial(power_law_communities, largest=60), 12_000, 40, True),
    "preferential attachment": (preferential_attachment, 5_000, 200, False),
    "Chung-Lu": (chung_lu, 5_000, 200, False),
}
WAYS, BLOCKS = ("sweep", "part", "wait"), 64
#: Threads of the host executor at the same time.
THREADS = 16_384


@contextmanager
def large(times: int, way: str) -> Iterator[None]:
    """Let stages be swept as those of a graph so many times as large; blocks meet as a way says."""
    changed = [
        (phase, "LARGE_ENTRIES", phase.LARGE_ENTRIES // times),
        (sizes, "COOPERATIVE_ENTRIES", sizes.COOPERATIVE_ENTRIES // times),
        (sizes, "JOINT_ENTRIES", sizes.JOINT_ENTRIES // times),
        (sizes, "PARTS", tuple((n // times, parts) for n, parts in sizes.PARTS)),
        (sizes, "TINY", 0),
        (sizes, "HOST_BLOCKS", BLOCKS),
        (refinement, "SETTLED_ENTRIES", refinement.SETTLED_ENTRIES // times),
        (last, "MAX_ENTRIES", last.MAX_ENTRIES // times),
        (small, "MOST_ENTRIES", 0),
    ]
    init, launch, meets = sizes.Sizes.__init__, HostKernel._launch, sizes.Sizes.apart

    def made(self: Any, *more: Any) -> None:
        init(self, *more)
        self.waits = self.waits and way == "wait"

    def apart(self: Any) -> int:
        return 1 if self.waits or way == "part" else self.parts

    def in_step(self: Any, grid: Any, block: Any, *more: Any) -> None:
        self.device.resident = max(1, min(512, THREADS // block[0]))
        launch(self, grid, block, *more)

    changed += [(sizes.Sizes, "__init__", made), (sizes.Sizes, "apart", property(apart))]
    changed += [(HostKernel, "_launch", in_step)]
    before = [(where, name, getattr(where, name)) for where, name, _ in changed]
    before[-2] = (sizes.Sizes, "apart", meets)
    try:
        for where, name, value in changed:
            setattr(where, name, value)
        yield
    finally:
        for where, name, value in before:
            setattr(where, name, value)


def ours(graph: Graph, way: str, times: int, given: Any) -> dict[str, Any]:
    """Return modularities, and the entries that the sweeps go over, as parts of the graph's."""
    found, swept = [], []
    for run in range(given.runs):
        numbered = renumbered(graph, np.random.default_rng((given.seed, run)))
        with large(times, way):
            result = gpucore.run(
                "louvain",
                numbered,
                device=HostDevice("round_robin", resident=BLOCKS),
                variant="fast",
                starts=1,
                bin_vertices=100_000 // times,
                certify=False,
            )
        found.append(modularity(adjacency(numbered), result.community, 1.0))
        over = sum(one["sweeps"] * one["entries"] for one in result.figures["stages"])
        swept.append(over / len(graph.indices))
    return {"modularity": found, "sweeps over all entries": statistics.mean(swept)}


def theirs(graph: Graph, orders: int) -> dict[str, Any]:
    """Return igraph's modularities."""
    u, v, _ = graph.edges_and_loops()
    other = igraph.Graph(n=graph.num_vertices, edges=np.stack([u, v], axis=1))
    matrix, found = adjacency(graph), {"multilevel": [], "Leiden": []}
    igraph.set_random_number_generator(random)
    for seed in range(orders):
        for name, method in (
            ("multilevel", other.community_multilevel),
            ("Leiden", partial(other.community_leiden, "modularity")),
        ):
            random.seed(seed)
            label = np.array(method().membership, np.int64)
            found[name].append(modularity(matrix, label, 1.0))
    return {name: {"modularity": q} for name, q in found.items()}


def main() -> None:
    """Measure, write the results after each method, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=int(datetime.now(UTC).strftime("%Y%m%d")))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--orders", type=int, default=10)
    given = parser.parse_args()
    about = {"date": datetime.now(UTC).date().isoformat(), "commit": commit()}
    about |= {"hardware": hardware(), "seed": given.seed, "runs": given.runs}
    rows: list[dict[str, Any]] = []
    head, cells = ["graph", "edges", "method", "worst", "median", "best", "apart"], []
    for number, (kind, (maker, size, times, dense)) in enumerate(KINDS.items()):
        graph = maker(size, np.random.default_rng((given.seed, number)))
        ways = WAYS if dense else WAYS[-1:]
        runs = ((f"fast, {way}", ours(graph, way, times, given)) for way in ways)
        for name, found in chain(theirs(graph, given.orders).items(), runs):
            q = found["modularity"]
            rows.append({"graph": kind, "edges": graph.num_edges, "method": name, **found})
            write_rows(given.out, about, rows)
            three = [f"{one:.5f}" for one in (min(q), statistics.median(q), max(q))]
            apart = f"{(max(q) - min(q)) / max(q):.2%}"
            cells.append([kind, str(graph.num_edges), name, *three, apart])
            print(*cells[-1], sep=" | ", flush=True)
    print(markdown_table(head, cells))


if __name__ == "__main__":
    main()
