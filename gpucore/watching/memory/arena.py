"""Memory of watched launches: copies of the arguments, far apart, with guards around them.

A kernel gets pointers, so an index that is too large reaches other memory. Here it reaches a guard
that can be read and written, and the launch goes on; farther away is nothing for 8 GiB, so that no
32-bit index reaches another array.
"""

from __future__ import annotations

import ctypes as c
import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from gpucore.errors import KernelError, ParameterError

#: Accessible bytes on either side of an array, and what they hold.
GUARD, FILL = 1 << 16, 0xA5
#: Address space for each array, which lies in its middle; where the system gives less, less.
_SPANS = (1 << 34, 1 << 30, 1 << 26)
#: Bytes of all arrays together.
MOST_BYTES = 1 << 30

#: A region as the executor takes it: see ``simt::instrument::Region``.
REGION = np.dtype([("begin", "u8"), ("bytes", "u8"), ("guard", "u8"), ("written", "u8")])


@cache
def _system() -> tuple[Callable[..., int], Callable[..., int], Callable[..., int]]:
    library = c.CDLL(None, use_errno=True)
    library.mmap.restype = c.c_void_p
    library.mmap.argtypes = [c.c_void_p, c.c_size_t, c.c_int, c.c_int, c.c_int, c.c_long]
    library.mprotect.argtypes = [c.c_void_p, c.c_size_t, c.c_int]
    library.munmap.argtypes = [c.c_void_p, c.c_size_t]
    return library.mmap, library.mprotect, library.munmap


