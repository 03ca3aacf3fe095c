"""Arguments of a watched kernel that are written as words, as on a command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.device.signature import Parameter, Signature
from gpucore.errors import ParameterError
from gpucore.watching.memory.arena import MOST_BYTES

#: How an argument is written; the command line's help shows it.
SYNTAX = (
    "iota:int32:64, zeros:float32:128, ones:..., empty:... (without content), "
    "random:float32:64:SEED, list:int32:3,1,2, a file .npy, a number, true or false, or auto"
)
_ARRAY = re.compile(r"(iota|zeros|ones|random|empty)(?::([a-z]+\d+|bool))?:(\d+)(?::(\d+))?")
_DIGITS = r"[-+]?(?:\d+|(?:\d+\.\d*|\.?\d+)(?:[eE][-+]?\d+)?|inf|nan)"
_NUMBER = re.compile(_DIGITS)
_LIST = re.compile(rf"list:(?:([a-z]+\d+|bool):)?({_DIGITS}(?:,{_DIGITS})*)")


def read_arguments(
    signature: Signature, texts: Sequence[str], threads: int
) -> tuple[list[Any], list[int]]:
    """Return the arguments of a kernel, and the numbers of those without content.

    Parameters
    ----------
    signature : Signature
        The kernel's parameters.
    texts : sequence of str
        One for each parameter, as `SYNTAX` says; parameters without one are chosen as "auto": an
        array has an element for each thread (0, 1, 2, ... if it is const, else zeros), an integer
        is the number of threads.
    threads : int
        In the launch.

    Raises
    ------
    ParameterError
        There are too many, or one is not understood.
    """
    parameters = signature.parameters
    if len(texts) > len(parameters):
        raise ParameterError(f"{len(texts)} arguments for {len(parameters)} parameters")
    written = [*texts, *["auto"] * (len(parameters) - len(texts))]
    values = [
        _automatic(parameter, threads) if text == "auto" else _read(text, parameter)
        for text, parameter in zip(written, parameters, strict=True)
    ]
    return values, [number for number, text in enumerate(written) if text.startswith("empty:")]


def _read(text: str, parameter: Parameter) -> Any:
    if text.endswith(".npy"):
        try:
            return np.load(Path(text), allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise ParameterError(f"the argument {text} cannot be read: {error}") from None
    if text in ("true", "false"):
        return text == "true"
    if found := _ARRAY.fullmatch(text):
        kind, dtype, length, seed = found.groups()
        return _array(kind, _dtype(text, dtype, parameter), int(length), int(seed or 0))
    if found := _LIST.fullmatch(text):
        dtype, numbers = _dtype(text, found[1], parameter), found[2].split(",")
        try:
            return np.array([_number(number) for number in numbers], dtype)
        except (OverflowError, ValueError):
            raise ParameterError(f"the argument {text[:60]!r} has numbers beyond {dtype}") from None
    if _NUMBER.fullmatch(text):
        return _number(text)
    raise ParameterError(f"the argument {text!r} is none of {SYNTAX}")


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)


def _dtype(text: str, name: str | None, parameter: Parameter) -> np.dtype[Any]:
    if name is None:
        return parameter.dtype or np.dtype(np.uint8)
    try:
        return np.dtype(name)
    except TypeError:
        raise ParameterError(f"the argument {text!r}: {name} is no type of NumPy") from None


def _array(kind: str, dtype: np.dtype[Any], length: int, seed: int) -> np.ndarray:
    if length * dtype.itemsize > MOST_BYTES:
        raise ParameterError(
            f"an array of {length:,} {dtype}: {MOST_BYTES:,} bytes can be watched; take a smaller "
            "problem with the same shape"
        )
    if kind == "iota":
        return np.arange(length).astype(dtype)
    if kind == "random":
        generator = np.random.default_rng(seed)
        if dtype.kind in "iu":  # each may be an index of the array
            most = min(length, np.iinfo(dtype).max + 1)
            return generator.integers(0, max(most, 1), length).astype(dtype)
        return generator.random(length).astype(dtype)
    return np.full(length, kind == "ones", dtype)


def _automatic(parameter: Parameter, threads: int) -> Any:
    dtype = parameter.dtype
    if parameter.array:
        if dtype is None:  # structures, or bytes
            return np.zeros(threads * max(parameter.granule, 1), np.uint8)
        return _array("iota" if parameter.read_only else "zeros", dtype, threads, 0)
    if dtype is None:
        return np.zeros((), np.dtype((np.void, parameter.granule)))[()]
    if dtype.kind in "iu":
        return dtype.type(min(threads, np.iinfo(dtype).max))
    return dtype.type(1)
