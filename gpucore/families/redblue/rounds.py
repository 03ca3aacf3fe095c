"""The rounds of red/blue matching: the paper's, and tuned ones.

Kernels: ``families/redblue/kernels/redblue.cu``, ``families/redblue/kernels/redblue_fast.cu``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.errors import ParameterError
from gpucore.families.redblue.colours import SELECTS, round_numbers
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.matching.outcome import Adjacency
    from gpucore.record import Recorder

THREADS = 256
#: Classes of degrees.
CLASSES = constant("redblue_fast.cuh", "CLASSES")
#: Threads of a block in the cooperative launch, by level of the record: its registers limit them.
FAST_THREADS = {"cuda": (1024, 1024, 768), "host": (128, 128, 128)}
#: Vertices of a graph up to which a GPU's blocks have at most this many: they meet in less time.
SMALL, SMALL_THREADS = 300_000, 512
HOST_BLOCKS = 4
#: Live vertices that are left to one block, for each of its threads.
FEW = {"cuda": 1.0, "host": 0.1}
#: Rounds of one launch; most runs need fewer.
ROUNDS_A_LAUNCH = constant("redblue_fast.cu", "ROUNDS")
#: Where the numbers of a launch's rounds begin in its words, and what it reports of them.
NUMBERS = constant("redblue_fast.cu", "NUMBERS")
REPORT = NUMBERS + ROUNDS_A_LAUNCH + 1
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

    def add_rounds(self, rounds: list[list[int]]) -> int:
        """Append rounds to the log; return how many vertices live after them.

        Parameters
        ----------
        rounds : list of list of int
            Live vertices before each round, matched and dead ones in it; at least one round.
        """
        self.rounds += [{"live": live, "matched": m, "dead": d} for live, m, d in rounds]
        last = self.rounds[: self.params.max_rounds][-1]
        left = last["live"] - last["matched"] - last["dead"]
        self.device.report(f"round {len(self.rounds)}: {counted(left, 'vertex')} live")
        if left and len(self.rounds) >= self.params.max_rounds:
            raise ParameterError(
                f"{counted(left, 'vertex')} still live after "
                f"{counted(self.params.max_rounds, 'round')} with p={self.params.p:g}; "
                "take a p nearer to one half, or raise max_rounds"
            )
        return left


def paper_rounds(run: Run) -> Callable[[], None]:
    """Return a match by algorithm 3: a thread for each vertex, four launches a round."""
    device, xp, n = run.device, run.device.xp, run.adjacency.n
    state = xp.zeros(n, dtype=xp.uint8)
    sigma = xp.empty(n, dtype=xp.int32)
    counts = xp.zeros(2, dtype=xp.int32)
    grid = -(-n // THREADS)
    recorder = run.recorder.args()

    def launch(name: str, args: list[Any], sub_step: int) -> None:
        step = 4 * len(run.rounds) + sub_step
        run.recorder.kernel("redblue", name)(grid, THREADS, [n, *args, step, *recorder])

    def match() -> None:
        run.mate.fill(-1)
        live, numbers = n, run.numbers
        while live:
            r = next(numbers)
            counts.fill(0)
            search = [*run.adjacency.arrays, state, sigma, run.select, r]
            launch("redblue_colour", [state, r, *run.colouring], COLOURING)
            launch("redblue_propose", search, PROPOSING)
            launch("redblue_respond", search, RESPONDING)
            launch("redblue_match", [state, sigma, run.mate, counts], MATCHING)
            matched, dead = (int(count) for count in device.to_host(counts))
            live = run.add_rounds([[live, matched, dead]])

    return match


def fast_rounds(run: Run) -> Callable[[], None]:
    """Return a match by lists of live vertices: many rounds a launch, the first one prepared."""
    device, xp, n = run.device, run.device.xp, run.adjacency.n
    threads = FAST_THREADS[device.name][run.recorder.macro]
    if n <= SMALL:
        threads = min(threads, SMALL_THREADS)
    blocks = device.multiprocessors if device.name == "cuda" else HOST_BLOCKS
    grid, few = min(blocks, blocks_for(n, threads // 8)), int(FEW[device.name] * threads)
    scratch = [
        xp.empty(n, dtype=xp.uint8),
        xp.empty(n, dtype=xp.int32),
        run.mate,
        xp.empty(2 * CLASSES * n, dtype=xp.int32),
    ]
    # One copy to the device: counts, the barrier, the numbers of rounds, the report of rounds.
    words = np.zeros(REPORT + 3 * (ROUNDS_A_LAUNCH + 1), np.int32)
    words[NUMBERS:REPORT] = _numbers(run.params.seed, 0)
    kept = device.asarray_at_rest(words)
    kernel = run.recorder.kernel("redblue_fast", "redblue_fast")

    def prepared() -> Callable[[], None]:
        first = len(run.rounds)
        rounds = [few, first, first + ROUNDS_A_LAUNCH, run.select, *run.colouring]
        args = [n, *run.adjacency.arrays, *scratch, kept, *rounds, *run.recorder.args()]
        return kernel.prepare(grid, threads, args, cooperative=True)

    launch = prepared()

    def match() -> None:
        nonlocal launch
        while True:
            launch()
            report = device.to_host(kept[REPORT:]).reshape(-1, 3)
            ended = np.flatnonzero(report[:, 0] == 0)
            if not run.add_rounds(report[: ended[0] if len(ended) else ROUNDS_A_LAUNCH].tolist()):
                return
            kept[NUMBERS:REPORT] = device.asarray(_numbers(run.params.seed, len(run.rounds)))
            launch = prepared()

    return match


@lru_cache(maxsize=64)
def _numbers(seed: int, first: int) -> np.ndarray:
    """Return the numbers of a launch's rounds from `first` on, and of the one after them: int32."""
    return round_numbers(seed, first + ROUNDS_A_LAUNCH + 1)[first:].view(np.int32)


#: What prepares the match of a variant.
ROUNDS: dict[str, Callable[[Run], Callable[[], None]]] = {
    "fast": fast_rounds,
    "paper": paper_rounds,
}
