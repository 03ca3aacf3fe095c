"""How alike two partitions are, against definitions that count every pair and every renaming."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.errors import ParameterError
from gpucore.families.communities import partitions
from gpucore.families.communities.partitions import (
    adjusted_rand_index,
    canonical_labels,
    match_labels,
    normalised_mutual_information,
)

quick = settings(max_examples=80, deadline=None)


@st.composite
def two_partitions(draw, most=5):
    n = draw(st.integers(2, 14))
    labels = st.lists(st.integers(0, most - 1), min_size=n, max_size=n)
    return np.array(draw(labels)), np.array(draw(labels))


@given(both=two_partitions())
@quick
def test_indices_are_those_of_igraph(both):
    igraph = pytest.importorskip("igraph")
    a, b = ([int(x) for x in canonical_labels(part)] for part in both)
    nmi = igraph.compare_communities(a, b, method="nmi")
    assert normalised_mutual_information(a, b) == pytest.approx(nmi, abs=1e-12)
    ari = igraph.compare_communities(a, b, method="adjusted_rand")
    expected = 1.0 if np.isnan(ari) else ari
    assert adjusted_rand_index(a, b) == pytest.approx(expected, abs=1e-12)


@given(both=two_partitions())
@quick
def test_rand_index_counts_pairs(both):
    a, b = both
    pairs = list(combinations(range(a.size), 2))
    in_a = np.array([a[i] == a[j] for i, j in pairs])
    in_b = np.array([b[i] == b[j] for i, j in pairs])
    expected = in_a.sum() * in_b.sum() / len(pairs)
    most = (in_a.sum() + in_b.sum()) / 2
    found = adjusted_rand_index(a, b)
    assert found == pytest.approx(
        1.0 if most == expected else ((in_a & in_b).sum() - expected) / (most - expected)
    )


@given(both=two_partitions(most=4))
@quick
def test_matched_labels_agree_as_often_as_any_renaming_can(both):
    a, b = both
    names = match_labels(a, b)
    assert len(set(names.tolist())) == names.size
    best = max(
        (np.array(renaming)[a] == b).sum() for renaming in permutations(range(8), int(a.max()) + 1)
    )
    assert (names[a] == b).sum() == best


@given(both=two_partitions())
@quick
def test_large_tables_are_matched_greedily(both):
    a, b = both
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "MAX_DENSE", 0)
        names = match_labels(a, b)
        assert (match_labels(a, a)[a] == a).all()
    assert len(set(names.tolist())) == names.size
    exact = match_labels(a, b)
    assert 2 * (names[a] == b).sum() >= (exact[a] == b).sum()


def test_no_elements_and_one_part():
    assert adjusted_rand_index([], []) == normalised_mutual_information([], []) == 1
    assert adjusted_rand_index([3, 3], [0, 0]) == normalised_mutual_information([3], [0]) == 1
    assert match_labels([], []).size == 0


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ([0, 1], [0], "2 and 1 elements"),
        ([0.5], [0], "integers"),
        ([-1], [0], "below 0"),
        ([[0]], [0], "one row"),
        ([1 << 61], [7], "too large"),
    ],
)
def test_what_is_no_partition_is_refused(first, second, text):
    with pytest.raises(ParameterError, match=text):
        adjusted_rand_index(first, second)