class Mapping:
    """Address space with accessible memory in its middle; freed with the object.

    Attributes
    ----------
    buffer : ndarray of uint8
        The accessible bytes, guards included.
    begin : int
        Address behind the first guard.
    """

    def __init__(self, nbytes: int) -> None:
        page = mmap.PAGESIZE
        size = -(-(nbytes + 2 * GUARD) // page) * page
        reserve, protect, self._free = _system()
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        for span in _SPANS:
            self._span = max(span, 2 * size)
            start = reserve(None, self._span, 0, flags, -1, 0)
            if start not in (None, c.c_void_p(-1).value):
                break
        else:
            raise ParameterError(f"there is no address space for an array of {nbytes:,} bytes")
        self._start: int | None = start
        middle = start + (self._span - size) // 2 // page * page
        if protect(middle, size, mmap.PROT_READ | mmap.PROT_WRITE) != 0:
            raise ParameterError(f"there is no memory for an array of {nbytes:,} bytes")
        self.begin = middle + GUARD
        self.buffer = np.ctypeslib.as_array((c.c_uint8 * size).from_address(middle))

    def __del__(self) -> None:
        if getattr(self, "_start", None) is not None:
            self._free(self._start, self._span)
            self._start = None


@dataclass(frozen=True)
class Fixed:
    """A ``__device__`` or ``__constant__`` variable, which lies in the kernel's library.

    Attributes
    ----------
    name : str
        In the source.
    memory : ndarray of uint8
        Its bytes.
    original : ndarray of uint8
        The bytes that every launch begins with.
    """

    name: str
    memory: np.ndarray
    original: np.ndarray

    def begin(self) -> None:
        """Write the content that a launch begins with."""
        self.memory[:] = self.original

    @property
    def region(self) -> tuple[int, int, int, int]:
        """The memory that the kernel may touch; see `REGION`."""
        return int(self.memory.ctypes.data), self.memory.size, 0, 0

    def words(self, offset: int, size: int) -> str:
        """Return an element in words."""
        return f"{self.name}[{offset // size}], of a variable of {self.memory.size:,} bytes"


@dataclass(frozen=True)
class Held:
    """The memory of one array argument.

    Attributes
    ----------
    name : str
        Of the parameter, or "argument 2" where it has none.
    array : ndarray
        The copy, of the argument's shape and strides.
    argument : ndarray
        What the kernel gets: from the first element on, as CuPy passes a pointer.
    original : ndarray of uint8
        The bytes that every launch begins with.
    shadow : ndarray of uint8 or None
        Which bytes have been written, of an array that begins without content.
    mapping : Mapping
        Where it lies.
    """

    name: str
    array: np.ndarray
    argument: np.ndarray
    original: np.ndarray
    shadow: np.ndarray | None
    mapping: Mapping

    @classmethod
    def of(cls, name: str, value: Any, empty: bool) -> Held:
        """Copy an array of NumPy or CuPy, with all the memory that its strides span."""
        strides = value.strides
        steps = [(n - 1) * s for n, s in zip(value.shape, strides, strict=True)]
        low, high = sum(min(0, step) for step in steps), sum(max(0, step) for step in steps)
        nbytes = high - low + value.dtype.itemsize if value.size else 0
        original = _memory(value, low, nbytes)
        mapping = Mapping(nbytes)
        inside = mapping.buffer[GUARD : GUARD + nbytes]
        array: np.ndarray = np.ndarray(
            value.shape, value.dtype, inside, -low if nbytes else 0, strides
        )
        argument = inside[-low if nbytes else 0 :].view(value.dtype)
        shadow = np.zeros(max(nbytes, 1), np.uint8) if empty else None
        return cls(name, array, argument, original, shadow, mapping)

    def begin(self) -> None:
        """Write the content that a launch begins with."""
        self.mapping.buffer[:] = FILL
        if self.shadow is None:
            self.mapping.buffer[GUARD : GUARD + self.original.size] = self.original
        else:
            self.shadow[:] = 0

    @property
    def region(self) -> tuple[int, int, int, int]:
        """The memory that the kernel may touch; see `REGION`."""
        written = 0 if self.shadow is None else int(self.shadow.ctypes.data)
        return self.mapping.begin, self.original.size, GUARD, written

    def words(self, offset: int, size: int) -> str:
        """Return an element in words."""
        size = self.array.dtype.itemsize
        length = f"{self.original.size // size:,} {self.array.dtype}"
        return f"{self.name}[{offset // size}], of an array of {length}"


class Memory(Protocol):
    """Memory that a kernel may touch."""

    def begin(self) -> None:
        """Write the content that a launch begins with."""

    @property
    def region(self) -> tuple[int, int, int, int]:
        """Where it is; see `REGION`."""

    def words(self, offset: int, size: int) -> str:
        """Return an element in words."""


def _memory(value: Any, low: int, nbytes: int) -> np.ndarray:
    """Return the bytes between the first and the last element in memory."""
    if nbytes == 0:
        return np.zeros(0, np.uint8)
    if isinstance(value, np.ndarray):
        start = value.ctypes.data + low
        return np.ctypeslib.as_array((c.c_uint8 * nbytes).from_address(start)).copy()
    import cupy

    flat = cupy.ndarray((nbytes,), cupy.uint8, memptr=value.data + low)
    copied: np.ndarray = flat.get()
    return copied


def hold(args: Sequence[Any], empty: Sequence[int], names: Sequence[str]) -> list[Any]:
    """Return the arguments of a launch, arrays as `Held`; `names` are those of the parameters.

    Raises
    ------
    ParameterError
        The arrays are too large together, or `empty` names an argument that is no array.
    KernelError
        An array holds Python objects.
    """
    arrays = [at for at, one in enumerate(args) if is_array(one)]
    wrong = [number for number in empty if number not in arrays]
    if wrong:
        raise ParameterError(f"empty names argument {wrong[0]}, which is no array")
    total = sum(args[at].nbytes for at in arrays)
    if total > MOST_BYTES:
        raise ParameterError(
            f"the arrays have {total:,} bytes together, {MOST_BYTES:,} can be watched: take a "
            "smaller problem with the same shape"
        )
    for at in arrays:
        if args[at].dtype.hasobject:
            raise KernelError(f"argument {at} holds Python objects, which a kernel cannot read")
    known = [name or f"argument {at}" for at, name in enumerate(names)]
    known += [f"argument {at}" for at in range(len(known), len(args))]
    return [
        Held.of(known[at], one, at in empty) if at in arrays else one for at, one in enumerate(args)
    ]


def is_array(value: Any) -> bool:
    """Whether it is an array of NumPy or CuPy, and no number."""
    return hasattr(value, "dtype") and hasattr(value, "strides") and value.ndim > 0
