"""Files of whole numbers, one for each vertex or row: NumPy's, or text with a number a line.

Sizes are checked before anything is allocated.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.archives import UnsoundArchive, read_array_header
from gpucore.errors import ParameterError
from gpucore.format import human_bytes
from gpucore.limits import Limits

#: Bytes of memory at the peak for each byte of text: the shortest line has two bytes and becomes
#: eight, and the array grows by copies.
_TEXT_GROWTH = 12


def exists(name: str) -> bool:
    """Return whether there is anything of this name."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def read_numbers(name: str, form: str, limits: Limits | None = None) -> NDArray[Any]:
    """Read whole numbers.

    Parameters
    ----------
    name : str
        A file: ``.npy`` with an array of integers, or else text in UTF-8 with one whole number a
        line; empty lines are skipped, and so is what follows a ``#``.
    form : str
        What such a file holds, for the messages.
    limits : Limits, optional
        The largest count of numbers (``max_vertices``), and the memory that may be used.

    Returns
    -------
    ndarray of an integer type, shape (n,)

    Raises
    ------
    ParameterError
        The file cannot be read, is too large, or holds something else.
    """
    path, limits = Path(name), limits or Limits()
    if not path.is_file():
        words = f"{name} is no regular file" if exists(name) else f"there is no file {name}"
        raise ParameterError(f"{words}; save {form}, in a file")
    try:
        read = _read_npy if path.suffix.lower() == ".npy" else _read_text
        return read(path, form, limits)
    except OSError as error:
        raise ParameterError(
            f"{name} cannot be read ({error.strerror or error}); check the file and its rights"
        ) from None


def _read_npy(path: Path, form: str, limits: Limits) -> NDArray[Any]:
    """Read an array whose header and size are sound; nothing is taken from memory before that."""
    with path.open("rb") as file:
        try:
            shape, _, dtype = read_array_header(file)
        except UnsoundArchive as error:
            reason = str(error).splitlines()[0][:200]
            raise ParameterError(
                f"{path} is no NumPy array ({reason}); save one with numpy.save"
            ) from None
        if dtype.hasobject:
            raise ParameterError(
                f"{path} is no NumPy array of numbers (it holds Python objects, which are never "
                "read); save one with numpy.save"
            )
        if len(shape) != 1 or dtype.kind not in "iu":
            raise ParameterError(
                f"{path} has numbers of another form (shape {shape} and type {dtype}); save {form}"
            )
        need = shape[0] * dtype.itemsize
        if need != path.stat().st_size - file.tell():
            raise ParameterError(
                f"{path} is no NumPy array (it declares {shape[0]} numbers, and holds another "
                "number of them); save one with numpy.save"
            )
        _check_size(path, shape[0], 2 * need, form, limits)
        return np.fromfile(file, dtype, shape[0])


def _read_text(path: Path, form: str, limits: Limits) -> NDArray[Any]:
    _check_size(path, 0, _TEXT_GROWTH * path.stat().st_size, form, limits)
    try:
        with path.open(encoding="utf-8") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the file is empty
            lines = np.loadtxt(file, np.int64, ndmin=2)
    except (ValueError, OverflowError) as error:  # UnicodeDecodeError too
        reason = str(error).splitlines()[0][:200]
        raise ParameterError(
            f"{path} has something else than whole numbers ({reason}); write {form}"
        ) from None
    if lines.size and lines.shape[1] != 1:
        raise ParameterError(f"{path} has {lines.shape[1]} numbers in a line; write {form}")
    _check_size(path, lines.size, 0, form, limits)
    return lines.ravel()


def _check_size(path: Path, count: int, need: int, form: str, limits: Limits) -> None:
    if count > limits.max_vertices:
        raise ParameterError(
            f"{path} has more numbers than the {limits.max_vertices} vertices allowed here; "
            f"save {form}"
        )
    if need > limits.max_bytes:
        raise ParameterError(
            f"{path} needs about {human_bytes(need)} of memory, more than the "
            f"{human_bytes(limits.max_bytes)} allowed here; save {form}"
        )
