"""The native library: its file, its kernels, and calls into it.

The structures below mirror ``gpucore/simt/core/launch.h`` and ``gpucore/simt/host/export.h``.
"""

from __future__ import annotations

import ctypes as c
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.device.signature import Parameter, Signature
from gpucore.device.source import source_path
from gpucore.errors import DeviceError, KernelError

_KINDS = {0: "b", 1: "i", 2: "u", 3: "f"}  # 4 is a structure: no dtype
_ERROR_BYTES = 4096

#: Outcomes of a launch.
DONE, FAILED, CANCELLED = 0, 1, 2

#: Called periodically with the number of blocks done; a nonzero result stops the launch.
PollFunction = c.CFUNCTYPE(c.c_int, c.c_uint64)


class _Parameter(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("size", c.c_int),
        ("array", c.c_int),
        ("read_only", c.c_int),
    ]


class _Kernel(c.Structure):
    _fields_ = [
        ("source", c.c_char_p),
        ("record", c.c_int),
        ("name", c.c_char_p),
        ("thunk", c.c_void_p),
        ("parameters", c.POINTER(_Parameter)),
        ("parameter_count", c.c_int),
    ]


class Request(c.Structure):
    """A launch; see ``simt::Request``."""

    _fields_ = [
        ("grid", c.c_uint32 * 3),
        ("block", c.c_uint32 * 3),
        ("shared_bytes", c.c_uint32),
        ("shared_limit", c.c_uint32),
        ("cooperative", c.c_int),
        ("policy", c.c_int),
        ("seed", c.c_uint64),
        ("resident", c.c_int),
        ("threads", c.c_int),
        ("yield_atomic", c.c_uint32),
        ("yield_access", c.c_uint32),
        ("strict", c.c_int),
        ("poison", c.c_int),
        ("token", c.c_uint64),
        ("steps_before", c.c_uint64),
        ("arguments", c.c_void_p),
        ("sizes", c.c_void_p),
        ("poll", PollFunction),
    ]


class Stats(c.Structure):
    """Counters of a launch; see ``simt::Stats``."""

    _fields_ = [
        (name, c.c_uint64)
        for name in (
            "collectives",
            "lane_steps",
            "switches",
            "atomics",
            "cas_failed",
            "barriers",
            "grid_barriers",
            "blocks",
        )
    ]

    @property
    def steps(self) -> int:
        """Steps that the kernels' clock counted."""
        return int(self.lane_steps + self.switches + self.atomics)

    def as_dict(self) -> dict[str, int]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name, *_ in self._fields_}


@dataclass(frozen=True)
class KernelEntry:
    """One kernel of a library."""

    index: int
    source: str
    record: int
    name: str
    signature: Signature


