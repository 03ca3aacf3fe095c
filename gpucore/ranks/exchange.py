"""Transport "rounds": whole buckets go from every rank to every other, once a round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.ranks.mail import Bucket, Inbox, Letters, Outbox

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm

#: How many messages every rank sends: by rank, then channel, then receiver.
Counts = Sequence[Mapping[str, Sequence[int]]]


def sizes_to(counts: Counts, channel: str, to_all: bool, rank: int) -> list[int]:
    """Return how many messages of a channel come from each rank to one rank."""
    return [
        0 if sender == rank else sent[channel][0 if to_all else rank]
        for sender, sent in enumerate(counts)
    ]


class Exchange(ABC):
    """Moves buckets between ranks."""

    def __init__(self, comm: Comm, device: Device) -> None:
        self.comm = comm
        self.device = device

    def __call__(self, outbox: Outbox, counts: Counts) -> Inbox:
        """Send all buckets and return what arrived; every rank calls.

        Parameters
        ----------
        outbox : Outbox
            This rank's messages.
        counts : sequence of mapping
            How many messages every rank sends, the same on all ranks.
        """
        rank, found = self.comm.rank, {}
        for name, bucket in outbox.buckets.items():
            to_all, width = bucket.channel.to_all, bucket.channel.words
            sizes = sizes_to(counts, name, to_all, rank)
            own = counts[rank][name]
            parts = [
                bucket.part(0 if to_all else r, 0 if r == rank else own[0 if to_all else r])
                for r in range(self.comm.size)
            ]
            words = self._move(bucket, parts, [size * width for size in sizes])
            found[name] = Letters(sum(sizes), words)
        return Inbox(found)

    @abstractmethod
    def _move(self, bucket: Bucket, parts: Sequence[Any], sizes: Sequence[int]) -> Any:
        """Send ``parts[r]`` to each rank; return the words that come, ``sizes[r]`` from each."""


class HostExchange(Exchange):
    """Through the control plane: for host devices, and where cards have no faster way."""

    def _move(self, bucket: Bucket, parts: Sequence[Any], sizes: Sequence[int]) -> Any:
        sent = [np.ascontiguousarray(self.device.to_host(part)) for part in parts]
        came = np.concatenate(self.comm.alltoallv(sent, sizes))
        return self.device.asarray(came if len(came) else np.zeros(1, np.uint32))
