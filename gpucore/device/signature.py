"""Kernel signatures: a kernel's parameters, and checks of the arguments of a launch."""

from __future__ import annotations

import ctypes as c
import math
import operator
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from gpucore.errors import KernelError

#: What :mod:`struct` calls a number, by its kind and its bytes.
_CELLS = {
    ("b", 1): "?", ("f", 2): "e", ("f", 4): "f", ("f", 8): "d",
    **{("i", size): code for size, code in zip((1, 2, 4, 8), "bhiq", strict=True)},
    **{("u", size): code for size, code in zip((1, 2, 4, 8), "BHIQ", strict=True)},
}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel.

    Attributes
    ----------
    dtype : numpy.dtype or None
        Type of the scalar, or of the array's elements; None for an untyped pointer.
    array : bool
        A pointer to an array, not a scalar.
    read_only : bool
        A pointer to const: the kernel does not write.
    granule : int
        Bytes of one element; for a structure, whose `dtype` is None, the array must hold a
        multiple of it.
    """

    dtype: np.dtype[Any] | None
    array: bool
    read_only: bool
    granule: int

    @cached_property
    def limits(self) -> tuple[int, int]:
        """Least and largest Python integer that is taken as it is; else the last is the less."""
        if self.array or self.dtype is None or self.dtype.kind not in "iu":
            return 0, -1
        info = np.iinfo(self.dtype)
        return int(info.min), int(info.max)

    @property
    def cell(self) -> str:
        """How :mod:`struct` packs it: an address, or a number, into 8 bytes."""
        if self.array or self.dtype is None:
            return "Q"
        return f"{_CELLS[self.dtype.kind, self.dtype.itemsize]}{8 - self.dtype.itemsize}x"

    def __str__(self) -> str:
        kind = self.dtype.name if self.dtype is not None else "bytes"
        if not self.array:
            return kind
        return f"array of {'const ' if self.read_only else ''}{kind}"


#: Types of usual arguments, index and limits of each integer, index and parameter of each array.
Usual = tuple[tuple[type, ...], list[tuple[int, int, int]], list[tuple[int, Parameter]]]


class Unusual:
    """No argument is of this type: all arguments are examined."""


class Row:
    """Memory of a launch's arguments: a cell of 8 bytes for each, then the addresses of the cells.

    Attributes
    ----------
    memory : ctypes array
        Both.
    address : int
        Where the addresses are.
    """

    def __init__(self, count: int) -> None:
        self.memory = (c.c_uint64 * (2 * count))()
        first = c.addressof(self.memory)
        self.address = first + 8 * count
        self.memory[count:] = list(range(first, self.address, 8))


@dataclass(frozen=True)
class Signature:
    """Parameters of one kernel, in order."""

    parameters: tuple[Parameter, ...]

    def check(self, kernel: str, args: Sequence[Any], xp: ModuleType) -> list[Any]:
        """Return `args`, every number in its parameter's range, or raise KernelError.

        Parameters
        ----------
        kernel : str
            Name of the kernel, for the messages.
        args : sequence
            Arrays of `xp`, NumPy scalars, or Python numbers that fit.
        xp : module
            The device's array library.
        """
        if len(args) != len(self.parameters):
            raise KernelError(
                f"{kernel} takes {len(self.parameters)} arguments, {len(args)} were given"
            )
        if self._are_usual(args, xp.ndarray):
            return list(args)
        values: list[Any] = []
        for index, (arg, parameter) in enumerate(zip(args, self.parameters, strict=True)):
            examine = _array if parameter.array else _scalar
            values.append(examine(arg, parameter, f"{kernel}: argument {index}", xp))
        return values

    def _are_usual(self, args: Sequence[Any], ndarray: type) -> bool:
        """Return whether all arguments are as most are: then they need not be examined one by one.

        A small graph's run launches a hundred kernels, or one of 75 parameters.
        """
        if ndarray not in self._known:
            self._known[ndarray] = self._usual(ndarray)
        types, numbers, arrays = self._known[ndarray]
        if tuple(map(type, args)) != types:
            return False
        for index, low, high in numbers:
            if not low <= args[index] <= high:
                return False
        on_host = ndarray is np.ndarray
        for index, p in arrays:
            arg = args[index]
            if arg.dtype is not p.dtype:  # an array that was unpickled has a type object of its own
                records = p.dtype is None and not arg.nbytes % (p.granule or 1)
                if not records and arg.dtype != p.dtype:
                    return False
            if not on_host:
                fits = arg._c_contiguous  # `flags` would make an object each time
            else:
                flags = arg.flags
                fits = flags.c_contiguous and flags.aligned and (p.read_only or flags.writeable)
            if not fits:
                return False
        return True

    @cached_property
    def _known(self) -> dict[type, Usual]:
        """What :meth:`_usual` returned."""
        return {}

    def _usual(self, ndarray: type) -> Usual:
        """Return the types of usual arguments, the limits of integers, and the arrays."""
        types: list[type] = []
        numbers, arrays = [], []
        for index, p in enumerate(self.parameters):
            integer = p.limits[0] <= p.limits[1]
            number = int if integer else float if p.dtype == np.float64 else Unusual
            types.append(ndarray if p.array else number)
            if integer:
                numbers.append((index, *p.limits))
            if p.array:
                arrays.append((index, p))
        return tuple(types), numbers, arrays

    @cached_property
    def arrays(self) -> list[int]:
        """Indices of the parameters that are arrays."""
        return [i for i, p in enumerate(self.parameters) if p.array]

    @cached_property
    def cells(self) -> struct.Struct:
        """How numbers and addresses are packed, in 8 bytes each."""
        return struct.Struct("=" + "".join(p.cell for p in self.parameters))

    @cached_property
    def rows(self) -> list[Row]:
        """Memory for :attr:`cells` that no launch has; see :class:`Row`."""
        return []

    @cached_property
    def records(self) -> list[int]:
        """Indices of the parameters that are structures by value."""
        return [i for i, p in enumerate(self.parameters) if p.dtype is None and not p.array]


def _array(arg: Any, parameter: Parameter, where: str, xp: ModuleType) -> Any:
    if not isinstance(arg, xp.ndarray):
        raise KernelError(
            f"{where} must be a {xp.__name__} {parameter}, not {type(arg).__name__}; "
            "use device.asarray"
        )
    if parameter.dtype is not None and arg.dtype != parameter.dtype:
        raise KernelError(
            f"{where} must be an {parameter}, not of {arg.dtype}: "
            f"the kernel takes {_in_cuda(parameter.dtype)}*, this is {_in_cuda(arg.dtype)}*"
        )
    if parameter.dtype is None and parameter.granule and arg.nbytes % parameter.granule:
        raise KernelError(
            f"{where} must hold records of {parameter.granule} bytes, but has {arg.nbytes} bytes"
        )
    flags = arg.flags
    if not flags.c_contiguous:
        raise KernelError(f"{where} is not contiguous; pass xp.ascontiguousarray(...)")
    if isinstance(arg, np.ndarray):
        if not flags.aligned:
            raise KernelError(f"{where} is not aligned in memory; pass a copy")
        if not parameter.read_only and not flags.writeable:
            raise KernelError(f"{where} is read-only, but the kernel may write to it")
    return arg


def _scalar(arg: Any, parameter: Parameter, where: str, xp: ModuleType) -> Any:
    dtype = parameter.dtype
    if dtype is None:
        return _structure(arg, parameter, where)
    if isinstance(arg, np.generic):
        if arg.dtype != dtype:
            raise KernelError(
                f"{where} must be {dtype.name}, not {arg.dtype.name}: "
                f"the kernel takes {_in_cuda(dtype)}, this is {_in_cuda(arg.dtype)}"
            )
        return arg
    if isinstance(arg, bool) and dtype.kind == "b":
        return np.bool_(arg)
    if isinstance(arg, int) and not isinstance(arg, bool) and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= arg <= limits.max:
            raise KernelError(f"{where}: {arg} does not fit into {dtype.name}")
        return dtype.type(arg)
    if isinstance(arg, int | float) and not isinstance(arg, bool) and dtype.kind == "f":
        return _floating(arg, dtype, where)
    hint = f"; use {xp.__name__}.ascontiguousarray for arrays only" if hasattr(arg, "shape") else ""
    raise KernelError(f"{where} must be a number of {dtype.name}, not {type(arg).__name__}{hint}")


#: CUDA's names of NumPy's types.
_CUDA = {
    "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
    "int32": "int", "uint32": "unsigned", "int64": "long long", "uint64": "unsigned long long",
    "float16": "__half", "float32": "float", "float64": "double",
}  # fmt: skip


def _in_cuda(dtype: np.dtype[Any]) -> str:
    return _CUDA.get(dtype.name, dtype.name)


def _structure(arg: Any, parameter: Parameter, where: str) -> np.generic:
    """Return a record of NumPy that is as long as the structure that the kernel takes by value."""
    if not isinstance(arg, np.void):
        raise KernelError(
            f"{where} is a structure of {parameter.granule} bytes; pass a NumPy record, an "
            f"element of a structured array, not {type(arg).__name__}"
        )
    if arg.nbytes != parameter.granule:
        raise KernelError(
            f"{where} is a structure of {parameter.granule} bytes, and the record has "
            f"{arg.nbytes}; compare the fields, and give the dtype align=True"
        )
    return arg


def _floating(arg: float, dtype: np.dtype[Any], where: str) -> np.generic:
    try:
        wide = float(arg)
    except OverflowError:
        wide = math.inf
    with np.errstate(over="ignore"):
        value: np.generic = dtype.type(wide)
    if (np.isinf(value) and (isinstance(arg, int) or not math.isinf(arg))) or (
        isinstance(arg, int) and int(value) != arg
    ):
        raise KernelError(f"{where}: {arg} does not fit into {dtype.name}")
    return value


def check_dimensions(
    kernel: str, what: str, given: int | Sequence[int], limits: tuple[int, int, int]
) -> tuple[int, int, int]:
    """Return a grid or block size as three numbers, or raise KernelError.

    Parameters
    ----------
    kernel, what : str
        Name of the kernel, and "grid" or "block", for the messages.
    given : int or sequence of one to three ints
        The size.
    limits : tuple of int
        Largest value of each dimension.
    """
    if type(given) is int and 1 <= given <= limits[0]:
        return given, 1, 1
    try:
        numbers = [operator.index(n) for n in given] if isinstance(given, Sequence) else None
        sizes = tuple(numbers) if numbers is not None else (operator.index(given),)  # type: ignore[arg-type]
    except TypeError:
        raise KernelError(f"{kernel}: the {what} must be one to three integers") from None
    if not 1 <= len(sizes) <= 3:
        raise KernelError(f"{kernel}: the {what} must be one to three integers")
    x, y, z = (*sizes, 1, 1)[:3]
    for axis, size, limit in zip("xyz", (x, y, z), limits, strict=True):
        if size < 1:
            raise KernelError(f"{kernel}: {what}.{axis} is {size}; it must be at least 1")
        if size > limit:
            raise KernelError(f"{kernel}: {what}.{axis} is {size}; the most is {limit}")
    return x, y, z
