"""Arguments of a launch in the host executor's form."""

from __future__ import annotations

import ctypes as c
import struct
from typing import Any

import numpy as np


class Arguments:
    """Checked arguments in the executor's form; keeps the arrays alive.

    Attributes
    ----------
    addresses : ctypes array
        Address of each argument: of 8 bytes with a scalar, of a record, or of an array.
    sizes : ctypes array
        Bytes of each array; 0 for a scalar.
    """

    def __init__(self, values: list[Any]) -> None:
        arrays = [isinstance(value, np.ndarray) for value in values]
        cells = (
            struct.pack("=Q", value.ctypes.data) if array else value.tobytes()[:8].ljust(8, b"\0")
            for value, array in zip(values, arrays, strict=True)
        )
        count = len(values)
        self._values = values
        self._cells = c.create_string_buffer(b"".join(cells))
        first = c.addressof(self._cells)
        self.addresses = (c.c_void_p * count)(*range(first, first + 8 * count, 8))
        self._records = [(i, _record(v)) for i, v in enumerate(values) if isinstance(v, np.void)]
        for index, record in self._records:
            self.addresses[index] = record.ctypes.data
        sizes = (value.nbytes if array else 0 for value, array in zip(values, arrays, strict=True))
        self.sizes = (c.c_uint64 * count)(*sizes)


def _record(value: np.void) -> np.ndarray:
    """Return the bytes of a record at a multiple of 16, the alignment of CUDA's largest types."""
    room = np.empty(value.nbytes + 16, np.uint8)
    first = -room.ctypes.data % 16
    room[first : first + value.nbytes] = np.frombuffer(value.tobytes(), np.uint8)
    return room[first:]
