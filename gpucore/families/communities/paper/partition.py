"""Communities of a stage's vertices in the variants of the paper, and their modularity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Run, Stage

#: Blocks of the summing kernels; the host adds their partial sums.
SUM_BLOCKS = 512


@dataclass
class Partition:
    """Communities of a stage's vertices, on the device.

    See ``families/communities/kernels/louvain.cuh``.
    """

    strength: Any
    community: Any
    total: Any
    size: Any
    next: Any

    @classmethod
    def of_singles(cls, run: Run, stage: Stage, strength: Any) -> Partition:
        """Return the partition in which every vertex is a community of its own."""
        xp = run.device.xp
        single = xp.arange(stage.n, dtype=xp.int32)
        ones = xp.ones(stage.n, dtype=xp.int32)
        return cls(strength, single, strength.copy(), ones, single.copy())

    def args(self, run: Run) -> tuple[Any, ...]:
        """Return the kernels' arguments that describe the partition."""
        own = (self.strength, self.community, self.total, self.size)
        return (*own, run.two_m, run.params.resolution)


class Measures:
    """Numbers that the host reads after a sweep, adjacent, so that one copy is enough.

    Attributes
    ----------
    moved : array of int32, shape (buckets + 2,)
        Vertices that moved, by number of the bucket.
    launches : list of callable
        Launches that sum up the modularity (equation 1) of a stage's partition from its edges.
    """

    WORDS = 8

    def __init__(self, run: Run, stage: Stage, partition: Partition) -> None:
        device, xp = run.device, run.device.xp
        self._run = run
        self._blocks = blocks = min(SUM_BLOCKS, max(1, -(-stage.entries // 256)))
        self._all = xp.zeros(self.WORDS + 2 * blocks, dtype=xp.uint64)
        self.moved = self._all[: self.WORDS].view(xp.int32)
        source = _repeat(xp, stage.indptr[1:] - stage.indptr[:-1], stage.entries)
        edges = [stage.entries, source, stage.indices, *stage.weight_args]
        inner = self._all[self.WORDS : self.WORDS + blocks]
        squares = self._all[self.WORDS + blocks :]
        self.launches = [
            device.kernel("louvain_state", "louvain_inner").prepare(
                blocks, 256, [*edges, partition.community, inner]
            ),
            device.kernel("louvain_state", "louvain_squares").prepare(
                blocks, 256, [stage.n, partition.total, run.two_m, squares]
            ),
        ]

    def read(self) -> tuple[float, np.ndarray]:
        """Return the modularity of the last sums, and the moves."""
        values = self._run.device.to_host(self._all)
        sums = values[self.WORDS :].reshape(2, self._blocks).sum(axis=1, dtype=np.uint64)
        inner, squares = map(int, sums)
        return self._run.modularity(inner, squares), values[: self.WORDS].view(np.int32)


def _repeat(xp: Any, lengths: Any, entries: int) -> Any:
    """Return ``repeat(arange, lengths)``, for CuPy without a copy of `lengths` to the host."""
    starts = xp.zeros(len(lengths), dtype=xp.int64)
    starts[1:] = xp.cumsum(lengths)[:-1]
    places = xp.arange(entries, dtype=xp.int64)
    return (xp.searchsorted(starts, places, side="right") - 1).astype(xp.int32)
