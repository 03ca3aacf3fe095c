"""Coarsening keeps weights, terminates, and works with any matching method."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.errors import Cancelled, GraphError, ParameterError
from gpucore.families.redblue.coarsening import coarsen
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching, integer_weights
from support.matching_cases import graph_of, graphs, random_graph
from support.running import uncertified

MATCHERS = ["redblue_omp", "greedy_random", "greedy_weighted", "suitor_omp", "redblue:paper@host"]
quick = settings(max_examples=60, deadline=None)
PATH = graph_of(4, [(0, 1), (1, 2), (2, 3)], [2, 3, 4])


def by_networkx(graph, part):
    """Contract groups of vertices and add up the edges between them."""
    between = nx.Graph()
    between.add_nodes_from(part.tolist())
    inside = 0.0
    for u, v, w in zip(*(a.tolist() for a in graph.edges()), strict=True):
        a, b = int(part[u]), int(part[v])
        if a == b:
            inside += w
        else:
            between.add_edge(a, b, weight=w + between.get_edge_data(a, b, {"weight": 0})["weight"])
    return between, inside


@pytest.mark.parametrize("matcher", MATCHERS[:3])
@given(graph=graphs(max_vertices=24, weights=("equal", "few", "distinct")), data=st.data())
@quick
def test_every_level_is_the_contracted_graph(matcher, graph, data):
    """Whole weights, which float32 adds without rounding."""
    weights = data.draw(st.lists(st.integers(1, 9), min_size=graph.num_vertices))
    hierarchy = coarsen(
        graph, matcher=matcher, vertex_weights=np.array(weights[: graph.num_vertices], int)
    )
    assert hierarchy.levels[0].graph is graph
    total = hierarchy.levels[0].weight
    for number, level in enumerate(hierarchy.levels):
        part = hierarchy.at_level(number)
        between, inside = by_networkx(graph, part)
        assert between.number_of_nodes() == level.num_vertices
        assert between.number_of_edges() == level.num_edges
        for u, v, w in zip(*(a.tolist() for a in level.graph.edges()), strict=True):
            assert between[u][v]["weight"] == w
        assert level.inside == inside
        assert level.weight + level.inside == total
        assert level.graph.num_loops == 0
        expected = np.bincount(part, weights[: graph.num_vertices], level.num_vertices)
        np.testing.assert_array_equal(level.vertex_weights, expected)


@pytest.mark.parametrize("matcher", MATCHERS[:3])
@given(graph=graphs(max_vertices=24))
@quick
def test_it_ends_where_no_edge_is_left(matcher, graph):
    hierarchy = coarsen(graph, matcher=matcher)
    sizes = [level.num_vertices for level in hierarchy.levels]
    assert all(finer > coarser for finer, coarser in pairwise(sizes))
    assert hierarchy.coarsest.num_edges == 0
    parts = hierarchy.at_level(len(hierarchy) - 1)
    edges = zip(*(a.tolist() for a in graph.edges()[:2]), strict=True)
    plain = nx.Graph(list(edges))
    plain.add_nodes_from(range(graph.num_vertices))
    components = {frozenset(found) for found in nx.connected_components(plain)}
    assert {frozenset(np.flatnonzero(parts == k).tolist()) for k in set(parts)} == components


@pytest.mark.parametrize("matcher", MATCHERS)
def test_any_method_by_its_name(matcher):
    graph = integer_weights(load("karate"), seed=1)
    hierarchy = coarsen(graph, matcher=matcher)
    assert hierarchy.coarsest.num_vertices == 1
    assert hierarchy.coarsest.vertex_weights.tolist() == [34]
    assert hierarchy.coarsest.inside == hierarchy.levels[0].weight
    assert all(level.seconds > 0 for level in hierarchy.levels[:-1])
    assert all(level.graph.name == "karate" for level in hierarchy.levels)


def test_real_weights_are_kept_up_to_rounding():
    graph = random_graph(3000, 20_000, 3)
    hierarchy = coarsen(graph, params={"threads": 2, "select": "random"})
    total = hierarchy.levels[0].weight
    for level in hierarchy.levels:
        assert level.weight + level.inside == pytest.approx(total, rel=1e-6)
        assert level.vertex_weights.sum() == 3000
    matched = [row["matched"] for row in hierarchy.as_rows()]
    assert matched[0] > 0.8
    assert matched[-1] is None


def test_a_matching_of_all_vertices_halves_the_graph():
    graph = Graph.from_edges(64, *np.triu_indices(64, 1))
    rows = coarsen(graph, matcher="greedy_random").as_rows()
    assert [row["vertices"] for row in rows] == [64, 32, 16, 8, 4, 2, 1]
    assert [row["heaviest_vertex"] for row in rows] == [1, 2, 4, 8, 16, 32, 64]
    assert rows[5]["weight"] == 32 * 32
    json.dumps(rows)


def test_when_to_stop():
    graph = for_matching(load("karate"))
    whole = coarsen(graph)
    for levels in (0, 1, 2):
        assert len(coarsen(graph, levels=levels)) == levels + 1
    sizes = [level.num_vertices for level in whole.levels]
    few = coarsen(graph, until=sizes[2])
    assert [level.num_vertices for level in few.levels] == sizes[:3]
    assert len(coarsen(graph, until=34)) == 1
    assert len(coarsen(graph, matcher=lambda g: np.full(g.num_vertices, -1))) == 1
    star = graph_of(100, [(0, v) for v in range(1, 100)], np.arange(1, 100))
    assert len(coarsen(star, levels=200)) == 100  # a star loses one leaf a level
    assert len(coarsen(star, levels=200, stall=0.02)) == 1
    assert len(coarsen(PATH, matcher="greedy_weighted", stall=0.9)) == 3  # all, twice


@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_contract(n):
    hierarchy = coarsen(graph_of(n, [], []))
    assert len(hierarchy) == 1
    assert hierarchy.as_rows()[0]["heaviest_vertex"] == min(n, 1)


def test_a_matcher_may_be_a_function():
    by_function = coarsen(PATH, matcher=partial(uncertified, "suitor_serial"))
    by_name = coarsen(PATH, matcher="suitor_serial")
    assert [level.graph for level in by_function.levels] == [
        level.graph for level in by_name.levels
    ]
    assert by_name.levels[0].mate.tolist() == [1, 0, 3, 2]
    assert by_name.levels[0].coarser.tolist() == [0, 0, 1, 1]


def test_loops_stay_out_of_the_next_level():
    graph = Graph.from_edges(3, [0, 0, 1], [0, 1, 2], [9, 1, 2])
    hierarchy = coarsen(graph, matcher="greedy_weighted", levels=1)
    assert [level.weight for level in hierarchy.levels] == [3, 1]
    assert hierarchy.coarsest.inside == 2
    assert hierarchy.coarsest.graph.num_loops == 0


def test_vertices_lie_in_the_middle_of_what_they_stand_for():
    places = np.array([[0, 0], [2, 0], [4, 4], [8, 4]])
    graph = PATH.with_attributes(coordinates=places)
    hierarchy = coarsen(graph, vertex_weights=[1, 3, 1, 1], matcher="greedy_weighted")
    np.testing.assert_allclose(hierarchy.levels[1].graph.coordinates, [[1.5, 0], [6, 4]])
    for number, level in enumerate(hierarchy.levels):
        np.testing.assert_allclose(hierarchy.centres(number, places), level.graph.coordinates)
    assert coarsen(PATH).levels[1].graph.coordinates is None


@pytest.mark.parametrize(
    ("mate", "text"),
    [
        ([1, 0, 3], "shape"),
        ([1, 2, 1, -1], r"mate\[0\] = 1"),
        ([1.0, 0.0, 3.0, 2.0], "float64"),
        ([2, 3, 0, 1], "share no edge"),
    ],
)
def test_what_is_no_matching_is_refused(mate, text):
    with pytest.raises(ParameterError, match=text):
        coarsen(PATH, matcher=lambda _: mate)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"levels": -1}, "levels must be"),
        ({"levels": True}, "levels must be"),
        ({"until": 2.5}, "until must be"),
        ({"vertex_weights": [1, 2]}, "4 whole numbers"),
        ({"vertex_weights": [1, 2, 0, 1]}, "above 0"),
        ({"matcher": "magic"}, "no algorithm 'magic'"),
        ({"params": {"speed": 1}}, "no parameter 'speed'"),
        ({"matcher": lambda _: [], "params": {"seed": 1}}, "by its name"),
        ({"matcher": "louvain_serial"}, "no matching"),
    ],
)
def test_wrong_parameters_are_refused(params, text):
    with pytest.raises(ParameterError, match=text):
        coarsen(PATH, **params)


def test_wrong_levels_are_refused():
    with pytest.raises(ParameterError, match="levels are 0 to 2"):
        coarsen(PATH).at_level(3)


def test_sums_of_weights_may_be_too_large():
    huge = np.finfo(np.float32).max
    graph = graph_of(4, [(0, 1), (0, 3), (1, 2), (2, 3)], [1, huge, huge, 1])
    with pytest.raises(GraphError):
        coarsen(graph, matcher=lambda _: [1, 0, 3, 2])


def test_it_can_be_cancelled_and_reports_progress():
    reports = []

    class Stop:
        def is_set(self):
            return len(reports) == 2

    def progress(*report):
        reports.append(report)

    with pytest.raises(Cancelled):
        coarsen(random_graph(100, 400, 1), cancel=Stop(), progress=progress)
    assert reports == [("coarsening", 0, 0), ("coarsening", 1, 0)]
