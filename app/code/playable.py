"""The kernels of a run, ready for the playground: source, launch, and the arguments of that launch.

The run is repeated on the host executor, and the first launch of each kernel is noted with what its
arguments hold. So the playground gets what the driver really passes, for every family alike.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore
from gpucore.device.host import HostDevice, HostKernel
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.result import Result

from .plain import plain_source

#: Address of the playground, beside that of the pages.
PLAYGROUND = "play.html"
#: Edges of a graph, threads of a launch, and characters of an address, as in ``app/play/state.js``
#: and ``watching.py``.
MOST_EDGES, MOST_THREADS, MOST_ADDRESS = 400, 1 << 14, 60_000


@dataclass(frozen=True)
class _Launch:
    """The first launch of a kernel: its file, its sizes, and its arguments as they were then."""

    source: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    cooperative: bool
    args: tuple[Any, ...]

    @property
    def threads(self) -> int:
        return math.prod(self.grid) * math.prod(self.block)


class _NotedKernel(HostKernel):
    """A kernel that calls `note` before every launch."""

    note: Callable[..., None]

    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        launch = super()._bind(grid, block, values, shared_mem, cooperative)

        def noted() -> None:
            self.note(grid, block, shared_mem, cooperative, values)
            launch()

        return noted


class _NotingDevice(HostDevice):
    """A host executor that remembers the first launch of each kernel, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.launches: dict[str, _Launch] = {}

    def kernel(self, source: str, name: str, *, record: int = 0, **constants: int) -> HostKernel:
        kernel = super().kernel(source, name, record=record, **constants)
        assert isinstance(kernel, HostKernel)
        noted = _NotedKernel(self, kernel._library, kernel._entry)

        def note(grid: Any, block: Any, shared: int, together: bool, values: Any) -> None:
            if name not in self.launches:
                copies = tuple(np.array(value) for value in values)
                launch = _Launch(f"{source}.cu", grid, block, shared, together, copies)
                self.launches[name] = launch

        noted.note = note
        return noted


def playable(graph: Graph, result: Result) -> list[dict[str, str]]:
    """Return the kernels of a run that the playground can open, the longest first.

    Parameters
    ----------
    graph : Graph
        The graph of the run; a large one has none.
    result : Result
        Its algorithm, variant and parameters are those of the repetition; a method on the processor
        has none.

    Returns
    -------
    list of dict
        ``kernel``, its name, and ``fragment``, what follows the playground's address.
    """
    if graph.num_edges > MOST_EDGES or get_runner(result.algorithm).where != "device":
        return []
    device = _NotingDevice()
    params = {**result.params, "variant": result.variant}
    gpucore.run(result.algorithm, graph, device=device, certify=False, **params)
    fits = {name: one for name, one in device.launches.items() if one.threads <= MOST_THREADS}
    states = [state_of(name, launch) for name, launch in fits.items() if not launch.cooperative]
    states.sort(key=lambda state: -len(state["code"]))
    found = [{"kernel": state["kernel"], "fragment": fragment_of(state)} for state in states]
    return [one for one in found if len(one["fragment"]) <= MOST_ADDRESS]


def state_of(kernel: str, launch: _Launch) -> dict[str, Any]:
    """Return the state of the playground for a launch; ``app/play/state.js`` says what it has."""
    return {
        "code": plain_source(launch.source, kernel),
        "kernel": kernel,
        "grid": _size(launch.grid),
        "block": _size(launch.block),
        "shared": launch.shared,
        "args": [_argument(value) for value in launch.args],
    }


def fragment_of(state: dict[str, Any]) -> str:
    """Return what follows the playground's address for a state."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#play=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _size(size: Sequence[int]) -> str:
    parts = list(size)
    while len(parts) > 1 and parts[-1] == 1:
        parts.pop()
    return ",".join(map(str, parts))


def _argument(value: np.ndarray) -> str:
    """Return an argument in the words of ``warplens watch --arg``."""
    if value.ndim == 0:
        return str(value.item()).lower()
    flat = value.ravel()
    if flat.dtype.fields or flat.dtype.kind not in "biuf":
        flat = flat.view(np.uint8)
    name, length = flat.dtype.name, len(flat)
    if not flat.any():
        return f"zeros:{name}:{length}"
    if flat.dtype.kind in "iu" and np.array_equal(flat, np.arange(length, dtype=flat.dtype)):
        return f"iota:{name}:{length}"
    return f"list:{name}:" + ",".join(str(number).lower() for number in flat)
