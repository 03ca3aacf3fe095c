"""The race of figure 1 by hand: every order ends well with the check, some never end without it."""

import pytest

from warplens.labs.bipartite import speculation
from warplens.labs.bipartite.speculation import (
    believers,
    check,
    no_check,
    play,
)

IN_STEP = "r2 r3 r2 r3"


@pytest.mark.parametrize("order", ["r2 r2 r3 r3", "r3 r3 r3 r2", IN_STEP, "", "r9 r2"])
def test_with_the_check_it_ends_with_two_pairs(order):
    race = play(order)
    assert race.pairs == 2
    assert not race.endless
    assert str(race).endswith("2 pairs")


def test_in_step_both_pass_and_one_is_repaired():
    assert "repair: c2 has r3, so r2 lets go" in str(play(IN_STEP))


def test_the_second_walk_is_stopped_by_the_check():
    assert play("r2 r2 r3").lines[-1].startswith("walk of r2")
    assert any("it stops" in line for line in play("r2 r2 r3").lines)
    assert not any("repair" in line for line in play("r2 r2 r3").lines)


def test_without_the_check_it_goes_on_for_ever():
    race = play("r2 r2 r3", no_check)
    assert race.endless
    assert str(race).endswith("for ever")


@pytest.mark.parametrize(
    ("guess", "order", "ok", "why"),
    [
        (2, IN_STEP, True, "before either wrote"),
        (1, IN_STEP, False, "r2 lets go"),
        (1, "r2 r2 r3", True, "nothing is to be repaired"),
        (None, IN_STEP, None, "None"),
    ],
)
def test_believers(guess, order, ok, why):
    verdict = believers(guess, order)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("stop", "ok", "why"),
    [
        (check, True, "46 orders"),
        (lambda column, row, predecessor: predecessor.get(row) == column, True, "a repair"),
        (no_check, False, "in a circle"),
        (lambda column, row, predecessor: True, False, "only 1 pair"),
        (lambda column, row, predecessor: row is not None, False, "only 1 pair"),
        (lambda column, row, predecessor: row == "r2", False, "in a circle"),
        (lambda column, row, predecessor: predecessor[row] == column, False, "KeyError"),
        (lambda column, row, predecessor: predecessor.clear(), False, "AttributeError"),
    ],
)
def test_rules_are_tried_in_every_order(stop, ok, why):
    verdict = speculation.rule(stop)
    assert verdict.ok is ok
    assert why in verdict.why
