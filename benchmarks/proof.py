r"""Measure what a user waits for around a run: load, prepare, run, copies, certificate.

    python benchmarks/proof.py suitor@rmat22 louvain@rmat22 --output DIRECTORY/proof.json

A job is a runner (and parameters: ``bmatching,b=3@rmat22``) and a benchmark graph, or any problem
that ``warplens run`` takes. Parts, in seconds:

load
    read the problem from the cache of benchmark graphs, or generate it
prepare
    make a problem of the family from it
first run
    with the kernels' compilation, where they are not in the cache of kernels
run
    the time that the result states, of the kernels alone; the median
around
    the rest of the call, median: memory, copies to the device, the result's copies to the host
certify
    the certificate, on so many threads, the median
"""

from __future__ import annotations

import argparse
import datetime
import json
import resource
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from machine import commit, hardware

from gpucore.bench.cache import default_directory, generate_missing, load_graph
from gpucore.bench.harness import run_case
from gpucore.bench.suite import Case, get_suite
from gpucore.certify import Certificate
from gpucore.certify.work import attended
from gpucore.cli.options import parse_params
from gpucore.device import Device, get_device
from gpucore.errors import WarplensError
from gpucore.family import get_family, get_runner

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that ``work()`` took, and what it returned."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def measure(job: str, options: argparse.Namespace, device: Device) -> dict[str, Any]:
    """Measure the parts of one job."""
    call, _, name = job.partition("@")
    runner_name, *texts = call.split(",")
    runner = get_runner(runner_name)
    family = get_family(runner.family)
    suite = get_suite(runner.family) if family.bench else None
    row: dict[str, Any] = {"runner": runner_name, "family": runner.family, "graph": name}
    parts: dict[str, float] = {}
    load = None if suite is None else suite.load
    parts["load"], graph = timed(lambda: load_graph(name, options.cache, load))
    make = family.prepared if suite is None else suite.prepare
    parts["prepare"], problem = timed(lambda: make(graph))
    row["problem"] = repr(problem)
    case = Case(runner_name, runner_name, parse_params(texts))
    parts["first run"], result = timed(lambda: run_case(case, problem, device, None))
    runs = [timed(lambda: run_case(case, problem, device, None)) for _ in range(options.repeat)]
    parts["run"] = statistics.median(result.seconds for _, result in runs)
    parts["around"] = statistics.median(whole - result.seconds for whole, result in runs)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found: list[tuple[float, Certificate]] = []
    with attended(threads=options.threads):
        for _ in range(options.repeat):
            found.append(timed(lambda: runner.certify(problem, result)))
            if found[0][0] > options.certify_limit:
                break
    parts["certify"] = statistics.median(seconds for seconds, _ in found)
    row["certificates"] = [seconds for seconds, _ in found]
    row["certified"] = found[0][1].ok
    row["checks"] = [str(check.name) for check in found[0][1].checks]
    row["bytes_more"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    row["parts"] = {part: round(seconds, 5) for part, seconds in parts.items()}
    row["factor"] = round(parts["certify"] / parts["run"], 2) if parts["run"] else None
    row["params"] = {k: v for k, v in result.params.items() if isinstance(v, (int, float, str))}
    return row


def main() -> None:
    """Measure all jobs, and write the results file after each."""
    options = parse()
    device = get_device(options.device)
    generate_missing([job.partition("@")[2] for job in options.jobs], options.cache)
    rows: list[dict[str, Any]] = []
    about = {
        "date": datetime.date.today().isoformat(),
        "commit": options.commit or commit(),
        "hardware": hardware(),
        "device": device.describe(),
        "numpy": version("numpy"),
        "threads": options.threads or hardware()["cores"],
        "repeat": options.repeat,
    }
    began = time.monotonic()
    for job in options.jobs:
        if time.monotonic() - began > options.time_limit:
            print(f"left out: {job}")
            continue
        try:
            rows.append(measure(job, options, device))
        except (WarplensError, MemoryError) as error:
            rows.append({"job": job, "refused": f"{type(error).__name__}: {error}"})
        print(json.dumps({k: v for k, v in rows[-1].items() if k not in ("params", "checks")}))
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(about | {"jobs": rows}, indent=1) + "\n")


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs", nargs="+", help="RUNNER[,key=value...]@PROBLEM")
    parser.add_argument("--device", default="auto", choices=("auto", "cuda", "host"))
    parser.add_argument("--threads", type=int, default=None, help="of certificates")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--certify-limit", type=float, default=5.0, help="repeat no longer ones")
    parser.add_argument("--time-limit", type=float, default=600.0, help="start no job after it")
    parser.add_argument("--cache", type=Path, default=default_directory())
    parser.add_argument("--commit", default="")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
