"""``check_solution`` agrees with brute force on all small graphs, for right and wrong solutions."""

from itertools import combinations, permutations, product

import networkx as nx
import numpy as np
import pytest

from gpucore import Graph, check_solution
from gpucore.problems.preferences.preferences import Preferences
from gpucore.solutions import Answer

#: All graphs of 2 to 6 vertices with an edge, each with weights that are all different.
SMALL = [graph for graph in nx.graph_atlas_g()[2:209] if graph.number_of_edges()]


def weighted(other, seed):
    """Return a graph of the atlas with random weights, as ours and as a mapping of its edges."""
    edges = sorted(tuple(sorted(edge)) for edge in other.edges)
    values = np.random.default_rng(seed).permutation(len(edges)) + 1.0
    u, v = np.array(edges).T
    graph = Graph.from_edges(other.number_of_nodes(), u, v, values)
    return graph, dict(zip(edges, values.tolist(), strict=True))


def matchings(edges):
    """Return all matchings of a set of edges."""
    found = [()]
    for size in range(1, 4):
        found += [
            chosen
            for chosen in combinations(edges, size)
            if len({end for edge in chosen for end in edge}) == 2 * size
        ]
    return found


def answer_of(pairs):
    return Answer("pairs", {"u": [u for u, _ in pairs], "v": [v for _, v in pairs]}, titled=True)


def holds(checked):
    return {finding.name: finding.holds for finding in checked.findings}


def truth_of(matching, weights):
    """Return the properties of a matching by their definitions."""
    at = {end: edge for edge in matching for end in edge}
    heavier = {
        edge: [
            edge[i] not in at or (weights[at[edge[i]]], at[edge[i]][::-1]) < (weight, edge[::-1])
            for i in (0, 1)
        ]
        for edge, weight in weights.items()
        if edge not in matching
    }
    best = max(sum(weights[edge] for edge in other) for other in matchings(list(weights)))
    dominant = not any(all(ends) for ends in heavier.values())
    return {
        "maximal": not any(edge[0] not in at and edge[1] not in at for edge in weights),
        "locally dominant": dominant,
        "locally dominant by weight": dominant,  # no two weights are equal
        "heaviest": sum(weights[edge] for edge in matching) == best,
    }


@pytest.mark.parametrize("part", range(4))
def test_all_matchings_of_all_small_graphs(part):
    for number, other in enumerate(SMALL[part::4]):
        graph, weights = weighted(other, number)
        for matching in matchings(list(weights))[:: 1 + len(weights) // 6]:
            checked = check_solution(graph, answer_of(matching), "matching")
            assert checked.ok
            truth = truth_of(matching, weights)
            assert {name: holds(checked)[name] for name in truth} == truth, (weights, matching)
            redblue = check_solution(graph, answer_of(matching), "redblue")
            assert holds(redblue)["maximal"] == truth["maximal"]


def test_what_is_no_matching_is_refused():
    """All sets of two pairs of vertices of all graphs of four vertices."""
    pairs = list(combinations(range(4), 2))
    for other in (graph for graph in SMALL if graph.number_of_nodes() == 4):
        graph, weights = weighted(other, 1)
        for chosen in combinations(pairs, 2):
            good = all(pair in weights for pair in chosen) and chosen[0][1] not in chosen[1]
            good = good and len({end for pair in chosen for end in pair}) == 4
            assert check_solution(graph, answer_of(chosen), "matching").ok == good


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"u": [0, 0], "v": [1, 1]}, "stand twice"),
        ({"u": [2], "v": [2]}, "its own mate"),
        ({"u": [0, 1], "v": [1, 2]}, "vertex 1 has 2 mates"),
        ({"vertex": [0, 1, 2, 3], "mate": [1, 2, "-", ""]}, "vertex 1 has 2 mates"),
    ],
)
def test_the_fault_is_named(columns, fault):
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    checked = check_solution(graph, Answer("wrong", columns, titled=True), "matching")
    assert not checked.ok
    assert fault in checked.findings[-1].detail


def test_both_directions_of_a_pair_are_one_pair():
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    checked = check_solution(graph, answer_of([(0, 1), (1, 0), (3, 2)]), "matching")
    assert (checked.ok, checked.measures["cardinality"]) == (True, 2)


