"""The order of a stage's vertices by class of degree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.fast.facts import Facts
    from gpucore.families.communities.stage import Stage

#: Classes of degree; threads of a block for lanes or warps.
CLASSES, THREADS = constant("louvain_fast.cuh", "CLASSES"), 128
#: The last class.
HUBS = CLASSES - 1
#: Most blocks that count the vertices of every class: each adds to the same few numbers.
COUNT_BLOCKS = 1024


@dataclass(frozen=True)
class Order:
    """A stage's vertices by class of degree: `first[k]` is where class k begins."""

    vertices: Any
    first: tuple[int, ...]

    def range_of(self, k: int) -> tuple[int, int]:
        """Return start and end of class `k`."""
        return self.first[k], self.first[k + 1]

    def share(self, k: int, parts: int) -> int:
        """Return the most vertices of class `k` that one of `parts` parts has."""
        return -(-(self.first[k + 1] - self.first[k]) // parts)

    def shuffled(self, device: Device, seed: Sequence[int]) -> Order:
        """Return the vertices of every class in another order; hubs stay, the largest first."""
        draw = np.random.default_rng(seed)
        vertices = device.to_host(self.vertices).copy()
        for k in range(1, HUBS):
            mine = slice(*self.range_of(k))
            vertices[mine] = draw.permutation(np.sort(vertices[mine]))  # a GPU places in any order
        return Order(device.asarray(vertices), self.first)

    def joined(self) -> Order:
        """Return the same order with all vertices that a block visits among the hubs.

        One launch for all classes divides these into parts together.
        """
        return Order(self.vertices, (*self.first[:HUBS], self.first[HUBS - 1], self.first[-1]))

    def lane_blocks(self, parts: int = 1, threads: int = THREADS) -> list[int]:
        """Return the first blocks of the classes 1 to 4 for a part, and their sum; or warps."""
        blocks = [-(-self.share(k, parts) * (1 << k - 1) // threads) for k in range(1, 5)]
        return list(accumulate(blocks, initial=0))


def first_of(classes: Sequence[int]) -> tuple[int, ...]:
    """Return where every class begins, and where the last one ends."""
    return tuple(accumulate(classes, initial=0))


def count_classes(device: Device, stage: Stage, facts: Facts) -> Stage:
    """Return a stage that knows its vertices of every class, and its largest degree."""
    facts.begin()
    device.kernel("louvain_fast", "fast_count")(
        min(COUNT_BLOCKS, -(-stage.n // 256)),
        256,
        [stage.n, stage.indptr, facts.classes, facts.longest],
    )
    found = facts.read()
    return replace(stage, classes=found.classes, longest=found.longest)
