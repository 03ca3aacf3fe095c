"""Measure what the executor's steps cost: ``python tests/simt/measure.py LIBRARY``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpucore.device.host import HostDevice


def best(run: Callable[[], None], repeats: int = 7) -> float:
    """Return the least processor time of some runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main(library: str) -> None:
    device = HostDevice(library=library)
    steps = 20000
    out = np.zeros(1024, np.uint64)
    total = np.zeros(1, np.int32)

    def launch(name: str, grid: int, block: int, args: Sequence[Any]) -> Callable[[], None]:
        kernel = device.kernel("costs", name)
        return lambda: kernel(grid, block, args)

    def show(what: str, seconds: float, count: int) -> None:
        print(f"{what:45s} {seconds / count * 1e9:10.1f} ns")

    show("__syncwarp, one warp, a lane", best(launch("sync_warps", 1, 32, [steps])), steps * 32)
    show("__syncwarp, 32 warps, a lane", best(launch("sync_warps", 1, 1024, [500])), 500 * 1024)
    run = launch("shuffle_values", 1, 32, [steps, out])
    show("__shfl_xor_sync, one warp, a lane", best(run), steps * 32)
    show("__syncthreads, 128 threads, a lane", best(launch("sync_block", 1, 128, [5000])), 640000)
    show("__syncthreads, 1,024 threads, a lane", best(launch("sync_block", 1, 1024, [500])), 512000)
    run = launch("add_atomically", 1, 32, [steps, total])
    show("atomicAdd, a lane", best(run), steps * 32)
    show("starting and ending a lane", best(launch("nothing", 20000, 32, [])), 20000 * 32)

    empty = launch("nothing", 1, 32, [])

    def thousand() -> None:
        for _ in range(1000):
            empty()

    show("empty launch of one warp, from Python", best(thousand), 1000)


if __name__ == "__main__":
    main(sys.argv[1])
