"""Permuted vertices, and the first neighbour of a list: the paper's rule, on the processor."""

import numpy as np
import pytest

from gpucore.families.redblue.colours import SELECTS
from gpucore.family import get_runner
from gpucore.problems.graph.numbering import permuted
from support.matching_cases import random_graph, skewed_graph
from support.running import uncertified

from .runs import lists_of, reference


def in_their_order(graph, select):
    """Match by algorithm 1, vertices in the order of their numbers."""
    lists, mate = lists_of(graph), np.full(graph.num_vertices, -1, np.int32)
    for v in range(graph.num_vertices):
        free = [(w, u) for u, w in lists[v] if mate[u] < 0] if mate[v] < 0 else []
        if free:
            u = max(free)[1] if select == "weighted" else free[0][1]
            mate[v], mate[u] = u, v
    return mate


@pytest.mark.parametrize("select", ["weighted", "first"])
@pytest.mark.parametrize("seed", range(5))
def test_algorithm_1_visits_permuted_vertices_in_order(select, seed):
    runner, graph = get_runner("greedy_random"), skewed_graph(8, 1500, seed, levels=9)
    found = uncertified(runner.name, graph, select=select, permute=True, seed=seed)
    assert runner.certify(graph, found).ok
    other = permuted(graph, seed)
    np.testing.assert_array_equal(
        found.mate, other.given_mates(in_their_order(other.graph, select))
    )
    assert found.params["permute"] is True


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("generator", ["md5", "philox"])
def test_algorithm_3_on_permuted_vertices(select, generator):
    runner, graph = get_runner("redblue_omp"), random_graph(300, 1500, 3, levels=9)
    for seed in range(4):
        chosen = {"select": select, "generator": generator, "seed": seed}
        found = uncertified(runner.name, graph, permute=True, threads=2, **chosen)
        assert runner.certify(graph, found).ok
        other = permuted(graph, seed)
        expected, _ = reference(other.graph, **chosen)
        np.testing.assert_array_equal(found.mate, other.given_mates(expected))


def test_the_first_round_matches_fewer():
    """All vertices prefer the same few, so the first round matches fewer."""
    runner, graph = get_runner("redblue_omp"), random_graph(4000, 60_000, 2)
    first, arbitrary = (
        np.mean(
            [
                uncertified(runner.name, graph, select=s, seed=k).figures["matched"][0]
                for k in range(4)
            ]
        )
        for s in ("first", "random")
    )
    assert first < 0.7 * arbitrary
