"""The certificate of a b-matching whose graph no rank has whole."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify.stability.form import blocks
from gpucore.certify.stability.part import Part, Summary
from gpucore.certify.stability.parts import (
    Examined,
    away,
    combine,
    examine,
    finish,
    meet,
    memory_needed,
)

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.problems.graph.distributed.exchange import Ranks
    from gpucore.problems.graph.part import GraphPart


#: Pairs or vertices of a rank that are sent at a time: 32 MiB.
SENT = 1 << 22


def certify_on_ranks(
    part: GraphPart,
    capacity: Any,
    starts: Any,
    mates: Any,
    comm: Ranks,
    device: Device,
) -> Certificate:
    """Certify a b-matching on ranks, where the rows are; every rank calls.

    Parameters
    ----------
    part : GraphPart
        The rank's rows, in the host's memory or on the device; they are not copied.
    capacity : array of int32, shape (rows,)
        NumPy's, or the device's, as those below. How many mates the own vertices may have.
    starts : array of int64, shape (rows + 1,)
        ``mates[starts[i]:starts[i + 1]]`` are the mates of the i-th own vertex, ascending.
    mates : array of int32
        Numbered as in the whole graph.
    comm : Ranks
    device : Device
        The rank's device.

    Returns
    -------
    Certificate
        The same on all ranks.

    Raises
    ------
    DeviceError
        The device has not enough memory, see
        :func:`~gpucore.certify.stability.parts.memory_needed`.
    """
    xp = np if isinstance(part.indices, np.ndarray) else device.xp
    if xp is device.xp:
        needed = memory_needed(part.n, part.rows, part.entries, mates.size, xp)
        device.require_memory(needed, "the certificate of the part's result")
    own = Part(
        part.n,
        part.lo,
        part.indptr,
        part.indices,
        part.weights,
        xp.asarray(capacity),
        xp.asarray(starts),
        xp.asarray(mates),
        xp,
    )
    examined = examine(own)
    _meet_others(own, examined, part.bounds, comm, device)
    summary = _summary_of_all(examined.summary, part.bounds, comm, device, own)
    outcomes = comm.allgather(finish(own, examined, summary))
    return combine(outcomes)


def _meet_others(
    own: Part, examined: Examined, bounds: np.ndarray, comm: Ranks, device: Device
) -> None:
    """Exchange the pairs whose ends are on two ranks, block by block."""
    heads = own.xp.asarray(bounds << 32)
    for begin, end in blocks(max(comm.allgather(examined.size)), SENT):
        keys = away(own, examined, begin, end)
        cuts = own.xp.searchsorted(keys, heads).tolist()
        sent = device.to_host(keys)
        parts = [sent[first:last] for first, last in pairwise(cuts)]
        sizes = comm.allgather([len(one) for one in parts])
        for came in comm.alltoallv(parts, [one[comm.rank] for one in sizes]):
            meet(own, examined, own.xp.asarray(came))


def _summary_of_all(
    summary: Summary, bounds: np.ndarray, comm: Ranks, device: Device, own: Part
) -> Summary:
    """Return the summary of all vertices on each rank, collected block by block."""
    if len(bounds) == 2:
        return summary
    whole = Summary.empty(own.n, own.xp)
    for begin, end in blocks(int(np.diff(bounds).max()), SENT):
        block = (summary.worst_weight[begin:end], summary.worst_mate[begin:end])
        gathered = comm.allgather([device.to_host(array) for array in block])
        for lo, (weight, mate) in zip(bounds.tolist(), gathered, strict=False):
            at = slice(lo + begin, lo + begin + len(weight))
            whole.worst_weight[at] = own.xp.asarray(weight)
            whole.worst_mate[at] = own.xp.asarray(mate)
    return whole
