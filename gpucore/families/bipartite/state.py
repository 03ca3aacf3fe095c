"""Shared by all variants of bipartite matching: the matrix on a device, the matching, the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.resident import Resident
from gpucore.errors import GraphError
from gpucore.problems.bipartite.graph import BipartiteGraph

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Recorder


@dataclass(frozen=True)
class Matrix:
    """A matrix's pattern in a device's memory.

    Attributes
    ----------
    rows, columns, entries : int
        Its size.
    row_indptr : array of int64, shape (rows + 1,)
        Offsets into `indices`; in a row's list an entry is ``rows + column``.
    column_indptr : array of int64, shape (columns + 1,)
        Offsets into `indices`; in a column's list an entry is a row.
    indices : array of int32, shape (2 * entries,) or (1,)
    """

    rows: int
    columns: int
    entries: int
    row_indptr: Any
    column_indptr: Any
    indices: Any


@dataclass
class Run:
    """State of one run: the device, the matching, and the log of steps and phases.

    Attributes
    ----------
    device, recorder, params, matrix
        The device, the recorder, the algorithm's parameters, the problem.
    row_match, column_match : array of int32, shapes (rows,) and (columns,)
        The matching on the device, -1 for none; at least one element each.
    matched : array of int32, shape (1,)
        Size of the initial matching, on the device; the variant fast adds its paths. The search
        makes it, and the next, with its own words.
    barrier : array of uint32, shape (2,)
        Where the blocks of a launch meet.
    pairs : int
        Size of the matching, as far as the host knows.
    launches : int
        Kernels launched.
    steps, phases : list of dict
        See :func:`gpucore.families.bipartite.record.bipartite_record`.
    """

    device: Device
    recorder: Recorder
    params: Any
    matrix: Matrix
    row_match: Any
    column_match: Any
    matched: Any = None
    barrier: Any = None
    pairs: int = 0
    launches: int = 0
    steps: list[dict[str, Any]] = field(default_factory=list)
    phases: list[dict[str, Any]] = field(default_factory=list)

    def begin_with(self, pairs: int) -> None:
        """Note the size of the initial matching, whose step is the log's first."""
        self.pairs = self.steps[0]["cardinality"] = pairs

    def add_step(self, kind: str, phase: int, *, level: int = -1, frontier: int = 0) -> int:
        """Append a step to the log, and return its number."""
        step = {"phase": phase, "level": level, "kind": kind, "frontier": frontier}
        self.steps.append({**step, "reached": 0, "paths": 0, "cardinality": -1})
        return len(self.steps) - 1


_RESIDENT: Resident[Graph, Matrix] = Resident()


def put_on_device(graph: Graph, device: Device, scratch: int) -> Matrix:
    """Put a matrix's pattern on a device.

    Parameters
    ----------
    graph : BipartiteGraph
        The problem.
    device : Device
        The device.
    scratch : int
        Bytes that the run needs beside the graph.

    Raises
    ------
    GraphError
        The graph is not bipartite.
    DeviceError
        The device has not enough memory.
    """
    if not isinstance(graph, BipartiteGraph):
        raise GraphError(
            "rows are matched with columns in a bipartite graph, and this graph has no such sides; "
            "take its adjacency matrix with gpucore.problems.bipartite.prepare.for_bipartite"
        )
    kept = _RESIDENT.find(device, graph)
    if kept is not None:
        device.require_memory(scratch, "the matching")
        return kept
    size = graph.indptr.nbytes + graph.indices.nbytes if device.name == "cuda" else 0
    device.require_memory(size + scratch, "the graph and its matching")
    indptr = device.asarray(graph.indptr)
    indices = graph.indices if len(graph.indices) else np.zeros(1, np.int32)
    matrix = Matrix(
        rows=graph.num_rows,
        columns=graph.num_columns,
        entries=graph.num_edges,
        row_indptr=indptr[: graph.num_rows + 1],
        column_indptr=indptr[graph.num_rows :],
        indices=device.asarray(indices),
    )
    return _RESIDENT.keep(device, graph, matrix)
