"""Arguments of a launch as CUDA and the host executor take them: the address of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.device.signature import Row, Signature


class Arguments:
    """Checked arguments of a launch; keeps the arrays alive.

    Parameters
    ----------
    signature : Signature
        The kernel's parameters.
    values : list
        What :meth:`Signature.check` returns.
    words : list
        The same with the address of an array in its place.

    Attributes
    ----------
    address : int
        Where the addresses of the arguments are: each of 8 bytes with a number, of a record, or of
        an array's address.
    """

    def __init__(self, signature: Signature, values: list[Any], words: list[Any]) -> None:
        self._values, self._rows, self._records = values, signature.rows, []
        for index in signature.records:
            record = _record(values[index])
            words[index] = record.ctypes.data
            self._records.append(record)
        try:
            self._row = self._rows.pop()  # to make one takes longer than to fill it
        except IndexError:
            self._row = Row(len(values))
        self.address = self._row.address
        signature.cells.pack_into(self._row.memory, 0, *words)
        for index in signature.records:
            self._row.memory[len(values) + index] = words[index]

    def __del__(self) -> None:
        if hasattr(self, "_row"):
            self._rows.append(self._row)


def _record(value: np.void) -> np.ndarray:
    """Return the bytes of a record at a multiple of 16, the alignment of CUDA's largest types."""
    room = np.empty(value.nbytes + 16, np.uint8)
    first = -room.ctypes.data % 16
    room[first : first + value.nbytes] = np.frombuffer(value.tobytes(), np.uint8)
    return room[first:]
