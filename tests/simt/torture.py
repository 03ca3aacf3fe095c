"""Run the torture kernel and digest its output; used by tests and their subprocesses."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

BLOCKS, THREADS, ROUNDS = 5, 160, 4


def run(device: Any) -> str:
    """Return a digest of all memory that the torture kernel wrote."""
    digest = np.zeros(BLOCKS * THREADS, np.uint32)
    cells = np.zeros(4, np.uint64)
    cells[2] = np.iinfo(np.uint64).max
    lock, guarded = np.zeros(1, np.int32), np.zeros(1, np.int32)
    arrays = [device.asarray(a) for a in (digest, cells, lock, guarded)]
    kernel = device.kernel("torture", "torture")
    kernel(BLOCKS, THREADS, (ROUNDS, *arrays), shared_mem=4 * THREADS)
    left = [np.ascontiguousarray(device.to_host(a)) for a in arrays]
    assert left[2][0] == 0  # the lock is free
    assert left[3][0] == BLOCKS * THREADS // 32  # no increment under the lock was lost
    return hashlib.sha256(b"".join(a.tobytes() for a in left)).hexdigest()


def main(library: str) -> None:
    """Print the digest of some schedules; a sanitizer may end the process instead."""
    from gpucore.device.host import HostDevice

    settings: list[dict[str, Any]] = [
        {},
        {"policy": "round_robin", "resident": 3},
        {"policy": "random", "seed": 1, "resident": 2, "yield_atomic": 0.5, "poison": True},
        {"threads": 2},
    ]
    print({run(HostDevice(library=library, **options)) for options in settings})


if __name__ == "__main__":
    main(sys.argv[1])
