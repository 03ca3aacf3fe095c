"""A race of schedules: the error of the test ratings after each sweep.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, whose schedules these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore
from gpucore.problems.ratings.load import load_ratings

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.lines import Line, lines
from ..kit.pictures import Picture

#: Deviation of the noise in the ratings: no prediction has a smaller error.
NOISE = 0.5
RATINGS = f"uniform_ratings:users=200,items=60,ratings=8000,k=2,noise={NOISE},seed=1"
SCHEDULES = ("el_shuffled", "nl", "sgm", "fast", "hogwild")
#: One worker, as the name of a curve.
SERIAL = "one worker"
#: Largest excess over one worker that counts as none.
ONE_PERCENT = 0.01


@dataclass(frozen=True)
class Raced:
    """Errors of the test ratings, before the first and after each sweep, by schedule."""

    errors: dict[str, list[float]]

    def excess(self, name: str) -> float:
        """Return by how much a schedule ends above one worker, as a share."""
        return self.errors[name][-1] / self.errors[SERIAL][-1] - 1

    def picture(self) -> Picture:
        """Return the curves; the noise is dashed."""
        sweeps = len(self.errors[SERIAL]) - 1
        named = {name: Line(range(sweeps + 1), found) for name, found in self.errors.items()}
        named["the noise"] = Line([0, sweeps], [NOISE, NOISE], True)
        top = max(max(found) for found in self.errors.values())
        most = float(np.ceil(20 * top) / 20)
        ticks = range(0, sweeps + 1, 3)
        return lines(named, label="sweeps", ticks=ticks, most=most, least=NOISE - 0.02, form=".2f")

    def __str__(self) -> str:
        return "\n".join(
            f"{name:12} {found[-1]:.4f}  {self.excess(name):+7.2%}"
            for name, found in self.errors.items()
        )


def race(names: Sequence[str] = SCHEDULES, *, workers: int = 0, sweeps: int = 15) -> Raced:
    """Run one worker and some schedules on ratings with known noise.

    Parameters
    ----------
    names : sequence of str
        Schedules.
    workers : int
        Workers of each schedule; 0 takes 64, or what "fast" likes.
    sweeps : int
        Sweeps of each, a multiple of 3.
    """
    ratings = load_ratings(RATINGS)
    given: dict[str, Any] = {"k": 8, "rate": 0.05, "reg": 0.1, "sweeps": sweeps}
    serial = gpucore.run("sgd_serial", ratings, certify=False, **given)
    found = {SERIAL: list(serial.figures["test_rmse_by_sweep"])}
    for name in names:
        made = gpucore.run("sgd", ratings, device="host", variant=name, threads=workers, **given)
        found[name] = list(made.figures["test_rmse_by_sweep"])
    return Raced(found)


@exercise("sgd/racing-behind")
def behind(guess: Any, made: Raced) -> Verdict:
    """Answer: how many schedules end more than one per cent above one worker."""
    names = [name for name in made.errors if name != SERIAL]
    late = [name for name in names if made.excess(name) > ONE_PERCENT]
    listed = ", ".join(f"{name} {made.excess(name):+.1%}" for name in names)
    because = (
        f"Against one worker: {listed}. A schedule without conflicts loses nothing: its sweep is "
        "that of one worker in another order, and SGD does not mind the order. Hogwild loses "
        "updates: 64 workers meet at 60 movies all the time. It still learns, only later."
    )
    known = {len(names): "They take the ratings in different orders; that alone costs nothing."}
    return judge(guess, len(late), because, known=known)
