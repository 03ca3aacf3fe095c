"""Binary messages of named arrays, which a browser reads without copying.

Layout: the bytes ``WSR1``; the length of the JSON text (little-endian ``uint32``); the JSON text
``{"meta": ..., "arrays": [{"name", "dtype", "shape", "offset"}, ...]}``; the arrays, little-endian,
each at a multiple of eight bytes from the start of the message.  Offsets count from the start.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.errors import RecordError

MAGIC = b"WSR1"
PREFIX = len(MAGIC) + 4
ALIGNMENT = 8

#: Types of typed arrays in browsers. 64-bit integers are BigInt there, which is slow.
DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64", "int64")


def encode(meta: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Pack a description and arrays into one message.

    Parameters
    ----------
    meta : mapping
        Description, JSON-able, without NaN.
    arrays : mapping of str to ndarray
        Arrays of any shape and of a dtype in :data:`DTYPES`.

    Returns
    -------
    bytes
        The message.

    Raises
    ------
    RecordError
        A dtype has no typed array in browsers.
    """
    contents = {
        name: np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
        for name, array in arrays.items()
    }
    for name, array in contents.items():
        if array.dtype.name not in DTYPES:
            raise RecordError(f"array {name!r} of {array.dtype} cannot be sent; convert it before")
    # The offsets depend on the length of the text that holds them, so reserve space first.
    room = len(_text(meta, contents, start=1 << 40))
    start = _aligned(PREFIX + room)
    text = _text(meta, contents, start).ljust(start - PREFIX)
    message = bytearray(MAGIC + len(text).to_bytes(4, "little") + text)
    for array in contents.values():
        message += array.tobytes()
        message += bytes(_aligned(len(message)) - len(message))
    return bytes(message)


def _text(meta: Mapping[str, Any], arrays: Mapping[str, np.ndarray], start: int) -> bytes:
    entries = []
    for name, array in arrays.items():
        entries.append(
            {"name": name, "dtype": array.dtype.name, "shape": array.shape, "offset": start}
        )
        start = _aligned(start + array.nbytes)
    return json.dumps({"meta": meta, "arrays": entries}, allow_nan=False).encode()


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def decode(message: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Unpack a message.

    Parameters
    ----------
    message : bytes
        From :func:`encode`.

    Returns
    -------
    meta : dict
        The description.
    arrays : dict of str to ndarray
        Read-only views into the message.

    Raises
    ------
    RecordError
        The message is damaged or of another version.
    """
    if message[: len(MAGIC)] != MAGIC:
        raise RecordError("this is no Warplens message, or one of another version; reload the page")
    length = int.from_bytes(message[len(MAGIC) : PREFIX], "little")
    try:
        content = json.loads(message[PREFIX : PREFIX + length])
        return content["meta"], {e["name"]: _view(message, e) for e in content["arrays"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"the message is damaged ({error}); send it again") from error


def _view(message: bytes, entry: Mapping[str, Any]) -> np.ndarray:
    """Return one array of a message; ValueError if it does not lie inside."""
    if entry["dtype"] not in DTYPES:
        raise ValueError(f"unknown dtype {entry['dtype']!r}")
    dtype = np.dtype(entry["dtype"]).newbyteorder("<")
    shape = [int(length) for length in entry["shape"]]
    offset, count = int(entry["offset"]), math.prod(shape)
    if min([offset, *shape]) < 0 or offset + count * dtype.itemsize > len(message):
        raise ValueError(f"array {entry['name']!r} does not lie inside the message")
    return np.frombuffer(message, dtype, count, offset).reshape(shape)
