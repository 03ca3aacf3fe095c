"""Vertices with long adjacencies, for kernels that give them whole blocks.

The kernels' side is in ``gpucore/kernels/hub_pieces.cuh``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpucore.device import Kernel

#: Blocks that begin with hubs; most edges of other vertices, and of a piece, both as in the
#: kernels' source.
HUB_BLOCKS, HUB_DEGREE, HUB_PIECE = 528, 1024, 8192

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

    def searches(
        self, first: Kernel, rest: Kernel, args: list[Any], n: int, threads: int, vertices: int
    ) -> tuple[Callable[[], None], Callable[[], None]]:
        """Return the launches of the first round and of the rest, `vertices` of it a warp."""
        warps, pairs = threads // 32, 33 * 8
        return (
            first.prepare(
                self.blocks + -(-n // threads), threads, args, shared_mem=pairs + 32 * warps
            ),
            rest.prepare(
                self.blocks + -(-n // (vertices * warps)),
                threads,
                args,
                shared_mem=pairs + (32 + 4 * vertices) * warps,
            ),
        )

    def taken(self, launch: int) -> Any:
        """Return the counter of hubs taken in a launch after the first round."""
        return self.counters[COUNTERS + launch :]
