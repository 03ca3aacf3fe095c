"""A split loses nothing, silences neither user nor item, and depends on the seed alone."""

import gc
import hashlib
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import split, training_part
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import relaxed
from support.ratings_strategies import ratings


def entries(users, items, values):
    return dict(zip(zip(users.tolist(), items.tolist(), strict=True), values.tolist(), strict=True))


@relaxed
@given(ratings(), st.floats(0, 1, exclude_max=True), st.integers(0, 2**40))
def test_a_split_is_a_partition_in_which_all_keep_a_rating(found, fraction, seed):
    parts = split(found, fraction, seed)
    train, test = parts.train, parts.test
    kept, held = entries(*train.entries(), train.values), entries(*test)
    assert not kept.keys() & held.keys()
    assert kept | held == entries(*found.entries(), found.values)
    assert list(held) == sorted(held)
    assert train.shape == found.shape
    assert train.num_silent_users == found.num_silent_users
    assert train.num_silent_items == found.num_silent_items
    most, n = int(fraction * found.num_ratings), found.num_ratings
    assert len(held) <= most
    assert len(held) >= min(most, n - found.num_users - found.num_items)
    again = split(found, fraction, seed)
    assert again.train == train
    assert [part.tolist() for part in again.test] == [part.tolist() for part in test]
    assert [part.dtype for part in test] == [np.int32, np.int32, np.float32]


@relaxed
@given(ratings())
def test_nothing_is_held_back_at_0(found):
    parts = split(found, 0)
    assert parts.train is found
    assert [part.size for part in parts.test] == [0, 0, 0]


def test_as_many_as_asked_for_and_always_the_same():
    found = load_ratings("uniform_ratings:users=300,items=100,ratings=9000,seed=5")
    for fraction in (0.1, 0.25, 0.9):
        assert split(found, fraction, 3).test.users.size == int(9000 * fraction)
    parts = split(found, 0.1, seed=7)
    places = parts.test.users.astype("<i8") * 100 + parts.test.items
    digest = hashlib.sha256(places.tobytes()).hexdigest()
    assert digest[:16] == "62304ecfad195bcb"
    assert split(found, 0.1, seed=8).train != parts.train
    near = [split(found, f, 7).test for f in (0.1, 0.2)]  # a larger part contains a smaller one
    assert set(zip(*near[0][:2], strict=True)) <= set(zip(*near[1][:2], strict=True))


def test_all_ratings_are_equally_likely():
    found = load_ratings("uniform_ratings:users=20,items=20,ratings=200,seed=2")
    counts = np.zeros(200)
    for seed in range(300):
        test = split(found, 0.1, seed).test
        places = np.searchsorted(
            found.entries()[0] * 20 + found.entries()[1], test.users * 20 + test.items
        )
        counts[places] += 1
    assert counts.sum() == 300 * 20
    free = (found.degrees[found.entries()[0]] > 5) & (found.degrees[20 + found.entries()[1]] > 5)
    assert counts[free].min() > 8
    assert counts[free].max() < 65


def test_the_part_for_training_is_rebuilt_from_its_source():
    found = load_ratings("sample_ratings")
    parts = split(found, 0.2, seed=4)
    assert parts.train.source["prepared"] == [{"step": "training_part", "fraction": 0.2, "seed": 4}]
    assert parts.train.names == found.names
    again = rebuild(parts.train.source)
    assert isinstance(again, Ratings)
    assert again == parts.train != found


@pytest.mark.parametrize("fraction", [-0.1, 1, 1.5, np.nan, None, "x", True])
def test_bad_fractions(fraction):
    with pytest.raises(GraphError, match="fraction must be at least 0 and less than 1"):
        split(load_ratings("sample_ratings"), fraction)


def test_bad_seeds_and_problems():
    with pytest.raises(GraphError, match="seed must be a whole number"):
        split(load_ratings("sample_ratings"), 0.1, -1)
    with pytest.raises(GraphError, match="takes ratings"):
        training_part(BipartiteGraph.from_entries([0], [0], (1, 1)))


def test_the_last_split_is_kept_as_long_as_its_ratings():
    given_ones = load_ratings("scale_free:users=50,items=30,ratings=400")
    first = split(given_ones, 0.2, 3)
    assert split(given_ones, 0.2, 3) is first
    for fraction, seed in ((0.2, 4), (0.1, 3)):
        other = split(given_ones, fraction, seed)
        assert other is not first
        assert not np.array_equal(other.test.users, first.test.users)
    again = split(given_ones, 0.2, 3)
    assert again is not first
    np.testing.assert_array_equal(again.test.users, first.test.users)
    assert split(load_ratings("scale_free:users=50,items=30,ratings=400"), 0.2, 3) is not again
    kept = split(given_ones, 0.2, 3)
    gone = weakref.ref(kept)
    del given_ones, kept, again
    gc.collect()
    assert gone() is None
