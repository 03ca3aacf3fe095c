"""One function loads every kind of problem, and says which one a text specifies."""

import re

import pytest

import gpucore
from gpucore.errors import GraphError, ParameterError
from gpucore.family import families
from gpucore.loading import load, load_bytes
from gpucore.problem import kinds
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.roommates.load import load_roommates
from gpucore.problems.roommates.roommates import Roommates

TYPES = {
    "graph": Graph,
    "bipartite": BipartiteGraph,
    "preferences": Preferences,
    "roommates": Roommates,
    "ratings": Ratings,
}
#: The documented functions for one kind each.
LOADERS = {
    "bipartite": load_bipartite,
    "preferences": load_preferences,
    "roommates": load_roommates,
    "ratings": gpucore.load_ratings,
}


def test_every_kind_has_its_type():
    assert set(kinds()) == set(TYPES)


@pytest.mark.parametrize("kind", TYPES)
def test_a_graph_can_be_loaded_as_any_kind(kind):
    assert type(gpucore.load("karate", kind)) is TYPES[kind]
    path = b"1 2 0.5\n2 3 0.25\n"
    assert type(load_bytes("path.txt", path, kind)) is TYPES[kind]


@pytest.mark.parametrize("kind", LOADERS)
def test_the_function_of_a_kind_is_the_same(kind):
    one, other = LOADERS[kind]("path:n=6", seed=5), gpucore.load("path:n=6", kind=kind, seed=5)
    assert repr(one) == repr(other)
    assert gpucore.load("karate") == gpucore.load("karate", kind="graph")


def test_a_name_of_another_kind_tells_its_call():
    with pytest.raises(GraphError, match=re.escape('gpucore.load(..., kind="ratings") loads it')):
        gpucore.load("insteval")
    with pytest.raises(GraphError, match=re.escape('gpucore.load(..., kind="bipartite") loads it')):
        gpucore.load("southern_women", kind="roommates")


@pytest.mark.parametrize("call", [gpucore.load, lambda spec, kind: load_bytes(spec, b"", kind)])
def test_an_unknown_kind_is_an_error(call):
    with pytest.raises(ParameterError, match="no kind 'tree' of problems; there are bipartite"):
        call("karate", "tree")


@pytest.mark.parametrize("name", [kind.name for kind in kinds().values() if kind.lists])
def test_lists_stay_lists_only_for_a_family_that_takes_them(name):
    kind = kinds()[name]
    problem = load(kind.small, kind.name)
    assert kind.has_lists(problem)
    graph = problem.graph()
    assert not kind.has_lists(graph)
    for family in families().values():
        if family.problem == kind.name:
            assert family.prepared(problem) is problem
        elif family.problem == "graph":
            assert not hasattr(family.prepared(problem), "graph")
