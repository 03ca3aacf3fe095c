"""Kernel signatures: a kernel's parameters, and checks of the arguments of a launch."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from gpucore.errors import KernelError


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
        """Least and largest integer that fits; none fits if the last is less than the first."""
        if self.array or self.dtype is None or self.dtype.kind not in "iu":
            return 0, -1
        info = np.iinfo(self.dtype)
        return int(info.min), int(info.max)

    def usual(self, arg: Any, ndarray: type) -> Any | None:
        """Return what the kernel gets for a valid argument of the usual kinds, None for others.

        A run of a small graph launches a hundred kernels with thirty arguments each, so this is
        fast; :func:`_array` and :func:`_scalar` examine the rest and name their errors.
        """
        dtype, kind = self.dtype, type(arg)
        if self.array:
            if kind is not ndarray or dtype is None or arg.dtype != dtype:
                return None
            flags = arg.flags
            if not flags.c_contiguous:
                return None
            if ndarray is np.ndarray and not (
                flags.aligned and (self.read_only or flags.writeable)
            ):
                return None
            return arg
        assert dtype is not None  # the shim accepts no structure by value
        if kind is int and self.limits[0] <= arg <= self.limits[1]:
            return dtype.type(arg)
        if kind is float and dtype == np.float64:
            return np.float64(arg)
        return None

    def __str__(self) -> str:
        kind = self.dtype.name if self.dtype is not None else "bytes"
        if not self.array:
            return kind
        return f"array of {'const ' if self.read_only else ''}{kind}"


@dataclass(frozen=True)
class Signature:
    """Parameters of one kernel, in order."""

    parameters: tuple[Parameter, ...]

    def check(self, kernel: str, args: Sequence[Any], xp: ModuleType) -> list[Any]:
        """Return `args` with every scalar of its exact type, or raise KernelError.

        Parameters
        ----------
        kernel : str
            Name of the kernel, for the messages.
        args : sequence
            Arrays of `xp`, NumPy scalars, or Python numbers that fit.
        xp : module
            The device's array library.
        """
        wanted = len(self.parameters)
        if len(args) != wanted:
            raise KernelError(f"{kernel} takes {wanted} arguments, {len(args)} were given")
        ndarray, values = xp.ndarray, []
        for index, (arg, parameter) in enumerate(zip(args, self.parameters, strict=True)):
            value = parameter.usual(arg, ndarray)
            if value is None:
                examine = _array if parameter.array else _scalar
                value = examine(arg, parameter, f"{kernel}: argument {index}", xp)
            values.append(value)
        return values


def _array(arg: Any, parameter: Parameter, where: str, xp: ModuleType) -> Any:
    if not isinstance(arg, xp.ndarray):
        raise KernelError(
            f"{where} must be a {xp.__name__} {parameter}, not {type(arg).__name__}; "
            "use device.asarray"
        )
    if parameter.dtype is not None and arg.dtype != parameter.dtype:
        raise KernelError(f"{where} must be an {parameter}, not of {arg.dtype}")
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


def _scalar(arg: Any, parameter: Parameter, where: str, xp: ModuleType) -> np.generic:
    dtype = parameter.dtype
    assert dtype is not None  # the shim accepts no structure by value
    if isinstance(arg, np.generic):
        if arg.dtype != dtype:
            raise KernelError(f"{where} must be {dtype.name}, not {arg.dtype.name}")
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
