"""The outcome of a search for a stable marriage: pairs, ranks, numbers of the instance."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.marriage.native import Married
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.search import SEARCHES, Run
from gpucore.families.marriage.seats import assign, put_places

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record.recorder import RawRecord


def no_pairs() -> Married:
    """Return the outcome where all lists are empty."""
    none = np.empty(0, np.int32)
    return Married(none, none, 0, 0, 0)


def marry(work: Run, problem: Preferences, variant: str) -> tuple[Married, float]:
    """Find a marriage in which each person has at most one partner; return it and the seconds."""
    device, lists = work.device, work.lists
    device.report("proposing")
    with device.timer() as timer:
        wife = SEARCHES[variant](work)
    wives = np.array(device.to_host(wife)[: lists.men])
    men = np.flatnonzero(wives >= 0).astype(np.int32)
    women = wives[men]
    his, hers = _ranks(work, problem, men, women)
    read = his + int(problem.list_lengths()[wives < 0].sum(dtype=np.int64))
    return Married(men, women, read, his, hers), timer.seconds


def assign_all(work: Run, problem: Preferences) -> tuple[Married, float]:
    """Find an assignment in which a person may have several partners; as :func:`marry`."""
    device = work.device
    device.report("proposing")
    places = put_places(work, problem)
    with device.timer() as timer:
        seats, looked = assign(work, places)
    owners = places.women
    words = np.array(device.to_host(seats)[: owners.size])
    taken = words != np.uint64(0xFFFFFFFFFFFFFFFF)
    men, women = (words[taken] & np.uint64(0xFFFFFFFF)).astype(np.int32), owners[taken]
    his, hers = _ranks(work, problem, men, women)
    read = np.minimum(device.to_host(looked), problem.list_lengths()).sum(dtype=np.int64)
    return Married(men, women, int(read), his, hers), timer.seconds


def _ranks(work: Run, problem: Preferences, men: np.ndarray, women: np.ndarray) -> tuple[int, int]:
    """Return the sums of the ranks that pairs give each other."""
    device, xp = work.device, work.device.xp
    if problem.is_shared:
        place = np.empty(problem.num_women, np.int32)
        place[problem.order] = np.arange(1, problem.num_women + 1, dtype=np.int32)
        return _sum(place[women]), _sum(problem.standing[men])
    his, hers = (xp.zeros(max(1, men.size), dtype=xp.int32) for _ in range(2))
    if men.size:
        pairs = [device.asarray(men), device.asarray(women)]
        kernel = device.kernel("marriage", "marriage_ranks")
        args = [men.size, *pairs, *work.lists.arguments[:2], his, hers]
        kernel(-(-men.size // 256), 256, args)
    return _sum(device.to_host(his)), _sum(device.to_host(hers))


def _sum(ranks: np.ndarray) -> int:
    return int(ranks.sum(dtype=np.int64))


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
