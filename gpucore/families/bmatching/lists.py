"""b-Suitor along lists of neighbours: eager, delayed, and "fast" for capacities of any size.

Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016.  Kernels: ``kernels/bsuitor.cu``,
``kernels/bsuitor_first.cu`` for the first round of "fast", ``kernels/bsuitor_state.cu`` for the
state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.bmatching.heads import PARTIAL, Heads, no_heads, sort_all, sort_partly
from gpucore.families.bmatching.outcome import Held, Task
from gpucore.families.bmatching.record import Launches

if TYPE_CHECKING:
    from gpucore.device import Kernel
    from gpucore.record import Recorder
    from gpucore.runner import Context

#: Bytes of state for each vertex, without its offers.
SCRATCH = 8 + 4 + 4 + 4 + 8 + 2 * (4 + 4)

#: Most places of a head that "fast" sorts alone: a warp finds 32 in one walk along the list.
MOST_PLACES = 128


@dataclass(frozen=True)
class _State:
    """Arrays of the search, as the kernels take them."""

    slots: Any
    starts: Any
    worst: Any
    locks: Any
    sizes: Any
    cursors: Any


def make_recorder(task: Task, context: Context) -> Recorder:
    """Return a recorder with a row for each warp of the largest launch."""
    workers = task.adjacency.n * (32 if _by_warps(task) else 1)
    block = task.params.threads_per_block
    warps = -(-workers // block) * (block // 32)
    return context.recorder(warps=max(1, warps))


def run_along_lists(task: Task, recorder: Recorder) -> Held:
    """Run the variants "eager" and "delayed", and "fast" for large or unequal capacities.

    The sorting of the lists is part of the time.
    """
    adjacency, device, xp, params = task.adjacency, task.device, task.device.xp, task.params
    n = adjacency.n
    degree = device.to_host(adjacency.arrays[0]).astype(np.int64)
    clipped = np.minimum(np.diff(degree), task.capacity).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(clipped, dtype=np.int64)])
    device.require_memory(8 * int(starts[-1]) + SCRATCH * n, "the offers of the b-matching")
    capacity = device.asarray(clipped)
    state = _State(
        xp.empty(max(1, int(starts[-1])), dtype=xp.uint64),
        device.asarray(starts),
        xp.empty(n, dtype=xp.uint32),
        xp.empty(n, dtype=xp.int32),
        xp.empty(n, dtype=xp.int32),
        xp.empty(n, dtype=xp.uint64),
    )
    begin = device.kernel("bsuitor_state", "bsuitor_begin").prepare(
        -(-n // 256),
        256,
        [n, state.starts, state.worst, state.locks, state.sizes, state.cursors],
    )
    with device.timer() as timer:
        state.slots.fill(0)
        begin()
        heads = _heads(task, capacity, int(clipped.max(initial=0)))
        search = [n, *adjacency.arrays, *heads.arrays, *vars(state).values()]
        rounds = 0
        if params.variant == "eager":
            name = f"bsuitor_eager_{params.worker}"
            _launch(task, recorder, "bsuitor", name, n, search)
        else:
            rounds = _rounds(task, recorder, search)
    slots = device.to_host(state.slots)[: int(starts[-1])]
    launches: Launches = "many" if rounds else "one"
    return Held.from_slots(timer.seconds, slots, starts, launches, rounds)


def _by_warps(task: Task) -> bool:
    return task.params.variant == "fast" or task.params.worker == "warp"


def _heads(task: Task, capacity: Any, largest: int) -> Heads:
    """Return the sorted heads that the variant asks for; of "fast" those that are sorted sooner."""
    few = PARTIAL * largest <= MOST_PLACES
    lists = ("partial" if few else "sorted") if task.params.variant == "fast" else task.params.lists
    if lists == "sorted":
        return sort_all(task.adjacency.arrays, task.device)
    if lists == "partial":
        return sort_partly(task.adjacency, capacity, task.device)
    return no_heads(task.adjacency, task.device)


def _launch(
    task: Task, recorder: Recorder, source: str, name: str, workers: int, args: list[Any]
) -> None:
    """Launch a recording kernel by name, for this number of workers, warps or threads."""
    kernel: Kernel = recorder.kernel(source, name)
    block = task.params.threads_per_block
    threads = workers * (1 if name.endswith("_thread") else 32)
    kernel(-(-threads // block), block, [*args, *recorder.args()])


def _first_round(task: Task, recorder: Recorder, search: list[Any], turn: list[Any]) -> None:
    """Let every vertex make its first proposals along its sorted head; see the kernels' source."""
    n, source, state = task.adjacency.n, "bsuitor_first", [search[0], *search[4:]]
    task.device.kernel(source, "bsuitor_first_ask")(-(-n // 256), 256, state)
    _launch(task, recorder, source, "bsuitor_first_take", n, search)
    _launch(task, recorder, source, "bsuitor_first_refuse", n, [*state, *turn])


def _rounds(task: Task, recorder: Recorder, search: list[Any]) -> int:
    """Run rounds until no proposal is put off; returns their number."""
    device, xp, n = task.device, task.device.xp, task.adjacency.n
    owed, next_owed = xp.zeros(n, dtype=xp.int32), xp.zeros(n, dtype=xp.int32)
    queue, next_queue = xp.empty(n, dtype=xp.int32), xp.empty(n, dtype=xp.int32)
    count = xp.zeros(1, dtype=xp.int32)
    name = f"bsuitor_delayed_{'warp' if _by_warps(task) else 'thread'}"
    number = waiting = 0
    while True:
        if number == 0 and task.params.variant == "fast":
            number = 1  # two launches
            turn = [number, queue, n, owed, next_owed, next_queue, count]
            _first_round(task, recorder, search, turn)
        else:
            turn = [number, queue, waiting or n, owed, next_owed, next_queue, count]
            _launch(task, recorder, "bsuitor", name, waiting or n, [*search, *turn])
        number += 1
        waiting = int(device.to_host(count)[0])
        if waiting == 0:
            return number
        count.fill(0)
        queue, next_queue = next_queue, queue
        owed, next_owed = next_owed, owed
