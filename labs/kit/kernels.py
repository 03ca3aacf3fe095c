"""Run a kernel from a cell: compile it, launch it on the host executor, trace its lanes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby
from typing import Any

import numpy as np

from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile
from gpucore.errors import KernelError, ParameterError
from gpucore.format import counted
from gpucore.watching.compiling.compiler import compile_kernel, kernel_names

from . import trace
from .pictures import Picture, request_picture, wrap

#: Largest number of requests drawn for one line; a loop makes many.
MOST_DRAWN = 8
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

    def picture(self, rows: int = MOST_DRAWN) -> Picture:
        """Return the picture of the lanes with up to `rows` instructions for each line."""
        return Picture(run_picture(self, rows))

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


def run_picture(run: Run, rows: int = MOST_DRAWN) -> str:
    """Return a run, line by line: the active lanes, and the memory that they accessed."""
    source = run.source.splitlines()
    parts = []
    by_line = sorted(run.requests, key=lambda request: request.line)
    for line, found in groupby(by_line, key=lambda request: request.line):
        everything = list(found)
        accesses = [request for request in everything if request.kind != "block"]
        chosen = accesses or everything
        text = source[line - 1] if line <= len(source) else ""
        if not accesses and all(request.lanes == trace.LANES for request in everything):
            continue  # the whole warp passed, and touched no memory
        drawn = "".join(map(request_picture, chosen[:rows]))
        more = len(chosen) - rows
        note = f'<div class="ws-note">… and {more:,} more times</div>' if more > 0 else ""
        code = f'<code><span class="ws-line">{line}</span> {escape(text)}</code>'
        parts.append(f'<div class="ws-step">{code}{drawn}{note}</div>')
    return wrap(_summary(run) + "".join(parts) + _races(run))


_APART = (
    '<div class="ws-note">The lanes ran apart, in a random order. The rows show which lanes come '
    "to an instruction, not when; what memory holds is of the order that ran.</div>"
)


def _summary(run: Run) -> str:
    warps = run.grid * -(-run.block // trace.LANES)
    return (
        f"<b>{counted(run.grid * run.block, 'thread')}, {counted(warps, 'warp')}</b> "
        f'<span class="ws-note">· lanes busy {run.busy_share:.0%} over all instructions · '
        f"coalescing of loads {run.profile.coalescing:.0%}</span>{_APART if run.apart else ''}"
    )


def _races(run: Run) -> str:
    if not run.profile.races:
        return ""
    entries = "".join(
        f"<li>a {escape(race.first.kind)} in line {race.first.line} and a "
        f"{escape(race.second.kind)} in line {race.second.line}, {race.count:,} times</li>"
        for race in run.profile.races
    )
    return (
        f'<div class="ws-step"><b>Data races</b> (nothing orders the two)<ul>{entries}</ul></div>'
    )
