"""Graphs that no one tuned for: quality beside speed, ours and the peers'.

    python benchmarks/unseen.py --device cuda --output DIRECTORY/unseen.json
    python benchmarks/unseen.py --device cuda --family bipartite --peers ecl_mm --output OUT.json
    python benchmarks/unseen.py --smaller 1000 --runs 2 --theirs 2 --output unseen.json

The twelve kinds are in ``unseen_graphs.py``; ``--also`` names other graphs, or files of graphs.
The seed of the day makes the graphs, others each day; ``--seed`` repeats a measurement.  Ours are
``fast`` and ``leiden`` for communities; with ``--family bipartite``, ``fast`` on the matrix of
each graph, rows and columns permuted.  Peers are all that the machine has, or those that
``--peers`` names; none with ``--theirs 0``.  Each method runs once before the runs that count,
unless that takes longer than ``--limit`` seconds: then it is the run that counts.  A peer with a
seed gets another one in every run.
Certificates are made of all runs, after the last one, and the quality, modularity or cardinality,
is theirs.  The speed of a pair is the best time of the peer over the worst of ours, its quality our
worst less the peer's best.
"""

from __future__ import annotations

import argparse
import json
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from machine import commit, hardware
from unseen_graphs import MADE, REAL, make

import gpucore
from gpucore.bench.markdown import markdown_table
from gpucore.datasets.remote import allow_downloads
from gpucore.device import get_device
from gpucore.errors import WarplensError
from gpucore.family import get_family, get_runner
from gpucore.problems.bipartite.prepare import for_bipartite, permute_sides
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values

#: Variants of ours, and their algorithm, by family.
OURS = {"communities": ("louvain", ("fast", "leiden")), "bipartite": ("bipartite", ("fast",))}
#: Certificates that are made at the same time.
THREADS = 8
#: Options that the results repeat.
SAID = ("family", "seed", "smaller", "runs", "theirs", "limit")


def peers(family: str) -> dict[str, Any]:
    """Return the peers that this machine has, by name."""
    runners = get_family(family).load_runners().values()
    return {r.name: r for r in runners if r.where == "library" and r.available() is None}


def measure(graph: Graph, name: str, options: list[dict[str, Any]], limit: float) -> dict[str, Any]:
    """Return times and qualities of one run for each of the options; or why there are none."""
    runner = get_runner(name)
    objective = get_family(runner.family).objective[0]
    try:
        found = [gpucore.run(name, graph, certify=False, **options[0])]
        if runner.where == "device":
            get_device(options[0].get("device")).finish_compiling()
            found = [gpucore.run(name, graph, certify=False, **options[0])]
        if found[0].seconds <= limit:
            found = [gpucore.run(name, graph, certify=False, **option) for option in options]
        with ThreadPoolExecutor(THREADS) as threads:
            certificates = list(threads.map(partial(runner.certify, graph), found))
    except WarplensError as error:
        return {"refused": str(error)}
    wrong = next((one for one in certificates if not one.ok), None)
    if wrong is not None:
        return {"certified": False, "why": str(wrong)}
    quality = [one.figures[objective] for one in certificates]
    worst, best = min(quality), max(quality)
    return {
        "certified": True,
        "runs": len(found),
        "seconds": {
            "best": min(result.seconds for result in found),
            "median": statistics.median(result.seconds for result in found),
            "worst": max(result.seconds for result in found),
        },
        objective: {
            "worst": worst,
            "median": statistics.median(quality),
            "best": best,
            "spread": (best - worst) / abs(best) if best else 0.0,
        },
        "improvable": max(one.figures.get("improvable", 0) for one in certificates),
        "starts": max(1, len(found[0].figures.get("starts", ()))),
        "device": found[0].device,
    }


def problem_of(kind: str, given: argparse.Namespace) -> Graph:
    """Return the family's problem of a kind, or of a graph by its name or file."""
    if kind in given.also:
        graph = absolute_values(gpucore.load(kind))
    else:
        graph = make(kind, given.seed, given.smaller)
    if given.family == "bipartite":
        return permute_sides(for_bipartite(graph), given.seed)
    return graph


