"""Numbers of blocks of launches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpucore.device.base import Device

#: Threads of a cooperative launch on the host, where each needs a stack.
HOST_THREADS = 512


def blocks_for(count: int, threads: int) -> int:
    """Return the number of blocks, at least 1, for one thread per element."""
    return max(1, -(-count // threads))


def cooperative_blocks(device: Device, threads: int, each: int) -> int:
    """Return the blocks of a cooperative launch, `each` on a multiprocessor."""
    if device.name == "cuda":
        return each * device.multiprocessors
    return max(1, HOST_THREADS // threads)
