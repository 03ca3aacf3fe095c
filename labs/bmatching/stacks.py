"""The exercise in which the reader writes the kernel that puts an offer into a stack."""

from __future__ import annotations

import numpy as np

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.kernels import run

#: Slots of the stack, and threads that make an offer: two warps.
SLOTS, THREADS = 3, 64


@exercise("bmatching/stacks-kernel")
def kernel(source: str, *, schedules: int = 5) -> Verdict:
    """Let 64 threads put their offers into one stack, under several schedules.

    Parameters
    ----------
    source : str
        A kernel that takes ``offers`` (an int for each thread, all different, above 0) and
        ``words`` (3 ints, zero at first). Afterwards the words are the three best offers, the best
        one first.
    schedules : int
        Schedules to try, with other offers each.
    """
    races = 0
    for seed in range(schedules):
        offers = (1 + np.random.default_rng(seed).permutation(THREADS)).astype(np.int32)
        words = np.zeros(SLOTS, np.int32)
        made = run(
            source, offers, words, block=THREADS, policy="random", seed=seed, yield_access=1.0
        )
        best = sorted(offers.tolist(), reverse=True)[:SLOTS]
        if words.tolist() != best:
            return Verdict(
                False,
                f"Under schedule {seed + 1} the stack ends as {words.tolist()}, and the best "
                f"offers are {best}. Between a thread's look at a word and its write, another "
                "thread wrote. Look and write in one step, with "
                "before = atomicMax(words + i, mine); what was there before goes on to the next "
                "word.",
            )
        races += len(made.profile.races)
    if races:
        return Verdict(
            False,
            f"Under {schedules} schedules the stack is right, but by luck: there were {races} data "
            "races. Use atomicMax for every look at a word.",
        )
    return Verdict(
        True,
        f"Under {schedules} schedules the {SLOTS} best offers, and no race. A word only grows, and "
        "what it loses goes on to the next: so word i ends as offer number i + 1, whatever the "
        "order. Our kernels do the same with 64 bits, weight and proposer.",
    )
