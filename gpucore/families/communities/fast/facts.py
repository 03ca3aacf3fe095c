"""What the host has to know of a stage of the tuned variant, adjacent, so that one copy is enough.

A copy to the host waits for the device. On a graph of a million vertices it takes longer than most
kernels, so a stage makes one; the first one makes another before, where its table of pairs would
be large.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device

#: Words of 8 bytes: where each fact begins, how many it has, and what it is an array of.
PLACES = {
    "state": (0, 2, np.int32),
    "gain": (2, 1, np.float64),
    "swept_inner": (3, 1, np.uint64),
    "swept_squares": (4, 1, np.uint64),
    "communities": (5, 1, np.int32),
    "squares": (6, 1, np.uint64),
    "inside": (7, 1, np.uint64),
    "inner": (8, 1, np.uint64),
    "entries": (9, 1, np.int64),
    "classes": (10, 4, np.int32),
    "longest": (14, 1, np.int32),
    "overflowed": (15, 1, np.int32),
}
WORDS = 16
#: The words as the host reads them, in the order of :data:`PLACES`.
LAYOUT = struct.Struct("=4i d Q Q i4x Q Q Q q 8i i4x i4x")
#: The state of a phase whose last pass over all vertices moved none.
SETTLED = 3
#: Words of the sweeps, and of the partition after them; the contraction or the refinement writes
#: the others.
SWEPT = 5


class Found(NamedTuple):
    """The facts on the host; see ``families/communities/kernels/louvain_fast_contract.cu``."""

    done: bool
    settled: bool
    launches: int
    moves: int
    gain: float
    swept_inner: int
    swept_squares: int
    communities: int
    squares: int
    inside: int
    inner: int
    entries: int
    classes: tuple[int, ...]
    longest: int
    overflowed: bool


class Facts:
    """Facts on the device, initially zero: an array for each name of :data:`PLACES`."""

    state: Any
    gain: Any
    swept_inner: Any
    swept_squares: Any
    communities: Any
    squares: Any
    inside: Any
    inner: Any
    entries: Any
    classes: Any
    longest: Any
    overflowed: Any

    def __init__(self, device: Device, words: Any) -> None:
        self._device, self._words = device, words
        self._written = False

    def __getattr__(self, name: str) -> Any:
        """Return the array of a fact; it is cut when it is wanted, while the device works."""
        if name not in PLACES:
            raise AttributeError(name)
        begin, count, dtype = PLACES[name]
        piece = self._words[begin : begin + count]
        piece = piece if dtype is np.uint64 else piece.view(dtype)
        setattr(self, name, piece)
        return piece

    def cleared(self) -> None:
        """Note that all facts are zero."""
        self._written = False

    def begin(self) -> None:
        """Set all facts to zero but those of the sweeps; kernels will add to them."""
        if self._written:
            self._words[SWEPT:] = 0
        self._written = True

    def read(self) -> Found:
        """Return the facts; waits for the device."""
        return self.read_later()()

    def read_later(self) -> Callable[[], Found]:
        """Return what waits for the facts as they are now, and not for what is launched after."""
        wait = self._device.to_host_later(self._words)

        def found() -> Found:
            values = LAYOUT.unpack(wait().tobytes())
            (done, launches, _, moves), sums = values[:4], values[4:12]
            ends = (bool(done), done == SETTLED, launches, moves)
            return Found._make((*ends, *sums, values[12:20], values[20], bool(values[21])))

        return found
