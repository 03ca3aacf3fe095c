"""Ratings in both orders, against SciPy and plain Python; no method loses a rating."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problem import get_kind, size_of
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import permute_sides
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.problems.ratings.ratings import Ratings
from support.graph_strategies import relaxed
from support.ratings_strategies import rating_dicts, ratings

SMALL = Ratings.from_entries([1, 0, 1], [0, 2, 2], [4, -1.5, 0], (3, 4), name="small")


@relaxed
@given(rating_dicts())
def test_entries_in_both_orders(drawn):
    shape, entries = drawn
    users, items = np.array(list(entries)).T
    found = Ratings.from_entries(users, items, list(entries.values()), shape)
    assert (found.num_users, found.num_items) == found.shape == shape
    assert found.num_ratings == found.num_edges == len(entries)
    by_user = sorted(entries)
    assert list(zip(*(side.tolist() for side in found.entries()), strict=True)) == by_user
    assert found.values.tolist() == [entries[pair] for pair in by_user]
    indptr, items_of, values = found.by_user()
    assert [items_of[a:b].tolist() for a, b in itertools.pairwise(indptr)] == [
        [i for u, i in by_user if u == user] for user in range(shape[0])
    ]
    assert values is found.values
    by_item = sorted(entries, key=lambda pair: pair[::-1])
    indptr, users_of, values = found.by_item()
    assert users_of.tolist() == [u for u, _ in by_item]
    assert values.tolist() == [entries[pair] for pair in by_item]
    assert np.diff(indptr).tolist() == [sum(i == j for _, j in by_item) for i in range(shape[1])]
    assert [by_user[place] for place in found.item_order] == by_item
    assert found.num_silent_users == shape[0] - len({u for u, _ in entries})
    assert found.num_silent_items == shape[1] - len({i for _, i in entries})
    assert found.range == (min(entries.values()), max(entries.values()))
    largest = max(map(abs, entries.values()))
    assert found.mean == pytest.approx(np.mean(list(entries.values())), abs=1e-12 * largest)


@relaxed
@given(ratings())
def test_they_are_a_bipartite_graph_that_passes_every_check(found):
    rows = (found.indptr, found.indices, found.weights)
    again = Ratings(*rows, num_rows=found.num_users, values=found.values)
    assert again == found
    pattern = BipartiteGraph(*rows, num_rows=found.num_users)
    assert (pattern.indices == found.indices).all()
    assert pattern != found != Graph(*rows)
    assert not found.weighted
    assert (found.weights == 1).all()


@relaxed
@given(ratings(), st.integers(0, 9))
def test_steps_keep_every_rating(found, seed):
    named = found.with_attributes(names=[str(v) for v in range(found.num_vertices)])
    turned = named.transpose()
    assert isinstance(turned, Ratings)
    assert (turned.to_matrix().toarray() == found.to_matrix().toarray().T).all()
    assert turned.transpose() == found
    moved = permute_sides(named, seed)
    assert isinstance(moved, Ratings)
    users, items = moved.entries()
    back = Ratings.from_entries(
        [int(moved.names[u]) for u in users],
        [int(moved.names[i + moved.num_users]) - found.num_users for i in items],
        moved.values,
        found.shape,
    )
    assert back == found
    assert moved.source["prepared"] == [{"step": "permute_sides", "seed": seed}]


@relaxed
@given(ratings())
def test_matrices_of_any_kind(found):
    matrix = found.to_matrix()
    assert matrix.nnz == found.num_ratings
    for form in ("csr", "csc", "coo"):
        assert Ratings.from_matrix(matrix.asformat(form)) == found
    assert Ratings.from_matrix(sparse.csc_matrix(matrix)) == found
    dense = np.full((found.num_users + 1, found.num_items), np.nan, np.float32)
    users, items = found.entries()
    dense[users, items] = found.values
    more = Ratings.from_entries(users, items, found.values, dense.shape)
    assert Ratings.from_matrix(dense) == more
    mask = np.isnan(dense)
    assert Ratings.from_matrix(np.ma.array(np.nan_to_num(dense), mask=mask)) == more


def test_small_ones():
    assert repr(SMALL) == "Ratings('small', users=3, items=4, ratings=3)"
    assert SMALL.kind == "ratings"
    assert Ratings.from_entries([4], [2], [1]).shape == (5, 3)
    assert SMALL.to_matrix().toarray().tolist() == [[0, 0, -1.5, 0], [4, 0, 0, 0], [0] * 4]
    assert SMALL.to_matrix().dtype == np.float32
    assert SMALL.nbytes == 8 * 8 + 6 * 8 + 3 * 4
    edges = SMALL.to_networkx().edges(data="rating")
    assert sorted(edges) == [(0, 5, -1.5), (1, 3, 4.0), (1, 5, 0.0)]


def test_dtypes_and_immutability():
    given = np.array([1, 2], np.float32)
    found = Ratings.from_entries([0, 1], [0, 0], given)
    given[0] = 7
    assert found.values.tolist() == [1, 2]
    arrays = (*found.by_user(), *found.by_item())
    assert [a.dtype for a in arrays] == [np.int64, np.int32, np.float32] * 2
    for array in (found.values, found.item_order):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    values = np.array([3, 4], np.float32)
    direct = Ratings(found.indptr, found.indices, found.weights, num_rows=2, values=values)
    values[0] = 9
    assert direct.values.tolist() == [3, 4]
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert other == found
        assert not other.values.flags.writeable


def test_the_fingerprint_includes_values_and_shape():
    base = Ratings.from_entries([0, 1], [0, 1], [1, 2])
    others = (
        Ratings.from_entries([0, 1], [0, 1], [2, 1]),
        Ratings.from_entries([0, 1], [0, 1], [1, 2], (2, 3)),
        Ratings.from_entries([0, 1], [0, 1], [1, 2], (3, 2)),
        Ratings.from_entries([0, 1], [1, 0], [1, 2]),
        BipartiteGraph.from_entries([0, 1], [0, 1], (2, 2)),
    )
    assert len({base.fingerprint, *(other.fingerprint for other in others)}) == 6
    assert base == Ratings.from_entries([1, 0], [1, 0], [2, 1])


def test_attributes_are_kept():
    found = SMALL.with_attributes(names="abcdefg", coordinates=np.arange(14).reshape(7, 2))
    assert found == SMALL
    assert found.transpose().names == tuple("defgabc")
    assert found.with_attributes(name="x").names == tuple("abcdefg")
    assert found.transpose().coordinates[0].tolist() == [6, 7]


@pytest.mark.parametrize(("duplicates", "kept"), [("last", [3, 7]), ("mean", [3.5, 7])])
def test_repeated_ratings_are_merged_if_asked(duplicates, kept):
    for users, values in (([0, 0, 0, 1], [5, 2.5, 3, 7]), ([0, 1, 0, 0], [2.5, 7, 5, 3])):
        found = Ratings.from_entries(users, [1] * 4, values, duplicates=duplicates)
        assert found.values.tolist() == kept
        assert found.num_ratings == 2


@relaxed
@given(rating_dicts(4), st.randoms(use_true_random=False))
def test_merging_agrees_with_a_dict(drawn, random):
    shape, entries = drawn
    given = [(*pair, value % 7) for pair, value in entries.items() for _ in range(3)]
    given = [(u, i, value + place) for place, (u, i, value) in enumerate(given)]
    random.shuffle(given)
    users, items, values = zip(*given, strict=True)
    last = Ratings.from_entries(users, items, values, shape, duplicates="last")
    kept = {(u, i): value for u, i, value in given}
    assert last == Ratings.from_entries(*zip(*kept, strict=True), list(kept.values()), shape)
    mean = Ratings.from_entries(users, items, values, shape, duplicates="mean")
    single = np.array(values, np.float32).astype(float)
    by_pair = {pair: [v for (u, i, _), v in zip(given, single, strict=True) if (u, i) == pair]
               for pair in kept}  # fmt: skip
    assert mean.values == pytest.approx([np.mean(by_pair[pair]) for pair in sorted(kept)], rel=1e-6)


BAD = {
    "nan": (([0, 1], [0, 0], [1, np.nan]), "rating 1 is nan, which is not a finite number; leave"),
    "inf": (([0, 1], [0, 0], [-np.inf, np.nan]), "rating 0 is -inf, which is not a finite"),
    "large": (([0], [0], [1e300]), "rating 0 is 1e.300, which is too large for single precision"),
    "text": (([0], [0], ["5"]), "must be real numbers, not <U1"),
    "complex": (([0], [0], [1j]), "must be real numbers, not complex128"),
    "flat": (([0], [0], [[1]]), r"must be one-dimensional, not of shape .1, 1."),
    "lengths": (([0, 1], [0], [1, 2]), "users and items must have equal lengths, not 2 and 1"),
    "ratings": (([0, 1], [0, 1], [1]), "there are 1 ratings for 2 pairs .* give one for each"),
    "none": (([], [], []), "there are no ratings; at least one is needed"),
    "none of some": (([], [], [], (3, 4)), "there are no ratings"),
    "user": (([0, 3], [0, 0], [1, 1], (3, 1)), r"entry 1 .3, 0.: user 3 is out of range, .* 3 use"),
    "item": (([0], [1], [1], (1, 1)), r"entry 0 .0, 1.: item 1 is out of range, there are 1 item"),
    "negative": (([0], [-1], [1]), "item -1 is out of range"),
    "negatives": (([-5], [-1], [1]), "user -5 is out of range"),
    "float": (([0.5], [0], [1]), "users must hold integers"),
    "huge": (([2**40], [0], [1]), "32-bit integers"),
    "shape": (([0], [0], [1], (1, 2, 3)), "must be two numbers"),
    "twice": (([0, 1, 0], [1, 1, 1], [1, 2, 3]), r"user 0 rates item 1 in the entries 0 and 2; ke"),
    "sorted twice": (([0, 1, 1], [1, 1, 1], [1, 2, 3]), "user 1 rates item 1 in the entries 1 and"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_entries(case):
    arguments, message = BAD[case]
    with pytest.raises(GraphError, match=message) as caught:
        Ratings.from_entries(*arguments)
    assert "\n" not in str(caught.value)


def test_what_makes_no_ratings():
    with pytest.raises(RepeatedRatingError) as caught:
        Ratings.from_entries([2, 0, 2, 2], [0, 0, 0, 0], [1, 2, 3, 4])
    assert caught.value.entries == (0, 2)
    with pytest.raises(GraphError, match=r"must be .error., .mean. or .last., not 'sum'"):
        Ratings.from_entries([0], [0], [1], duplicates="sum")
    with pytest.raises(GraphError, match="from_entries or from_matrix"):
        Ratings.from_edges(2, [0], [1])
    with pytest.raises(GraphError, match=r"does not say which .* put NaN where there is none"):
        Ratings.from_matrix([[5, 0], [0, 1]])
    with pytest.raises(GraphError, match="no ratings"):
        Ratings.from_matrix([[np.nan]])
    with pytest.raises(GraphError, match="no ratings"):
        Ratings.from_matrix(sparse.coo_array((3, 4)))
    with pytest.raises(GraphError, match=r"not the shape .2,."):
        Ratings.from_matrix([1, np.nan])
    with pytest.raises(GraphError, match="equal lengths"):
        Ratings.from_matrix([[1], [1, 2]])
    with pytest.raises(GraphError, match="real numbers, not <U"):
        Ratings.from_matrix([["a"]])
    pattern = BipartiteGraph.from_entries([0], [0], (1, 1))
    rows = (pattern.indptr, pattern.indices, pattern.weights)
    for values, message in (([1, 2], "2 ratings for 1"), ([np.nan], "nan"), (None, "shape")):
        with pytest.raises(GraphError, match=message):
            Ratings(*rows, num_rows=1, values=values)


def test_size():
    size = size_of(SMALL)
    assert size.words == "3 users, 4 items, 3 ratings, 1 user without ratings, 2 items without " \
        "ratings"  # fmt: skip
    assert size.numbers == {
        "vertices": 7, "edges": 3, "users": 3, "items": 4, "ratings": 3,
        "silent_users": 1, "silent_items": 2,
    }  # fmt: skip
    assert size_of(Ratings.from_entries([0], [0], [1])).words == "1 user, 1 item, 1 rating"


def test_the_kind_resolves():
    kind = get_kind("ratings")
    for reference in (kind.read, kind.dataset, kind.convert, kind.permute, kind.archive):
        assert callable(kind.load(reference))
    assert kind.load(kind.permute)(SMALL, 3).num_ratings == 3
