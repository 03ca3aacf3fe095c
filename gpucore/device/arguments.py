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
        Address of each argument: of 8 bytes with a scalar, or of an array.
    sizes : ctypes array
        Bytes of each array; 0 for a scalar.
    """

    def __init__(self, values: list[Any]) -> None:
        arrays = [isinstance(value, np.ndarray) for value in values]
        cells = (
            struct.pack("=Q", value.ctypes.data) if array else value.tobytes().ljust(8, b"\0")
            for value, array in zip(values, arrays, strict=True)
        )
        count = len(values)
        self._values = values
        self._cells = c.create_string_buffer(b"".join(cells))
        first = c.addressof(self._cells)
        self.addresses = (c.c_void_p * count)(*range(first, first + 8 * count, 8))
        sizes = (value.nbytes if array else 0 for value, array in zip(values, arrays, strict=True))
        self.sizes = (c.c_uint64 * count)(*sizes)
