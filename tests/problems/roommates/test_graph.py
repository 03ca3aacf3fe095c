"""The graph of an instance's pairs: the same problem, with edges."""

from __future__ import annotations

import numpy as np
import pytest
from families.roommates.cases import roommates
from hypothesis import given

from gpucore.errors import GraphError
from gpucore.loading import load
from gpucore.notes import notes_of
from gpucore.problems.rebuild import rebuild
from gpucore.problems.roommates.graph import RoommatesGraph
from gpucore.problems.roommates.load import load_roommates
from gpucore.problems.roommates.prepare import for_roommates
from support.running import uncertified


@given(roommates(most=9))
def test_an_edge_joins_two_who_list_each_other(problem):
    graph = problem.graph()
    u, v, _ = graph.edges()
    pairs = {(p, q) for p, row in enumerate(problem.lists()) for q in row if p < q}
    assert set(zip(u.tolist(), v.tolist(), strict=True)) == pairs
    assert (graph.fingerprint, graph.num_edges) == (problem.fingerprint, problem.num_pairs)


@pytest.mark.parametrize("spec", ["irving_6", "roommates:n=9,length=4,seed=2", "karate", "lesmis"])
def test_a_record_names_what_makes_its_graph_again(spec):
    problem = load_roommates(spec)
    one = uncertified("irving", problem, record="events").record
    other = uncertified("irving", problem.graph(), record="events").record
    assert one.header["graph"] == other.header["graph"]
    again = rebuild(one.header["graph"]["source"])
    assert isinstance(again, RoommatesGraph)
    assert (again.fingerprint, again.names) == (problem.fingerprint, problem.names)


def test_a_graph_is_prepared_by_weight():
    graph = for_roommates(load("karate"), seed=3)
    assert graph == load_roommates("karate", seed=3).graph()
    assert for_roommates(graph) is graph
    assert notes_of(graph)[-1] == "Each vertex ranks its neighbours by weight."


def test_it_is_made_of_lists_only():
    graph = load_roommates("irving_6").graph()
    with pytest.raises(GraphError, match=r"made by Roommates\.graph"):
        RoommatesGraph(graph.indptr, graph.indices, graph.weights, roommates=graph.roommates)
    with pytest.raises(GraphError, match="not permuted"):
        graph.rearranged(np.arange(6))
