"""Where NetworkX's tests expect other communities than ours, the declared figures are so."""

from __future__ import annotations

import re

import networkx as nx
import pytest

from gpucore.families.communities import FAMILY
from support.leiden_metric import METRIC

OURS = {"backend": "warplens"}
KARATE = nx.karate_club_graph()
#: Of test_louvain.py and test_leiden.py: what seeds of NetworkX find.
OF_A_SEED = [
    {0, 1, 2, 3, 7, 9, 11, 12, 13, 17, 19, 21}, {16, 4, 5, 6, 10}, {23, 25, 27, 28, 24, 31},
    {32, 33, 8, 14, 15, 18, 20, 22, 26, 29, 30},
]  # fmt: skip
OF_A_SEED_OF_LEIDEN = [
    {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16, 17, 19, 21},
    {8, 14, 15, 18, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33},
]
pytestmark = pytest.mark.filterwarnings("ignore:.*conversions to backend graphs:UserWarning")


def figures(test):
    """Return the numbers in the reason of a test."""
    return [float(found) for found in re.findall(r"\.\d{4,}", FAMILY.networkx_tests[test])]


@pytest.mark.parametrize("name", ["karate_club_partition", "undirected_selfloops"])
def test_without_weights(name):
    ours = nx.community.louvain_communities(KARATE, weight=None, **OURS)
    both = [nx.community.modularity(KARATE, found, weight=None) for found in (OF_A_SEED, ours)]
    assert figures(f"test_louvain.py::test_{name}") == pytest.approx(both, abs=5e-6)


def test_a_multigraph():
    graph, multigraph = KARATE.copy(), nx.MultiGraph(KARATE)
    graph.add_edge(0, 1, weight=10)
    multigraph.add_edge(0, 1, weight=9)
    for one in (graph, multigraph):
        one.add_edge(0, 9, foo=20)
    theirs = nx.community.louvain_communities(multigraph, seed=1234)
    ours = nx.community.louvain_communities(graph, **OURS)
    both = [nx.community.modularity(graph, found) for found in (theirs, ours)]
    assert figures("test_louvain.py::test_multigraph") == pytest.approx(both, abs=5e-5)


def test_leiden_at_a_resolution():
    how = {"weight": None, "resolution": 0.4}
    ours = nx.community.leiden_communities(KARATE, **how, **METRIC, **OURS)
    both = [nx.community.modularity(KARATE, found, **how) for found in (OF_A_SEED_OF_LEIDEN, ours)]
    test = "test_leiden.py::test_expected_stable_across_code_changes_qmod"
    assert figures(test) == pytest.approx(both, abs=5e-6)


def test_levels_of_leiden():
    path, heavy = nx.path_graph(15), nx.path_graph(15)
    heavy.add_weighted_edges_from((u, v, (u + 1) * v) for u, v in path.edges)
    how = {"resolution": 2, **METRIC, **OURS}
    for graph in (path, heavy):
        assert len(list(nx.community.leiden_partitions(graph, **how))) == 2
