"""What a rank does in a round where ranks address each other's memory: the frame of two families.

Suitor and b-Suitor differ in their state and their kernels. Alike are the rounds: in round 0 each
rank collects its own proposals for all vertices, and delivers the best for each vertex of another
rank (a ghost). In round 1 it follows the chains of all who lost. From then on it sweeps over the
marks that arrive from other ranks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gpucore.families.matching.suitor import HUB_DEGREE, WARP_VERTICES, hub_blocks
from gpucore.ranks import Channel, Inbox, Outbox, Work
from gpucore.ranks.marks import SWEEPS, SWEPT, Arrivals, Tally

if TYPE_CHECKING:
    from gpucore.families.matching.ranks_outcome import PartOnDevice
    from gpucore.ranks import World
    from gpucore.record import Recorder


class PeersProgram(ABC):
    """Transport "peers" of one family.

    Launches are checked once, before the clock runs; those of a recorded run have the number of
    their round, and are checked in it.

    Attributes
    ----------
    source : str
        File of the kernels "first", "deliver", "copy", "rest" and "sweep", and of their names the
        beginning.
    bytes : (int, int)
        Bytes of a proposal and of a mark.
    """

    channels: Sequence[Channel] = ()
    source: str
    bytes: tuple[int, int]

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder,
                 **constants: int) -> None:  # fmt: skip
        self.part, self.world, self.recorder, self.threads = part, world, recorder, threads
        self.constants = constants
        xp, entries = world.device.xp, len(part.arrays[1])
        self.arrivals = Arrivals(world, part.n, recorder.level != "off")
        self.hubs = xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32)
        self.hub_blocks = hub_blocks(entries)
        # Hubs; those taken in the first round, in the second, and in each sweep.
        self.counters = xp.zeros(3 + SWEEPS, dtype=xp.int32)
        self.tally = Tally(world.device)
        self.ghosts = ghost_range(part)

    def start(self) -> None:
        """Clear the state, and check and compile what will be launched; every rank calls."""
        self.clear()
        last = 0 if self.arrivals.in_rounds else 2
        self.plans = [self._plan(number) for number in range(last + 1)] if self.part.n else []
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
        """Return what "deliver" reads: proposals for ghosts; last, where own losers are noted."""

    @abstractmethod
    def summarised(self) -> tuple[Callable[[], None], Any, Any]:
        """Return the launch that sums up the first round, and the array and addresses it fills."""

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Make all proposals in round 0; later follow the chains of those who lost."""
        if self.part.n:
            number = round_number if self.arrivals.in_rounds else min(round_number, 2)
            made = number < len(self.plans)
            for launch in self.plans[number] if made else self._plan(round_number):
                launch()
        return self.tally.work(*self.bytes, more=int(round_number == 0 and self.part.n > 0))

    def _plan(self, round_number: int) -> list[Callable[[], None]]:
        """Return the launches of a round, for other ranks' kernels too."""
        if round_number == 0:
            return self._first()
        plan = self._rest() if round_number == 1 else []
        late = round_number > 1 or not self.arrivals.in_rounds
        return plan + self._sweeps(round_number) if late and self.world.comm.size > 1 else plan

    def _first(self) -> list[Callable[[], None]]:
        blocks = self.hub_blocks + -(-self.part.n // self.threads)
        first = self.prepare("first", blocks, self._args(0), 33 * 8 + self.threads)
        table = self.arrivals.tables[self.arrivals.then(0)]
        args = [*self.collected(), *self._ranks(self.table()), table, self.tally.words]
        return [first, *self._for_ghosts("deliver", args), self.summarised()[0]]

    def _rest(self) -> list[Callable[[], None]]:
        _, array, table = self.summarised()
        proposals = self.collected()[:-1]
        copy = self._for_ghosts("copy", [*proposals, *self._ranks(table), array])
        blocks = self.hub_blocks + -(-self.part.n // (WARP_VERTICES * self.threads // 32))
        return [*copy, self.prepare("rest", blocks, self._args(1), self._shared)]

    def _sweeps(self, round_number: int) -> list[Callable[[], None]]:
        """Return several sweeps, since each may lead to marks elsewhere.

        A recorded run sweeps once, from round 2 on, over the marks of the round before.
        """
        taken = self.counters[3:]
        blocks = self.hub_blocks + -(-self.part.n // (SWEPT * self.threads // 32))
        args = self._args(round_number)
        return [lambda: taken.fill(0)] * (self.hub_blocks > 0) + [
            self.prepare("sweep", blocks, [*args, round_number, taken[number:]], self._shared)
            for number in range(1 if self.arrivals.in_rounds else SWEEPS)
        ]

    @property
    def _shared(self) -> int:
        """Bytes of shared memory of a block after the first round."""
        return 33 * 8 + (32 + 4 * WARP_VERTICES) * (self.threads // 32)

    def _ranks(self, table: Any) -> list[Any]:
        return [self.part.bounds_array, self.world.comm.size, table]

    def _args(self, round_number: int) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part, arrivals = self.part, self.arrivals
        return [part.n, part.lo, *part.arrays, *self.state(), self.hubs, self.counters,
                self.hub_blocks, *self._ranks(self.table()),
                arrivals.tables[arrivals.then(round_number)], self.tally.words,
                arrivals.marks[arrivals.now(round_number)]]  # fmt: skip

    def prepare(
        self, name: str, blocks: int, args: Sequence[Any], shared_mem: int
    ) -> Callable[[], None]:
        """Return a launch of a recorded kernel."""
        kernel = self.recorder.kernel(self.source, f"{self.source}_{name}", **self.constants)
        args = [*args, *self.recorder.args()]
        return kernel.prepare(blocks, self.threads, args, shared_mem=shared_mem)

    def _for_ghosts(self, name: str, args: Sequence[Any]) -> list[Callable[[], None]]:
        """Return the launch of a kernel with a thread for each ghost, if there are any."""
        part, (first, last) = self.part, self.ghosts
        ghosts = last - first - part.n
        if not ghosts:
            return []
        kernel = self.recorder.kernel(self.source, f"{self.source}_{name}", **self.constants)
        return [kernel.prepare(-(-ghosts // 256), 256, [part.n, part.lo, first, last, *args])]


def ghost_range(part: PartOnDevice) -> tuple[int, int]:
    """Return the smallest range of vertices that holds a rank's own ones and their neighbours."""
    indices, hi = part.arrays[1], part.lo + part.n
    if not len(indices):
        return part.lo, hi
    return min(part.lo, int(indices.min())), max(hi, int(indices.max()) + 1)
