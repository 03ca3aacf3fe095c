"""Stable assignments, in which people may have several partners.

Kernel: ``families/marriage/kernels/marriage_seats.cu``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.errors import GraphError
from gpucore.families.marriage.search import NO_OFFER, STEPS, Run

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.preferences.preferences import Preferences

#: Most seats, and most tokens: their numbers are 32-bit integers in the kernel.
MOST = (1 << 31) - 1


def partners(preferences: Preferences) -> tuple[np.ndarray, np.ndarray]:
    """Return how many partners every man and every woman can have, given their lists.

    Returns
    -------
    men, women : ndarray of int64, shapes (M,) and (W,)

    Raises
    ------
    GraphError
        There are too many in total.
    """
    able = []
    for side, capacity in (
        ("men", preferences.man_capacity),
        ("women", preferences.woman_capacity),
    ):
        length = preferences.list_lengths(side)
        most = np.ones(length.size, np.int64) if capacity is None else capacity.astype(np.int64)
        able.append(np.minimum(most, length))
        if able[-1].sum() > MOST:
            raise GraphError(
                f"{able[-1].sum():,} places for partners are more than the {MOST:,} that a run can "
                "keep; lower the capacities"
            )
    return able[0], able[1]


def bytes_of_seats(preferences: Preferences) -> int:
    """Return what the run needs beside the lists."""
    men, women = partners(preferences)
    return int(4 * men.sum() + 8 * women.sum()) + 8 * men.size + 24 * women.size


class Places(NamedTuple):
    """Seats of the women and tokens of the men: a part of the problem, on the device.

    Attributes
    ----------
    owner : array of int32, shape (tokens,)
        On the device: the man of each token.
    indptr : array of int64, shape (W + 1,)
        On the device: where each woman's seats begin.
    women : ndarray of int32, shape (seats,)
        The woman of each seat.
    """

    owner: Any
    indptr: Any
    women: np.ndarray


def put_places(run: Run, preferences: Preferences) -> Places:
    """Put seats and tokens on the device."""
    device, lists = run.device, run.lists
    of_men, of_women = partners(preferences)
    return Places(
        device.asarray(np.repeat(np.arange(lists.men, dtype=np.int32), of_men)),
        device.asarray(np.concatenate([[0], np.cumsum(of_women)])),
        np.repeat(np.arange(lists.women, dtype=np.int32), of_women),
    )


def assign(run: Run, places: Places) -> tuple[Any, Any]:
    """Assign partners.

    Returns
    -------
    seats : array of uint64, shape (seats,)
        On the device: the man in each seat, as ``rank << 32 | man``.
    read : array of int32, shape (M,)
        On the device: the number of places read in each man's list.
    """
    device: Device = run.device
    xp, lists = device.xp, run.lists
    seats = xp.full(max(1, places.women.size), NO_OFFER, dtype=xp.uint64)
    read = xp.zeros(lists.men, dtype=xp.int32)
    tokens = len(places.owner)
    if tokens:
        args = [tokens, lists.men, places.owner.copy(), *lists.arguments]
        kernel = run.recorder.kernel("marriage_seats", "marriage_seats")
        args += [places.indptr, seats, xp.full(lists.women, NO_OFFER, dtype=xp.uint64), read]
        run.repeat(kernel, -(-tokens // run.threads), run.threads, args, STEPS)
    return seats, read
