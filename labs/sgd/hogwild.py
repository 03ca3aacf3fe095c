"""The race in Hogwild: a reader's kernel, and whether its updates are those of one worker.

Source: Niu, Recht, Ré, Wright, "Hogwild!: a lock-free approach to parallelizing stochastic gradient
descent", NIPS 2011; edge-locked: Kaleem et al., IPDPS 2016, section IV-A.

The kernel's vectors have one component, and its update is simpler than that of SGD. But like there
both ends are read, and both are written.
"""

from __future__ import annotations

import numpy as np

from gpucore.errors import KernelCompileError, KernelError, WarplensError
from gpucore.problems.ratings.ratings import Ratings

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.kernels import Run, run
from .runs import ends, name_of, sample, star

#: A kernel that needs more passes than this is wrong.
MOST_PASSES = 200


@exercise("sgd/hogwild-kernel")
def kernel(source: str, *, schedules: int = 4) -> Verdict:
    """Try a reader's kernel, pass after pass, under several schedules of its lanes.

    Parameters
    ----------
    source : str
        A kernel that takes ``count``, ``users``, ``movies``, ``p``, ``q`` (unsigned),
        ``user_locks``, ``movie_locks``, ``clock`` and ``done``. For each rating it has to set ``p``
        of the user to p + q and ``q`` of the movie to q + p, both with the values before, and to
        write the number that it takes from ``clock``, plus 1, to ``done``. Ratings that are left
        get another pass.
    schedules : int
        Schedules to try, each on the sample graph and on a star.
    """
    passes: dict[str, list[int]] = {"the sample graph": [], "the star": []}
    for seed in range(schedules):
        for name, ratings in (("the sample graph", sample()), ("the star", star(16))):
            try:
                passes[name].append(play(source, ratings, seed))
            except (KernelCompileError, KernelError) as error:
                return Verdict(False, str(error))
            except WarplensError as error:
                return Verdict(False, f"On {name}, schedule {seed + 1}: {error}")
    counted = "; ".join(f"{name} {', '.join(map(str, n))}" for name, n in passes.items())
    return Verdict(
        True,
        f"Under {schedules} schedules all numbers are those of one worker that processes the "
        f"ratings in the order of the clock. No update is lost. The price is passes: {counted}.",
    )


def play(source: str, ratings: Ratings, seed: int) -> int:
    """Run a reader's kernel until all ratings are done, and return the number of passes.

    Raises
    ------
    WarplensError
        The numbers are not those of one worker, or a rating is left.
    """
    users, movies = (side.astype(np.int32) for side in ends(ratings))
    count = len(users)
    p, q = (np.arange(1, size + 1, dtype=np.uint32) for size in ratings.shape)
    locks = [np.zeros(size, np.int32) for size in ratings.shape]
    clock, done = np.zeros(1, np.int32), np.zeros(count, np.int32)
    for number in range(1, MOST_PASSES + 1):
        before = int((done == 0).sum())
        given = [count, users, movies, p, q, *locks, clock, done]
        made = run(source, *given, policy="random", seed=seed + 1000 * number, yield_access=0.5)
        left = int((done == 0).sum())
        if left == before:
            raise WarplensError(
                f"pass {number} did none of {left} ratings that are left. Does every update write "
                "to done, and is every lock given back, also when the second one was not free?"
            )
        if left == 0:
            _compare(ratings, done, p, q, made)
            return number
    raise WarplensError(f"after {MOST_PASSES} passes there are ratings left")


def _compare(ratings: Ratings, done: np.ndarray, p: np.ndarray, q: np.ndarray, made: Run) -> None:
    """Raise an error if the numbers are not those of one worker in the order of the clock."""
    count = len(done)
    if not np.array_equal(np.sort(done), np.arange(1, count + 1)):
        raise WarplensError("done must hold every number from 1 on once; take it from clock")
    users, movies = ends(ratings)
    mine, other = (np.arange(1, size + 1, dtype=np.uint32) for size in ratings.shape)
    order = np.argsort(done)
    for e in order:
        u, m = users[e], movies[e]
        mine[u], other[m] = mine[u] + other[m], other[m] + mine[u]
    wrong = [f"u{u}" for u in np.flatnonzero(mine != p)]
    wrong += [f"m{m}" for m in np.flatnonzero(other != q)]
    if wrong:
        first = ", ".join(name_of(int(e), ratings) for e in order[:6])
        raise WarplensError(
            f"one worker that takes the ratings in the order of the clock ({first}, ...) ends with "
            f"other numbers for {', '.join(wrong[:6])}{' and others' if len(wrong) > 6 else ''}: "
            f"an update was lost, or half of it.{_race(made)} Both ends must be locked before they "
            "are read, until they are written."
        )


def _race(made: Run) -> str:
    """Return the most frequent race in words."""
    if not made.profile.races:
        return ""
    race = max(made.profile.races, key=lambda one: one.count)
    pair = " and ".join(f"a {one.kind} in line {one.line}" for one in (race.first, race.second))
    return f" Nothing orders {pair}."
