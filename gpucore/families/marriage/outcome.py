"""The outcome of a search for a stable marriage: pairs, ranks, numbers of the instance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.marriage.record import Kind
from gpucore.families.marriage.search import SEARCHES, Run
from gpucore.families.marriage.seats import assign, put_places

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record.recorder import RawRecord


@dataclass(frozen=True)
class Found:
    """Outcome of a search, in its own numbers: the proposers are men.

    Attributes
    ----------
    men, women : ndarray of int32, shape (pairs,)
    his, hers : ndarray of int32, shape (pairs,)
        The ranks that they give each other.
    considered : int
        Places read in the men's lists.
    seconds : float
    """

    men: np.ndarray
    women: np.ndarray
    his: np.ndarray
    hers: np.ndarray
    considered: int
    seconds: float


def no_pairs() -> Found:
    """Return the outcome where all lists are empty."""
    none = np.empty(0, np.int32)
    return Found(none, none, none, none, 0, 0.0)


def marry(work: Run, problem: Preferences, variant: str) -> Found:
    """Find a marriage in which each person has at most one partner."""
    device, lists = work.device, work.lists
    device.report("proposing")
    with device.timer() as timer:
        wife = SEARCHES[variant](work)
    wives = np.array(device.to_host(wife)[: lists.men])
    men = np.flatnonzero(wives >= 0).astype(np.int32)
    women = wives[men]
    his, hers = _ranks(work, problem, men, women)
    read = his.sum(dtype=np.int64) + _lengths(problem)[wives < 0].sum(dtype=np.int64)
    return Found(men, women, his, hers, int(read), timer.seconds)


def assign_all(work: Run, problem: Preferences) -> Found:
    """Find an assignment in which a person may have several partners."""
    device = work.device
    device.report("proposing")
    places = put_places(work, problem)
    with device.timer() as timer:
        seats, looked = assign(work, places)
    owners = places.women
    words = np.array(device.to_host(seats)[: owners.size])
    taken = words != np.uint64(0xFFFFFFFFFFFFFFFF)
    men, women = (words[taken] & np.uint64(0xFFFFFFFF)).astype(np.int32), owners[taken]
    order = np.lexsort((women, men))
    men, women = men[order], women[order]
    his, hers = _ranks(work, problem, men, women)
    read = np.minimum(device.to_host(looked), _lengths(problem)).sum(dtype=np.int64)
    return Found(men, women, his, hers, int(read), timer.seconds)


def _lengths(problem: Preferences) -> np.ndarray:
    """Return how many women each man lists: int64, shape (M,)."""
    if problem.is_shared:
        return np.full(problem.num_men, problem.num_women, np.int64)
    return np.diff(problem.indptr)


def _ranks(
    work: Run, problem: Preferences, men: np.ndarray, women: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranks that pairs give each other."""
    device, xp = work.device, work.device.xp
    if problem.is_shared:
        place = np.empty(problem.num_women, np.int32)
        place[problem.order] = np.arange(1, problem.num_women + 1, dtype=np.int32)
        return place[women], problem.standing[men]
    his, hers = (xp.zeros(max(1, men.size), dtype=xp.int32) for _ in range(2))
    if men.size:
        pairs = [device.asarray(men), device.asarray(women)]
        kernel = device.kernel("marriage", "marriage_ranks")
        args = [men.size, *pairs, *work.lists.arguments[:2], his, hers]
        kernel(-(-men.size // 256), 256, args)
    return np.array(device.to_host(his)[: men.size]), np.array(device.to_host(hers)[: men.size])


def in_instance_numbers(raw: RawRecord, problem: Preferences) -> RawRecord:
    """Translate events from ranks of men and places of women to the instance's numbers."""
    events = raw.events.copy()
    words = events.view(np.int32)
    by_rank = np.argsort(problem.standing).astype(np.int32)
    words[:, 3] = by_rank[words[:, 3]]
    courted = (events[:, 2] & 0xFF) != Kind.ALONE
    words[courted, 4] = problem.num_men + problem.order[words[courted, 4] - problem.num_men]
    third = words[:, 5] >= 0
    words[third, 5] = by_rank[words[third, 5]]
    return dataclasses.replace(raw, events=events)
