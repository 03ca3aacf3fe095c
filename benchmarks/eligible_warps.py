r"""Count what a profiler sees of the paper's Louvain kernels: eligible warps, active threads.

    ncu --clock-control none --profile-from-start off --metrics METRICS -k regex:louvain --csv \
        --log-file counts.csv python benchmarks/eligible_warps.py run suitesparse:LAW/cnr-2000
    python benchmarks/eligible_warps.py sum counts.csv --output profile.json

METRICS are those of :data:`METRICS`, separated by commas. The first command profiles one run after
another one that compiles; the second adds the launches of each kernel up.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

#: Time in ns, cycles of an SM, eligible warps of one of its four schedulers, threads of a warp.
METRICS = {
    "gpu__time_duration.sum": "ns",
    "sm__cycles_active.avg": "cycles",
    "smsp__warps_eligible.avg.per_cycle_active": "eligible",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "threads",
}
SCHEDULERS, LANES = 4, 32


def run(graphs: list[str]) -> None:
    """Run the paper's variant twice on each graph; the second run is profiled."""
    import cupy

    import gpucore
    from gpucore.device import get_device

    device = get_device("cuda")
    settings: dict[str, Any] = {"variant": "buckets", "rule": "paper", "certify": False}
    for name in graphs:
        graph = gpucore.load(name)
        gpucore.run("louvain", graph, device=device, **settings)
        device.synchronize()
        cupy.cuda.runtime.profilerStart()
        gpucore.run("louvain", graph, device=device, **settings)
        device.synchronize()
        cupy.cuda.runtime.profilerStop()


def launches(lines: list[str]) -> list[dict[str, Any]]:
    """Return the launches of a profiler's table: kernel and metrics.

    >>> head = '"ID","Kernel Name","Metric Name","Metric Value"'
    >>> launches(["==PROF== text", head, '"0","f","gpu__time_duration.sum","1,024"'])
    [{'kernel': 'f', 'ns': 1024.0}]
    """
    found: dict[str, dict[str, Any]] = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("==")):
        launch = found.setdefault(row["ID"], {"kernel": row["Kernel Name"].partition("(")[0]})
        launch[METRICS[row["Metric Name"]]] = float(row["Metric Value"].replace(",", ""))
    return list(found.values())


def mean(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the launches' number and time, and means over the cycles that they took."""
    cycles = sum(row["cycles"] for row in rows)

    def over(name: str) -> float:
        return float(sum(row["cycles"] * row[name] for row in rows)) / cycles

    return {
        "launches": len(rows),
        "milliseconds": round(sum(row["ns"] for row in rows) / 1e6, 4),
        "eligible_warps": round(SCHEDULERS * over("eligible"), 3),
        "active_threads": round(over("threads") / LANES, 4),
    }


def main() -> None:
    """Run graphs under the profiler, or add its counts up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("run", "sum"))
    parser.add_argument("names", nargs="+", help="graphs, or the profiler's table")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if arguments.what == "run":
        run(arguments.names)
        return
    rows = launches(Path(arguments.names[0]).read_text().splitlines())
    kernels = sorted({row["kernel"] for row in rows})
    found = {"all": mean(rows)} | {
        name: mean([row for row in rows if row["kernel"] == name]) for name in kernels
    }
    text = json.dumps({"kernels": found}, indent=1) + "\n"
    arguments.output.write_text(text) if arguments.output else print(text, end="")


if __name__ == "__main__":
    main()
