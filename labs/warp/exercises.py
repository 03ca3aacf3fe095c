"""Exercises on warps: lanes, loops, sectors, a counter.

The right answers are not written down here: they are read from the run that the reader just made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.kernels import Run, run


@exercise("warp/warps")
def warps(guess: Any, made: Run) -> Verdict:
    """Answer: how many warps the launch has."""
    truth = made.grid * -(-made.block // 32)
    because = (
        f"A block is cut into warps of 32: {made.block} threads fill {made.block // 32} and leave "
        f"{made.block % 32} over. The rest gets a warp of its own, whose other lanes stay empty."
    )
    return judge(guess, truth, because, known={made.block: "That is the number of threads."})


@exercise("warp/loop-steps")
def loop_steps(guess: Any, made: Run, mark: str = "BODY") -> Verdict:
    """Answer: how many iterations of the loop the warp runs."""
    walks = made.at(mark, "load")
    lanes = sum(request.lanes for request in walks)
    because = (
        f"The warp has one place in the code: it stays in the loop until its last lane is done. "
        f"Of {32 * len(walks)} lane-turns {lanes} were work, "
        f"{1 - lanes / max(1, 32 * len(walks)):.0%} were waiting."
    )
    known = {
        lanes: "That counts the lanes' own turns; but a warp does 32 of them at once.",
        lanes // 32: "That is the mean; the slowest lane decides, not the mean.",
        1: "Lanes cannot leave a loop one by one and go on: the warp is still in it.",
    }
    return judge(guess, len(walks), because, known=known)


@exercise("warp/sectors")
def sectors(guess: Any, made: Run, mark: str = "LOAD") -> Verdict:
    """Answer: how many 32-byte sectors one load of the warp touches."""
    request = made.at(mark, "load")[0]
    truth = len(request.sectors)
    wanted = request.lanes * request.size
    because = (
        f"The warp wants {wanted} bytes. Memory comes in sectors of 32, and {truth} of them hold "
        f"at least one byte it wants: {32 * truth} bytes travel. "
        f"Side by side, {request.ideal_sectors} would be enough."
    )
    known = {
        32: "Lanes that want bytes of the same sector share one trip.",
        1: "One instruction, but a sector holds only 32 bytes.",
        request.ideal_sectors: "That would do if the bytes lay side by side; here they do not.",
    }
    return judge(guess, truth, because, known=known)


@exercise("warp/counter")
def counter(source: str, *, seeds: int = 6) -> Verdict:
    """Check that a kernel counts its 64 threads under every order of the lanes."""
    totals, races = [], 0
    for seed in range(seeds):
        total = np.zeros(1, np.int32)
        made = run(source, total, block=64, policy="random", seed=seed, yield_access=1.0)
        totals.append(int(total[0]))
        races += len(made.profile.races)
    tally = f"Under {seeds} schedules 64 threads counted " + ", ".join(map(str, totals)) + "."
    right = all(total == 64 for total in totals)
    if right and not races:
        return Verdict(True, f"{tally} {_WHY_ONE_STEP}")
    if right:
        return Verdict(
            False,
            f"{tally} Right by luck: two threads still reach the same memory with nothing to "
            "order them. Use atomicAdd(total, 1).",
        )
    if not races:
        return Verdict(
            False,
            f"{tally} No addition was lost: no two threads race. But not every thread adds one. "
            "Each of the 64 has to add 1, whatever its number.",
        )
    return Verdict(
        False,
        f"{tally} Between a thread's read and its write another one can read the same old value; "
        "then one of the two additions is lost. Reading, adding and writing must be one step: "
        "atomicAdd(total, 1).",
    )


_WHY_ONE_STEP = (
    "No two threads race. An atomic reads, adds and writes in one step; no other thread interferes."
)
