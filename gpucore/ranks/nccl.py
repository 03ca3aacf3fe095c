"""Transport "rounds" between cards of processes: NCCL sends and receives, also across hosts.

Source: NVIDIA Collective Communications Library, "Point-to-point communication"; CuPy's
``cupy.cuda.nccl``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.cuda_errors import translated
from gpucore.ranks.exchange import Exchange
from gpucore.ranks.mail import Bucket
from gpucore.ranks.meeting import cards_differ

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm


def distinct_cards(comm: Comm, device: Device) -> bool:
    """Return whether NCCL is there and every rank has a card of its own; every rank calls."""
    try:
        from cupy.cuda import nccl

        usable = bool(nccl.available)
    except (ImportError, AttributeError):
        usable = False
    differ = cards_differ(comm, device)
    return all(comm.allgather(usable)) and differ


class NcclExchange(Exchange):
    """Buckets go from card to card."""

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        from cupy.cuda import nccl

        self._nccl = nccl
        self._all = _communicator(comm, nccl)

    def _move(self, bucket: Bucket, parts: Sequence[Any], sizes: Sequence[int]) -> Any:
        xp, nccl = self.device.xp, self._nccl
        came = xp.empty(max(1, sum(sizes)), dtype=np.uint32)
        begins = np.concatenate([[0], np.cumsum(sizes)])
        stream = xp.cuda.get_current_stream().ptr
        with translated("exchanging messages by NCCL"):
            nccl.groupStart()
            for rank in range(self.comm.size):
                part, size = parts[rank], int(sizes[rank])
                if part.size:
                    self._all.send(part.data.ptr, int(part.size), nccl.NCCL_UINT32, rank, stream)
                if size:
                    place = came[int(begins[rank]) :].data.ptr
                    self._all.recv(place, size, nccl.NCCL_UINT32, rank, stream)
            nccl.groupEnd()
        return came


def _communicator(comm: Comm, nccl: Any) -> Any:
    """Return NCCL's communicator of these ranks; connecting takes a second, so it is kept."""
    kept = getattr(comm, "nccl_communicator", None)
    if kept is None:
        name = comm.bcast(nccl.get_unique_id() if comm.rank == 0 else None)
        with translated("connecting the cards by NCCL"):
            kept = nccl.NcclCommunicator(comm.size, name, comm.rank)
        comm.nccl_communicator = kept  # type: ignore[attr-defined]
    return kept
