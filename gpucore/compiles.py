"""What a variant compiles on a GPU, declared so that its first run compiles it side by side.

A run asks for one kernel after the other, and CuPy compiles a kernel of its own when an expression
with this operation and these types is evaluated for the first time. Each takes about 0.1 s, so a
run of fifty would wait five seconds. What is declared here is compiled when the run begins, several
at a time. A declaration changes no result; what it lacks is compiled when the run needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

#: Elements of a sample: scans of fewer use another kernel.
SIZE = 1 << 12


class Samples:
    """Small arrays of ones, by type: ``samples.int32``, ``samples.float64``.

    Each access makes a new one, so that an expression may write into it.

    Parameters
    ----------
    xp : module
        The array library of the device's memory.
    """

    def __init__(self, xp: ModuleType) -> None:
        self.xp = xp

    def __getattr__(self, dtype: str) -> Any:
        # From the host, since `xp.ones` is an expression that has a kernel.
        return self.xp.asarray(np.ones(SIZE, np.dtype(dtype)))


#: Evaluates an array expression of the family on samples, with the same operation and types.
Expression = Callable[[Samples], object]


class Special(NamedTuple):
    """A kernel that is compiled for the constants of a run.

    Attributes
    ----------
    source, kernel : str
        It records if the run does.
    constants : tuple of (str, int)
        Names and values.
    """

    source: str
    kernel: str
    constants: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Compiles:
    """What a variant compiles, in the order in which compilation begins.

    Attributes
    ----------
    first : tuple of str
        ``"source:kernel kernel"``: kernels without a record that a small problem needs, in units
        that are compiled in one go; those first that take longest. The sources wait for them.
    special : tuple of Special
        Kernels with compile-time constants.
    expressions : tuple of callable
        Array expressions of the run.
    sources : tuple of str
        Sources whose kernels never record.
    recorded : tuple of str
        Sources whose kernels record if the run does.
    """

    first: tuple[str, ...] = ()
    expressions: tuple[Expression, ...] = ()
    sources: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    special: tuple[Special, ...] = ()
