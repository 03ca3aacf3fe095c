"""Rails: every vertex has a place of its own, and few lines cross."""

import networkx as nx
import numpy as np
import pytest

from gpucore.errors import Cancelled
from gpucore.problems.bipartite.graph import BipartiteGraph
from warplens.app.layout.positions import positions_of
from warplens.app.layout.rails import (
    MOST_ON_A_RAIL,
    crossings,
    fewest_crossings,
    rails,
)


def uniform(rows, columns, degree, seed):
    rng = np.random.default_rng(seed)
    i = rng.integers(rows, size=columns * degree)
    return i, np.repeat(np.arange(columns), degree)


def slow_crossings(matrix):
    lines = np.argwhere(matrix)
    return sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0 for k, a in enumerate(lines) for b in lines[k + 1 :]
    )


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (5, 0), (1, 1), (3, 7), (40, 30)])
def test_every_vertex_has_a_place_of_its_own(shape):
    if 0 in shape:
        i = j = np.empty(0, np.int32)
    else:
        i, j = uniform(*shape, 2, 1)
    places = rails(i, j, shape)
    assert places.shape == (sum(shape), 2)
    assert np.isfinite(places).all()
    assert len(np.unique(places, axis=0)) == sum(shape)
    assert (places[: shape[0], 1] < 0).all()
    assert (places[shape[0] :, 1] > 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_crossings_are_counted(seed):
    matrix = np.random.default_rng(seed).random((9, 7)) < 0.4
    assert crossings(matrix) == slow_crossings(matrix)


def test_a_path_that_was_shuffled_is_untangled():
    steps = np.arange(40)
    row_names, column_names = np.random.default_rng(1).permuted([steps, steps], axis=1)
    i, j = np.r_[steps, steps[1:]], np.r_[steps, steps[:-1]]
    i, j = row_names[i], column_names[j]
    matrix = np.zeros((40, 40), bool)
    matrix[i, j] = True
    rows, columns = fewest_crossings(i, j, (40, 40))
    assert sorted(rows) == sorted(columns) == list(range(40))
    assert crossings(matrix[rows][:, columns]) == 0
    assert crossings(matrix) > 100


def test_far_fewer_lines_cross_than_by_chance():
    i, j = uniform(50, 50, 2, 3)
    matrix = np.zeros((50, 50), bool)
    matrix[i, j] = True
    rows, columns = fewest_crossings(i, j, (50, 50))
    assert crossings(matrix[rows][:, columns]) < 0.4 * crossings(matrix)


def test_the_same_matrix_is_drawn_the_same():
    i, j = uniform(60, 45, 3, 2)
    assert np.array_equal(rails(i, j, (60, 45)), rails(i[::-1], j[::-1], (60, 45)))


def test_a_matrix_is_laid_out_as_rails():
    women = nx.davis_southern_women_graph()
    entries = nx.algorithms.bipartite.biadjacency_matrix(women, women.graph["top"])
    graph = BipartiteGraph.from_matrix(entries)
    places = positions_of(graph)
    assert set(np.round(places[:, 1], 3)) == {np.float32(-0.3), np.float32(0.3)}
    assert positions_of(graph, max_edges=88) is None


def test_too_long_a_rail_is_not_laid_out():
    assert rails(np.arange(3), np.arange(3), (MOST_ON_A_RAIL + 1, 3)) is None


def test_a_layout_of_rails_can_be_stopped():
    class Now:
        def is_set(self):
            return True

    with pytest.raises(Cancelled):
        rails(*uniform(20, 20, 2, 1), (20, 20), cancel=Now())
