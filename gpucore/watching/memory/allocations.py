"""The memory of a watched program: what cudaMalloc and its kin have given, and what is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpucore.errors import ParameterError
from gpucore.watching.memory.arena import FILL, GUARD, MOST_BYTES, Mapping


@dataclass
class Allocation:
    """One allocation.

    Attributes
    ----------
    nbytes, line : int
        Its size, and the line of the call.
    name : str
        Of the parameter through which the present launch has it, or empty.
    mapping : Mapping
        Where it lies.
    shadow : ndarray of uint8 or None
        Which bytes have been written; None if the host can write, which is not seen.
    """

    nbytes: int
    line: int
    mapping: Mapping
    shadow: np.ndarray | None
    name: str = ""
    _kept: list[np.ndarray] = field(default_factory=list)

    @property
    def content(self) -> np.ndarray:
        """Its bytes."""
        return self.mapping.buffer[GUARD : GUARD + self.nbytes]

    def keep(self) -> None:
        """Take the content, and what is written, as those that launches begin with."""
        self._kept = [self.content.copy()]
        if self.shadow is not None:
            self._kept.append(self.shadow.copy())

    def begin(self) -> None:
        """Write the content that a launch begins with."""
        self.mapping.buffer[:GUARD] = FILL
        self.mapping.buffer[GUARD + self.nbytes :] = FILL
        self.content[:] = self._kept[0]
        if self.shadow is not None:
            self.shadow[:] = self._kept[1]

    @property
    def region(self) -> tuple[int, int, int, int]:
        """Where it is; see `gpucore.watching.memory.arena.REGION`."""
        written = 0 if self.shadow is None else int(self.shadow.ctypes.data)
        return self.mapping.begin, self.nbytes, GUARD, written

    def words(self, offset: int, size: int) -> str:
        """Return an element in words."""
        memory = f"{self.nbytes:,} bytes allocated at line {self.line}"
        if self.name:
            return f"{self.name}[{offset // size}], of {memory}"
        return f"index {offset // size} of the {memory}"


class Allocations:
    """All memory that a program has at the moment."""

    def __init__(self) -> None:
        self._known: dict[int, Allocation] = {}
        self.free = MOST_BYTES

    def __iter__(self) -> Iterator[Allocation]:
        return iter(self._known.values())

    def allocate(self, nbytes: int, written: bool, line: int) -> int:
        """Return the address of new memory; 0 if there is no room."""
        if nbytes > self.free:
            return 0
        try:
            mapping = Mapping(nbytes)
        except ParameterError:
            return 0
        # Memory of the host is zero at first, as the system gives it; programs rely on it.
        mapping.buffer[:] = FILL
        mapping.buffer[GUARD : GUARD + nbytes] = 0 if written else FILL
        shadow = None if written else np.zeros(nbytes, np.uint8)
        self._known[mapping.begin] = Allocation(nbytes, line, mapping, shadow)
        self.free -= nbytes
        return mapping.begin

    def release(self, address: int) -> bool:
        """Free an allocation; return whether there is one that begins there."""
        gone = self._known.pop(address, None)
        if gone is not None:
            self.free += gone.nbytes
        return gone is not None

    def at(self, address: int) -> tuple[Allocation, int] | None:
        """Return the allocation that has an address, and the offset in it."""
        for begin, one in self._known.items():
            if begin <= address < begin + one.nbytes:
                return one, address - begin
        return None

    def copied(self, to: int, source: int, nbytes: int) -> str:
        """Note a copy, or a fill from nowhere; return what is wrong with it, or nothing."""
        target, origin = self.at(to), self.at(source)
        for what, place in (("writes", target), ("reads", origin)):
            if place is not None and place[1] + nbytes > place[0].nbytes:
                past = place[1] + nbytes - place[0].nbytes
                return f"{what} {past:,} bytes past the end of {place[0].words(place[1], 1)}"
        if target is not None and target[0].shadow is not None:
            from_shadow = origin[0].shadow if origin is not None else None
            begin, end = target[1], target[1] + nbytes
            if origin is None or from_shadow is None:
                target[0].shadow[begin:end] = 1
            else:
                target[0].shadow[begin:end] = from_shadow[origin[1] : origin[1] + nbytes]
        return ""
