"""What a schedule costs: counted in a recorded sweep, at prices for a lock and a barrier.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from gpucore.errors import ParameterError
from gpucore.format import counted
from gpucore.params import is_number
from gpucore.problems.ratings.ratings import Ratings

from ..kit.book import exercise
from ..kit.exercises import Verdict, unanswered
from .runs import Watched, watch

#: Schedules of the exercise.
NAMES = ("el", "nl", "agm_e", "diag")
#: Workers of a warp with 8 components: they go in step, so that a step of theirs is one of time.
WORKERS = 8
#: Costs that differ by less are equal.
CLOSE = 0.02


class Counts(NamedTuple):
    """What the workers do one after the other in a sweep: steps, steps with locks, and barriers."""

    steps: int
    locked: int
    barriers: int


def counts(made: Watched) -> Counts:
    """Count a sweep; the end of a launch is a barrier, too.

    Examples
    --------
    >>> from warplens.labs.sgd.runs import star
    >>> counts(watch(star(5), "nl", workers=2))
    Counts(steps=5, locked=5, barriers=1)
    >>> counts(watch(star(5), "agm_e", workers=2))
    Counts(steps=5, locked=0, barriers=6)
    """
    warps, steps = made.record.warps, len(made.steps())
    launches = len(made.record.header["passes"])
    inside = sum(
        int(warps["barriers"][warps["iteration"] == number].max(initial=0))
        for number in range(launches)
    )
    return Counts(steps, steps if warps["atomics"].any() else 0, launches + inside)


@dataclass(frozen=True)
class Bill:
    """The costs of several schedules on the same ratings.

    Attributes
    ----------
    counted : dict of str to Counts
        By schedule.
    lock, barrier : float
        Prices; one update costs 1.
    """

    counted: dict[str, Counts]
    lock: float
    barrier: float

    def cost(self, name: str) -> float:
        """Return the cost of a schedule in updates."""
        found = self.counted[name]
        return found.steps + self.lock * found.locked + self.barrier * found.barriers

    def __str__(self) -> str:
        rows = [f"{'':8}{'steps':>8}{'locked':>8}{'barriers':>10}{'cost':>10}"]
        for name in sorted(self.counted, key=self.cost):
            row = self.counted[name]
            rows.append(
                f"{name:8}{row.steps:8}{row.locked:8}{row.barriers:10}{self.cost(name):10,.0f}"
            )
        return "\n".join(rows)


def bill(ratings: Ratings, *, lock: float, barrier: float, names: Sequence[str] = NAMES) -> Bill:
    """Run schedules on the same ratings by the workers of a warp, and return what they cost.

    Parameters
    ----------
    ratings : Ratings
    lock, barrier : float
        Prices of the locks of one update and of a barrier; one update costs 1.
    names : sequence of str
        Schedules.
    """
    found = {name: counts(watch(ratings, name, workers=WORKERS, k=8)) for name in names}
    return Bill(found, lock, barrier)


@exercise("sgd/costs-order")
def order(guess: Any, made: Bill) -> Verdict:
    """Answer: the schedules by cost, the cheapest first; equal ones in any order."""
    names = list(made.counted)
    given = [str(name) for name in guess] if isinstance(guess, (list, tuple)) else []
    if sorted(given) != sorted(names):
        listed = ", ".join(map(repr, names))
        return unanswered(guess, f"a list of {listed}, each once, the cheapest first")
    because = " ".join(_line(name, made) for name in sorted(names, key=made.cost))
    for one, next_one in pairwise(given):
        if made.cost(one) > (1 + CLOSE) * made.cost(next_one):
            return Verdict(
                False,
                f"{one} costs {made.cost(one):,.0f}, which is more than {next_one} with "
                f"{made.cost(next_one):,.0f}. {because}",
            )
    return Verdict(True, because)


def _line(name: str, made: Bill) -> str:
    found = made.counted[name]
    locked = f", {found.locked} with locks" if found.locked else ""
    return (
        f"{name}: {found.steps} steps{locked} and "
        f"{counted(found.barriers, 'barrier')}, "
        f"{made.cost(name):,.0f}."
    )


@exercise("sgd/costs-tip")
def tip(guess: Any, made: Bill, *, offline: str = "agm_e", online: str = "nl") -> Verdict:
    """Answer: the price of a lock from which the offline schedule is the cheaper one."""
    a, b = made.counted[offline], made.counted[online]
    if not b.locked:
        raise ParameterError(f"{online} takes no locks")
    truth = (a.steps - b.steps + made.barrier * (a.barriers - b.barriers)) / b.locked
    because = (
        f"{offline} costs {made.cost(offline):,.0f}, with no lock in it. {online} costs {b.steps} "
        f"and {made.barrier * b.barriers:,.0f} for barriers, and {b.locked} times a lock: they are "
        f"equal at {truth:.2f}."
    )
    if not is_number(guess):
        return unanswered(guess, "a number")
    return Verdict(bool(abs(guess - truth) <= 0.05 * truth), because)
