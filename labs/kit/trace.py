"""Trace of a warp's lanes, instruction by instruction, from the instrumented host executor."""

from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.counts import REQUEST
from gpucore.device.host import HostDevice
from gpucore.device.lines import line_table

LANES = 32
SECTOR = 32

#: Largest number of requests kept; small kernels make a few hundred.
MOST = 20_000

_KINDS = ("load", "store", "atomic", "block", "meeting")
_SPACES = ("", "global", "shared")
_REQUEST = np.dtype(REQUEST)


@dataclass(frozen=True)
class Request:
    """One instruction of a warp.

    Attributes
    ----------
    line : int
        In the reader's source, from 1.
    kind : str
        "load", "store", "atomic", or "block" for the beginning of a piece of code without jumps.
    space : str
        "global", "shared", or "" for a block.
    active : tuple of bool
        Which of the 32 lanes took part.
    array : int
        Which of the kernel's arrays, from 0; -1 for none of them.
    offsets : ndarray of int64, shape (32,)
        Byte in that array where each lane's access begins; -1 for a lane that took no part.
    size : int
        Bytes a lane.
    """

    line: int
    kind: str
    space: str
    active: tuple[bool, ...]
    array: int
    offsets: np.ndarray
    size: int

    @property
    def lanes(self) -> int:
        """Number of active lanes."""
        return sum(self.active)

    @property
    def sectors(self) -> list[int]:
        """Numbers of the 32-byte sectors that were touched, in order."""
        begins = self.offsets[self.offsets >= 0]
        ends = begins + max(self.size, 1) - 1
        return sorted({int(s) for b in (begins, ends) for s in b // SECTOR})

    @property
    def ideal_sectors(self) -> int:
        """How many sectors the same bytes would fill if they lay together."""
        distinct = len(np.unique(self.offsets[self.offsets >= 0]))
        return -(-distinct * self.size // SECTOR)


def watch(device: HostDevice) -> None:
    """Keep the requests of the device's next launches."""
    device.library.cdll.simt_keep_requests(c.c_ulonglong(MOST))


def requests(device: HostDevice) -> list[Request]:
    """Return the requests since :func:`watch`, in the order in which they were issued."""
    function = device.library.cdll.simt_kept_requests
    function.argtypes, function.restype = [c.c_void_p, c.c_uint64], c.c_uint64
    found = np.zeros(function(None, 0), _REQUEST)
    function(found.ctypes.data, found.size)
    table = line_table(device.library.path)
    made = []
    for raw in found:
        name, line = table.lookup(int(raw["pc"]) - 1)
        if name and _KINDS[raw["kind"]] != "meeting":
            made.append(_request(raw, line))
    return made


def _request(raw: Any, line: int) -> Request:
    active = tuple(bool(int(raw["active"]) >> lane & 1) for lane in range(LANES))
    space = _SPACES[raw["space"]]
    addresses = raw["address"].astype(np.int64)
    chosen = addresses[list(active)]
    # A GPU's array begins at a multiple of 256 bytes; the executor gives it as array << 48 | byte.
    array = int(chosen[0] >> 48) - 1 if space == "global" else -1
    base = (array + 1) << 48 if array >= 0 else int(chosen.min()) // SECTOR * SECTOR
    offsets = np.where(active, addresses - base, -1)
    return Request(line, _KINDS[raw["kind"]], space, active, array, offsets, int(raw["size"]))
