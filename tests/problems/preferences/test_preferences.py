"""Instances of stable marriage: against dictionaries, in both forms, from either side."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences import lists as lists_module
from gpucore.problems.preferences.preferences import Preferences
from support.graph_strategies import graphs, relaxed

from .strategies import mutual_lists, preference_lists, rank_tables, wives

TRIO = ([[1, 0, 2], [2, 1], [0, 1, 2]], [[0, 1], [2, 0], [2, 1, 0]])


def constructed(preferences):
    """Return the instance rebuilt from its arrays by the constructor, which checks them."""
    keys = ("num_men", "num_women", "man_capacity", "woman_capacity")
    keys += ("order", "standing") if preferences.is_shared else ("indptr", "women", "her_rank")
    return Preferences(**{key: getattr(preferences, key) for key in keys})


@relaxed
@given(preference_lists())
def test_only_mutual_pairs_are_kept_and_ranked(sides):
    preferences = Preferences.from_lists(*sides)
    kept = mutual_lists(*sides)
    assert preferences.lists() == kept
    given = sum(len(row) for side in sides for row in side)
    assert preferences.source["purged"] == given - 2 * preferences.num_pairs
    ranks = rank_tables(*sides)
    assert preferences.num_pairs == preferences.num_edges == len(ranks)
    for man in range(preferences.num_men):
        for woman in range(preferences.num_women):
            assert preferences.rank(man, woman) == ranks.get((man, woman))
    assert constructed(preferences) == preferences
    assert Preferences.from_lists(*kept) == preferences


@relaxed
@given(preference_lists(), st.integers(1, 5))
def test_the_other_side_sees_the_same_pairs(sides, part):
    preferences = Preferences.from_lists(*sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists_module, "_PART", part)  # the rows are turned in several parts
        other = preferences.swapped()
    assert other.lists() == preferences.lists()[::-1]
    assert constructed(other) == other
    again = other.swapped()
    assert again == preferences
    assert again.source == preferences.source
    indptr, men, his_rank = preferences.women_rows()
    ranks = rank_tables(*sides)
    for woman in range(preferences.num_women):
        for at in range(indptr[woman], indptr[woman + 1]):
            assert ranks[men[at], woman] == (his_rank[at], at - indptr[woman] + 1)


@relaxed
@given(st.permutations(range(4)), st.permutations(range(1, 6)))
def test_the_shared_form_means_its_expansion(order, standing):
    shared = Preferences.shared(order, standing)
    explicit = shared.expanded()
    assert (shared.is_shared, explicit.is_shared) == (True, False)
    assert shared.lists() == explicit.lists()
    assert shared.num_pairs == explicit.num_pairs == 20
    assert constructed(shared) == shared
    assert constructed(explicit) == explicit
    assert shared.swapped().expanded() == explicit.swapped()
    assert shared.swapped().swapped() == shared
    assert all(
        shared.rank(man, woman) == explicit.rank(man, woman)
        for man in range(5)
        for woman in range(4)
    )
    assert explicit.expanded() is explicit


def test_ranks_make_complete_lists():
    rng = np.random.default_rng(5)
    men = np.array([rng.permutation(4) + 1 for _ in range(3)])
    women = np.array([rng.permutation(3) + 1 for _ in range(4)])
    preferences = Preferences.from_ranks(men, women)
    for man in range(3):
        for woman in range(4):
            assert preferences.rank(man, woman) == (men[man, woman], women[woman, man])
    assert constructed(preferences) == preferences
    assert Preferences.from_ranks(men * 0.5, women - 7) == preferences


def test_ties_are_broken_by_the_smaller_number_if_that_is_said():
    preferences = Preferences.from_ranks([[1, 0, 1]], [[5], [5], [5]], ties="index")
    assert preferences.lists() == ([[1, 0, 2]], [[0], [0], [0]])


@relaxed
@given(graphs(weights=st.integers(-2, 4)))
def test_a_weighted_graph_gives_both_sides_its_neighbours_by_weight(graph):
    preferences = Preferences.from_graph(graph)
    expected = []
    for v in range(graph.num_vertices):
        pairs = zip(*(array.tolist() for array in graph.neighbours(v)), strict=True)
        offers = sorted(((w, u) for u, w in pairs if w > 0 and u != v), reverse=True)
        expected.append([u for _, u in offers])
    assert preferences.lists() == (expected, expected)
    assert constructed(preferences) == preferences


@relaxed
@given(graphs(weights=st.integers(0, 4)))
def test_the_men_of_a_weighted_graph_marry_as_greedy_matches_it(graph):
    u, v, weights = graph.edges()
    edges = zip(weights.tolist(), v.tolist(), u.tolist(), strict=True)
    mates = {}
    for weight, high, low in sorted(edges, reverse=True):
        if weight > 0 and not {high, low} & mates.keys():
            mates[high], mates[low] = low, high
    preferences = Preferences.from_graph(graph)
    expected = [mates.get(v, -1) for v in range(graph.num_vertices)]
    assert wives(preferences)[0] == wives(preferences.swapped())[0] == expected


def test_names_and_capacities_follow_their_people():
    preferences = Preferences.from_lists(
        *TRIO, man_capacity=[1, 2, 3], woman_capacity=1, names="abcxyz", name="trio"
    )
    assert preferences.man_capacity.tolist() == [1, 2, 3]
    assert preferences.woman_capacity is None
    other = preferences.swapped()
    assert other.names == ("x", "y", "z", "a", "b", "c")
    assert other.woman_capacity.tolist() == [1, 2, 3]
    assert other.man_capacity is None
    assert preferences.has_capacities
    assert not Preferences.from_lists(*TRIO, man_capacity=1).has_capacities
    assert repr(preferences) == "Preferences('trio', men=3, women=3, pairs=6, capacities)"


def test_fingerprints_cover_ranks_and_capacities_but_no_names():
    preferences = Preferences.from_lists(*TRIO)
    same = Preferences.from_lists(*TRIO, name="else", names="abcdef", man_capacity=1)
    assert (same, hash(same)) == (preferences, hash(preferences))
    others = [
        Preferences.from_lists(*TRIO, man_capacity=2),
        Preferences.from_lists(*TRIO, woman_capacity=2),
        Preferences.from_lists([TRIO[0][0][::-1], *TRIO[0][1:]], TRIO[1]),
        Preferences.from_lists(TRIO[0], [*TRIO[1][:2], TRIO[1][2][::-1]]),
        Preferences.from_lists([*TRIO[0], []], TRIO[1]),
        Preferences.from_lists(TRIO[0], [*TRIO[1], []]),
        preferences.swapped(),
    ]
    assert len({preferences.fingerprint, *(other.fingerprint for other in others)}) == 8


def test_arrays_are_read_only_also_after_pickling():
    preferences = Preferences.from_lists(*TRIO, man_capacity=2)
    for one in (preferences, pickle.loads(pickle.dumps(preferences))):
        arrays = (one.indptr, one.women, one.her_rank, one.man_capacity, *one.women_rows())
        assert not any(array.flags.writeable for array in arrays)
    copied = pickle.loads(pickle.dumps(preferences))
    assert copied == preferences
    assert preferences.nbytes == 4 * 8 + 2 * 6 * 4 + 3 * 4


def test_the_arrays_given_stay_the_callers():
    women = np.array([0, 1], np.int32)
    Preferences(num_men=1, num_women=2, indptr=[0, 2], women=women, her_rank=[1, 1])
    order = np.array([1, 0], np.int32)
    Preferences.shared(order, [1, 2])
    assert women.flags.writeable
    assert order.flags.writeable


def test_large_instances_are_refused_where_they_would_be_written_out():
    shared = Preferences.shared(np.arange(2000), np.arange(2000) + 1)
    for large in (shared.graph, shared.lists, shared.expanded):
        with pytest.raises(GraphError, match="2000000"):
            large()
    with pytest.raises(GraphError, match="ranks: 2 vertices are more than the 1 allowed here"):
        Preferences.from_ranks([[1]], [[1]], limits=Limits(max_vertices=1))
    with pytest.raises(GraphError, match="preferences: 2 entries are more than the 1 allowed"):
        Preferences.from_lists([[0]], [[0]], limits=Limits(max_entries=1))
    with pytest.raises(GraphError, match="a shared instance has no rows"):
        shared.women_rows()
    with pytest.raises(GraphError, match="there is no woman 2000, only 2000"):
        shared.rank(0, 2000)


ONE = {"num_men": 2, "num_women": 2, "indptr": [0, 1, 3], "women": [0, 1, 0], "her_rank": [1, 1, 2]}


@pytest.mark.parametrize(
    ("make", "cause"),
    [
        (lambda: Preferences.from_lists([[0, 1, 0]], [[0], [0]]),
         "man 0 lists woman 0 twice, at places 1 and 3 of his list; strike one of them out"),
        (lambda: Preferences.from_lists([[0], []], [[1, 0, 1]]),
         "woman 0 lists man 1 twice, at places 1 and 3 of her list"),
        (lambda: Preferences.from_lists([[], [0, 2]], [[], []]),
         "man 1, place 2: woman 2 is out of range, there are 2 women numbered from 0"),
        (lambda: Preferences.from_lists([[0]], [[-1]]), "woman 0, place 1: man -1 is out of range"),
        (lambda: Preferences.from_lists([[0], [0.5]], [[0]]),
         "man 1, place 1: 0.5 is not the number of a woman"),
        (lambda: Preferences.from_lists([[True]], [[0]]), "True is not the number"),
        (lambda: Preferences.from_lists([[2**70]], [[0]]), "numbers of women must be below"),
        (lambda: Preferences.from_csr([0, 2], [0], [0], []), "indptr of the man's rows must rise"),
        (lambda: Preferences.from_csr([], [], [0], []), "indptr of the man's rows must rise"),
        (lambda: Preferences.from_ranks([[1, 1]], [[1], [1]]),
         "man 0 gives women 0 and 1 the same rank 1; give them different ones"),
        (lambda: Preferences.from_ranks([[1], [2]], [[3, 3]]),
         "woman 0 gives men 0 and 1 the same rank 3"),
        (lambda: Preferences.from_ranks([[np.nan]], [[1]]),
         "man 0 gives woman 0 the rank nan; it must be a finite number"),
        (lambda: Preferences.from_ranks([[1, 2]], [[1, 2]]), r"shape \(1, 2\) and the women's"),
        (lambda: Preferences.from_ranks([["a"]], [[1]]), "ranks must be real numbers"),
        (lambda: Preferences.from_ranks([[1]], [[1]], ties="both"), "ties must be"),
        (lambda: Preferences.shared([0, 0], [1, 2]), r"order\[0\] = 0; order must hold each"),
        (lambda: Preferences.shared([0, 1], [0, 1]), r"standing\[0\] = 0; .* numbers 1 to 2 once"),
        (lambda: Preferences(**ONE | {"her_rank": [1, 1, 3]}),
         "woman 0 gives man 1 the rank 3; she must give each of her 2 men another"),
        (lambda: Preferences(**ONE | {"her_rank": [2, 1, 2]}), "woman 0 gives man 0 the rank 2"),
        (lambda: Preferences(**ONE | {"her_rank": [1]}), "1 ranks were given for 3 pairs"),
        (lambda: Preferences(**ONE | {"women": [0, 1, 1]}), "man 1 lists woman 1 twice"),
        (lambda: Preferences(**ONE | {"num_men": 3}), "2 rows were given for 3 men"),
        (lambda: Preferences(num_men=1, num_women=1, order=[0]), "has either indptr, women"),
        (lambda: Preferences(num_men=2, num_women=1, order=[0], standing=[1]), "1 ranks of men"),
        (lambda: Preferences.from_lists([[0]], [[0]], man_capacity=0),
         "man 0 has the capacity 0; it must be at least 1"),
        (lambda: Preferences.from_lists([[0]], [[0]], woman_capacity=[1, 2]),
         "woman_capacity must be one number or one for each of the 1"),
        (lambda: Preferences.from_lists([[0]], [[0]], man_capacity=1.5), "must be whole numbers"),
        (lambda: Preferences.from_lists([[0]], [[0]], names=["a"]), "1 names were given for 1 men"),
    ],
)  # fmt: skip
def test_bad_input_is_named(make, cause):
    with pytest.raises(GraphError, match=cause):
        make()


def test_an_instance_without_people_is_valid():
    no_people = Preferences.from_lists([], [])
    assert (no_people.num_vertices, no_people.num_pairs, no_people.lists()) == (0, 0, ([], []))
    assert no_people.swapped() == no_people
    assert Preferences.from_graph(Graph.from_edges(0, [], [])).num_men == 0
    assert Preferences.from_ranks(np.empty((0, 0)), np.empty((0, 0))).num_pairs == 0
