"""The paper's cost model: locks against barriers, and the schedule that two cards would take.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V; the model itself is :mod:`gpucore.families.sgd.cost`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gpucore.families.sgd.cost import (
    PLATFORMS,
    Costs,
    Structure,
    choose,
    offline_cost,
    online_cost,
    predict,
)
from gpucore.problems.ratings.load import load_ratings

from ..kit.book import exercise
from ..kit.exercises import Verdict, unanswered
from ..kit.lines import Line, lines
from ..kit.pictures import Picture

#: Workers of the paper's NVIDIA card: 15 multiprocessors with 2,048 threads, 8 of them a worker.
WORKERS = 15 * 2048 // 8


def crossing(
    *, degree: int = 64, barrier: float = 5.0, passes: int = 21, most: int = 10
) -> Picture:
    """Draw the cost of the busiest movie against the price of a lock; an update costs 1.

    Parameters
    ----------
    degree : int
        Its ratings.
    barrier : float
        Price of a barrier.
    passes : int
        Passes of EL, 1 / f in the paper.
    most : int
        The largest price of a lock.

    Examples
    --------
    >>> crossing(most=4).html.count("<circle")
    15
    """
    prices = range(most + 1)
    costs = [Costs(update=1.0, lock=float(price), barrier=barrier) for price in prices]
    named = {
        "matchings: d p + b d": [offline_cost(degree, one) for one in costs],
        "NL: d (p + l) + b": [online_cost(degree, one, 1.0) for one in costs],
        f"EL: d (p + l) + {passes} b": [online_cost(degree, one, 1.0 / passes) for one in costs],
    }
    top = 100 * math.ceil(max(max(found) for found in named.values()) / 100)  # ticks of 25
    drawn = {name: Line(prices, found) for name, found in named.items()}
    ticks = range(0, most + 1, max(1, most // 5))
    return lines(drawn, label="price of a lock, l", ticks=ticks, most=top, form=",.0f")


@dataclass(frozen=True)
class Predicted:
    """Predictions for some ratings.

    Attributes
    ----------
    seconds : dict
        Seconds of a sweep: by ratings, then by card, then by schedule.
    chosen : dict
        The fastest schedule: by ratings, then by card.
    busiest : dict
        The most ratings of a user or a movie.
    """

    seconds: dict[str, dict[str, dict[str, float]]]
    chosen: dict[str, dict[str, str]]
    busiest: dict[str, int]

    def __str__(self) -> str:
        rows = []
        for name, cards in self.seconds.items():
            rows.append(f"{name}, milliseconds a sweep:".ljust(34) + "".join(map(_right, cards)))
            for schedule in next(iter(cards.values())):
                times = "".join(_right(f"{1e3 * found[schedule]:.2f}") for found in cards.values())
                rows.append(f"  {schedule}".ljust(34) + times)
        return "\n".join(rows)


def _right(text: str) -> str:
    return f"{text:>10}"


def predictions(*names: str) -> Predicted:
    """Predict the times of all schedules on the paper's two cards.

    Parameters
    ----------
    *names : str
        Ratings that :func:`gpucore.load_ratings` understands.
    """
    seconds: dict[str, dict[str, dict[str, float]]] = {}
    chosen: dict[str, dict[str, str]] = {}
    busiest: dict[str, int] = {}
    for name in names:
        ratings = load_ratings(name)
        found = Structure.of(ratings, workers=WORKERS)
        busiest[name] = ratings.max_degree
        seconds[name] = {card: predict(found, costs) for card, costs in PLATFORMS.items()}
        chosen[name] = {card: choose(found, costs) for card, costs in PLATFORMS.items()}
    return Predicted(seconds, chosen, busiest)


@exercise("sgd/model-other-choice")
def other_choice(guess: Any, made: Predicted) -> Verdict:
    """Answer: the ratings for which the two cards would take different schedules."""
    if guess not in list(made.chosen):
        return unanswered(guess, " or ".join(f'"{name}"' for name in made.chosen))
    differ = [name for name, cards in made.chosen.items() if len(set(cards.values())) > 1]
    because = " ".join(
        f"{name}: {', '.join(f'{choice} on the {card}' for card, choice in cards.items())}."
        for name, cards in made.chosen.items()
    )
    ratio = PLATFORMS["R9-290X"].lock / PLATFORMS["K40"].lock
    busiest = ", ".join(f"{degree:,} in {name}" for name, degree in made.busiest.items())
    return Verdict(
        [guess] == differ,
        f"{because} A lock is {ratio:.0f} times as dear on the R9-290X. That matters most where a "
        f"user or a movie has very many ratings: {busiest}.",
    )
