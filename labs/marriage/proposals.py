"""Exercises on stable marriage in which the reader writes a rule, a kernel or an instance.

A woman's answer in Python, the same on a warp in CUDA, and an instance with one stable marriage.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
algorithm 1 and section 4; the kernel is the heart of
``gpucore/families/marriage/kernels/marriage_fast.cu``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpucore.errors import WarplensError
from gpucore.families.marriage.certificate import blocking_pairs
from gpucore.problems.preferences.preferences import Preferences

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.kernels import run
from .runs import all_stable, loaded, marry

#: A reader's rule: whom a woman holds (or None), who comes, and her list, the best first; returns
#: whom she keeps.
Answer = Callable[[int | None, int, list[int]], Any]

#: The word of a free woman in the kernel.
FREE = 0x7FFFFFFF
#: Couples of the kernel's instances: two warps.
COUPLES = 64


@exercise("marriage/proposals-answer")
def answer(rule: Answer, *, instances: int = 20) -> Verdict:
    """Let men propose on small instances and women answer by a reader's rule; check the result.

    Parameters
    ----------
    rule : callable
        Takes whom she holds, who comes, and her list; returns which of the two she keeps.
    instances : int
        Random instances to try; the verdict names the first that has a blocking pair.
    """
    for seed in range(instances):
        n = 3 + seed // 5
        preferences = loaded(f"classic:n={n},seed={seed}")
        try:
            wives = play(preferences, rule)
        except WarplensError as error:
            return Verdict(False, f"With {n} couples: {error}")
        except Exception as error:  # shown to the reader, not raised
            return Verdict(False, f"your rule raised {type(error).__name__}: {error}")
        flaw = _blocked(preferences, wives)
        if flaw:
            return Verdict(False, f"With {n} couples (seed {seed}) {flaw}")
    return Verdict(
        True,
        f"On {instances} random instances your women end in a stable marriage. A woman need not "
        "know what the others do: she compares two men, and keeps the better one.",
    )


def play(preferences: Preferences, rule: Answer) -> np.ndarray:
    """Let free men propose one after the other; return their wives, -1 for none.

    Parameters
    ----------
    preferences : Preferences
    rule : callable
        As of :func:`answer`.

    Returns
    -------
    ndarray of int64, shape (num_men,)

    Raises
    ------
    WarplensError
        A woman keeps a man who is neither her partner nor proposes.
    """
    lists, hers = preferences.lists()
    holds: list[int | None] = [None] * preferences.num_women
    ahead = [iter(row) for row in lists]
    free = list(range(preferences.num_men))
    while free:
        man = free.pop(0)
        woman = next(ahead[man], None)
        if woman is None:
            continue
        before = holds[woman]
        kept = rule(before, man, list(hers[woman]))
        if kept is None or kept not in (before, man):
            raise WarplensError(
                f"woman {woman} holds {before}, man {man} comes, and your rule keeps {kept!r}"
            )
        holds[woman] = int(kept)
        left = man if kept == before else before
        if left is not None:
            free.append(left)
    wives = np.full(preferences.num_men, -1)
    for woman, one in enumerate(holds):
        if one is not None:
            wives[one] = woman
    return wives


def _blocked(preferences: Preferences, wives: np.ndarray) -> str:
    """Return a sentence about a pair that blocks a marriage, or ""."""
    men = np.flatnonzero(wives >= 0)
    found = blocking_pairs(preferences, men, wives[men], limit=1)
    if not found.men.size:
        return ""
    man, woman = int(found.men[0]), int(found.women[0])
    ranks = preferences.rank(man, woman)
    assert ranks is not None
    return (
        f"man {man} and woman {woman} would both rather have each other (he ranks her {ranks[0]}, "
        f"she ranks him {ranks[1]}). He had asked her: why did she not keep him?"
    )


@exercise("marriage/proposals-kernel")
def kernel(source: str, *, schedules: int = 4) -> Verdict:
    """Try a reader's kernel under several schedules of its lanes.

    Parameters
    ----------
    source : str
        A kernel that takes ``n``, the men's lists ``women`` and ``her_rank``, both n × n int, and
        ``held``, n int: what each woman holds, ``(rank * 64 + man) * 64 + place``.
    schedules : int
        Schedules to try, each on an instance of its own.
    """
    lost, races = [], 0
    for seed in range(schedules):
        preferences = loaded(f"classic:n={COUPLES},seed={seed}")
        held = np.full(COUPLES, FREE, np.int32)
        lists = preferences.women, preferences.her_rank
        given = [COUPLES, *(np.array(one, np.int32) for one in lists), held]
        made = run(source, *given, block=COUPLES, policy="random", seed=seed, yield_access=1.0)
        husbands = np.where(held == FREE, -1, held // 64 % 64)
        lost.append(int((husbands != marry(preferences).husband).sum()))
        races += len(made.profile.races)
    summary = f"Under {schedules} schedules, women with another man than the certified marriage: "
    summary += ", ".join(map(str, lost)) + "."
    if not any(lost) and not races:
        return Verdict(
            True,
            summary
            + " The minimum is taken and the old word comes back in one step, so of two men "
            "the better stays, and exactly one thread goes on with the other.",
        )
    between = (
        " Between a thread's read and its write another one reads the same word. Both believe to "
        "have won, both go on with the same man, and the one who was overwritten is forgotten."
    )
    return Verdict(False, summary + between + " Reading and writing must be one step: atomicMin.")


@exercise(
    "marriage/proposals-one-marriage",
    start=([[0, 1, 2], [1, 2, 0], [2, 0, 1]], [[1, 2, 0], [2, 0, 1], [0, 1, 2]]),
)
def one_marriage(men: Sequence[Sequence[int]], women: Sequence[Sequence[int]]) -> Verdict:
    """Check whether a reader's instance has only one stable marriage.

    Parameters
    ----------
    men, women : list of list of int
        The lists of both sides, the most preferred first, all complete; 3 to 6 couples.
    """
    try:
        preferences = Preferences.from_lists(men, women)
    except WarplensError as error:
        return Verdict(False, f"{error}.")
    n = preferences.num_men
    if not 3 <= n <= 6 or preferences.num_women != n or preferences.num_pairs != n * n:
        return Verdict(
            False, "Take three to six couples, and let each man rank all women, each woman all men."
        )
    wives = [marry(preferences, proposers=side).wife.tolist() for side in ("men", "women")]
    count = len(all_stable(preferences))
    if wives[0] == wives[1]:
        return Verdict(
            True,
            "Whoever proposes, the marriage is the same. All stable marriages lie between those "
            f"two, so that there is no other: of all {int(np.prod(np.arange(1, n + 1)))} ways to "
            f"marry them, tried one by one, {count} is stable.",
        )
    man = next(m for m in range(n) if wives[0][m] != wives[1][m])
    ranks = [preferences.rank(man, one[man]) for one in wives]
    wife_of = [
        f"woman {one[man]} (his choice {r[0]}, her choice {r[1]})"
        for one, r in zip(wives, ranks, strict=True)
        if r is not None
    ]
    return Verdict(
        False,
        f"Man {man} has {wife_of[0]} if men propose, and {wife_of[1]} if women do. There are "
        f"{count} stable marriages. What if all ranked the same person first?",
    )
