"""The engine: rounds of work and exchange, until nothing is under way on any rank.

Source: bulk-synchronous rounds (Valiant, "A bridging model for parallel computation", CACM 1990);
every rank works to its local fixpoint before it waits for the others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol

from gpucore.errors import KernelError
from gpucore.progress import check
from gpucore.ranks.mail import Channel, Inbox, Outbox

if TYPE_CHECKING:
    from gpucore.ranks.comm import Comm
    from gpucore.ranks.world import World


#: Rounds without any progress after which a run ends with an error.
MOST_IDLE = 20


@dataclass(frozen=True)
class Work:
    """What a rank reports after a step.

    Attributes
    ----------
    pending : int
        Number of things under way besides messages in buckets: vertices that wait in a queue, of
        this rank or (if this rank put them there) of another. It may be the difference of those put
        there and those taken, below 0 on one rank. The run goes on while the sum over ranks,
        messages included, is not 0.
    remote, remote_bytes : int
        Operations on the memory of other ranks in the step, and their bytes.
    """

    pending: int = 0
    remote: int = 0
    remote_bytes: int = 0


class Program(Protocol):
    """What one rank does; a family writes it. See :mod:`gpucore.ranks`.

    Attributes
    ----------
    channels : sequence of Channel
        Its messages; empty where it works in the memory of other ranks.
    """

    channels: Sequence[Channel]

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Take what arrived, work to the local fixpoint, and fill the buckets.

        All kernels of the step are launched when it returns.
        """
        ...


@dataclass
class Rounds:
    """Table of a run on ranks: one row a round, one column a rank.

    Attributes
    ----------
    bytes, messages : list of list of int
        What each rank sent to others in each round.
    seconds : list of (float, float, float)
        Seconds of this rank in each round: its own work, waiting for the slowest rank, moving data.
    compute, wait, communication : list of list of float
        The same of each rank, once they are collected.
    marks : list of int
        Number of this rank's events at the end of each round, if they are recorded.
    """

    bytes: list[list[int]] = field(default_factory=list)
    messages: list[list[int]] = field(default_factory=list)
    seconds: list[tuple[float, float, float]] = field(default_factory=list)
    compute: list[list[float]] = field(default_factory=list)
    wait: list[list[float]] = field(default_factory=list)
    communication: list[list[float]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.bytes)

    def collect_seconds(self, comm: Comm) -> None:
        """Collect the seconds of all ranks; every rank calls, when no clock runs any more."""
        of_ranks = comm.allgather(self.seconds)
        self.compute, self.wait, self.communication = (
            [[own[i][kind] for own in of_ranks] for i in range(len(self))] for kind in range(3)
        )

    def total(self, name: str) -> Any:
        """Return the sum of a column over all rounds and ranks."""
        return sum(sum(row) for row in getattr(self, name))

    def as_dict(self) -> dict[str, Any]:
        """Return the columns of the table, JSON-able."""
        names = ("bytes", "messages", "compute", "wait", "communication")
        return {name: getattr(self, name) for name in names}


def run_rounds(world: World, program: Program) -> Rounds:
    """Run a program to the end on all ranks; every rank calls, each with its own program.

    Returns
    -------
    Rounds
        The same on all ranks, but for the seconds and the marks.

    Raises
    ------
    KernelError
        Something is pending, but no rank does anything, or less than nothing is pending; all ranks
        raise it.
    """
    comm, device, channels = world.comm, world.device, program.channels
    outbox = Outbox(device, channels, comm.rank)
    inbox = Inbox.empty(device, channels)
    table = Rounds()
    seconds = table.seconds
    idle = Idle()
    while True:
        check(device._cancel)
        begin = time.perf_counter()
        work = program.step(len(seconds), inbox, outbox)
        waiting = outbox.counts()
        device.synchronize()
        if world.events_so_far is not None:
            table.marks.append(world.events_so_far())
        worked = time.perf_counter()
        reports = exchanged(comm, work, waiting)
        met = time.perf_counter()
        _count(table, reports, channels)
        if not under_way(reports):
            seconds.append((worked - begin, met - worked, 0.0))
            break
        idle.check(reports)
        inbox = world.exchange(outbox, [sent for _, sent in reports])
        device.synchronize()
        seconds.append((worked - begin, met - worked, time.perf_counter() - met))
    return table


#: What a rank reports after a step, and how many messages it sent, by channel and rank.
Report = tuple[Work, dict[str, list[int]]]


def exchanged(comm: Comm, work: Work, sent: dict[str, list[int]]) -> list[Report]:
    """Return the reports of all ranks; they travel as numbers, which is faster than objects."""
    own = [work.pending, work.remote, work.remote_bytes, *chain.from_iterable(sent.values())]
    reports = []
    for pending, remote, remote_bytes, *counts in comm.allgather_numbers(own):
        rest = iter(counts)
        named = {name: list(islice(rest, len(one))) for name, one in sent.items()}
        reports.append((Work(pending, remote, remote_bytes), named))
    return reports


def under_way(reports: Sequence[Report]) -> bool:
    """Return whether anything is pending on all ranks together, or messages that none has read."""
    pending = sum(work.pending for work, _ in reports)
    return pending != 0 or any(any(map(any, sent.values())) for _, sent in reports)


class Idle:
    """Counts rounds in which no rank does anything although something is pending."""

    def __init__(self) -> None:
        self.rounds, self.before = 0, 0

    def check(self, reports: Sequence[Report]) -> None:
        """Look at the reports of a round; they are the same on all ranks."""
        pending = sum(work.pending for work, _ in reports)
        busy = any(work.remote or any(map(any, sent.values())) for work, sent in reports)
        self.rounds = 0 if busy or pending != self.before else self.rounds + 1
        self.before = pending
        if pending < 0 or self.rounds > MOST_IDLE:
            what = "wait, but no rank goes on" if pending > 0 else "were taken, but never put there"
            error = KernelError(f"{abs(pending):,} things {what}; the ranks do not agree")
            error.names_ranks = True  # type: ignore[attr-defined]
            raise error


def _count(
    table: Rounds,
    reports: Sequence[Report],
    channels: Sequence[Channel],
) -> None:
    others = len(reports) - 1
    messages, nbytes = [], []
    for work, sent in reports:
        numbers = [sum(sent[c.name]) * (others if c.to_all else 1) for c in channels]
        messages.append(work.remote + sum(numbers))
        nbytes.append(
            work.remote_bytes
            + sum(4 * c.words * number for c, number in zip(channels, numbers, strict=True))
        )
    table.messages.append(messages)
    table.bytes.append(nbytes)
