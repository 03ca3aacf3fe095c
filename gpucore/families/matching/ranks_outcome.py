"""Shared by the matching family on ranks: a part on its device, and the result of all ranks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gpucore.families.matching.outcome import check_part
from gpucore.families.matching.record import matching_record
from gpucore.families.matching.result import MatchingResult
from gpucore.problems.graph.part import GraphPart, with_arrays
from gpucore.ranks import Rounds, World, merged_record, rank_figures, rank_header
from gpucore.record.record import about
from gpucore.result import Result

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.problems.graph.distributed.exchange import Ranks
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Record, Recorder

Found = TypeVar("Found", bound=Result)


@dataclass(frozen=True)
class PartOnDevice:
    """A rank's part in its device's memory.

    Attributes
    ----------
    n, total : int
        Numbers of vertices of the part and of the whole graph.
    lo : int
        The first vertex of the part.
    arrays : tuple
        ``indptr`` (int64, n + 1), ``indices`` (int32, global), ``weights`` (float32).
    bounds : ndarray of int64, shape (ranks + 1,)
        See :class:`~gpucore.problems.graph.part.GraphPart`.
    bounds_array : array
        The same on the device.
    """

    n: int
    total: int
    lo: int
    arrays: tuple[Any, Any, Any]
    bounds: np.ndarray
    bounds_array: Any

    @classmethod
    def put(
        cls, part: GraphPart, device: Device, own_bytes: int, ghost_bytes: int, more: int = 0
    ) -> PartOnDevice:
        """Check that a part can be matched, and put it on a device.

        Parameters
        ----------
        own_bytes, ghost_bytes : int
            Bytes that the algorithm needs for each own vertex, and for each vertex of the graph.
        more : int
            Other bytes that it needs.

        Raises
        ------
        GraphError
            The part has loops, or weights that are not positive.
        DeviceError
            The device has not enough memory.
        """
        on_host = isinstance(part.indices, np.ndarray)
        n = part.hi - part.lo
        size = part.nbytes if device.name == "cuda" and on_host else 0
        state = own_bytes * n + ghost_bytes * part.n + more
        device.require_memory(size + state, "the part of the graph and its matching")
        put = with_arrays(part, device.asarray)
        check_part(put, device)
        return cls(
            n, part.n, part.lo, (put.indptr, put.indices, put.weights), part.bounds,
            device.asarray(part.bounds),
        )  # fmt: skip


def record_warps(vertices: int, threads: int) -> int:
    """Return the warps of a launch with a thread for each vertex, in whole blocks."""
    return max(1, -(-vertices // threads)) * (threads // 32)


def ranks_result(
    part: GraphPart,
    graph: Graph | None,
    world: World,
    recorder: Recorder,
    table: Rounds,
    *,
    algorithm: str,
    params: Any,
    seconds: float,
    mate: np.ndarray,
    weight_of_mate: np.ndarray,
    gain_share: float,
) -> MatchingResult:
    """Collect the parts of the solution on rank 0; every rank calls.

    Parameters
    ----------
    mate, weight_of_mate : ndarray of int32 and float32, shape (hi - lo,)
        Mates of the own vertices, -1 for none, and the weights of the matched edges.
    gain_share : float
        See :func:`gpucore.families.matching.record.matching_record`.

    Returns
    -------
    MatchingResult
        On rank 0 with all mates, elsewhere with those of the own vertices; the figures are those
        of the whole matching.
    """
    comm = world.comm
    settings = dataclasses.asdict(params)
    slowest = comm.allreduce(seconds, max)
    table.collect_seconds(comm)
    raw = merged_record(world, recorder.collect(), table)
    gathered = comm.gather((mate, weight_of_mate))
    figures: dict[str, Any] | None = None
    if gathered is not None:
        mate = np.concatenate([one for one, _ in gathered])
        weights = np.concatenate([one for _, one in gathered])
        figures = {
            "weight": float(weights.sum(dtype=np.float64)) / 2 * part.unit,
            "cardinality": int(np.count_nonzero(mate >= 0)) // 2,
            **rank_figures(world, table),
        }
    result = MatchingResult(
        algorithm=algorithm,
        device=world.device.describe(),
        seconds=slowest,
        figures=comm.bcast(figures),
        params=settings,
        mate=mate,
    )
    if gathered is None or raw is None or graph is None:
        return result
    sizes = np.diff(part.bounds)
    first_warp = np.searchsorted(raw.warp_rank, np.arange(len(sizes)))
    local = np.arange(part.n) - np.repeat(part.bounds[:-1], sizes)
    record = matching_record(
        raw,
        graph,
        suitor=mate,
        bid=weights,
        warp=np.repeat(first_warp, sizes) + local // 32,
        gain_share=gain_share,
        **about(result),
    )
    return with_ranks(result, record, world, part, table)


def with_ranks(
    result: Found, record: Record | None, world: World, part: GraphPart, table: Rounds
) -> Found:
    """Return a result with the record of all ranks, whose header has the table of rounds."""
    if record is not None:
        record.header["ranks"] = rank_header(world, part.bounds, table)
    return dataclasses.replace(result, record=record)


def certify_part(
    part: GraphPart, result: MatchingResult, comm: Ranks, device: Device
) -> Certificate:
    """Certify a result whose graph no rank has whole; every rank calls."""
    from gpucore.certify.reported import with_reported
    from gpucore.certify.stability.ranks import certify_on_ranks

    own = result.mate if len(result.mate) == part.rows else result.mate[part.lo : part.hi]
    xp = np if isinstance(part.indices, np.ndarray) else device.xp
    mate = xp.asarray(own)  # where the rows are: only mates have to be copied there
    matched = mate >= 0
    starts = xp.zeros(len(own) + 1, np.int64)
    xp.cumsum(matched, dtype=np.int64, out=starts[1:])
    ones = xp.ones(part.rows, np.int32)
    found = certify_on_ranks(part, ones, starts, mate[matched], comm, device)
    return with_reported(found, result)
