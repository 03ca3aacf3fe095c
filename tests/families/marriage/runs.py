"""Helpers for tests of stable marriage: runs, instances, the textbook's method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

import gpucore
from gpucore.family import get_runner
from gpucore.problems.preferences.preferences import Preferences

VARIANTS = get_runner("marriage").variant_names

PROPOSERS = ("men", "women")
#: Every way to propose.
EVERYTHING = [(variant, proposers) for variant in VARIANTS for proposers in PROPOSERS]
NAMES = ["-".join(one) for one in EVERYTHING]


def find(problem, variant="fast", device="host", **more):
    """Run a variant; its result is certified and its figures fit together."""
    result = gpucore.run("marriage", problem, device=device, variant=variant, **more)
    assert result.certificate.ok, str(result.certificate)
    preferences = getattr(problem, "preferences", problem)
    assert result.cardinality == result.men.size == result.women.size
    assert result.men.dtype == result.women.dtype == np.int32
    ranks = [preferences.rank(*pair) for pair in pairs_in(result)]
    for name, side in (("men_mean_rank", 0), ("women_mean_rank", 1)):
        expected = np.mean([rank[side] for rank in ranks]) if ranks else None
        assert result.figures[name] == (expected if expected is None else pytest.approx(expected))
    return result


def run(problem, variant="fast", device="host", **more):
    """Run a variant without a certificate."""
    return gpucore.run("marriage", problem, device=device, variant=variant, certify=False, **more)


def pairs_in(result):
    """Return the married pairs, (man, woman)."""
    return list(zip(result.men.tolist(), result.women.tolist(), strict=True))


def textbook(preferences, proposers="men"):
    """Let one man after another propose; returns the pairs (man, woman) and the places read."""
    if proposers == "women":
        pairs, read = textbook(preferences.swapped())
        return sorted((man, woman) for woman, man in pairs), read
    men, women = (preferences.expanded() if preferences.is_shared else preferences).lists()
    rank = [{man: place for place, man in enumerate(row)} for row in women]
    of_men, of_women = (
        [1] * len(rows) if capacity is None else capacity.tolist()
        for rows, capacity in ((men, preferences.man_capacity), (women, preferences.woman_capacity))
    )
    ahead = [list(row) for row in men]
    held = [[] for _ in women]
    free = [man for man in range(len(men)) for _ in range(of_men[man])]
    while free:
        man = free.pop()
        if not ahead[man]:
            continue
        woman = ahead[man].pop(0)
        held[woman].append(man)
        held[woman].sort(key=rank[woman].__getitem__)
        if len(held[woman]) > of_women[woman]:
            free.append(held[woman].pop())
    read = sum(len(row) for row in men) - sum(len(row) for row in ahead)
    return sorted((man, woman) for woman, row in enumerate(held) for man in row), read


def instance(rng, men, women, share, **capacities):
    """Return an instance in which a share of all pairs list each other, in random order."""
    listed = rng.random((men, women)) < share
    sides = [
        [rng.permutation(np.flatnonzero(row)).tolist() for row in table]
        for table in (listed, listed.T)
    ]
    return Preferences.from_lists(*sides, **capacities)


def shared(rng, men, women):
    """Return an instance in which all men have one list, and all women another."""
    return Preferences.shared(rng.permutation(women), rng.permutation(men) + 1)


@st.composite
def instances(draw, most=30):
    """Draw instances: incomplete lists, complete ones, common ones, sides that are not equal."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    men, women = draw(st.integers(1, most)), draw(st.integers(1, most))
    share = draw(st.sampled_from([0.1, 0.4, 0.8, 1.0, None]))
    return shared(rng, men, women) if share is None else instance(rng, men, women, share)


@st.composite
def assignments(draw, most=20):
    """Draw instances in which people may have several partners."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    men, women = draw(st.integers(1, most)), draw(st.integers(1, most))
    share = draw(st.sampled_from([0.2, 0.6, 1.0]))
    of_men = rng.integers(1, 4, men) if draw(st.booleans()) else None
    of_women = rng.integers(1, draw(st.sampled_from([6, 30])), women)
    return instance(rng, men, women, share, man_capacity=of_men, woman_capacity=of_women)
