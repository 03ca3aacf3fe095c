"""The claims of section 3 hold on every graph; if one side is changed, the checks fail."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.errors import ParameterError
from gpucore.families.marriage import equivalence, equivalence_claim
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.preferences import Preferences
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

relaxed = settings(deadline=None, max_examples=60)

#: Edges up to which plain Python goes through a graph in no time.
FEW = 20_000


@given(graphs(max_vertices=24), st.data())
@relaxed
def test_every_claim_holds(graph, data):
    n = graph.num_vertices
    order = data.draw(st.permutations(range(n)))
    room = data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    for found in (
        equivalence.lemma_31(graph),
        equivalence.roommates(graph),
        equivalence.chains(graph, order),
        equivalence.pointer(graph),
        equivalence.b_matching(graph, room),
        equivalence.fixtures(graph, room),
    ):
        assert found.claim.holds, found.claim
    mates = equivalence.lemma_31(graph)
    np.testing.assert_array_equal(mates.on_graph, greedy_mates(graph))
    np.testing.assert_array_equal(mates.on_preferences, greedy_mates(graph))


@pytest.mark.parametrize("name", dataset_names("graph"))
def test_every_claim_holds_on_bundled_graphs(name):
    graph = for_matching(load(name))
    if graph.num_edges > FEW:
        assert equivalence.lemma_31(graph).claim.holds
        assert equivalence.roommates(graph).claim.holds
        return
    for claim in equivalence.claims(graph, b=3):
        assert claim.holds, claim


@pytest.mark.parametrize("make", [random_graph, skewed_graph])
def test_the_steps_are_those_of_the_compiled_methods(make):
    """By number of proposals: a chain of Suitor scans once more where it finds no neighbour."""
    graph = make(400, 2000, 3, 6) if make is random_graph else make(9, 2000, 3, 6)
    found = equivalence.chains(graph)
    assert found.claim.holds
    steps = found.on_graph
    scans = uncertified("suitor_serial", graph).figures["scans"]
    alone = np.count_nonzero(_ends(steps) >= 0) + graph.num_vertices - np.unique(steps.turn).size
    assert scans == steps.proposer.size + alone
    theirs = uncertified("mcvitie_wilson", Preferences.from_graph(graph))
    assert theirs.figures["proposals"] == steps.proposer.size


def _ends(steps):
    """Return whom the last proposal of every chain displaced."""
    last = np.append(steps.turn[1:] != steps.turn[:-1], [True] * (steps.turn.size > 0))
    return steps.displaced[last]


def test_chains_follow_the_order_of_turns():
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)], [1.0, 2.0, 3.0])
    forward, backward = equivalence.chains(path), equivalence.chains(path, [3, 2, 1, 0])
    assert forward.on_graph.steps() == [(0, 1, -1), (1, 2, -1), (2, 3, -1), (3, 2, 1), (1, 0, -1)]
    assert forward.on_graph.turn.tolist() == [0, 1, 2, 3, 3]
    assert backward.on_graph.steps() == [(3, 2, -1), (2, 3, -1), (1, 0, -1), (0, 1, -1)]
    assert backward.claim.holds


def test_pointers_wait_where_men_have_been_refused():
    """Vertex 0 keeps pointing at 1 until 1 is matched, two rounds after its man was refused."""
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)], [1.0, 2.0, 3.0])
    found = equivalence.pointer(path)
    assert found.on_graph.place.tolist() == [[1, 1, 1, 1], [1, 2, 1, 1]]
    assert found.on_preferences.place.tolist() == [[1, 1, 1, 1], [1, 2, 1, 1]]
    assert found.claim.detail == "2 rounds of pointing, 2 of proposals"


RIGHT = Preferences.from_graph


def _lighter_first(graph, **attributes):
    """Make the instance of the lists turned around: by increasing weight."""
    his, hers = RIGHT(graph).lists()
    turned = [[row[::-1] for row in side] for side in (his, hers)]
    return Preferences.from_lists(*turned, **attributes)


def test_wrong_lists_refute_every_claim_about_marriages(monkeypatch):
    graph = graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4)], [4.0, 3.0, 2.0, 1.0])
    monkeypatch.setattr(Preferences, "from_graph", staticmethod(_lighter_first))
    found = equivalence.claims(graph, b=1)
    by_title = {claim.title.split()[0]: claim for claim in found}
    assert [claim.holds for claim in found] == [False, False, False, True, False, True]
    assert "vertex 0 has 1 by Greedy, its man has" in found[0].detail
    assert by_title["Suitor"].detail.startswith("proposal 2 is (1, 0, -1) by Suitor, else (1, 2")
    assert "vertex" in by_title["The"].detail
    assert "else pair" in found[4].detail


def run_instead(monkeypatch, replaced, result):
    """Let a function of the parameters answer in the place of a method."""

    def run(name, graph, *, certify, **params):
        return (
            result(**params)
            if name == replaced
            else gpucore.run(name, graph, certify=certify, **params)
        )

    monkeypatch.setattr(equivalence_claim, "run", run)


def test_a_choice_left_after_the_first_phase_refutes_the_claim_about_roommates(monkeypatch):
    graph = graph_of(3, [(0, 1), (1, 2)], [1.0, 2.0])
    result = uncertified("irving", graph)
    result.figures["undecided"] = 2
    run_instead(monkeypatch, "irving", lambda: result)
    claim = equivalence.roommates(graph).claim
    assert not claim.holds
    assert claim.detail == "2 people had a choice left, and 0 another mate"


def test_a_choice_left_or_other_pairs_refute_the_claim_about_fixtures(monkeypatch):
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)], [1.0, 3.0, 2.0])
    result = uncertified("irving_scott", graph, b=1)
    assert result.lists() == [[], [2], [1], []]
    assert equivalence.fixtures(graph, 1).claim.holds
    run_instead(monkeypatch, "irving_scott", lambda b: result)
    other = equivalence.fixtures(graph, 2).claim
    result.figures["undecided"] = 2
    left = equivalence.fixtures(graph, 1).claim
    assert not other.holds
    assert other.detail == "edge [0, 1] by Greedy, else pair [1, 2]"
    assert not left.holds
    assert left.detail == "2 people had a choice left"


def test_greedy_b_matching_takes_the_heaviest_edges_that_fit():
    star = graph_of(4, [(0, 1), (0, 2), (0, 3), (1, 2)], [3.0, 2.0, 1.0, 5.0])
    found = equivalence.b_matching(star, 2)
    assert found.on_graph.tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    one = equivalence.b_matching(star, 1)
    np.testing.assert_array_equal(one.on_graph, [[0, 3], [1, 2], [2, 1], [3, 0]])


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0.0, 1.0, 2.0], [[0, 1, 2]]])
def test_an_order_has_every_vertex_once(order):
    graph = graph_of(3, [(0, 1)], [1.0])
    if np.shape(order) == (1, 3):
        assert equivalence.chains(graph, np.ravel(order)).claim.holds
        return
    with pytest.raises(ParameterError, match="each of the 3 vertices once"):
        equivalence.chains(graph, order)


@pytest.mark.parametrize("b", [0, -1, 1.5, [1, 2], [1, 0, 1]])
def test_capacities_are_at_least_one(b):
    with pytest.raises(ParameterError, match="b must be a whole number of at least 1"):
        equivalence.b_matching(graph_of(3, [(0, 1)], [1.0]), b)
    with pytest.raises(ParameterError, match="b must be a whole number of at least 1"):
        equivalence.fixtures(graph_of(3, [(0, 1)], [1.0]), b)


def test_an_empty_graph():
    for claim in equivalence.claims(graph_of(0, [], [])):
        assert claim.holds
