"""Files with a matching to begin with: NumPy's, or text with the column of a row in each line.

Sizes are checked before anything is allocated.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError
from gpucore.format import human_bytes
from gpucore.limits import Limits

#: What such a file holds, for the messages.
_FORM = "one whole number for each row: its column, or -1"
#: Bytes of memory at the peak for each byte of text: the shortest line has two bytes and becomes
#: eight, and the array grows by copies.
_TEXT_GROWTH = 12


def exists(name: str) -> bool:
    """Return whether a text is the name of a file, or looks like one."""
    try:
        return Path(name).suffix != "" or Path(name).exists()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def read_file(name: str, limits: Limits | None = None) -> NDArray[Any]:
    """Read the column of each row.

    Parameters
    ----------
    name : str
        A file: ``.npy`` with an array of integers, or else text in UTF-8 with one whole number a
        line, -1 for none; empty lines are skipped, and so is what follows a ``#``.
    limits : Limits, optional
        The largest number of rows, and the memory that may be used.

    Returns
    -------
    ndarray of an integer type, shape (rows,)

    Raises
    ------
    ParameterError
        The file cannot be read, is too large, or holds something else.
    """
    path, limits = Path(name), limits or Limits()
    if not path.is_file():
        raise ParameterError(f"there is no file {name}; save {_FORM}, in a file")
    try:
        if path.suffix.lower() == ".npy":
            return _read_npy(path, limits)
        return _read_text(path, limits)
    except OSError as error:
        raise ParameterError(
            f"{name} cannot be read ({error.strerror or error}); check the file and its rights"
        ) from None


def _read_npy(path: Path, limits: Limits) -> NDArray[Any]:
    try:
        # Mapped: nothing but the header is read before the size is known.
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, SyntaxError) as error:
        reason = str(error).splitlines()[0][:200]
        raise ParameterError(
            f"{path} is no NumPy array ({reason}); save one with numpy.save"
        ) from None
    if not isinstance(mapped, np.ndarray) or mapped.ndim != 1 or mapped.dtype.kind not in "iu":
        found = getattr(mapped, "shape", "several arrays")
        raise ParameterError(f"{path} has numbers of another form ({found}); save {_FORM}")
    _check_size(path, mapped.size, 2 * mapped.nbytes, limits)
    return np.array(mapped)


def _read_text(path: Path, limits: Limits) -> NDArray[Any]:
    _check_size(path, 0, _TEXT_GROWTH * path.stat().st_size, limits)
    try:
        with path.open(encoding="utf-8") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the file is empty
            lines = np.loadtxt(file, np.int64, ndmin=2)
    except (ValueError, OverflowError) as error:  # UnicodeDecodeError too
        reason = str(error).splitlines()[0][:200]
        raise ParameterError(
            f"{path} has something else than whole numbers ({reason}); write {_FORM}"
        ) from None
    if lines.size and lines.shape[1] != 1:
        raise ParameterError(f"{path} has {lines.shape[1]} numbers in a line; write {_FORM}")
    _check_size(path, lines.size, 0, limits)
    return lines.ravel()


def _check_size(path: Path, count: int, need: int, limits: Limits) -> None:
    if count > limits.max_vertices:
        raise ParameterError(
            f"{path} has more numbers than the {limits.max_vertices} vertices allowed here; "
            f"save {_FORM}"
        )
    if need > limits.max_bytes:
        raise ParameterError(
            f"{path} needs about {human_bytes(need)} of memory, more than the "
            f"{human_bytes(limits.max_bytes)} allowed here; save {_FORM}"
        )
