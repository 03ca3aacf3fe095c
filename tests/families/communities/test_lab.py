"""Exercises of the Louvain lab accept right answers and explain wrong ones."""

import pytest

from gpucore.families.communities.hierarchy import Kind
from warplens.labs.communities import runs as communities
from warplens.labs.communities.runs import edge, triangles, watch


@pytest.fixture(scope="module")
def two():
    return watch(triangles(2))


@pytest.fixture(scope="module")
def pair():
    return watch(edge())


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(2, True, "0.357"), (1, False, "no better than chance"), (6, False, "every vertex alone")],
)
def test_communities(two, guess, ok, why):
    verdict = communities.communities(guess, two)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("guess", "ok", "why"), [(1, True, "for ever"), (2, False, "only swap places")]
)
def test_first_movers(pair, guess, ok, why):
    verdict = communities.first_movers(guess, pair)
    assert verdict.ok is ok
    assert why in verdict.why


def test_contraction_changes_nothing(two):
    assert communities.contraction(0, two).ok
    assert communities.contraction(0.3, two).ok is False


def test_pieces_are_counted_where_louvain_leaves_them():
    flights = watch("usairports", variant="relaxed")
    assert communities.in_pieces(flights) == 2
    assert communities.pieces(2, flights).ok
    verdict = communities.pieces(0, flights)
    assert verdict.ok is False
    assert "nothing in Louvain's rule" in verdict.why


def test_leiden_leaves_no_pieces():
    connected = watch("usairports", variant="leiden")
    assert communities.in_pieces(connected) == 0
    assert communities.pieces(0, connected).ok
    assert "; 0 communities in pieces" in communities.parts_of(connected)


def test_no_guess_is_no_answer(two):
    assert communities.contraction(None, two).ok is None


@pytest.mark.parametrize(
    ("choose", "ok", "why"),
    [
        (lambda near, k, all_: max(near, key=lambda c: c[1] - k * c[2] / all_)[0], True, "always"),
        (lambda near, k, all_: max(near, key=lambda c: c[1])[0], False, "by chance"),
        (lambda near, k, all_: -1, False, "no community near"),
    ],
)
def test_a_rule_is_compared_with_the_best(choose, ok, why):
    verdict = communities.rule(choose)
    assert verdict.ok is ok
    assert why in verdict.why


def test_the_text_says_what_the_kernels_do(two):
    assert len(two.story().splitlines()) == two.record.num_events
    limit = triangles(30)
    assert watch(limit).result.num_communities < 30
    assert watch(limit).result.num_communities < watch(limit, resolution=4).result.num_communities
    buckets, single = (
        watch("lesmis", variant=name).record.warps for name in ("buckets", "node_centred")
    )
    share = [w["edges"].sum() / w["lane_slots"].sum() for w in (buckets, single)]
    assert share[0] > share[1]


def test_only_our_rule_takes_sweeps_back():
    """The lab shows the karate club with our rule, for the red marks that its text names."""
    for rule, marks in (("paper", False), ("ours", True)):
        events = watch("karate", rule=rule).record.events
        assert (events["kind"] == Kind.TAKE_BACK).any() == marks
