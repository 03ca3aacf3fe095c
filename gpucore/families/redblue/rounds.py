"""The rounds of red/blue matching: the paper's, and tuned ones.

Kernels: ``families/redblue/kernels/redblue.cu``, ``families/redblue/kernels/redblue_fast.cu``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.errors import ParameterError
from gpucore.families.redblue.colours import SELECTS, round_numbers

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.matching.outcome import Adjacency
    from gpucore.record import Recorder

THREADS = 256
#: Classes of degrees.
CLASSES = constant("redblue_fast.cuh", "CLASSES")
#: Threads of a block in the cooperative launch, by level of the record: its registers limit them.
FAST_THREADS = {"cuda": (1024, 1024, 768), "host": (128, 128, 128)}
HOST_BLOCKS = 4
#: Words that count the live vertices of a round: blue and red of each class, matched, dead.
COUNTS = 3 * (2 * CLASSES + 2)
#: Rounds of one launch; most runs need fewer.
ROUNDS_A_LAUNCH = 64
#: Sub-steps of a round.
COLOURING, PROPOSING, RESPONDING, MATCHING = range(4)


@dataclass
class Run:
    """State of one run: the device, the problem, the mates, and the log of rounds.

    Attributes
    ----------
    device, recorder, params, adjacency
        The device, the recorder, the algorithm's parameters, the problem.
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

    @property
    def numbers(self) -> Iterator[int]:
        """The random number of each round (r of algorithm 4), the same on every device."""
        rng = np.random.default_rng(self.params.seed)
        while True:
            yield int(rng.integers(0, 1 << 32, dtype=np.uint32)) | 1

    @property
    def select(self) -> int:
        """The kernels' number of the selection."""
        return SELECTS.index(self.params.select)

    @property
    def colouring(self) -> list[int]:
        """Arguments of a colouring after its random number: threshold, whether it is Philox."""
        return [int(self.params.p * (1 << 32)), int(self.params.generator == "philox")]

    def add_round(self, live: int, matched: int, dead: int) -> int:
        """Append a round to the log, and return how many vertices live after it."""
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

    def launch(name: str, args: list[Any], sub_step: int) -> None:
        step = 4 * len(run.rounds) + sub_step
        run.recorder.kernel("redblue", name)(grid, THREADS, [n, *args, step, *recorder])

    live = n
    for r in run.numbers:
        counts.fill(0)
        search = [*run.adjacency.arrays, state, sigma, run.select, r]
        launch("redblue_colour", [state, r, *run.colouring], COLOURING)
        launch("redblue_propose", search, PROPOSING)
        launch("redblue_respond", search, RESPONDING)
        launch("redblue_match", [state, sigma, run.mate, counts], MATCHING)
        matched, dead = (int(count) for count in device.to_host(counts))
        live = run.add_round(live, matched, dead)
        if live == 0:
            return


def fast_rounds(run: Run) -> None:
    """Match by lists of live vertices: many rounds a launch."""
    device, xp, n = run.device, run.device.xp, run.adjacency.n
    threads = FAST_THREADS[device.name][run.recorder.macro]
    blocks = device.multiprocessors if device.name == "cuda" else HOST_BLOCKS
    grid = min(blocks, blocks_for(n, threads // 8))
    scratch = [
        xp.empty(n, dtype=xp.uint8),
        xp.empty(n, dtype=xp.int32),
        run.mate,
        xp.empty(2 * CLASSES * n, dtype=xp.int32),
    ]
    # One copy to the device: numbers of the rounds, counts, the barrier, what is told of rounds.
    ends = np.cumsum([ROUNDS_A_LAUNCH + 1, COUNTS, 2])
    words = np.zeros(int(ends[-1]) + 3 * (ROUNDS_A_LAUNCH + 1), np.uint32)
    words[: ends[0]] = _numbers(run)
    kept = device.asarray(words)
    numbers, barrier = kept[: ends[0]], kept[ends[1] : ends[2]]
    counts, told = kept[ends[0] : ends[1]].view(xp.int32), kept[ends[2] :].view(xp.int32)
    kernel = run.recorder.kernel("redblue_fast", "redblue_fast")
    live = n
    while True:
        first = len(run.rounds)
        rounds = [numbers, first, first + ROUNDS_A_LAUNCH, run.select, *run.colouring]
        args = [n, *run.adjacency.arrays, *scratch, counts, *rounds, told, barrier]
        kernel(grid, threads, [*args, *run.recorder.args()], cooperative=True)
        for alive, matched, dead in device.to_host(told).reshape(-1, 3)[:-1].tolist():
            if live:
                live = run.add_round(alive, matched, dead)
        if not live:
            return
        numbers[:] = device.asarray(_numbers(run))


def _numbers(run: Run) -> np.ndarray:
    """Return the numbers of the rounds of the next launch, and that of the round after it."""
    first = len(run.rounds)
    return round_numbers(run.params.seed, first + ROUNDS_A_LAUNCH + 1)[first:]


#: By variant.
ROUNDS: dict[str, Callable[[Run], None]] = {"fast": fast_rounds, "paper": paper_rounds}
