"""The variant "fast" for one small capacity of all vertices; ours.

Kernels: ``kernels/bsuitor_fast.cu``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.bmatching.outcome import Held, Task
from gpucore.families.matching.hubs import ONE_LAUNCH, Hubs, hub_blocks

if TYPE_CHECKING:
    from gpucore.device import Kernel
    from gpucore.record import Recorder
    from gpucore.runner import Context

#: Largest capacity that the kernels keep as a cascade of words.
CASCADE = 8
#: Vertices of a warp in the second part.
WARP_VERTICES = constant("bsuitor_offers.cuh", "WARP_VERTICES")
#: The same in the one launch of a small graph.
SMALL_VERTICES = constant("bsuitor_offers.cuh", "SMALL_VERTICES")


def scratch(capacity: int) -> int:
    """Return the bytes of state for each vertex."""
    return 8 * capacity + 4 + 8 + 1


def warps_of(task: Task) -> int:
    """Return the number of warps of the first round, those of hubs left out."""
    return -(-task.adjacency.n // task.params.threads_per_block) * (
        task.params.threads_per_block // 32
    )


def make_recorder(task: Task, context: Context) -> Recorder:
    """Return a recorder with a row for each warp, and one for each block of hubs."""
    warps = warps_of(task) + hub_blocks(len(task.adjacency.arrays[1]))
    return context.recorder(warps=max(1, warps))


def run_fast(task: Task, capacity: int, recorder: Recorder) -> Held:
    """Run the variant.

    Parameters
    ----------
    capacity : int
        That of every vertex, 1 to :data:`CASCADE`.
    """
    adjacency, device, xp = task.adjacency, task.device, task.device.xp
    n, threads = adjacency.n, task.params.threads_per_block
    slots = xp.empty(n * capacity, dtype=xp.uint64)
    worst, cursors = xp.empty(n, dtype=xp.uint32), xp.empty(n, dtype=xp.uint64)
    owed = xp.empty(-(-n // 4) * 4, dtype=xp.uint8)  # counted up by words of 4 bytes
    hubs = Hubs(xp, len(adjacency.arrays[1]), capacity)
    every_vertex = -(-n // 256)
    # The host's kernels take any capacity; for a GPU they are compiled for this one.
    constants = {"SLOTS": capacity} if device.name == "cuda" else {}

    def kernel(name: str) -> Kernel:
        return recorder.kernel("bsuitor_fast", f"bsuitor_fast_{name}", **constants)

    args = [n, *adjacency.arrays, capacity, slots, worst, cursors, owed, *hubs.args]
    if len(adjacency.arrays[1]) <= ONE_LAUNCH and not recorder.args():
        launches = [hubs.whole_run(device, kernel("small"), args, n, SMALL_VERTICES)]
    else:
        args += [hubs.blocks, *recorder.args()]
        first, rest = kernel("first"), kernel("rest")
        search, follow = hubs.searches(first, rest, args, n, threads, WARP_VERTICES)
        start = [n, adjacency.arrays[0], capacity, slots, owed, *hubs.args]
        launches = [
            kernel("begin").prepare(every_vertex, 256, start),
            search,
            kernel("worst").prepare(every_vertex, 256, [n, capacity, slots, worst]),
            follow,
        ]
    with device.timer() as timer:
        for launch in launches:
            launch()
    starts = np.arange(n + 1, dtype=np.int64) * capacity
    return Held.from_slots(timer.seconds, device.to_host(slots), starts, "two")
