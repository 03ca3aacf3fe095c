"""Parameters of b-Suitor on the device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpucore.families.bmatching.capacity import DEFAULT_B, check_b
from gpucore.params import check_threads, check_word

LISTS = ("sorted", "partial", "unsorted")
WORKERS = ("warp", "thread")


@dataclass(frozen=True)
class BMatchingParams:
    """Parameters of b-Suitor.

    Attributes
    ----------
    variant : {"fast", "eager", "delayed"}
        Ours, and the two of Khan et al. (2016): whether the worker that makes an offer fall out
        goes on with its proposer at once, or leaves it to the next round.
    b : int, str or sequence of int
        Capacities of the vertices, see :mod:`gpucore.families.bmatching.capacity`.
    worker : {"warp", "thread"}
        What works on a vertex, in "eager" and "delayed".
    lists : {"sorted", "partial", "unsorted"}
        Order of the lists of neighbours in "eager" and "delayed": by falling weight, only the first
        3 b(v) of them, or as given.
    threads_per_block : {32, 64, 128, 256}
        Threads of a block.
    """

    variant: str = "fast"
    b: Any = field(default=DEFAULT_B, compare=False)
    worker: str = "warp"
    lists: str = "partial"
    threads_per_block: int = 128

    def __post_init__(self) -> None:
        check_word("bmatching", "worker", self.worker, WORKERS)
        check_word("bmatching", "lists", self.lists, LISTS)
        object.__setattr__(self, "b", check_b(self.b))
        check_threads(self.threads_per_block, (32, 64, 128, 256))
