"""What the lab on SGD needs: small ratings, recorded sweeps, exercises on them.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, sections II to IV; its sample graph is that of figure 3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import numpy as np

from gpucore.families.sgd.record import Kind
from gpucore.families.sgd.result import SgdResult
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge, unanswered

#: A rating in a step: its number, and whether it was processed (else deferred).
Cell = tuple[int, bool]


def sample() -> Ratings:
    """Return the paper's sample graph: 12 ratings, a to l, of 4 movies by 6 users."""
    return load_ratings("sample_ratings")


def star(users: int = 64) -> Ratings:
    """Return one movie that all users have rated."""
    return Ratings.from_entries(np.arange(users), np.zeros(users, int), _stars(users), name="star")


def path(movies: int = 32) -> Ratings:
    """Return a path: user i has rated the movies i and i + 1.

    Examples
    --------
    >>> path(3)
    Ratings('path', users=3, items=4, ratings=6)
    """
    users = np.repeat(np.arange(movies), 2)
    items = users + np.tile((0, 1), movies)
    return Ratings.from_entries(users, items, _stars(2 * movies), name="path")


def _stars(count: int) -> np.ndarray:
    return 1.0 + np.arange(count) % 5


def ends(ratings: Ratings) -> tuple[np.ndarray, np.ndarray]:
    """Return the user and the movie of each rating, in the order a, b, c: movie by movie."""
    starts, users, _ = ratings.by_item()
    return users, np.repeat(np.arange(ratings.num_items), np.diff(starts))


