"""Arguments that are written as words; :mod:`gpucore.watching.launches.given` without NumPy."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gpucore.errors import KernelError, ParameterError

from .generator import Generator

_LETTERS = {
    "bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i",
    "uint32": "I", "int64": "q", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d",
}  # fmt: skip
_FAMILIES = {0: "bool", 1: "int", 2: "uint", 3: "float"}  # 4 is a structure
_ARRAY = re.compile(r"(iota|zeros|ones|random|empty)(?::([a-z]+\d+|bool))?:(\d+)(?::(\d+))?")
_LIST = re.compile(r"list(?::([a-z]+\d+|bool))?:([^:]+)")
_NUMBER = re.compile(r"[-+]?(?:\d+|(?:\d+\.\d*|\.?\d+)(?:[eE][-+]?\d+)?|inf|nan)")
#: Bytes of one array.
_MOST_BYTES = 1 << 26


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel; see ``simt::Parameter``."""

    kind: int
    size: int
    array: int
    read_only: int

    @property
    def dtype(self) -> str:
        """Name of the type; empty for a structure."""
        if self.kind == 4 or not self.size:
            return ""
        return "bool" if self.kind == 0 else f"{_FAMILIES[self.kind]}{8 * self.size}"


@dataclass(frozen=True)
class Values:
    """An argument: its type, its bytes, whether it is an array, and whether it has no content."""

    dtype: str
    data: bytes
    array: bool
    empty: bool = False

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return struct.calcsize(f"<{_LETTERS[self.dtype]}") if self.dtype in _LETTERS else 1

    @property
    def size(self) -> int:
        """Elements."""
        return len(self.data) // self.itemsize

    def values(self, most: int) -> list[Any]:
        """Return the first values."""
        if self.dtype not in _LETTERS:
            return []
        count = min(most, self.size)
        return [*struct.unpack_from(f"<{count}{_LETTERS[self.dtype]}", self.data)]

    def form(self) -> dict[str, Any]:
        """Return it for the worker."""
        return {"data": self.data.hex(), "array": self.array, "empty": self.empty}


def read_arguments(
    parameters: Sequence[Parameter], texts: Sequence[str], threads: int
) -> list[Values]:
    """Return the arguments of a kernel, as the function of this name in ``given.py``."""
    if len(texts) > len(parameters):
        raise ParameterError(f"{len(texts)} arguments for {len(parameters)} parameters")
    written = [*texts, *["auto"] * (len(parameters) - len(texts))]
    made: list[Values] = []
    for number, (text, one) in enumerate(zip(written, parameters, strict=True)):
        made.append(_automatic(one, threads) if text == "auto" else _read(text, one, number))
        if sum(len(value.data) for value in made) > _MOST_BYTES:
            raise ParameterError(f"the arguments have more than {_MOST_BYTES >> 20} MiB")
    return made


def _read(text: str, parameter: Parameter, number: int) -> Values:
    if found := _ARRAY.fullmatch(text):
        kind, dtype, length, seed = found.groups()
        made = _array(kind, dtype or parameter.dtype or "uint8", int(length), int(seed or 0), text)
    elif found := _LIST.fullmatch(text):
        made = _listed(found[1] or parameter.dtype or "uint8", found[2].split(","), text)
    elif text in ("true", "false"):
        return _scalar(text == "true", parameter, number)
    elif _NUMBER.fullmatch(text):
        value = int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)
        return _scalar(value, parameter, number)
    else:
        raise ParameterError(
            f"the argument {text!r} is none of iota:int32:64, zeros:float32:128, ones:..., "
            "empty:... (without content), random:float32:64:SEED, list:int32:5,3,1, a number, true "
            "or false, or auto"
        )
    if not parameter.array:
        raise KernelError(f"argument {number} must be a number, and {text!r} is an array")
    if parameter.dtype and made.dtype != parameter.dtype:
        raise KernelError(
            f"argument {number} must be an array of {parameter.dtype}, not of {made.dtype}"
        )
    return made


def _packed(dtype: str, values: Sequence[Any], text: str) -> bytes:
    if dtype not in _LETTERS:
        raise ParameterError(f"the argument {text!r}: {dtype} is no type of a number")
    letter = _LETTERS[dtype]
    if len(values) * struct.calcsize(letter) > _MOST_BYTES:
        raise ParameterError(f"the argument {text!r} has more than {_MOST_BYTES >> 20} MiB")
    try:
        return struct.pack(f"<{len(values)}{letter}", *values)
    except (struct.error, OverflowError):
        raise ParameterError(f"the argument {text!r}: a value does not fit into {dtype}") from None


def _array(kind: str, dtype: str, length: int, seed: int, text: str) -> Values:
    if length > _MOST_BYTES:
        raise ParameterError(f"the argument {text!r} has more than {_MOST_BYTES >> 20} MiB")
    bits = int(re.sub(r"\D", "", dtype) or 1)
    values: Sequence[Any] = [kind == "ones"] * length
    if kind == "iota":
        values = range(length)
    elif kind == "random" and "int" in dtype:  # each may be an index of the array
        most = 1 << (bits - dtype.startswith("int"))
        values = [*Generator(seed).integers(max(min(length, most), 1), length)]
    elif kind == "random":
        values = [*Generator(seed).floats(length)]
    if dtype == "bool":
        values = [bool(one) for one in values]
    elif "int" in dtype:
        wide, half = 1 << bits, 1 << (bits - 1)
        values = [int(one) % wide for one in values]
        if dtype.startswith("int"):
            values = [one - wide if one >= half else one for one in values]
    return Values(dtype, _packed(dtype, values, text), True, kind == "empty")


def _listed(dtype: str, words: Sequence[str], text: str) -> Values:
    return Values(dtype, _packed(dtype, [*_numbers(dtype, words, text)], text), True)


def _numbers(dtype: str, words: Sequence[str], text: str) -> Iterator[Any]:
    for word in words:
        try:
            yield float(word) if dtype.startswith("float") else int(word)
        except ValueError:
            raise ParameterError(f"the argument {text!r}: {word.strip()!r} is no {dtype}") from None


def _scalar(value: Any, parameter: Parameter, number: int) -> Values:
    dtype = parameter.dtype
    if parameter.array or not dtype:
        raise KernelError(f"argument {number} must be an array, not {value}")
    is_whole = isinstance(value, int)
    if (isinstance(value, bool) != (dtype == "bool")) or ("int" in dtype and not is_whole):
        raise KernelError(f"argument {number} must be a number of {dtype}, not {value}")
    return Values(dtype, _packed(dtype, [value], str(value)), False)


def _automatic(parameter: Parameter, threads: int) -> Values:
    dtype = parameter.dtype
    if parameter.array:
        if not dtype:  # structures, or bytes
            return Values("uint8", bytes(threads * max(parameter.size, 1)), True)
        return _array("iota" if parameter.read_only else "zeros", dtype, threads, 0, "auto")
    if not dtype:
        return Values("", bytes(parameter.size), False)
    if "int" in dtype:
        most = (1 << (8 * parameter.size - dtype.startswith("int"))) - 1
        return _scalar(min(threads, most), parameter, 0)
    return _scalar(True if dtype == "bool" else 1, parameter, 0)
