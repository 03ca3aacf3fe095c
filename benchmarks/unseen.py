"""Communities on graphs that no one tuned for: quality beside speed, ours and every peer's.

    python benchmarks/unseen.py --device cuda --output DIRECTORY/unseen.json
    python benchmarks/unseen.py --smaller 1000 --runs 2 --theirs 2 --output unseen.json

The twelve kinds are in ``unseen_graphs.py``; ``--also`` names other graphs, or files of graphs.
The seed of the day makes the graphs, others each day; ``--seed`` repeats a measurement.  Ours are
``fast`` and ``leiden``, peers all that the machine has; none with ``--theirs 0``.  Each method runs
once before the runs that count, unless that takes longer than ``--limit`` seconds: then it is the
run that counts.  A peer with a seed gets another one in every run.
Certificates are made of all runs, after the last one, and modularity is theirs.  The speed of a
pair is the best time of the peer over the worst of ours, its quality our worst modularity less the
peer's best.
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import fields, replace
from datetime import UTC, datetime
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
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values

OURS = ("fast", "leiden")


def peers() -> dict[str, Any]:
    """Return the peers that this machine has, by name."""
    runners = get_family("communities").load_runners().values()
    return {r.name: r for r in runners if r.where == "library" and r.available() is None}


def measure(graph: Graph, name: str, options: list[dict[str, Any]], limit: float) -> dict[str, Any]:
    """Return times and qualities of one run for each of the options; or why there are none."""
    try:
        found = [gpucore.run(name, graph, certify=False, **options[0])]
        if found[0].seconds <= limit:
            found = [gpucore.run(name, graph, certify=False, **option) for option in options]
        certify = get_runner(name).certify
        found = [replace(one, certificate=certify(graph, one)) for one in found]
    except WarplensError as error:
        return {"refused": str(error)}
    quality = [result.certificate.figures.get("modularity") for result in found]
    certified = all(result.certificate.ok for result in found)
    if not certified:
        return {"certified": False, "why": str(found[0].certificate)}
    worst, best = min(quality), max(quality)
    return {
        "certified": certified,
        "runs": len(found),
        "seconds": {
            "best": min(result.seconds for result in found),
            "median": statistics.median(result.seconds for result in found),
            "worst": max(result.seconds for result in found),
        },
        "modularity": {
            "worst": worst,
            "median": statistics.median(quality),
            "best": best,
            "spread": (best - worst) / abs(best) if best else 0.0,
        },
        "improvable": max(result.certificate.figures["improvable"] for result in found),
        "starts": max(1, len(found[0].figures.get("starts", ()))),
        "device": found[0].device,
    }


def graph_of(kind: str, given: argparse.Namespace) -> Graph:
    """Return the graph of a kind, or one by its name or file."""
    if kind in given.also:
        return absolute_values(gpucore.load(kind))
    return make(kind, given.seed, given.smaller)


def row_of(kind: str, graph: Graph, given: argparse.Namespace) -> dict[str, Any]:
    """Measure all methods on one graph."""
    methods: dict[str, Any] = {}
    for variant in OURS:
        ours = [{"variant": variant, "device": given.device}] * given.runs
        methods[variant] = measure(graph, "louvain", ours, given.limit)
    for name, runner in peers().items() if given.theirs else ():
        seeded = "seed" in {field.name for field in fields(runner.params)}
        theirs = [{"seed": given.seed + run} if seeded else {} for run in range(given.theirs)]
        methods[name] = measure(graph, name, theirs, given.limit)
    row = {"kind": kind, "vertices": graph.num_vertices, "edges": graph.num_edges}
    return row | {"methods": methods, "beside": beside(methods)}


def beside(methods: dict[str, Any]) -> list[dict[str, Any]]:
    """Return speed and quality of each of ours beside each peer."""
    pairs = []
    for variant in OURS:
        for name, theirs in methods.items():
            ours = methods[variant]
            if name in OURS or not (ours.get("runs") and theirs.get("runs")):
                continue
            speed = theirs["seconds"]["best"] / ours["seconds"]["worst"]
            quality = ours["modularity"]["worst"] - theirs["modularity"]["best"]
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
    parser.add_argument("--device", default="host", help="where ours run")
    parser.add_argument("--seed", type=int, default=int(datetime.now(UTC).strftime("%Y%m%d")))
    parser.add_argument("--smaller", type=int, default=1, help="divides the vertices of those made")
    parser.add_argument("--runs", type=int, default=10, help="runs of ours")
    parser.add_argument("--theirs", type=int, default=3, help="runs of each peer")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="seconds of a run that is repeated"
    )
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds, metavar="KIND")
    parser.add_argument("--also", nargs="+", default=[], metavar="GRAPH")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    if min(given.smaller, given.runs) < 1 or min(given.theirs, given.seed) < 0:
        parser.error("--smaller and --runs are at least 1, --theirs and --seed at least 0")
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
        **{name: getattr(given, name) for name in ("seed", "smaller", "runs", "theirs", "limit")},
    }
    rows: list[dict[str, Any]] = []
    for kind in [*given.kinds, *given.also]:
        try:
            rows.append(row_of(Path(kind).name.split(".")[0], graph_of(kind, given), given))
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
