"""What a rank does in a round where ranks address each other's memory: the frame of two families.

Suitor and b-Suitor differ in their state and their kernels. Alike are the launches. At first each
rank collects its own proposals for all vertices. The best for vertices of another rank (ghosts) are
packed, and their owner reads them; where there are few ghosts they are delivered one by one,
unless the owner has better ones. Then a rank follows the chains of all who lost. If there are few
ghosts, it collects and delivers what leads to other ranks, twice. From then on it sweeps over the
marks that arrive from other ranks. The launches meet on the devices; the host waits for the end of
a round, which is mostly that of the run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.matching.hubs import Hubs
from gpucore.families.matching.suitor import WARP_VERTICES
from gpucore.ranks import Channel, Inbox, Outbox, Work, World
from gpucore.ranks.marks import GHOSTS_OF_WARP, SWEEP_LIST, SWEEPS, SWEPT, Arrivals, Tally
from gpucore.ranks.meeting import Meetings

if TYPE_CHECKING:
    from gpucore.families.matching.ranks_outcome import PartOnDevice
    from gpucore.ranks.comm import Comm
    from gpucore.record import Recorder

#: Threads of a block that looks after ghosts; vertices of a parcel.
GHOST_THREADS, PARCEL = 256, constant("parcels.cuh", "PARCEL")


#: Chains of a graph with few ghosts are followed so often with proposals that wait to be delivered:
#: that costs a delivery each, and saves rounds. Elsewhere a delivery to all ghosts costs more than
#: the proposals over the link that it saves.
COLLECTS = 2

#: Most ghosts of all ranks that are few, as a share of all vertices.
FEW_GHOSTS = 0.1


class PeersProgram(ABC):
    """Transport "peers" of one family.

    Launches are checked once, before the clock runs; those of a recorded run have the number of
    their round, and are checked in it.

    Attributes
    ----------
    source : str
        File of the kernels "first", "pack", "merge", "deliver", "collect", "rest" and "sweep", and
        of their names the beginning.
    bytes : (int, int)
        Bytes of a proposal and of a mark.
    """

    channels: Sequence[Channel] = ()
    source: str
    bytes: tuple[int, int]

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder,
                 words: int = 1, **constants: int) -> None:  # fmt: skip
        self.part, self.world, self.recorder, self.threads = part, world, recorder, threads
        self.constants = constants
        self.arrivals = Arrivals(world, part.n, recorder.level != "off")
        self.ghosts = ghost_range(part)
        self.alone = world.comm.size == 1
        few = has_few_ghosts(part, self.ghosts, world.comm)
        free = not (self.alone or self.arrivals.in_rounds)
        self.collects = COLLECTS if few and free else 0
        self.packs = free and not few
        launches = 1 + self.collects + SWEEPS
        self.hubs = Hubs(world.device.xp, len(part.arrays[1]), words, launches)
        self.tally = Tally(world.device)
        self.meetings = Meetings(world, self.tally.missed)
        if self.packs:
            self.masks = self._masks()

    def start(self) -> None:
        """Clear the state, and check and compile what will be launched; every rank calls.

        After a run it may be called for another one.
        """
        self.hubs.counters.fill(0)
        self.clear()
        rounds = 0 if self.arrivals.in_rounds else 2
        self.plans = [self._plan(number) for number in range(rounds)]
        self.world.device.synchronize()
        self.world.comm.barrier()  # before any rank writes into the memory of another

    @abstractmethod
    def clear(self) -> None:
        """Clear the state and list the hubs."""

    @abstractmethod
    def state(self) -> list[Any]:
        """Return the kernels' arguments between those of the graph and the hubs."""

    @abstractmethod
    def table(self) -> Any:
        """Return the addresses of the words into which ranks propose."""

    @abstractmethod
    def collected(self) -> list[Any]:
        """Return what "deliver" and "merge" take: proposals, their weights, and own losers."""

    @abstractmethod
    def packed(self) -> list[Any]:
        """Return what "pack" takes: the proposals."""

    @abstractmethod
    def summarised(self) -> tuple[Callable[[], None], Any]:
        """Return the launch that sums up the own words, and the addresses of all ranks' sums."""

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Make all proposals in round 0; later follow the chains of those who lost."""
        made = self.plans
        for launch in made[min(round_number, len(made) - 1)] if made else self._plan(round_number):
            launch()
        more = round_number == 0 and self.arrivals.in_rounds
        return self.tally.work(
            *self.bytes, more=int(more and self.part.n > 0), streamed=self._streamed(round_number)
        )

    def _streamed(self, round_number: int) -> int:
        """Return the bytes of weights that go over the links together in a round."""
        if round_number != int(self.arrivals.in_rounds) or self.alone:
            return 0
        if self.packs:
            return 4 * self.part.n * (self.world.comm.size - 1)
        first, last = self.ghosts
        return 4 * (last - first - self.part.n) * (1 + self.collects)

    def _plan(self, round_number: int) -> list[Callable[[], None]]:
        """Return the launches of a round, for other ranks' kernels too."""
        if self.arrivals.in_rounds:
            if round_number > 1:
                return self._sweeps(round_number, 1)
            return self._chains() if round_number else self._first()
        sweeps = self._sweeps(max(1, round_number), SWEEPS)
        if round_number:
            return sweeps
        return [*self._first(), *self._chains(), *sweeps]

    def _meeting(self) -> list[Callable[[], None]]:
        return [] if self.alone else [self.meetings.soon]

    def _first(self) -> list[Callable[[], None]]:
        if not self.part.n:
            return []
        blocks = self.hubs.blocks + -(-self.part.n // self.threads)
        first = self.prepare("first", blocks, self._args(0), 33 * 8 + self.threads)
        return [first] if self.packs else [first, self.summarised()[0]]

    def _chains(self) -> list[Callable[[], None]]:
        """Return the launches that follow the chains of all who lost in the first round.

        Proposals may be collected and delivered, at the end they are made at once.
        """
        if self.packs:
            surely = self.meetings.surely
            return [*self._pack(), surely, *self._merge(), surely, *self._follow("rest", 0)]
        launches = [*self._meeting(), *self._deliver(first_time=1), *self._meeting()]
        if self.part.n and not self.alone:
            launches.append(self.summarised()[0])  # with what others delivered
        for i in range(self.collects):
            launches += [*self._follow("collect", i), *self._deliver(0), *self._meeting()]
        return [*launches, *self._follow("rest", self.collects)]

    def _follow(self, name: str, earlier: int) -> list[Callable[[], None]]:
        """Return the launch of a kernel that follows chains after so many others that did."""
        if not self.part.n:
            return []
        blocks = self.hubs.blocks + -(-self.part.n // (WARP_VERTICES * self.threads // 32))
        args = [*self._args(1), int(earlier == 0), self.hubs.taken(earlier)]
        return [self.prepare(name, blocks, args, self._shared(WARP_VERTICES))]

    def _masks(self) -> tuple[Any, Any]:
        """Return words for the bits of packed vertices, and the addresses of all ranks' words."""
        memory = self.world.memory
        assert memory is not None
        masks, masks_of = memory.empty(
            PARCEL // 32 * (self.part.total // PARCEL + self.world.comm.size + 1), np.uint32
        )
        return masks, masks_of

    def _pack(self) -> list[Callable[[], None]]:
        """Return the launch that packs what was collected for other ranks."""
        sizes = np.delete(np.diff(self.part.bounds), self.world.comm.rank)
        parcels = int((-(-sizes // PARCEL)).sum())
        if not parcels:
            return []
        kernel = self.recorder.kernel(self.source, f"{self.source}_pack", **self.constants)
        args = [*self.packed(), self.masks[0], *self._all_ranks()]
        return [kernel.prepare(-(-parcels * 32 // GHOST_THREADS), GHOST_THREADS, args)]

    def _merge(self) -> list[Callable[[], None]]:
        """Return the launch that takes what others have packed, and shows all what is known."""
        n = self.part.n
        if not n:
            return []
        kernel = self.recorder.kernel(self.source, f"{self.source}_merge", **self.constants)
        marks = self.arrivals.tables[self.arrivals.then(1)]
        args = [n, self.part.lo, *self.collected(), *self._all_ranks(), self.table(), self.masks[1],
                self.summarised()[1], marks, self.tally.words]  # fmt: skip
        warps = -(-n // PARCEL)
        return [kernel.prepare(-(-warps * 32 // GHOST_THREADS), GHOST_THREADS, args)]

    def _all_ranks(self) -> list[Any]:
        return [self.part.bounds_array, self.world.comm.size, self.world.comm.rank]

    def _deliver(self, first_time: int) -> list[Callable[[], None]]:
        """Return the launch that copies from owners and delivers, if there are ghosts."""
        part, (first, last) = self.part, self.ghosts
        ghosts = last - first - part.n
        if not ghosts:
            return []
        kernel = self.recorder.kernel(self.source, f"{self.source}_deliver", **self.constants)
        warps = GHOST_THREADS // 32
        blocks = -(-ghosts // (GHOSTS_OF_WARP * warps))
        marks = self.arrivals.tables[self.arrivals.then(1)]
        args = [part.n, part.lo, first, last, *self.collected(), *self._ranks(self.table()), marks,
                self.tally.words, self.summarised()[1], first_time]  # fmt: skip
        shared = 4 * GHOSTS_OF_WARP * warps
        return [kernel.prepare(blocks, GHOST_THREADS, args, shared_mem=shared)]

    def _sweeps(self, round_number: int, number: int) -> list[Callable[[], None]]:
        """Return so many sweeps, since each may lead to marks elsewhere.

        Ranks meet before each, so that it finds all marks of the launch before. A recorded run
        sweeps once, from round 2 on, over the marks of the round before.
        """
        meets = [] if self.arrivals.in_rounds else self._meeting()
        if self.alone or not self.part.n:
            return meets * number
        first = 1 + self.collects
        taken = self.hubs.taken(first)
        blocks = self.hubs.blocks + -(-self.part.n // (SWEPT * self.threads // 32))
        args = self._args(round_number)
        launches = [lambda: taken.fill(0)] * (self.hubs.blocks > 0)
        for i in range(number):
            each = [*args, round_number, self.hubs.taken(first + i)]
            sweep = self.prepare("sweep", blocks, each, self._shared(SWEEP_LIST))
            launches += [*meets, sweep]
        return launches

    def _shared(self, listed: int) -> int:
        """Return the bytes of a block after the first round, whose warps list so many vertices."""
        return 33 * 8 + (32 + 4 * listed) * (self.threads // 32)

    def _ranks(self, table: Any) -> list[Any]:
        return [self.part.bounds_array, self.world.comm.size, table]

    def _args(self, round_number: int) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part, arrivals = self.part, self.arrivals
        return [part.n, part.lo, *part.arrays, *self.state(), *self.hubs.args, self.hubs.blocks,
                *self._ranks(self.table()), arrivals.tables[arrivals.then(round_number)],
                self.tally.words, arrivals.marks[arrivals.now(round_number)]]  # fmt: skip

    def prepare(
        self, name: str, blocks: int, args: Sequence[Any], shared_mem: int
    ) -> Callable[[], None]:
        """Return a launch of a recorded kernel."""
        kernel = self.recorder.kernel(self.source, f"{self.source}_{name}", **self.constants)
        args = [*args, *self.recorder.args()]
        return kernel.prepare(blocks, self.threads, args, shared_mem=shared_mem)


def ghost_range(part: PartOnDevice) -> tuple[int, int]:
    """Return the smallest range of vertices that holds a rank's own ones and their neighbours."""
    indices, hi = part.arrays[1], part.lo + part.n
    if not len(indices):
        return part.lo, hi
    return min(part.lo, int(indices.min())), max(hi, int(indices.max()) + 1)


def has_few_ghosts(part: PartOnDevice, ghosts: tuple[int, int], comm: Comm) -> bool:
    """Return whether few vertices of all ranks' ranges are of another rank; every rank calls."""
    first, last = ghosts
    return comm.allreduce(last - first - part.n) <= FEW_GHOSTS * part.total