def name_of(rating: int, ratings: Ratings) -> str:
    """Return a rating's letter, or its number if there are more ratings than letters."""
    letters = ratings.num_ratings <= len(ascii_lowercase)
    return ascii_lowercase[rating] if letters else str(rating)


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its ratings and its record."""

    graph: Ratings
    result: SgdResult

    def steps(self, sweep: int = 0) -> list[tuple[int, list[Cell]]]:
        """Return the steps of a sweep in order: the part of each, and its ratings.

        Between two parts all workers wait for each other: they are passes, or the matchings of
        "agm_e".
        """
        events, passes = self.record.events, self.record.header["passes"]
        found: dict[tuple[int, int], list[Cell]] = {}
        columns = (events[name].tolist() for name in ("iteration", "batch", "c", "kind"))
        for number, step, rating, kind in zip(*columns, strict=True):
            if passes[number]["sweep"] == sweep:
                found.setdefault((number, step), []).append((rating, kind == Kind.UPDATE))
        first = min((number for number, _ in found), default=0)
        steps = [(number - first, sorted(cells)) for (number, _), cells in sorted(found.items())]
        return self._by_matching(steps) if self.result.params["variant"] == "agm_e" else steps

    def _by_matching(self, steps: list[tuple[int, list[Cell]]]) -> list[tuple[int, list[Cell]]]:
        """Return the steps with the matching of each; it is maximal: all later ratings conflict."""
        users, movies = ends(self.graph)
        number, seen, found = 0, set[tuple[str, int]](), []
        for _, cells in steps:
            here = {("user", int(users[rating])) for rating, _ in cells}
            here |= {("movie", int(movies[rating])) for rating, _ in cells}
            if seen & here:
                number, seen = number + 1, set()
            seen |= here
            found.append((number, cells))
        return found

    def deferred(self, number: int = 0) -> list[int]:
        """Return the ratings that a pass of the first sweep deferred."""
        cells = [cell for which, step in self.steps() if which == number for cell in step]
        return sorted(rating for rating, done in cells if not done)

    def listed(self, ratings: Sequence[int]) -> str:
        """Return the names of some ratings, one after the other."""
        return ", ".join(name_of(rating, self.graph) for rating in ratings) or "none"


def watch(
    ratings: Ratings | str,
    variant: str,
    *,
    workers: int = 2,
    schedule: int | None = None,
    **params: Any,
) -> Watched:
    """Run the kernels for one sweep over all ratings, and record every event.

    Parameters
    ----------
    ratings : Ratings or str
        Ratings, or a name that :func:`gpucore.load_ratings` understands.
    variant : str
        Schedule; see :class:`gpucore.families.sgd.params.SgdParams`.
    workers : int
        The paper's threads.
    schedule : int, optional
        Seed of a random schedule of the device; without one, warps go one after the other.
    **params
        Of :class:`gpucore.families.sgd.params.SgdParams`.
    """
    problem = load_ratings(ratings) if isinstance(ratings, str) else ratings
    given = {"sweeps": 1, "test": 0.0, "threads": workers} | params
    return Watched.of("sgd", problem, schedule, variant=variant, **given)


@exercise("sgd/conflicts-{rating}")
def conflicts(guess: Any, rating: str = "a") -> Verdict:
    """Answer: how many ratings of the sample graph conflict with one of them."""
    ratings = sample()
    users, movies = ends(ratings)
    one = ascii_lowercase.index(rating)
    same_movie = [e for e in np.flatnonzero(movies == movies[one]).tolist() if e != one]
    same_user = [e for e in np.flatnonzero(users == users[one]).tolist() if e != one]
    names = [", ".join(name_of(e, ratings) for e in side) for side in (same_movie, same_user)]
    because = (
        f"{rating} is user u{users[one]}'s rating of m{movies[one]}. Of the same movie: "
        f"{names[0]}; by the same user: {names[1]}. Each reads and writes a vector that {rating} "
        "does."
    )
    known = {
        len(same_movie): "Those are the ratings of its movie; its user has rated others.",
        len(same_user): "Those are the ratings of its user; its movie has others.",
    }
    return judge(guess, len(same_movie) + len(same_user), because, known=known)


@exercise("sgd/deferred")
def deferred(guess: Any, made: Watched) -> Verdict:
    """Answer: which ratings the first pass of EL defers; of two that conflict, either one."""
    letters = [letter for letter in str(guess).lower() if letter.isalpha()]
    names = {name_of(rating, made.graph) for rating in range(made.graph.num_ratings)}
    if not isinstance(guess, str | Collection) or not names.issuperset(letters):
        return unanswered(guess, "a text of the letters of ratings")
    truth = [name_of(rating, made.graph) for rating in made.deferred()]
    pairs = [
        [name_of(rating, made.graph) for rating, _ in cells]
        for number, cells in made.steps()
        if number == 0
    ]
    torn = [pair for pair in pairs if any(name in truth for name in pair)]
    because = (
        f"The run deferred {', '.join(truth)}. It takes two ratings at a time: "
        f"{', '.join(' and '.join(pair) for pair in pairs)}. The two of a pair conflict if they "
        "have the same movie; one gets both locks, and the other is deferred."
    )
    if sorted(letters) == truth:
        return Verdict(True, f"{because} Which one of a pair it is, is up to the locks.")
    right = len(letters) == len(torn) and all(
        sum(letter in pair for letter in letters) == 1 for pair in torn
    )
    if right:
        return Verdict(True, f"One of each pair that conflicts: that can happen, too. {because}")
    hint = "One of each pair with the same movie is deferred, and no other rating."
    said = ", ".join(letters) or "nothing"
    return Verdict(False, f"You said {said}. {because}", hint=hint, reason=because)


@exercise("sgd/steps-of")
def steps_of(guess: Any, made: Watched) -> Verdict:
    """Answer: how many steps a sweep takes."""
    _, movies = ends(made.graph)
    most, workers = int(np.bincount(movies).max()), int(made.result.params["threads"])
    count = made.graph.num_ratings
    because = (
        f"{workers} workers cannot do {count} ratings in less than {-(-count // workers)} steps, "
        f"and the {most} ratings of one movie take {most} steps, whoever does them. Here are "
        f"{1 + max(number for number, _ in made.steps())} parts, one after the other; in the last "
        "step of a part a worker may have nothing to do."
    )
    return judge(guess, len(made.steps()), because)
