"""Parts of a graph: every row is in one of them, and the edges are balanced."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.problems.graph.part import cut
from support.matching_cases import graph_of, graphs, random_graph


@given(graph=graphs(max_vertices=40), ranks=st.integers(1, 9))
def test_the_parts_are_the_graph(graph, ranks):
    parts = cut(graph, ranks)
    assert [part.rank for part in parts] == list(range(ranks))
    assert parts[0].lo == 0
    assert parts[-1].hi == graph.num_vertices
    for part in parts:
        assert part.ranks == ranks
        assert part.n == graph.num_vertices
        assert part.indptr[0] == 0
        assert len(part.indptr) == part.hi - part.lo + 1
        for v in range(part.lo, part.hi):
            row = slice(part.indptr[v - part.lo], part.indptr[v - part.lo + 1])
            ids, weights = graph.neighbours(v)
            assert part.indices[row].tolist() == ids.tolist()
            assert part.weights[row].tolist() == weights.tolist()


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_edges_are_balanced(ranks):
    graph = random_graph(2000, 20_000, 3)
    sizes = [len(part.indices) for part in cut(graph, ranks)]
    assert max(sizes) <= 1.02 * len(graph.indices) / ranks


def test_a_hub_has_a_part_of_its_own():
    graph = graph_of(100, [(0, v) for v in range(1, 100)], np.ones(99))
    first, *others = cut(graph, 4)
    assert (first.lo, first.hi) == (0, 1)
    assert sum(part.hi - part.lo for part in others) == 99
