"""The native certificate of a b-matching is that of array operations, which ranks use."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.certify.stability.part import Part
from gpucore.certify.stability.parts import combine, examine, finish
from gpucore.families.bmatching import native_proof
from gpucore.families.bmatching.capacity import capacities
from gpucore.families.bmatching.certificate import certify_bmatching
from support.bmatching_cases import graphs_and_b, greedy_b_mates
from support.certificates.same import agree

BLOCKS, THREADS = st.integers(1, 40), st.integers(1, 4)
STABILITY = st.sampled_from(["strict", "weak", "none"])


def reference(graph, capacity, starts, mates, *, stability="strict"):
    part = Part.of(graph, capacity, starts, mates)
    examined = examine(part)
    outcome = finish(part, examined, examined.summary, stability=stability)
    return combine([outcome], stability=stability)


def native(graph, *arrays, stability="strict"):
    assert native_proof.examine(graph, *arrays, stability) is not None
    return certify_bmatching(graph, *arrays, stability=stability)


def solution(graph, b):
    capacity = np.minimum(capacities(graph, b), 2**31 - 1).astype(np.int32)
    return capacity, *greedy_b_mates(graph, capacity)


@given(graphs_and_b(), STABILITY, BLOCKS, THREADS)
@settings(deadline=None, max_examples=100)
def test_right_b_matchings(case, stability, block, threads):
    graph, b = case
    found = agree(
        native, reference, graph, *solution(graph, b),
        stability=stability, block=block, threads=threads,
    )  # fmt: skip
    assert found.ok


@given(st.data(), graphs_and_b(), STABILITY, BLOCKS, THREADS)
@settings(deadline=None, max_examples=400)
def test_wrong_b_matchings(data, case, stability, block, threads):
    graph, b = case
    arrays = [array.copy() for array in solution(graph, b)]
    n = graph.num_vertices
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, 2))
        if arrays[at].size:
            place = data.draw(st.integers(0, arrays[at].size - 1))
            arrays[at][place] = data.draw(
                st.integers(-1, n) | st.just(arrays[at][max(place - 1, 0)]).map(int)
            )
    agree(native, reference, graph, *arrays, stability=stability, block=block, threads=threads)


@given(st.data(), graphs_and_b(), BLOCKS)
@settings(deadline=None, max_examples=100)
def test_pairs_left_out(data, case, block):
    graph, b = case
    capacity, starts, mates = solution(graph, b)
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(starts))
    if mates.size:
        at = data.draw(st.integers(0, mates.size - 1))
        gone = (rows == rows[at]) & (mates == mates[at])
        gone |= (rows == mates[at]) & (mates == rows[at])
        rows, mates = rows[~gone], mates[~gone]
        starts = np.searchsorted(rows, np.arange(graph.num_vertices + 1)).astype(np.int64)
    agree(native, reference, graph, capacity, starts, mates, block=block)
