"""Layouts: finite, in their frame, the same for the same graph, and near what is joined."""

import networkx as nx
import numpy as np
import pytest

from gpucore.errors import Cancelled
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from warplens.app.layout.forces import fit, lay_out
from warplens.app.layout.positions import positions_of


def edges(graph):
    pairs = np.array(list(nx.convert_node_labels_to_integers(graph).edges()), dtype=np.int64)
    return len(graph), *pairs.reshape(-1, 2).T


GRAPHS = {
    "nothing": nx.empty_graph(0),
    "one vertex": nx.empty_graph(1),
    "only loners": nx.empty_graph(7),
    "an edge": nx.path_graph(2),
    "star": nx.star_graph(12),
    "karate": nx.karate_club_graph(),
    "parts": nx.disjoint_union_all([nx.cycle_graph(5), nx.path_graph(3), nx.empty_graph(2)]),
    "grid": nx.grid_2d_graph(20, 20),
    "large parts": nx.disjoint_union(nx.grid_2d_graph(12, 12), nx.cycle_graph(150)),
    "large star": nx.star_graph(400),
    "many small parts": nx.disjoint_union_all([nx.path_graph(4)] * 80),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_positions_are_finite_and_framed(name):
    n, u, v = edges(GRAPHS[name])
    xy = lay_out(n, u, v)
    assert xy.shape == (n, 2)
    assert xy.dtype == np.float32
    assert np.isfinite(xy).all()
    assert (np.abs(xy) <= 1.001).all()
    assert len(np.unique(xy.round(5), axis=0)) == n


@pytest.mark.parametrize("name", ["karate", "grid"])
def test_the_same_graph_looks_the_same(name):
    n, u, v = edges(GRAPHS[name])
    assert np.array_equal(lay_out(n, u, v), lay_out(n, u, v))


@pytest.mark.parametrize("name", ["karate", "grid", "large parts"])
def test_neighbours_are_near(name):
    n, u, v = edges(GRAPHS[name])
    xy = lay_out(n, u, v).astype(float)
    joined = np.linalg.norm(xy[u] - xy[v], axis=1).mean()
    any_two = np.linalg.norm(xy[:, None] - xy[None], axis=2).mean()
    assert joined < 0.55 * any_two


def test_a_grid_is_unfolded():
    n, u, v = edges(nx.grid_2d_graph(20, 20))
    xy = lay_out(n, u, v).reshape(20, 20, 2).astype(float)
    opposite = np.linalg.norm(xy[0, 0] - xy[-1, -1]), np.linalg.norm(xy[0, -1] - xy[-1, 0])
    assert min(opposite) > 1.0


def test_a_layout_can_be_stopped():
    class Late:
        def __init__(self):
            self.asked = 0

        def is_set(self):
            self.asked += 1
            return self.asked > 10

    n, u, v = edges(nx.grid_2d_graph(20, 20))
    with pytest.raises(Cancelled):
        lay_out(n, u, v, cancel=Late())


def test_progress_is_reported():
    heard = []
    n, u, v = edges(nx.grid_2d_graph(20, 20))
    lay_out(n, u, v, progress=lambda *words: heard.append(words))
    assert {phase for phase, _, _ in heard} == {"laying the graph out"}
    assert max(done for _, done, _ in heard) > 10


def test_own_coordinates_are_kept():
    graph = Graph.from_edges(3, [0, 1], [1, 2], coordinates=[[0, 0], [4, 0], [4, 2]])
    assert positions_of(graph).tolist() == [[-1, -0.5], [1, -0.5], [1, 0.5]]


def test_too_large_a_graph_is_not_drawn():
    graph = load("karate")
    assert positions_of(graph, max_vertices=33) is None
    assert positions_of(graph, max_edges=77) is None
    assert positions_of(graph, max_vertices=34, max_edges=78).shape == (34, 2)


def test_one_place_for_all_is_not_divided_by_zero():
    assert fit(np.ones((3, 2))).tolist() == [[0, 0]] * 3
