"""Archives of NumPy arrays (``.npz``) from any source: opened and checked before they are read."""

from __future__ import annotations

import errno
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import numpy as np
from numpy.lib import format as npy

from gpucore.errors import WarplensError

#: Compressions that NumPy, SciPy and our own code write.
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: More bytes than any machine has; products of lengths stay far below the limits of integers.
_MOST_BYTES = 1 << 48


class UnsoundArchive(ValueError):
    """An archive is damaged, or no archive; the text has the cause without the file's name."""


@contextmanager
def opened(stream: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever zipfile and NumPy raise in the block becomes UnsoundArchive.

    Errors of reading the stream itself (OSError), MemoryError and our own errors pass.
    """
    try:
        with zipfile.ZipFile(stream) as archive:
            for member in archive.infolist():
                if member.compress_type not in _COMPRESSIONS:
                    raise UnsoundArchive(f"{member.filename!r} has an unknown compression")
            yield archive
    except (WarplensError, UnsoundArchive):
        raise
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the beginning of the file
            raise
        raise UnsoundArchive("it names places outside of the file") from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        ValueError,  # also UnicodeDecodeError, JSONDecodeError and NumPy's errors
        KeyError,
        TypeError,
        EOFError,
        RuntimeError,  # encrypted members, NotImplementedError and RecursionError
        OverflowError,
    ) as error:
        raise UnsoundArchive(str(error) or type(error).__name__) from error


@contextmanager
def enough_memory(name: str, kind: type[WarplensError]) -> Iterator[None]:
    """Raise an error of a kind that names the file, if memory does not suffice in the block."""
    try:
        yield
    except MemoryError as error:
        raise kind(
            f"{name}: there is not enough memory to read it; close something or take a smaller file"
        ) from error


def read_array_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Read the header of an array; its lengths are not negative, its product is a possible size.

    Returns
    -------
    shape : tuple of int
    fortran : bool
        Whether the first index varies fastest.
    dtype : dtype
        Of plain numbers or texts of at least one byte, or of objects.

    Raises
    ------
    UnsoundArchive
        It is not such a header.
    """
    try:
        version = npy.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise UnsoundArchive(f"the array version {version} is not known")
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read(stream)
    except (
        ValueError,
        TypeError,
        EOFError,
        SyntaxError,
        tokenize.TokenError,
        RecursionError,
        MemoryError,  # of Python's parser, at brackets that are nested too deep
        OverflowError,
    ) as error:
        cause = error.args[0] if isinstance(error, tokenize.TokenError) else error
        raise UnsoundArchive(str(cause) or type(error).__name__) from error
    if any(type(length) is not int or length < 0 for length in shape):
        raise UnsoundArchive(f"the lengths {shape} are not possible")
    if dtype.shape or dtype.names or (dtype.itemsize == 0 and not dtype.hasobject):
        raise UnsoundArchive(f"{dtype} is no type of plain numbers")
    if math.prod(max(length, 1) for length in shape) * dtype.itemsize > _MOST_BYTES:
        raise UnsoundArchive(f"the lengths {shape} are not possible")
    return shape, fortran, dtype