class Library:
    """The executor and the kernels of a loaded native library; see :func:`library`.

    Attributes
    ----------
    path : Path
        The file.
    cdll : ctypes.CDLL
        The same library, for functions beyond launches.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cdll = _open(path)
        if not hasattr(self.cdll, "simt_launch"):
            raise DeviceError(f"{path.name} is not a library of kernels")
        self.cdll.simt_kernel.argtypes = [c.c_int]
        self.cdll.simt_kernel.restype = c.POINTER(_Kernel)
        self.cdll.simt_launch.argtypes = [
            c.c_int,
            c.POINTER(Request),
            c.POINTER(Stats),
            c.c_char_p,
            c.c_int,
        ]
        self.cdll.simt_interrupt.argtypes = [c.c_uint64]
        self.cdll.simt_interrupt.restype = None

    @cached_property
    def kernels(self) -> dict[tuple[str, str, int], KernelEntry]:
        """All kernels by source, name and record level."""
        return {(k.source, k.name, k.record): k for k in self._read_kernels()}

    def kernel(self, source: str, name: str, record: int = 0) -> KernelEntry:
        """Return a kernel, or raise KernelError with the known names."""
        try:
            return self.kernels[source, name, record]
        except KeyError:
            pass
        names = sorted({k.name for k in self.kernels.values() if k.source == source})
        if not names:
            known = ", ".join(sorted({k.source for k in self.kernels.values()})) or "none"
            raise KernelError(f"there is no kernel source {source!r}; the known ones: {known}")
        if name not in names:
            raise KernelError(
                f"source {source!r} has no kernel {name!r}; it has {', '.join(names)}"
            )
        raise KernelError(f"kernel {name!r} has no record level {record!r}; levels are 0, 1 and 2")

    def launch(self, kernel: KernelEntry, request: Request) -> tuple[int, Stats, str]:
        """Run a launch to its end; return its outcome, its counters and the error text."""
        stats = Stats()
        error = (c.c_char * _ERROR_BYTES)()
        outcome = self.cdll.simt_launch(
            kernel.index, c.byref(request), c.byref(stats), error, _ERROR_BYTES
        )
        return outcome, stats, error.value.decode(errors="replace")

    def interrupt(self, token: int) -> None:
        """Stop the lanes of a launch that does not react to cancelling, by a signal."""
        self.cdll.simt_interrupt(token)

    @property
    def max_lanes(self) -> int:
        """Largest number of lanes that one launch can have at a time."""
        return int(self.cdll.simt_max_lanes())

    def _read_kernels(self) -> Iterator[KernelEntry]:
        for index in range(self.cdll.simt_kernel_count()):
            raw = self.cdll.simt_kernel(index).contents
            parameters = (_parameter(raw.parameters[i]) for i in range(raw.parameter_count))
            yield KernelEntry(
                index, raw.source.decode(), raw.record, raw.name.decode(), Signature((*parameters,))
            )


def _parameter(raw: Any) -> Parameter:
    kind = _KINDS.get(raw.kind)
    dtype = None if kind is None else np.dtype(f"{kind}{raw.size}")
    return Parameter(dtype, bool(raw.array), bool(raw.read_only), raw.size)


def library_path(name: str = "warplens") -> Path:
    """Return the file of a native library, or raise DeviceError with the way to install it.

    An editable install keeps the compiled files outside of the source folder, so all folders of the
    package are searched.
    """
    file = f"lib{name}.so"
    for folder in sys.modules["gpucore"].__path__:
        path = Path(folder) / "_lib" / file
        if path.is_file():
            return path
    raise DeviceError(
        f"the native library {file} is not installed; it is built by `pip install .` in the "
        "project's folder, which needs a C++17 compiler"
        + (" (Linux or macOS)" if sys.platform == "win32" else "")
    )


def load() -> c.CDLL:
    """Return the project's native library, for its C functions such as the CPU methods.

    Raises
    ------
    DeviceError
        The library is not there, or does not load.
    """
    return _open(library_path())


def library(path: str | Path | None = None, *, instrumented: bool = False) -> Library:
    """Return the executor and the kernels of a native library, loaded once.

    Parameters
    ----------
    path : path, optional
        A library with the user's own kernels; the default is the project's.
    instrumented : bool
        The project's library that observes every access of a kernel.

    Raises
    ------
    DeviceError
        The library is not there, or does not load.
    """
    if path is None:
        path = library_path("warplens_instrumented" if instrumented else "warplens")
    return _library(Path(path).resolve())


def library_of(source: str, *, instrumented: bool = False) -> Library:
    """Return the library that has the kernels of a source.

    It is the project's, or for a family in another folder of the path the one that
    ``simt/family.cmake`` built into the folder ``_lib`` beside its ``kernels``.

    Raises
    ------
    KernelError
        There is no such source.
    DeviceError
        The library is not there, or does not load.
    """
    own = library(instrumented=instrumented)
    if any(kernel.source == source for kernel in own.kernels.values()):
        return own
    name = "instrumented" if instrumented else "kernels"
    built = source_path(source).parents[1] / "_lib" / f"lib{name}.so"
    if not built.is_file():
        raise DeviceError(
            f"the kernels of {source}.cu are not built for the host device: there is no {built}; "
            "CMake builds it with the function simt_add_family of gpucore/simt/family.cmake "
            "(Warplens's own kernels are built when it is installed)"
        )
    return library(built)


@cache
def _library(path: Path) -> Library:
    return Library(path)


@cache
def _open(path: Path) -> c.CDLL:
    try:
        return c.CDLL(str(path))
    except OSError as error:
        raise DeviceError(f"the native library does not load: {error}") from None
