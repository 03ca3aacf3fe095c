"""Pictures of ratings as a matrix, and of the steps of a schedule."""

from __future__ import annotations

from html import escape

from gpucore.errors import ParameterError
from gpucore.problems.ratings.ratings import Ratings

from ..kit.pictures import COLOURS, Picture, wrap
from .runs import Watched, ends, name_of

#: Users and movies of the largest matrix that is drawn, and steps of the longest schedule.
MOST_LINES, MOST_STEPS = 40, 32

_CELL, _GAP, _MARGIN = 24, 4, 30


def matrix(ratings: Ratings) -> Picture:
    """Draw ratings with their names, users across and movies down.

    Raises
    ------
    ParameterError
        There are too many users or movies.

    Examples
    --------
    >>> from warplens.labs.sgd.runs import sample
    >>> matrix(sample()).html.count("<rect")
    12
    """
    if max(ratings.shape) > MOST_LINES:
        raise ParameterError(
            f"{ratings.num_users} users and {ratings.num_items} movies are too many for this "
            f"picture; it has room for {MOST_LINES}"
        )
    across = _CELL + _GAP
    parts = [
        _text(f"u{user}", _MARGIN + user * across + _CELL / 2, 14)
        for user in range(ratings.num_users)
    ]
    parts += [
        _text(f"m{movie}", _MARGIN / 2, 22 + movie * across + _CELL / 2 + 4)
        for movie in range(ratings.num_items)
    ]
    for rating, (user, movie) in enumerate(zip(*ends(ratings), strict=True)):
        x, y = _MARGIN + int(user) * across, 22 + int(movie) * across
        parts.append(_rating(name_of(rating, ratings), int(movie), x, y, True))
    size = _MARGIN + ratings.num_users * across, 22 + ratings.num_items * across
    return _picture(parts, size, f"{ratings.num_ratings} ratings as a matrix")


def timetable(made: Watched) -> Picture:
    """Draw the steps of a sweep from left to right, a column for each.

    Filled: processed; hollow: deferred. Colours are those of the movies. A line is where all
    workers wait for each other, before the next pass or the next matching.

    Raises
    ------
    ParameterError
        There are too many steps.
    """
    steps = made.steps()
    if len(steps) > MOST_STEPS:
        raise ParameterError(
            f"{len(steps)} steps are too many for this picture; it has room for {MOST_STEPS}"
        )
    _, movies = ends(made.graph)
    across, parts, x = _CELL + _GAP, [], _MARGIN
    high = max(len(cells) for _, cells in steps)
    before = steps[0][0]
    for number, (which, cells) in enumerate(steps, 1):
        if which != before:
            parts.append(
                f'<path d="M{x + 4} 4v{high * across + 20}" stroke="currentColor" opacity=".5" '
                'stroke-width="2"><title>all workers wait for each other</title></path>'
            )
            x, before = x + 12, which
        for place, (rating, done) in enumerate(cells):
            name = name_of(rating, made.graph)
            parts.append(_rating(name, int(movies[rating]), x, 6 + place * across, done))
        parts.append(_text(str(number), x + _CELL / 2, 6 + high * across + 14))
        x += across
    return _picture(parts, (x, high * across + 30), f"{len(steps)} steps of a schedule")


def _rating(name: str, movie: int, x: float, y: float, done: bool) -> str:
    """Return a rating's square; hollow if it was deferred."""
    colour = COLOURS[movie % len(COLOURS)]
    paint = f'fill="{colour}" fill-opacity=".85"' if done else 'fill="none" stroke-dasharray="3 2"'
    title = f"{name}, movie m{movie}: {'processed' if done else 'deferred'}"
    return (
        f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="4" stroke="{colour}" '
        f'stroke-width="2" {paint}><title>{escape(title)}</title></rect>'
        + _text(name, x + _CELL / 2, y + _CELL / 2 + 4, "#fff" if done else "currentColor")
    )


def _text(text: str, x: float, y: float, colour: str = "currentColor") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" fill="{colour}">{escape(text)}</text>'


def _picture(parts: list[str], size: tuple[float, float], label: str) -> Picture:
    return Picture(
        wrap(
            f'<svg role="img" aria-label="{escape(label)}" width="{size[0] + 8}" '
            f'height="{size[1] + 4}" font-size="12">{"".join(parts)}</svg>'
        )
    )
