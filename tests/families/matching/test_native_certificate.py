"""The native certificate of a matching is its reference's, for right and for wrong matchings."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.families.matching.certificate import certify_matching
from support.certificates.matching import reference
from support.certificates.mates import wrong_mates
from support.certificates.same import agree
from support.matching_cases import graphs, greedy_mates

BLOCKS, THREADS = st.integers(1, 40), st.integers(1, 4)
DOMINANCE = st.sampled_from(["strict", "weak", "none"])


@given(graphs(), DOMINANCE, BLOCKS, THREADS)
@settings(deadline=None, max_examples=60)
def test_right_matchings(graph, dominance, block, threads):
    mate = greedy_mates(graph)
    found = agree(
        certify_matching, reference, graph, mate, dominance=dominance, block=block, threads=threads
    )
    assert found.ok


@given(st.data(), graphs(), DOMINANCE, BLOCKS, THREADS)
@settings(deadline=None, max_examples=300)
def test_wrong_matchings(data, graph, dominance, block, threads):
    mate = data.draw(wrong_mates(graph, greedy_mates(graph)))
    agree(
        certify_matching, reference, graph, mate,
        dominance=dominance, block=block, threads=threads,
    )  # fmt: skip


@given(graphs(weights=("few",)), st.integers(-3, 3), BLOCKS)
@settings(deadline=None, max_examples=60)
def test_weights_of_zero_and_below(graph, shift, block):
    from gpucore.problems.graph.graph import Graph

    u, v, w = graph.edges()
    lower = Graph.from_edges(graph.num_vertices, u, v, w - np.float32(shift))
    agree(certify_matching, reference, lower, greedy_mates(graph), block=block)
