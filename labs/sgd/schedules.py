"""A reader's own schedule: it is checked, run on the kernels, and certified.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section III.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate
from gpucore.device import get_device
from gpucore.errors import WarplensError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.offline import sets_of
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.run import run_schedule
from gpucore.families.sgd.sweeps import Schedule, in_sets
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings
from gpucore.runner import Context

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.watching import random_order
from .runs import ends, name_of, path, sample, star

#: A reader's schedule: takes the user and the movie of each rating, returns the step of each.
Rule = Callable[[NDArray[np.integer], NDArray[np.integer]], Any]
#: Steps of a schedule that are run; more have something wrong.
MOST_STEPS = 5000


def problems() -> dict[str, Ratings]:
    """Return the ratings on which a reader's schedule is tried."""
    return {
        "the sample graph": sample(),
        "a star": star(20),
        "a path": path(12),
        "random ratings": load_ratings("uniform_ratings:users=40,items=25,ratings=200,seed=1"),
    }


@exercise("sgd/schedules-check")
def check(rule: Rule, *, schedules: int = 3) -> Verdict:
    """Try a reader's schedule: no two ratings of a step conflict, and every rating has a step.

    Parameters
    ----------
    rule : callable
        Takes two arrays, the user and the movie of each rating; returns the step of each rating,
        whole numbers from 0.
    schedules : int
        Random orders of the warps under which the kernels run it.
    """
    counts = []
    for name, ratings in problems().items():
        try:
            steps = steps_by(rule, ratings)
        except WarplensError as error:
            return Verdict(False, f"On {name}: {error}.")
        except Exception as error:  # shown to the reader, not raised
            return Verdict(False, f"On {name} your rule raised {type(error).__name__}: {error}")
        for seed in range(schedules):
            proof = certified(ratings, steps, seed)
            if proof.failure is not None:
                return Verdict(False, f"On {name}: {proof.failure.name}: {proof.failure.detail}.")
        used, least = len(np.unique(steps)), ratings.max_degree
        counts.append(f"{name} {used} (at least {least})")
    return Verdict(
        True,
        f"No conflict, every rating once, and under {schedules} orders of the warps the kernels "
        f"end with the bits of one worker. Steps: {'; '.join(counts)}. A step is a barrier: no "
        "schedule has less than the ratings of the busiest user or movie, and one with that many "
        "always exists (D. König, 1916).",
    )


def steps_by(rule: Rule, ratings: Ratings) -> NDArray[np.int64]:
    """Return the step of each rating by a rule.

    Raises
    ------
    WarplensError
        They are no steps, or two ratings of a step conflict; the message names them.
    """
    users, movies = ends(ratings)
    steps = np.asarray(rule(users.copy(), movies.copy()))
    if steps.shape != users.shape:
        raise WarplensError(
            f"there are {len(users)} ratings, and your rule returns an array of shape "
            f"{steps.shape}; every rating needs one step"
        )
    if steps.dtype.kind not in "iu" or steps.min() < 0 or steps.max() >= MOST_STEPS:
        raise WarplensError(f"steps are whole numbers from 0 to {MOST_STEPS - 1}")
    for side, numbers in (("user u", users), ("movie m", movies)):
        order = np.lexsort((numbers, steps))
        same = (np.diff(steps[order]) == 0) & (np.diff(numbers[order]) == 0)
        if same.any():
            one = int(np.argmax(same))
            a, b = sorted(int(order[k]) for k in (one, one + 1))
            raise WarplensError(
                f"{name_of(a, ratings)} and {name_of(b, ratings)} are both in step {steps[a]}, and "
                f"both are of {side}{numbers[a]}: two workers would write its vector at the same "
                "time"
            )
    return steps.astype(np.int64)


def certified(ratings: Ratings, steps: NDArray[np.integer], seed: int) -> Certificate:
    """Run the steps on the kernel of AGM-E, with a barrier after each, and certify the record."""
    _, numbers = np.unique(steps, return_inverse=True)
    schedule = Schedule(lambda work: in_sets(work, sets_of(numbers)))
    params = SgdParams(variant="agm_e", sweeps=2, test=0.0, threads=4, k=64)
    device = get_device("host", **random_order(seed))
    context = Context(device, record="events", record_budget=1 << 24)
    result = run_schedule(schedule, ratings, params, context)
    return certify(ratings, result)
