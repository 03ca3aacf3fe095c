"""How many blocks a launch has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpucore.device.base import Device

#: Threads that meet on the host, where each of them takes a stack.
HOST_THREADS = 512


def blocks_for(count: int, threads: int) -> int:
    """Return how many blocks give each of `count` elements a thread, at least one."""
    return max(1, -(-count // threads))


def meeting_blocks(device: Device, threads: int, each: int) -> int:
    """Return the blocks of a cooperative launch, `each` on a multiprocessor."""
    if device.name == "cuda":
        return each * device.multiprocessors
    return max(1, HOST_THREADS // threads)
