"""Messages between ranks: buckets on the device that kernels fill, and what arrived.

A channel carries messages of a fixed number of 32-bit words. Kernels put them into the bucket of
the rank that they are for (``kernels/ranks.cuh``); a transport moves whole buckets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device


@dataclass(frozen=True)
class Channel:
    """A kind of messages.

    Attributes
    ----------
    name : str
        Name, by which a program finds its buckets and what arrived.
    words : int
        32-bit words of a message.
    capacity : sequence of int, one a rank
        Largest number of messages to each rank in one round; ignored for the own rank. For a
        channel to everyone, one number.
    to_all : bool
        Whether every message goes to all other ranks; there is one bucket then.
    """

    name: str
    words: int
    capacity: Sequence[int]
    to_all: bool = False


class Bucket:
    """The outgoing messages of one channel.

    Attributes
    ----------
    channel : Channel
        What it is for.
    args : tuple
        Three arguments of a kernel, which are its ``struct Mail``: words, starts, counts.
    """

    def __init__(self, device: Device, channel: Channel, own: int) -> None:
        sizes = [
            0 if r == own and not channel.to_all else c for r, c in enumerate(channel.capacity)
        ]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.channel = channel
        self.starts = starts
        self.words = device.xp.empty(max(1, int(starts[-1])) * channel.words, dtype=np.uint32)
        self.counts = device.xp.zeros(len(sizes), dtype=np.int32)
        self.args = (self.words, device.asarray(starts), self.counts)

    def part(self, place: int, count: int) -> Any:
        """Return the words of the first `count` messages of a bucket."""
        width, begin = self.channel.words, int(self.starts[place])
        return self.words[begin * width : (begin + count) * width]


class Outbox:
    """The outgoing messages of a rank, a bucket a channel."""

    def __init__(self, device: Device, channels: Sequence[Channel], rank: int) -> None:
        self.device = device
        self.buckets = {c.name: Bucket(device, c, rank) for c in channels}

    def args(self, channel: str) -> tuple[Any, ...]:
        """Return a kernel's three arguments for a channel."""
        return self.buckets[channel].args

    def counts(self) -> dict[str, list[int]]:
        """Return how many messages wait, by channel and rank, and set the counters to 0."""
        found = {}
        for name, bucket in self.buckets.items():
            found[name] = self.device.to_host(bucket.counts).tolist()
            bucket.counts.fill(0)
        return found

    @staticmethod
    def nbytes(channels: Sequence[Channel]) -> int:
        """Return the bytes that the buckets of channels take at most."""
        return sum(4 * c.words * sum(c.capacity) for c in channels)


@dataclass(frozen=True)
class Letters:
    """Messages of one channel that arrived.

    Attributes
    ----------
    count : int
        Number of messages.
    words : array of uint32
        Their words, message after message, on the device; at least one word long.
    """

    count: int
    words: Any


class Inbox:
    """What arrived in a round, by channel; those of one rank stay together, ranks ascend."""

    def __init__(self, letters: Mapping[str, Letters]) -> None:
        self._letters = letters

    def __getitem__(self, channel: str) -> Letters:
        return self._letters[channel]

    @classmethod
    def empty(cls, device: Device, channels: Sequence[Channel]) -> Inbox:
        """Return an inbox without messages."""
        nothing = device.xp.zeros(1, dtype=np.uint32)
        return cls({c.name: Letters(0, nothing) for c in channels})
