"""Size of a matrix of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, two_sides
from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.ratings.ratings import Ratings


def size(ratings: Ratings) -> Size:
    """Return the numbers of users, items and ratings; users and items are the vertices."""
    users, items, count = ratings.num_users, ratings.num_items, ratings.num_ratings
    numbers = {
        "vertices": users + items,
        "edges": count,
        "users": users,
        "items": items,
        "ratings": count,
    }
    words = f"{counted(users, 'user')}, {counted(items, 'item')}, {counted(count, 'rating')}"
    silent = {"user": ratings.num_silent_users, "item": ratings.num_silent_items}
    for side, missing in silent.items():
        if missing:
            numbers[f"silent_{side}s"] = missing
            words += f", {counted(missing, side)} without ratings"
    return Size(numbers, words)


def members(ratings: Ratings) -> tuple[Members, Members]:
    """Return the users and the items."""
    return two_sides(ratings, ("user", ratings.num_users), ("item", ratings.num_items))
