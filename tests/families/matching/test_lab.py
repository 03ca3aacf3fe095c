"""Exercises of the lab on matching accept right answers and explain wrong ones."""

import re

import pytest

from warplens.labs.matching import runs as matching


@pytest.fixture(scope="module")
def row():
    return matching.watch(matching.path(3, 4, 5, 2))


@pytest.mark.parametrize(("vertex", "mate"), [(0, 1), (1, 0), (2, 3), (3, 2), (4, -1)])
def test_mates_of_the_path(row, vertex, mate):
    assert matching.mate_of(mate, vertex, row).ok
    assert not matching.mate_of(mate + 7, vertex, row).ok


def test_the_favourite_is_explained(row):
    why = matching.mate_of(2, 1, row).why
    assert "2 holds a better bid" in why
    assert "displaces 1" in why


def test_displaced(row):
    assert matching.displaced(1, row).ok
    assert "most went to vertices that were free" in matching.displaced(5, row).why


def test_every_schedule_ends_the_same():
    runs = [matching.watch("karate", seed=seed) for seed in range(3)]
    assert matching.different_matchings(1, runs).ok
    assert "where they end" in matching.different_matchings(3, runs).why


def right(neighbours):
    wanted = [(weight, vertex) for vertex, weight, bid in neighbours if weight > bid]
    return max(wanted)[1] if wanted else None


def deaf(neighbours):
    return max(neighbours, key=lambda n: n[1])[0] if neighbours else None


def lightest(neighbours):
    wanted = [(weight, vertex) for vertex, weight, bid in neighbours if weight > bid]
    return min(wanted)[1] if wanted else None


@pytest.mark.parametrize(
    ("rule", "ok", "why"),
    [
        (right, True, "certified"),
        (deaf, False, "a circle|is not the suitor"),
        (lightest, False, "is not the suitor|heavier"),
        (lambda neighbours: None, False, "an edge is left"),
        (lambda neighbours: -5, False, "no neighbour"),
    ],
)
def test_rules(rule, ok, why):
    verdict = matching.rule(rule)
    assert verdict.ok is ok, verdict
    assert re.search(why, verdict.why), verdict
