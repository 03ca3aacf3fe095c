"""The native certificate of a bipartite matching is its reference's, with SciPy's search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.families.bipartite.certificate import certify_bipartite
from support.certificates.bipartite import reference
from support.certificates.same import agree

from .cases import chain, greedy_matching, matrices, random_matrix, scipy_matching

BLOCKS, THREADS = st.integers(1, 30), st.integers(1, 4)


@given(matrices(), BLOCKS, THREADS)
@settings(deadline=None, max_examples=60)
def test_maximum_matchings(graph, block, threads):
    matching = scipy_matching(graph)
    assert agree(certify_bipartite, reference, graph, *matching, block=block, threads=threads).ok


@given(st.data(), matrices(), BLOCKS, THREADS)
@settings(deadline=None, max_examples=300)
def test_matchings_that_are_not_maximum_and_mistakes(data, graph, block, threads):
    order = np.array(data.draw(st.permutations(range(graph.num_edges))), np.int64)
    sides = [match.copy() for match in greedy_matching(graph, order)]
    at = data.draw(st.integers(0, 1))
    if sides[at].size:
        place = data.draw(st.integers(0, sides[at].size - 1))
        kind = data.draw(st.sampled_from(["none", "any", "pair", "dropped"]))
        other = sides[at][place]
        if kind == "any":
            sides[at][place] = data.draw(st.integers(-2, sides[1 - at].size))
        if kind == "dropped" and other >= 0:
            sides[at][place] = sides[1 - at][other] = -1
        if kind == "pair" and other < 0 and (free := np.flatnonzero(sides[1 - at] < 0)).size:
            sides[at][place], sides[1 - at][free[0]] = free[0], place
    agree(certify_bipartite, reference, graph, *sides, block=block, threads=threads)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_of_wide_levels_and_one_of_many(threads):
    wide = random_matrix(60_000, 50_000, 300_000, 3)
    assert agree(certify_bipartite, reference, wide, *scipy_matching(wide), threads=threads).ok
    long = chain(3000)
    agree(certify_bipartite, reference, long, *scipy_matching(long), block=100, threads=threads)
