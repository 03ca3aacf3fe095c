"""Vertices with long adjacencies, for kernels that give them whole blocks.

The kernels' side is in ``gpucore/kernels/hub_pieces.cuh``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpucore.device.grid import blocks_for, cooperative_blocks

if TYPE_CHECKING:
    from gpucore.device import Device, Kernel

#: Blocks that begin with hubs; most edges of other vertices, and of a piece, both as in the
#: kernels' source.
HUB_BLOCKS, HUB_DEGREE, HUB_PIECE = 528, 1024, 8192

#: Most entries of all adjacencies for which all of a run is one launch, the threads of its blocks,
#: and the blocks of a multiprocessor.
ONE_LAUNCH, ONE_LAUNCH_THREADS, ONE_LAUNCH_BLOCKS = 1 << 20, {"cuda": 512, "host": 128}, 2

#: Counters that the kernels keep: hubs, pieces, those taken in the first round.
COUNTERS = 3


def hub_blocks(entries: int) -> int:
    """Return how many blocks begin with hubs: 0 if no adjacency can be long."""
    return min(HUB_BLOCKS, entries // HUB_DEGREE)


class Hubs:
    """The list of hubs, and pieces of the largest.

    Parameters
    ----------
    xp : module
        The device's array library.
    entries : int
        Entries of all adjacencies.
    words : int
        64-bit words of a piece: the edges that a vertex proposes along in the first round.
    launches : int
        How many launches after the first round take hubs.

    Attributes
    ----------
    blocks : int
        Blocks that begin with hubs.
    args : list of array
        Arguments of the kernels.
    """

    def __init__(self, xp: ModuleType, entries: int, words: int, launches: int = 1) -> None:
        pieces = 2 * (entries // HUB_PIECE)  # each hub has a whole one more than a half
        self.blocks = hub_blocks(entries)
        self.counters = xp.zeros(COUNTERS + launches, dtype=xp.int32)
        self.args = [
            xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32),
            self.counters,
            xp.empty((max(1, pieces), 4), dtype=xp.int32),
            xp.empty(max(1, pieces * words), dtype=xp.uint64),
        ]

    def whole_run(
        self, device: Device, kernel: Kernel, args: list[Any], n: int, vertices: int
    ) -> Callable[[], None]:
        """Return the launch of a whole run, `vertices` after its first round a warp.

        The last argument of the kernel, two words where its blocks meet, is added to `args`.
        """
        threads = ONE_LAUNCH_THREADS[device.name]
        warps, warps_each = -(-n // vertices), threads // 32
        return kernel.prepare(
            min(
                cooperative_blocks(device, threads, ONE_LAUNCH_BLOCKS),
                blocks_for(warps, warps_each),
            ),
            threads,
            [*args, device.xp.zeros(2, dtype=device.xp.uint32)],
            shared_mem=_shared_bytes(threads, vertices),
            cooperative=True,
        )

    def searches(
        self, first: Kernel, rest: Kernel, args: list[Any], n: int, threads: int, vertices: int
    ) -> tuple[Callable[[], None], Callable[[], None]]:
        """Return the launches of the first round and of the rest, `vertices` of it a warp."""
        return (
            first.prepare(
                self.blocks + -(-n // threads),
                threads,
                args,
                shared_mem=_shared_bytes(threads, 0),
            ),
            rest.prepare(
                self.blocks + -(-n // (vertices * (threads // 32))),
                threads,
                args,
                shared_mem=_shared_bytes(threads, vertices),
            ),
        )

    def taken(self, launch: int) -> Any:
        """Return the counter of hubs taken in a launch after the first round."""
        return self.counters[COUNTERS + launch :]


def _shared_bytes(threads: int, vertices: int) -> int:
    """Return the shared memory of a block: 33 bids, 32 bytes a warp, and its list of vertices."""
    return 33 * 8 + (32 + 4 * vertices) * (threads // 32)
