"""What the choices of the tuned communities cost, on graphs of about 100 K, 1 M and 4 M entries.

    python benchmarks/choices_communities.py [--device cuda] [--runs 7] OUT.json

Each choice is compared with one start of the usual run: sweeps that end before no vertex could
gain ("unsettled"), `deterministic`, and more starts, on a GPU side by side.  The time is that of
the device after a first run; the graph is there already.  With `deterministic` all runs must be
equal, and equal to the host's on the smallest graphs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import zlib
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from machine import commit, hardware
from unseen_graphs import make

import gpucore
from gpucore.device import get_device
from gpucore.families.communities import certificate
from gpucore.families.communities.fast import refinement
from gpucore.problems.graph.graph import Graph

#: Of each kind a generator for a factor of the size.
KINDS = {
    "grid": lambda size: gpucore.load(f"grid:rows={side(size)},columns={side(size)}"),
    "Delaunay": lambda size: gpucore.load(f"delaunay:n={size * 2 // 3}"),
    "power-law communities": lambda size: make("power-law communities", 7, 3_800_000 // size),
    "R-MAT": lambda size: gpucore.load(f"rmat:scale={(size // 5).bit_length()},seed=1"),
}
#: Vertices of the grid: a quarter of the entries.
SIZES = (25_000, 250_000, 1_000_000)
#: Entries up to which the host finds the same communities in seconds.
ON_HOST = 300_000
CHOICES: dict[str, dict[str, Any]] = {
    "usual": {},
    "unsettled": {"settled": False},
    "deterministic": {"deterministic": True},
    "2 starts": {"starts": 2},
    "4 starts": {"starts": 4},
    "8 starts": {"starts": 8},
}


def side(size: int) -> int:
    """Return the side of a square of this size."""
    return int(size**0.5)


@contextmanager
def settling(on: bool) -> Any:
    """Let vertices be swept until none could gain, or end before."""
    modules = (refinement, certificate)
    before = [module.SETTLED_ENTRIES for module in modules]
    for module, most in zip(modules, before, strict=True):
        module.SETTLED_ENTRIES = most if on else 0
    try:
        yield
    finally:
        for module, most in zip(modules, before, strict=True):
            module.SETTLED_ENTRIES = most


def measure(graph: Graph, variant: str, device: Any, runs: int, **more: Any) -> dict[str, Any]:
    """Return times, modularities and certificates of a choice."""
    options = {"variant": variant, "starts": 1, **more}
    settled = options.pop("settled", True)
    with settling(settled):
        first = gpucore.run("louvain", graph, device=device, **options)
        found = [
            gpucore.run("louvain", graph, device=device, certify=False, **options)
            for _ in range(runs)
        ]
    seconds = [result.seconds for result in found]
    reached = [result.modularity for result in found]
    row = {
        "certified": first.certificate.ok,
        "seconds": {"best": min(seconds), "median": statistics.median(seconds)},
        "modularity": {"worst": min(reached), "best": max(reached)},
        "sweeps": statistics.median(result.sweeps for result in found),
    }
    if options.get("deterministic"):
        digests = {zlib.crc32(result.community.tobytes()) for result in (first, *found)}
        row["equal"] = len(digests) == 1
        row["digest"] = min(digests)
        if len(graph.indices) <= ON_HOST:
            on_host = gpucore.run("louvain", graph, device="host", certify=False, **options)
            row["equal to the host's"] = digests == {zlib.crc32(on_host.community.tobytes())}
    return row


def main() -> None:
    """Measure, and write after each graph."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="host")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("output", type=Path)
    given = parser.parse_args()
    device = get_device(given.device)
    rows: list[dict[str, Any]] = []
    about = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": device.describe(),
        "runs": given.runs,
    }
    for size in given.sizes:
        for kind, maker in KINDS.items():
            graph = maker(size)
            for variant in ("fast", "leiden"):
                row = {"kind": kind, "vertices": graph.num_vertices, "entries": len(graph.indices)}
                choices = {
                    name: measure(graph, variant, device, given.runs, **choice)
                    for name, choice in CHOICES.items()
                }
                rows.append({**row, "variant": variant, "choices": choices})
                given.output.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")
                usual = choices["usual"]["seconds"]["median"]
                print(kind, len(graph.indices), variant, f"{usual * 1e3:.2f} ms", flush=True)
                for name, found in choices.items():
                    ratio = found["seconds"]["median"] / usual
                    quality = found["modularity"]
                    more = {key: found[key] for key in found if key.startswith("equal")}
                    print(
                        f"  {name}: {ratio:.2f} x, Q {quality['worst']:.5f} to "
                        f"{quality['best']:.5f}, {found['sweeps']} sweeps, "
                        f"certified {found['certified']} {more or ''}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
