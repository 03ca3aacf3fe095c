"""Checks of users, items and ratings, with a separate GraphError for each violation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.arrays import plain
from gpucore.errors import GraphError
from gpucore.problems.bipartite.csr import check_shape
from gpucore.problems.graph.checks import single_precision, vertex_array


class RepeatedRatingError(GraphError):
    """A user rates an item more than once; `entries` are the places of the first two ratings."""

    def __init__(self, text: str, entries: tuple[int, int]) -> None:
        super().__init__(
            f"{text}; keep one of the ratings (on the command line: --duplicates last or mean; in "
            'Python: duplicates="last" or "mean")'
        )
        self.entries = entries


def value_array(values: ArrayLike, size: int) -> NDArray[np.float32]:
    """Return `values` as `size` finite float32 numbers, at least one, or raise GraphError."""
    array = plain(values, "ratings")
    if array.ndim != 1:
        raise GraphError(f"ratings must be one-dimensional, not of shape {array.shape}")
    if array.size != size:
        raise GraphError(
            f"there are {array.size} ratings for {size} pairs of a user and an item; give one for "
            "each pair"
        )
    if size == 0:
        raise GraphError("there are no ratings; at least one is needed")
    if array.dtype.kind not in "iufb":
        raise GraphError(f"ratings must be real numbers, not {array.dtype}; convert them first")
    named = (lambda at: f"rating {at} is {array[at]}, which", "ratings", "leave this entry out")
    return single_precision(array, *named)


def pair_arrays(
    users: ArrayLike, items: ArrayLike, shape: tuple[int, int] | None
) -> tuple[NDArray[np.int32], NDArray[np.int32], tuple[int, int]]:
    """Return users and items as int32, and the numbers of both, or raise GraphError.

    Without a shape, the largest numbers determine it.
    """
    i, j = vertex_array(users, "users"), vertex_array(items, "items")
    if i.size != j.size:
        raise GraphError(f"users and items must have equal lengths, not {i.size} and {j.size}")
    if shape is None:
        shape = int(i.max(initial=0)) + 1, int(j.max(initial=0)) + 1
    size = check_shape(shape)
    for what, numbers, count in (("user", i, size[0]), ("item", j, size[1])):
        if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
            at = int(np.argmax((numbers < 0) | (numbers >= count)))
            raise GraphError(
                f"entry {at} ({i[at]}, {j[at]}): {what} {numbers[at]} is out of range, there are "
                f"{count} {what}s numbered from 0; numbers that start at 1 must be shifted"
            )
    return i.astype(np.int32, copy=False), j.astype(np.int32, copy=False), size
