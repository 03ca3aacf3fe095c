"""Size of a matrix of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    words = f"{users:,} users, {items:,} items, {count:,} ratings"
    silent = {"user": ratings.num_silent_users, "item": ratings.num_silent_items}
    for side, missing in silent.items():
        if missing:
            numbers[f"silent_{side}s"] = missing
            words += f", {missing:,} {side}{'s' if missing > 1 else ''} without ratings"
    return Size(numbers, words)


def members(ratings: Ratings) -> tuple[Members, Members]:
    """Return the users and the items."""
    return two_sides(ratings, ("user", ratings.num_users), ("item", ratings.num_items))
