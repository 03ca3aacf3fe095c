"""The rounds of red/blue matching: as the paper has them, and tuned.

Kernels: ``kernels/redblue.cu``, ``kernels/redblue_fast.cu``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.algorithms._matching import Adjacency
    from gpucore.device import Device
    from gpucore.device.base import Kernel
    from gpucore.record import Recorder

THREADS = 256
#: Classes of degrees, and lanes for a vertex of each (the last one: a block), as in the kernels.
CLASSES, WIDTHS = 3, (8, 32, THREADS)
#: Sub-steps of a round.
COLOURING, PROPOSING, RESPONDING, MATCHING = range(4)


@dataclass
class Run:
    """One run: where it runs, on what, and what there is to tell.

    Attributes
    ----------
    device, recorder, params, adjacency
        Where it runs, what it records, the algorithm's parameters, the problem.
    mate : array of int32, shape (n,)
        On the device, -1 for none.
    rounds : list of dict
        Live vertices before each round, matched and dead ones in it.
    """

    device: Device
    recorder: Recorder
    params: Any
    adjacency: Adjacency
    mate: Any
    rounds: list[dict[str, int]] = field(default_factory=list)

    def kernel(self, family: str, name: str) -> Kernel:
        """Return a kernel that records."""
        return self.device.kernel(family, name, record=self.recorder.macro)

    @property
    def numbers(self) -> Iterator[int]:
        """The random number of each round (r of algorithm 4), the same on every device."""
        rng = np.random.default_rng(self.params.seed)
        while True:
            yield int(rng.integers(0, 1 << 32, dtype=np.uint32)) | 1

    @property
    def colouring(self) -> list[int]:
        """Arguments of a colouring after its random number: threshold, whether it is Philox."""
        return [int(self.params.p * (1 << 32)), int(self.params.generator == "philox")]

    def tell(self, live: int, matched: int, dead: int) -> int:
        """Note a round, and return how many vertices live after it."""
        self.rounds.append({"live": live, "matched": matched, "dead": dead})
        left = live - matched - dead
        self.device.report(f"round {len(self.rounds)}: {left:,} vertices live")
        if left and len(self.rounds) >= self.params.max_rounds:
            raise ParameterError(
                f"{left:,} vertices still live after {self.params.max_rounds} rounds with "
                f"p={self.params.p:g}; take a p nearer to one half, or raise max_rounds"
            )
        return left


def paper_rounds(run: Run) -> None:
    """Match by algorithm 3: a thread for each vertex, four launches a round."""
    device, xp, n = run.device, run.device.xp, run.adjacency.n
    state = xp.zeros(n, dtype=xp.uint8)
    sigma = xp.empty(n, dtype=xp.int32)
    counts = xp.zeros(2, dtype=xp.int32)
    run.mate.fill(-1)
    grid = -(-n // THREADS)
    recorder = run.recorder.args()
    weighted = int(run.params.select == "weighted")

    def launch(name: str, args: list[Any], sub_step: int) -> None:
        step = 4 * len(run.rounds) + sub_step
        run.kernel("redblue", name)(grid, THREADS, [n, *args, step, *recorder])

    live = n
    for r in run.numbers:
        counts.fill(0)
        search = [*run.adjacency.arrays, state, sigma, weighted, r]
        launch("redblue_colour", [state, r, *run.colouring], COLOURING)
        launch("redblue_propose", search, PROPOSING)
        launch("redblue_respond", search, RESPONDING)
        launch("redblue_match", [state, sigma, run.mate, counts], MATCHING)
        matched, dead = (int(count) for count in device.to_host(counts))
        live = run.tell(live, matched, dead)
        if live == 0:
            return


class FastRounds:
    """The same rounds over lists of live vertices, by classes of degree."""

    def __init__(self, run: Run) -> None:
        self.run = run
        xp, n = run.device.xp, run.adjacency.n
        self.state = xp.empty(n, dtype=xp.uint8)
        self.sigma = xp.empty(n, dtype=xp.int32)
        self.lists = [xp.empty(CLASSES * n, dtype=xp.int32) for _ in range(2)]
        self.counts = xp.zeros(2 * CLASSES + 2, dtype=xp.int32)

    def match(self) -> None:
        """Match until no vertex lives."""
        run, n = self.run, self.run.adjacency.n
        numbers = run.numbers
        r = next(numbers)
        self.counts.fill(0)
        arrays = [self.state, self.sigma, run.mate, self.lists[0], self.counts]
        run.kernel("redblue_fast", "redblue_fast_start")(
            -(-n // THREADS),
            THREADS,
            [n, run.adjacency.arrays[0], *arrays, r, *run.colouring, 0, *run.recorder.args()],
        )
        live = n
        while live:
            counts = [int(count) for count in run.device.to_host(self.counts)]
            for sub_step in (PROPOSING, RESPONDING):
                self._search(counts, r, sub_step)
            r = next(numbers)
            self._settle(counts, r)
            matched, dead = (int(c) for c in run.device.to_host(self.counts)[2 * CLASSES :])
            live = run.tell(live, matched, dead)

    def _search(self, counts: list[int], r: int, sub_step: int) -> None:
        """Let the blue vertices propose, or the red ones respond."""
        run, n = self.run, self.run.adjacency.n
        proposing = sub_step == PROPOSING
        for k in range(CLASSES):
            count = counts[k if proposing else CLASSES + k]
            if count == 0:
                continue
            place = [k * n, 1] if proposing else [(k + 1) * n - 1, -1]
            args: list[Any] = [count, self.lists[0], *place, *run.adjacency.arrays]
            args += [self.state, self.sigma, run.mate, int(proposing)]
            args += [int(run.params.select == "weighted"), r]
            step = 4 * len(run.rounds) + sub_step
            if k == CLASSES - 1:
                name, grid = "redblue_fast_hubs", count
            else:
                name, grid = "redblue_fast_search", -(-count * WIDTHS[k] // THREADS)
                args.append(WIDTHS[k])
            run.kernel("redblue_fast", name)(grid, THREADS, [*args, step, *run.recorder.args()])

    def _settle(self, counts: list[int], r: int) -> None:
        """End the round, and make the lists of the next."""
        run, n = self.run, self.run.adjacency.n
        self.counts.fill(0)
        for k in range(CLASSES):
            blue, red = counts[k], counts[CLASSES + k]
            if blue + red == 0:
                continue
            args = [blue, red, self.lists[0], k * n, n, run.adjacency.arrays[0], self.state]
            args += [self.sigma, run.mate, self.lists[1], self.counts, r, *run.colouring]
            run.kernel("redblue_fast", "redblue_fast_settle")(
                -(-(blue + red) // THREADS),
                THREADS,
                [*args, 4 * len(run.rounds) + MATCHING, *run.recorder.args()],
            )
        self.lists.reverse()
