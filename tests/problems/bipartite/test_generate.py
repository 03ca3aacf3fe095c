"""Synthetic matrices: valid, reproducible from their specification, as hard as documented."""

from collections import deque

import numpy as np
import pytest
from scipy.sparse.csgraph import maximum_bipartite_matching

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.bipartite.generate import (
    BIPARTITE_GENERATORS,
    bip_rmat,
    chain,
    layered,
    uniform,
)
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.rebuild import rebuild

SPECS = [
    "uniform:rows=90,columns=70,degree=3,seed=2",
    "uniform:rows=9,columns=70",
    "bip_rmat:scale=7,edge_factor=6,seed=2",
    "chain:length=9",
    "chain:length=5,chains=4",
    "layered:levels=5",
    "layered:levels=3,width=4",
    "crossing",
    "crossing:ends=4,copies=3",
]


@pytest.mark.parametrize("spec", SPECS)
def test_every_generator_is_sound_and_can_be_made_again(spec):
    graph = load_bipartite(spec)
    rows = (graph.indptr, graph.indices, graph.weights)
    assert BipartiteGraph(*rows, num_rows=graph.num_rows) == graph
    assert graph.name == spec.partition(":")[0]
    assert rebuild(graph.source) == graph


def test_all_generators_are_tested():
    assert {spec.split(":")[0] for spec in SPECS} == set(BIPARTITE_GENERATORS)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "seed" in spec])
def test_other_seed_other_matrix(spec):
    head, _, _ = spec.rpartition("seed=")
    assert load_bipartite(head + "seed=10") != load_bipartite(head + "seed=11")


def cardinality(graph):
    return int((maximum_bipartite_matching(graph.to_matrix()) >= 0).sum())


def cheap(lists):
    """Return the partners that the vertices take in their order, the first free one each."""
    indptr, partners = lists
    taken, found = set(), np.full(indptr.size - 1, -1)
    for v in range(found.size):
        free = [u for u in partners[indptr[v] : indptr[v + 1]].tolist() if u not in taken]
        if free:
            found[v] = free[0]
            taken.add(free[0])
    return found


def shortest_path(graph, mates, root):
    """Return the edges of the shortest augmenting path from a row that is not matched."""
    indptr, columns = graph.by_row()
    row_of = {int(column): row for row, column in enumerate(mates) if column >= 0}
    far, waiting = {root: 0}, deque([root])
    while waiting:
        row = waiting.popleft()
        for column in columns[indptr[row] : indptr[row + 1]].tolist():
            if column not in row_of:
                return 2 * far[row] + 1
            if row_of[column] not in far:
                far[row_of[column]] = far[row] + 1
                waiting.append(row_of[column])
    return None


def test_uniform_rows_draw_all_columns():
    graph = uniform(4000, 50, 3, seed=4)
    degrees = np.diff(graph.by_row()[0])
    assert degrees.max() == 3
    assert 2.9 < degrees.mean() < 3
    hits = np.diff(graph.by_column()[0])
    assert (np.abs(hits - 240) < 5 * np.sqrt(240)).all()
    sparse = uniform(1000, 1000, 3, seed=1)
    assert 900 < cardinality(sparse) < 950  # e**-3 of the columns are in no row


def test_rmat_has_hubs_and_empty_lines_on_both_sides():
    graph = bip_rmat(11, seed=3)
    for indptr, _ in (graph.by_row(), graph.by_column()):
        degrees = np.diff(indptr)
        assert degrees.max() > 20 * degrees.mean()
        assert (degrees == 0).sum() > 100
        assert abs(np.corrcoef(degrees, np.arange(degrees.size))[0, 1]) < 0.2
    assert (graph.to_matrix() != graph.to_matrix().T).nnz > graph.num_edges
    assert bip_rmat(5, a=1, b=0, c=0).num_edges == 1


@pytest.mark.parametrize("side", ["by_row", "by_column"])
@pytest.mark.parametrize(("length", "chains"), [(1, 1), (2, 1), (6, 1), (30, 3)])
def test_a_chain_leaves_one_path_through_all_of_it(side, length, chains):
    graph = chain(length, chains)
    assert cardinality(graph) == length * chains
    if side == "by_column":
        graph = graph.transpose()
    mates = cheap(graph.by_row())
    roots = np.flatnonzero(mates < 0)
    assert roots.size == (chains if length > 1 else 0)
    for root in roots.tolist():
        assert shortest_path(graph, mates, root) == 2 * length - 1


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("levels", "width"), [(1, 1), (4, 1), (5, 2), (4, 3)])
def test_a_layered_matrix_has_a_path_of_every_length(turned, levels, width):
    graph = layered(levels, width)
    assert cardinality(graph) == graph.num_rows == graph.num_columns
    if turned:
        graph = graph.transpose()
    mates = cheap(graph.by_row())
    roots = np.flatnonzero(mates < 0).tolist()
    lengths = [shortest_path(graph, mates, root) for root in roots]
    assert sorted(lengths) == [2 * d + 1 for d in range(1, levels + 1) for _ in range(2)]


def test_smallest():
    assert uniform(0, 0).shape == (0, 0)
    assert uniform(3, 2, 0).num_edges == 0
    assert bip_rmat(0).shape == (1, 1)
    assert layered(1, 1).shape == (6, 6)


BAD = {
    "parameter": ("chain:size=3", "generator chain has no parameter 'size'; it takes chain:len"),
    "missing": ("uniform:rows=3", "generator uniform needs columns"),
    "weights": ("chain:length=3,weights=unit", "has no parameter 'weights'"),
    "whole": ("layered:levels=two", "levels must be a whole number, not 'two'"),
    "columns": ("uniform:rows=3,columns=0", "columns must be between 1 and"),
    "rows": ("uniform:rows=-3,columns=4", "rows must be between 0 and"),
    "length": ("chain:length=0", "length must be between 1 and"),
    "chains": ("chain:length=2,chains=0", "chains must be between 1 and"),
    "width": ("layered:levels=2,width=0", "width must be between 1 and"),
    "scale": ("bip_rmat:scale=60", "scale must be between 0 and 30, not 60"),
    "quadrants": ("bip_rmat:scale=3,a=0.9,b=0.9", "must be probabilities"),
    "seed": ("uniform:rows=3,columns=3,seed=-1", "seed must be a whole number of at least 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_specifications(case):
    spec, message = BAD[case]
    with pytest.raises(GraphError, match=message):
        load_bipartite(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "uniform:rows=90000000,columns=9",
        "uniform:rows=9,columns=9,degree=900000000",
        "bip_rmat:scale=25",
        "chain:length=90000000",
        "chain:length=9000000,chains=9000000",
        "layered:levels=2000000000",
        "layered:levels=2,width=1000000",
    ],
)
def test_large_matrices_are_refused_before_memory_is_taken(spec):
    with pytest.raises(GraphError, match=r"more than the .* allowed here"):
        load_bipartite(spec, limits=Limits(max_bytes=1 << 30))
