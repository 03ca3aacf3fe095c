"""What generators of rows share: keys of random numbers, weights, and memory."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gpucore.device import Device, Kernel, get_device
from gpucore.device.grid import blocks_for
from gpucore.errors import GraphError
from gpucore.limits import WIDE_ENTRIES, Limits
from gpucore.problems.graph.generate.common import check_size
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart
from gpucore.seeds import generator
from gpucore.specification import generated

#: Weights as the kernels number them.
_KINDS = {"unit": 0, "uniform": 1, "integer": 2}
_THREADS = 256

#: Bounds of all ranks, then `indptr` and `indices` of one.
Structure = tuple[NDArray[np.int64], Any, Any]
#: Blocks of a launch; more elements are distributed over its threads.
_BLOCKS = 4096


@dataclass(frozen=True, kw_only=True)
class Plan(ABC):
    """A graph to generate: its parameters, and how a rank makes its rows.

    Parameters
    ----------
    weights : {"uniform", "unit", "integer"}
        Uniform in (0, 1], multiples of 2**-24; all 1, unweighted; or integers from 1 to 100.
    weight_seed : int
        Seed of the weights, independent of the structure's.

    Raises
    ------
    GraphError
        A parameter is out of its range.
    """

    #: Name in specifications.
    name: ClassVar[str]

    weights: str = "uniform"
    weight_seed: int = 99

    def __post_init__(self) -> None:
        if self.weights not in _KINDS:
            raise GraphError(
                f'weights must be "uniform", "unit" or "integer", not {self.weights!r}'
            )
        generator(self.weight_seed, "weight_seed")
        self.check()

    @abstractmethod
    def check(self) -> None:
        """Raise GraphError if a parameter is out of its range."""

    @property
    @abstractmethod
    def num_vertices(self) -> int:
        """Number of vertices."""

    @property
    @abstractmethod
    def most_edges(self) -> int:
        """Number of edges before equal ones are merged, about."""

    @abstractmethod
    def structure(self, device: Device, rank: int, ranks: int) -> Structure:
        """Return bounds, and `indptr` and `indices` of the rank's rows, in the device's memory."""

    def coordinates(self, device: Device) -> NDArray[np.float64] | None:
        """Return where to draw the vertices, shape (n, 2), or None."""
        return None

    @property
    def spec(self) -> str:
        """Specification that makes the same graph."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        last = {key: values.pop(key) for key in ("weights", "weight_seed")}
        return generated(self.name, values | last)["spec"]

    def part(self, device: Device, rank: int, ranks: int) -> GraphPart:
        """Generate the rows of one rank.

        Parameters
        ----------
        device : Device
            Its memory holds the arrays of the part.
        rank, ranks : int
            Number of the part, and number of all parts.

        Raises
        ------
        DeviceError
            The device has not enough memory; nothing was allocated then.
        """
        if not 0 <= rank < ranks:
            raise GraphError(f"there is no part {rank} of {ranks}")
        bounds, indptr, indices = self.structure(device, rank, ranks)
        weights = self._weights(device, int(bounds[rank]), indptr, indices)
        return GraphPart(
            self.num_vertices, bounds, rank, indptr, indices, weights,
            name=self.name,
            weighted=self.weights != "unit",
            source={"kind": "generator", "spec": self.spec},
            num_edges=int(indices.size) // 2 if ranks == 1 else None,
        )  # fmt: skip

    def _weights(self, device: Device, first: int, indptr: Any, indices: Any) -> Any:
        if self.weights == "unit":  # one number in memory stands for all
            return device.xp.broadcast_to(device.xp.ones(1, dtype=np.float32), indices.shape)
        weights = device.xp.empty(indices.size, dtype=np.float32)
        if indices.size:
            rows, key = indptr.size - 1, key_of("weights", self.weight_seed)
            args = [first, rows, indptr, indices, key, _KINDS[self.weights], weights]
            launch(device.kernel("row_weights", "row_weights"), 32 * rows, args)
        return weights

    def graph(self, limits: Limits | None = None) -> Graph:
        """Generate the whole graph on this machine's best device.

        Raises
        ------
        GraphError
            It is larger than the limits.
        """
        limits = limits or Limits(max_entries=WIDE_ENTRIES)  # all numbers of entries have 64 bits
        check_size(self.name, self.num_vertices, self.most_edges, limits)
        device = get_device()
        part = self.part(device, 0, 1)
        arrays = (part.indptr, part.indices, part.weights)
        indptr, indices, weights = (device.to_host(array) for array in arrays)
        return Graph._of_rows(
            (indptr, indices, weights),
            name=part.name,
            weighted=part.weighted,
            coordinates=self.coordinates(device),
            source=part.source,
        )


def whole(plan: type[Plan]) -> Callable[..., Graph]:
    """Return the generator of a plan's whole graphs: it has the plan's parameters, and `limits`.

    Examples
    --------
    >>> from gpucore.problems.graph.generate.rows.grid import GridRows
    >>> whole(GridRows)(8, columns=8)
    Graph('grid_rows', vertices=64, edges=112, weighted)
    """

    def generate(*values: Any, limits: Limits | None = None, **parameters: Any) -> Graph:
        return plan(*values, **parameters).graph(limits)

    generate.__signature__ = inspect.signature(plan, eval_str=True)  # type: ignore[attr-defined]
    return generate


def key_of(stream: str, seed: int) -> int:
    """Return the 64-bit key of a stream of random numbers; any whole number can be the seed.

    Examples
    --------
    >>> key_of("edges", 1) == key_of("edges", 2), key_of("edges", 1) == key_of("weights", 1)
    (False, False)
    """
    return int.from_bytes(hashlib.sha256(f"{stream} {seed}".encode()).digest()[:8], "little")


def launch(kernel: Kernel, count: int, args: list[Any]) -> None:
    """Launch a kernel whose threads share `count` elements; with none it is not launched."""
    if count:
        kernel(min(blocks_for(count, _THREADS), _BLOCKS), _THREADS, args)