def row_of(kind: str, graph: Graph, given: argparse.Namespace) -> dict[str, Any]:
    """Measure all methods on one graph."""
    methods: dict[str, Any] = {}
    algorithm, variants = OURS[given.family]
    for variant in variants:
        ours = [{"variant": variant, "device": given.device}] * given.runs
        methods[variant] = measure(graph, algorithm, ours, given.limit)
    for name, runner in peers(given.family).items() if given.theirs else ():
        if given.peers and name not in given.peers:
            continue
        seeded = "seed" in {field.name for field in fields(runner.params)}
        theirs = [{"seed": given.seed + run} if seeded else {} for run in range(given.theirs)]
        methods[name] = measure(graph, name, theirs, given.limit)
    row = {"kind": kind, "vertices": graph.num_vertices, "edges": graph.num_edges}
    return row | {"methods": methods, "beside": beside(methods, given.family)}


def beside(methods: dict[str, Any], family: str) -> list[dict[str, Any]]:
    """Return speed and quality of each of ours beside each peer."""
    pairs = []
    objective, (_, variants) = get_family(family).objective[0], OURS[family]
    for variant in variants:
        for name, theirs in methods.items():
            ours = methods[variant]
            if name in variants or not (ours.get("runs") and theirs.get("runs")):
                continue
            speed = theirs["seconds"]["best"] / ours["seconds"]["worst"]
            quality = ours[objective]["worst"] - theirs[objective]["best"]
            pairs.append({"ours": variant, "peer": name, "speed": speed, "quality": quality})
    return pairs


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return for each pair the mean and the least of the speeds, and the worst quality."""
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        for pair in row.get("beside", ()):
            pairs.setdefault((pair["ours"], pair["peer"]), []).append(pair)
    return [
        {
            "ours": ours,
            "peer": peer,
            "graphs": len(found),
            "mean speed": statistics.geometric_mean(pair["speed"] for pair in found),
            "least speed": min(pair["speed"] for pair in found),
            "worst quality": min(pair["quality"] for pair in found),
        }
        for (ours, peer), found in pairs.items()
    ]


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = [*REAL, *MADE]
    parser.add_argument("--family", default="communities", choices=OURS)
    parser.add_argument("--device", default="host", help="where ours run")
    parser.add_argument("--seed", type=int, default=int(datetime.now(UTC).strftime("%Y%m%d")))
    parser.add_argument("--smaller", type=int, default=1, help="divides the vertices of those made")
    parser.add_argument("--runs", type=int, default=10, help="runs of ours")
    parser.add_argument("--theirs", type=int, default=3, help="runs of each peer")
    parser.add_argument("--peers", nargs="+", default=[], metavar="PEER", help="these only")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="seconds of a run that is repeated"
    )
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds, metavar="KIND")
    parser.add_argument("--also", nargs="+", default=[], metavar="GRAPH")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    if min(given.smaller, given.runs) < 1 or min(given.theirs, given.seed) < 0:
        parser.error("--smaller and --runs are at least 1, --theirs and --seed at least 0")
    if missing := set(given.peers) - set(peers(given.family)):
        parser.error(f"this machine has no {', '.join(sorted(missing))}")
    return given


def main() -> None:
    """Measure all kinds, write the results after each, and print a table."""
    given = arguments()
    allow_downloads()
    about = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": get_device(given.device).describe(),
        **{name: getattr(given, name) for name in SAID},
    }
    rows: list[dict[str, Any]] = []
    for kind in [*given.kinds, *given.also]:
        try:
            rows.append(row_of(Path(kind).name.split(".")[0], problem_of(kind, given), given))
        except WarplensError as error:
            rows.append({"kind": kind, "refused": str(error)})
        results = {"about": about, "rows": rows, "summary": summary(rows)}
        given.output.parent.mkdir(parents=True, exist_ok=True)
        given.output.write_text(json.dumps(results, indent=1) + "\n")
        print(kind, "measured" if "methods" in rows[-1] else rows[-1]["refused"], flush=True)
    head = ("ours", "peer", "graphs", "mean speed", "least speed", "worst quality")
    cells = [
        [pair["ours"], pair["peer"], str(pair["graphs"])]
        + [f"{pair[name]:.2f} ×" for name in head[3:5]]
        + [f"{pair['worst quality']:+.5f}"]
        for pair in summary(rows)
    ]
    print(markdown_table(head, cells))


if __name__ == "__main__":
    main()
