"""The native certificate of a maximal matching is its reference's."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.families.redblue.certificate import certify_maximal
from support.certificates.mates import wrong_mates
from support.certificates.redblue import reference
from support.certificates.same import agree
from support.matching_cases import graphs, greedy_mates

BLOCKS, THREADS = st.integers(1, 40), st.integers(1, 4)


@given(graphs(), BLOCKS, THREADS)
@settings(deadline=None, max_examples=60)
def test_right_matchings(graph, block, threads):
    mate = greedy_mates(graph)
    assert agree(certify_maximal, reference, graph, mate, block=block, threads=threads).ok


@given(st.data(), graphs(), BLOCKS, THREADS)
@settings(deadline=None, max_examples=300)
def test_wrong_matchings(data, graph, block, threads):
    mate = data.draw(wrong_mates(graph, greedy_mates(graph)))
    agree(certify_maximal, reference, graph, mate, block=block, threads=threads)
