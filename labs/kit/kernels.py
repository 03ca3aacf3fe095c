"""Run a kernel from a cell: compile it, launch it on the host executor, trace its lanes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile
from gpucore.errors import KernelError, ParameterError
from gpucore.watching.compiler import compile_kernel, kernel_names

from . import trace
from .pictures import Picture, run_picture

#: Lanes that a launch from a notebook may have; pictures are for small ones.
MOST_THREADS = 4096


@dataclass(frozen=True)
class Run:
    """One launch.

    Attributes
    ----------
    source : str
        The kernel.
    arrays : tuple of ndarray
        The kernel's array arguments, after the launch.
    requests : tuple of Request
        What the warps did, in order; see :mod:`labs.kit.trace`.
    profile : Profile
        The sums by source line, and the data races.
    grid, block : int
        Size of the launch.
    apart : bool
        Whether lanes of a warp took their turns in a random order. The picture puts their
        instructions together, as a GPU issues them; memory has what the random order left.
    """

    source: str
    arrays: tuple[np.ndarray, ...]
    requests: tuple[trace.Request, ...]
    profile: Profile
    grid: int
    block: int
    apart: bool = False

    def at(self, text: str, kind: str | None = None) -> list[trace.Request]:
        """Return the requests of the lines that contain a text, of a kind if given.

        The text may be code or a comment: marks like ``// LOAD`` are easy to find again.
        """
        marked = {i for i, line in enumerate(self.source.splitlines(), 1) if text in line}
        return [
            request
            for request in self.requests
            if request.line in marked and (kind is None or request.kind == kind)
        ]

    @cached_property
    def busy_share(self) -> float:
        """Share of the lanes that were active, over everything the warps did."""
        return self.profile.simt_efficiency

    def picture(self, rows: int = 8) -> Picture:
        """Return the picture of the lanes with up to `rows` instructions for each line."""
        return Picture(run_picture(self, rows=rows))

    def _repr_html_(self) -> str:
        return run_picture(self)


def run(
    source: str,
    *arguments: Any,
    name: str | None = None,
    grid: int = 1,
    block: int = 32,
    **options: Any,
) -> Run:
    """Compile a kernel and launch it on the host executor.

    Parameters
    ----------
    source : str
        CUDA C++; a kernel begins with ``SIMT_KERNEL(name)(parameters)``.
    *arguments
        The kernel's arguments: numbers, and NumPy arrays of the parameters' types. Arrays are
        written to.
    name : str, optional
        Which kernel, if the source has several.
    grid, block : int
        Blocks, and threads a block.
    **options
        Of :class:`gpucore.device.host.HostDevice`: `policy`, `seed`, `yield_access`, ...

    Returns
    -------
    Run
        Shown as a picture of the lanes.

    Raises
    ------
    KernelCompileError
        The source has a mistake.
    KernelError
        The arguments do not match, or the kernel failed; the message names block and thread.
    MissingDependency
        There is no compiler.
    """
    if grid < 1 or block < 1 or grid * block > MOST_THREADS:
        raise ParameterError(
            f"grid={grid}, block={block} are {grid * block} threads; "
            f"a lab takes 1 to {MOST_THREADS:,}"
        )
    library = compile_kernel(source)
    names = kernel_names(source)
    if name is not None and name not in names:
        raise KernelError(f"there is no kernel {name!r}; the source has {', '.join(names)}")
    device = HostDevice(library=library, instrumented=True, **options)
    trace.watch(device)
    device.kernel("lab", name or names[0])(grid, block, arguments)
    arrays = tuple(a for a in arguments if isinstance(a, np.ndarray))
    found = tuple(trace.requests(device))
    apart = device.policy == "random" and device.yield_access > 0
    return Run(source, arrays, found, device.profile(), grid, block, apart)
