"""Measure what instrumentation costs: ``python tests/simt/instrumented/measure.py [GRAPH]``.

Both libraries have to be installed.  Times are processor times, the least of some runs.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import gpucore
from gpucore.device.host import HostDevice
from gpucore.problems.graph.prepare import for_matching

RUNS: list[tuple[str, dict[str, Any]]] = [
    ("suitor", {"variant": "nosync"}),
    ("suitor", {"variant": "sync_lb"}),
    ("suitor", {"variant": "fast"}),
    ("ld", {}),
]


def least(algorithm: str, graph: Any, params: dict[str, Any], **options: Any) -> float:
    """Return the least processor time of five runs, in seconds."""
    times = []
    for _ in range(5):
        device = HostDevice(**options)
        start = time.process_time()
        gpucore.run(algorithm, graph, device=device, certify=False, **params)
        times.append(time.process_time() - start)
    return min(times)


def main(spec: str) -> None:
    graph = for_matching(gpucore.load(spec))
    print(f"{graph}")
    print(f"{'':24s} {'plain':>10s} {'nothing':>9s} {'races':>9s} {'lines':>9s} {'all':>9s}")
    for algorithm, params in RUNS:
        plain = least(algorithm, graph, params)
        factors = [
            least(algorithm, graph, params, instrumented=True, observe=observe) / plain
            for observe in ("nothing", "races", "lines", "all")
        ]
        columns = "".join(f"{factor:9.1f}x" for factor in factors)
        print(f"{algorithm + ' ' + params.get('variant', ''):24s} {plain * 1e3:7.1f} ms {columns}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "gnp:n=20000,p=0.001,seed=1")
