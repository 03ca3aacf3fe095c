"""The native certificate of a marriage is its reference's, for stable and other marriages."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.families.marriage.certificate import certify_marriage
from support.certificates.marriage import reference
from support.certificates.same import agree

from .cases import arrays, best_for_men, instances, stable_marriages
from .test_certificate import marriages

BLOCKS, THREADS = st.integers(1, 30), st.integers(1, 4)
PROPOSERS = st.sampled_from([None, "men", "women"])


@given(instances(most=4), PROPOSERS, BLOCKS, THREADS)
@settings(deadline=None, max_examples=60)
def test_stable_marriages(preferences, proposers, block, threads):
    for pairs in stable_marriages(preferences):
        agree(
            certify_marriage, reference, preferences, *arrays(pairs),
            proposers=proposers, block=block, threads=threads,
        )  # fmt: skip


@given(marriages(), PROPOSERS, BLOCKS, THREADS)
@settings(deadline=None, max_examples=200)
def test_any_marriage(case, proposers, block, threads):
    preferences, pairs = case
    agree(
        certify_marriage, reference, preferences, *arrays(pairs),
        proposers=proposers, block=block, threads=threads,
    )  # fmt: skip


@given(st.data(), instances(capacities=True), BLOCKS)
@settings(deadline=None, max_examples=200)
def test_planted_mistakes(data, preferences, block):
    sides = [side.copy() for side in arrays(best_for_men(preferences))]
    at = data.draw(st.integers(0, 1))
    if sides[at].size:
        place = data.draw(st.integers(0, sides[at].size - 1))
        most = preferences.num_women if at else preferences.num_men
        kind = data.draw(st.sampled_from(["other", "dropped", "twice"]))
        if kind == "other":
            sides[at][place] = data.draw(st.integers(-1, most))
        if kind == "dropped":
            sides = [np.delete(side, place) for side in sides]
        if kind == "twice":
            sides = [np.insert(side, place, side[place]) for side in sides]
    agree(certify_marriage, reference, preferences, *sides, proposers="men", block=block)