def partitions(n):
    """Return all partitions of n things as labels."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*labels, label] for labels in found for label in range(max(labels) + 2)]
    return found


@pytest.mark.parametrize("part", range(4))
def test_all_partitions_of_small_graphs(part):
    small = [graph for graph in SMALL if graph.number_of_nodes() <= 5]
    for other in small[part::4]:
        edges = np.array(list(other.edges)).T
        graph = Graph.from_edges(other.number_of_nodes(), *edges)
        for labels in partitions(graph.num_vertices):
            answer = Answer(
                "labels", {"vertex": list(range(len(labels))), "community": labels}, titled=True
            )
            checked = check_solution(graph, answer, "communities")
            groups = [set(np.flatnonzero(np.array(labels) == k)) for k in set(labels)]
            best = nx.community.modularity(other, groups)
            assert checked.ok
            assert checked.measures["modularity"] == pytest.approx(best, abs=1e-12)
            found = holds(checked)
            assert found["connected"] == all(nx.is_connected(other.subgraph(g)) for g in groups)
            assert found["locally optimal"] == (gain(other, labels, best) <= 1e-9)
            assert found["levels rise"] is None


def gain(other, labels, before):
    """Return the largest gain by moving a vertex to a neighbouring community."""
    most = 0.0
    for vertex, neighbour in [pair for edge in other.edges for pair in (edge, edge[::-1])]:
        moved = list(labels)
        moved[vertex] = labels[neighbour]
        groups = [set(np.flatnonzero(np.array(moved) == k)) for k in set(moved)]
        most = max(most, nx.community.modularity(other, groups) - before)
    return most


def claims(modularity):
    columns = {"vertex": [0, 1, 2, 3], "community": ["a", "a", "b", "b"]}
    return Answer("claim", columns, titled=True, measures={"modularity": modularity})


def test_a_claimed_modularity_is_held_against_the_graph():
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    assert check_solution(graph, claims(1 / 6), "communities").ok
    checked = check_solution(graph, claims(0.2), "communities")
    assert not checked.ok
    assert "modularity reported 0.2" in checked.findings[-1].detail


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"vertex": [0, 1, 2], "community": [0, 0, 1]}, "vertex 3 is in none"),
        ({"vertex": [0, 1, 2, 3, 3], "community": [0, 0, 1, 1, 0]}, "stands in two"),
        ({"1": [0, 0, 1]}, "3 labels for 4 vertices"),
        ({"groups": [[0, 1], [1, 2, 3]]}, "vertex 1 stands in two"),
        (
            {"vertex": [0, 1, 2, 3], "level_1": [0, 0, 1, 1], "community": [0, 1, 1, 1]},
            "divides the community of vertex 0",
        ),
    ],
)
def test_what_are_no_communities_is_refused(columns, fault):
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    answer = Answer("wrong", columns, titled="vertex" in columns)
    checked = check_solution(graph, answer, "communities")
    assert not checked.ok
    assert fault in checked.findings[-1].detail


@pytest.mark.parametrize("seed", range(12))
def test_all_marriages_of_small_instances(seed):
    random = np.random.default_rng(seed)
    n = 3
    men, women = ([random.permutation(n).tolist() for _ in range(n)] for _ in "mw")
    problem = Preferences.from_lists(men, women)
    marriages = [list(zip(who, whom, strict=True)) for who, whom in all_pairs(n)]
    stable = [pairs for pairs in marriages if is_stable(men, women, pairs)]
    best = {side: min(sum(ranks(men, women, pairs)[side]) for pairs in stable) for side in (0, 1)}
    for pairs in marriages:
        answer = Answer(
            "m", {"man": [m for m, _ in pairs], "woman": [w for _, w in pairs]}, titled=True
        )
        checked = check_solution(problem, answer, "marriage")
        found = holds(checked)
        assert checked.ok
        assert found["stable"] == (pairs in stable)
        for side, name in ((0, "best for the first side"), (1, "best for the second side")):
            right = pairs in stable and sum(ranks(men, women, pairs)[side]) == best[side]
            assert found[name] == right


def all_pairs(n):
    """Return all marriages of n men and n women, complete or not."""
    for size in range(n + 1):
        yield from product(combinations(range(n), size), permutations(range(n), size))


def ranks(men, women, pairs):
    """Return the ranks of the partners of the men, and of the women, of a marriage."""
    return (
        [men[m].index(w) for m, w in pairs] + [3] * (3 - len(pairs)),
        [women[w].index(m) for m, w in pairs] + [3] * (3 - len(pairs)),
    )


def is_stable(men, women, pairs):
    wife, husband = dict(pairs), {w: m for m, w in pairs}
    return not any(
        (m not in wife or men[m].index(w) < men[m].index(wife[m]))
        and (w not in husband or women[w].index(m) < women[w].index(husband[w]))
        for m in range(len(men))
        for w in range(len(women))
    )
