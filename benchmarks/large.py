r"""Measure runs on graphs that only fit into the device's memory, and the time of every part.

    python benchmarks/large.py suitor rmat_rows:scale=27,edge_factor=32 --output DIR/large.json
    python benchmarks/large.py louvain rmat_rows:scale=27,weights=unit --output DIR/large.json

The graph is generated in the device's memory, or read into it; the host has no copy. Parts are:
load (generate or read); a first run, which also compiles kernels; prepare (a later call without its
kernels: checks of the weights, the state, results to the host); run (the kernels, the median);
certify. With ``--counters`` there is one more run that records. Each call appends a row to the
output file, also where the graph or the run is refused.
"""

from __future__ import annotations

import argparse
import datetime
import json
import resource
import statistics
import threading
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from machine import commit, hardware

import gpucore
from gpucore.cli.options import parse_params
from gpucore.device import Device, get_device
from gpucore.errors import WarplensError
from gpucore.family import get_family, get_runner
from gpucore.problems.graph.distributed.load import load_whole


class Parts(dict[str, float]):
    """Seconds of the parts of a measurement, by name, with the device's work inside."""

    def time(self, name: str, device: Device, work: Any) -> Any:
        """Return ``work()`` and note the seconds that it took."""
        begin = time.perf_counter()
        result = work()
        device.synchronize()
        self[name] = round(time.perf_counter() - begin, 4)
        return result


class Peak(threading.Thread):
    """Looks every 20 ms how much memory of a card is in use; `peak` is the most, in bytes."""

    def __init__(self, device: Device) -> None:
        super().__init__(daemon=True)
        self._runtime = device.xp.cuda.runtime
        self._ended = threading.Event()
        self.peak = 0

    def run(self) -> None:
        """Look until :meth:`end` is called."""
        while not self._ended.wait(0.02):
            free, total = self._runtime.memGetInfo()
            self.peak = max(self.peak, total - free)

    def end(self) -> int:
        """Stop looking, and return the most bytes."""
        self._ended.set()
        self.join()
        return self.peak


def measure(options: argparse.Namespace, device: Device, row: dict[str, Any]) -> None:
    """Make the graph, run the algorithm and certify its result; fills `row` as it goes."""
    parts = Parts()
    row["parts"] = parts
    algorithm = get_runner(options.algorithm)
    matching = get_family(algorithm.family).prepare.endswith(":for_matching")
    graph = parts.time("load", device, lambda: load_whole(options.graph, device, matching=matching))
    row |= {"vertices": graph.n, "edges": graph.num_edges, "entries": graph.entries}
    params = parse_params(options.param)

    def run(**given: Any) -> Any:
        return gpucore.run(
            options.algorithm, graph, device=device, certify=False, **params, **given
        )

    parts.time("first run", device, run)
    seconds, whole = [], []
    for _ in range(options.repeat):
        begin = time.perf_counter()
        result = run()
        whole.append(time.perf_counter() - begin)
        seconds.append(result.seconds)
    parts["run"] = statistics.median(seconds)
    parts["prepare"] = round(statistics.median(whole) - parts["run"], 4)
    row |= {"seconds": seconds, "edges_a_second": graph.num_edges / parts["run"]}
    row["figures"] = {k: v for k, v in result.figures.items() if not isinstance(v, list)}
    row |= {k: v for k, v in result.figures.items() if isinstance(v, list)}  # stages
    row["params"] = {**result.params}
    assert algorithm.certify_part is not None
    certify = algorithm.certify_part
    proof = parts.time("certify", device, lambda: certify(graph, result, device))
    row["certified"] = proof.ok
    row["checks"] = {check.name: check.detail for check in proof.checks}
    row["bound"] = proof.figures
    if options.counters:
        del result
        result = parts.time(
            "run with counters",
            device,
            lambda: run(record="counters", record_budget=options.record_budget),
        )
        steps = result.record.steps
        row["recorded"] = {
            "seconds": result.seconds,
            "steps": len(steps["iteration"]),
            "edges": int(steps["edges"].sum()),
            "merged_rows": result.record.header["lost"]["rows"],
        }


def main() -> None:
    """Measure, and append the row to the output file."""
    options = parse()
    device = get_device(options.device)
    row: dict[str, Any] = {"graph": options.graph, "algorithm": options.algorithm}
    watch = Peak(device) if device.name == "cuda" else None
    if watch is not None:
        watch.start()
    try:
        measure(options, device, row)
    except (WarplensError, MemoryError) as error:
        row["refused"] = f"{type(error).__name__}: {error}"
    if watch is not None:
        row["device_bytes_peak"] = watch.end()
        row["device_bytes_used"] = device.total_memory() - device.free_memory()
        row["device_bytes_pool"] = int(device.xp.get_default_memory_pool().total_bytes())
    row["host_bytes_peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    save(options.output, row, device.describe())


def save(path: Path, row: dict[str, Any], device: dict[str, Any]) -> None:
    """Append a row to the results file, and print it."""
    found = json.loads(path.read_text()) if path.exists() else {"runs": []}
    found |= {
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": device,
        "numpy": version("numpy"),
    }
    found["runs"].append(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(row), flush=True)


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithm", help="suitor or louvain")
    parser.add_argument("graph", help="what is generated or read")
    parser.add_argument("-p", "--param", action="append", default=[], help="key=value")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--device", default="auto", choices=("auto", "cuda", "host"))
    parser.add_argument("--counters", action="store_true", help="one more run, which records")
    parser.add_argument("--record-budget", type=int, default=320 << 20, help="bytes of the record")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
