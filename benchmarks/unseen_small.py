"""Communities of small graphs that no one tuned for: quality on the host executor, beside igraph.

    python benchmarks/unseen_small.py [--seed 1] [--kinds KIND ...] [--runs 10] OUT.json

The kinds are in ``unseen_small_graphs.py``, and the real graphs that come with Warplens.  Each run
of ``fast`` and ``leiden`` has other numbers of the vertices, and another schedule: in order, in
turn, or at random.  It has four starts, of which the first is what one start finds.  igraph's
multilevel method and its Leiden method have 20 seeds each.  All modularities are computed here, in
double precision, except those of single starts, which are the runs' own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import igraph
import numpy as np
from machine import commit, hardware
from unseen_small_graphs import KINDS, make, renumbered

import gpucore
from gpucore.bench.markdown import markdown_table
from gpucore.datasets import names
from gpucore.device.host import HostDevice
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values

OURS, STARTS, SEEDS = ("fast", "leiden"), 4, 20
#: Ours may be this much below igraph's median, and this part apart from run to run.
BELOW, APART = 0.002, 0.01


def schedule(seed: int, run: int) -> HostDevice:
    """Return the device of a run."""
    if run % 3 == 0:
        return HostDevice()
    if run % 3 == 1:
        return HostDevice("round_robin", resident=4)
    return HostDevice("random", seed + run, resident=4, yield_atomic=0.5)


def ours(graph: Graph, variant: str, seed: int, runs: int) -> dict[str, Any]:
    """Return the modularity of all runs, with one start and with four."""
    one, four, improvable, seconds = [], [], 0, 0.0
    for run in range(runs):
        draw = np.random.default_rng((seed, run))
        device, numbered = schedule(seed, run), renumbered(graph, draw) if run else graph
        found = gpucore.run("louvain", numbered, device=device, variant=variant, starts=STARTS)
        assert found.certificate.ok, found.certificate
        one.append(found.figures["starts"][0])
        four.append(found.certificate.figures["modularity"])
        improvable = max(improvable, found.certificate.figures["improvable"])
        seconds += found.seconds
    return {"one": one, "four": four, "improvable": improvable, "seconds": seconds / runs}


def theirs(graph: Graph) -> dict[str, list[float]]:
    """Return igraph's modularities."""
    u, v, w = graph.edges_and_loops()
    other = igraph.Graph(n=graph.num_vertices, edges=np.stack([u, v], axis=1))
    weights = w.astype(np.float64).tolist() if graph.weighted else None
    matrix, found = adjacency(graph), {"multilevel": [], "Leiden": []}
    igraph.set_random_number_generator(random)
    for seed in range(SEEDS):
        for name, method in (
            ("multilevel", lambda: other.community_multilevel(weights)),
            ("Leiden", lambda: other.community_leiden("modularity", weights)),
        ):
            random.seed(seed)
            label = np.array(method().membership, np.int64)
            found[name].append(modularity(matrix, label, 1.0))
    return found


def judged(row: dict[str, Any]) -> list[str]:
    """Return how ours fail the aim, for each variant and number of starts."""
    faults = []
    for variant in OURS:
        peers = ("multilevel",) if variant == "fast" else ("multilevel", "Leiden")
        for starts in ("one", "four"):
            q = row[variant][starts]
            apart = (max(q) - min(q)) / abs(max(q)) if max(q) else 0.0
            less = {peer: statistics.median(row[peer]) - min(q) for peer in peers}
            faults += [
                f"{variant}, {starts}: {much:.4f} below {peer}"
                for peer, much in less.items()
                if much > BELOW
            ]
            if apart > APART:
                faults.append(f"{variant}, {starts}: {apart:.2%} apart")
    return faults


def cells(row: dict[str, Any]) -> list[str]:
    """Return a row of the table."""
    found = [f"{row['graph']}, {row['edges'] / 1000:.1f} K"]
    found += [f"{statistics.median(row[name]):.4f}" for name in ("multilevel", "Leiden")]
    for variant in OURS:
        for starts in ("one", "four"):
            q = row[variant][starts]
            found.append(f"{min(q):.4f} / {statistics.median(q):.4f} / {max(q):.4f}")
    return found


def main() -> None:
    """Measure, write the results after each graph, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=int(datetime.now(UTC).strftime("%Y%m%d")))
    parser.add_argument("--runs", type=int, default=10)
    every = [*KINDS, *names("graph")]
    parser.add_argument("--kinds", nargs="+", choices=every, default=every, metavar="KIND")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    about = {"date": datetime.now(UTC).date().isoformat(), "commit": commit()}
    about |= {"hardware": hardware(), "seed": given.seed, "runs": given.runs, "seeds": SEEDS}
    for name in given.kinds:
        graph = make(name, given.seed) if name in KINDS else absolute_values(gpucore.load(name))
        row = {"graph": name, "vertices": graph.num_vertices, "edges": graph.num_edges}
        row |= {variant: ours(graph, variant, given.seed, given.runs) for variant in OURS}
        rows.append(row | theirs(graph))
        rows[-1]["faults"] = judged(rows[-1])
        print(name, *rows[-1]["faults"], sep="; ", flush=True)
        lines = ",\n".join(json.dumps(row) for row in rows)
        given.out.write_text(f'{{"about": {json.dumps(about)},\n"rows": [\n{lines}\n]}}\n')
    head = ["graph, edges", "multilevel", "Leiden"]
    head += [f"{variant}, {starts}" for variant in OURS for starts in ("one", "four")]
    print(markdown_table(head, [cells(row) for row in rows]))


if __name__ == "__main__":
    main()
