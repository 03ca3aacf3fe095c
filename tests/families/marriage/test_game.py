"""The game on a stable marriage: every round has a blocking pair, and the judge is right."""

import numpy as np
import pytest

import gpucore
from gpucore.families.marriage.certificate import blocking_pairs
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences
from warplens.app.families.marriage.game import LEVELS, Judge, new_round
from warplens.app.families.marriage.game_card import GamePanel, distinct_names
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view
from warplens.app.view import Services

VIEW = get_view("marriage")
SPECS = ("classic:n=8,seed=1", "easy:n=10,seed=2", "hard:n=6,seed=1", "cycles:n=8,length=4,seed=1")


def problem(spec):
    return VIEW.prepare(load_preferences(spec).graph())


def stable(graph):
    result = gpucore.run("marriage", graph)
    return tuple(zip(result.men.tolist(), result.women.tolist(), strict=True))


@pytest.mark.parametrize("spec", SPECS)
def test_every_round_is_a_marriage_that_somebody_blocks(spec):
    graph = problem(spec)
    couples = stable(graph)
    for level in LEVELS:
        for seed in (1, 2):
            found = new_round(graph, couples, level, seed)
            assert found == new_round(graph, couples, level, seed)
            pairs = np.array(found.couples, np.int32)
            expected = blocking_pairs(graph, pairs[:, 0], pairs[:, 1])
            both = zip(expected.men.tolist(), expected.women.tolist(), strict=True)
            assert found.blocking == tuple(both) != ()


def test_hard_rounds_are_blocked_by_fewer_than_easy_ones():
    graph = problem("classic:n=10,seed=3")
    couples = stable(graph)
    few, many = (
        [len(new_round(graph, couples, level, seed).blocking) for seed in (1, 2, 3)]
        for level in ("hard", "easy")
    )
    assert max(few) < min(many)


@pytest.mark.parametrize("spec", SPECS)
def test_the_judge_agrees_with_the_certificate(spec):
    graph = problem(spec)
    found = new_round(graph, stable(graph), "medium", 1)
    judge = Judge(graph, distinct_names(graph), found.couples)
    men, women = graph.shape
    said = {(m, w) for m in range(men) for w in range(women) if judge.judge(m, w).blocks}
    assert said == set(found.blocking)


@pytest.fixture
def three():
    """Return three men and three women; Carl and Cora list only each other."""
    lists = [[0, 1], [0, 1], [2]]
    names = ("Adam", "Ben", "Carl", "Alma", "Bea", "Cora")
    return Preferences.from_lists(lists, lists, names=names).graph()


def test_the_judge_gives_reasons_with_ranks(three):
    judge = Judge(three, three.names, ((0, 1), (1, 0)))
    assert judge.judge(0, 0).text == (
        "Adam and Alma block the marriage: Adam prefers Alma (1st) to his wife Bea (2nd), and "
        "Alma prefers Adam (1st) to her husband Ben (2nd)."
    )
    assert judge.judge(1, 1).text == (
        "Ben and Bea do not block it: Ben prefers his wife Alma (1st) to Bea (2nd), and Bea "
        "prefers her husband Adam (1st) to Ben (2nd)."
    )
    assert "married to each other" in judge.judge(0, 1).text
    assert "do not list each other" in judge.judge(0, 2).text
    assert judge.judge(2, 2).text == (
        "Carl and Cora block the marriage: Carl has no partner and lists Cora 1st, and Cora has "
        "no partner and lists Carl 1st."
    )
    judge = Judge(three, three.names, ((0, 0), (1, 1)))
    assert judge.judge(1, 0).text == (
        "Ben and Alma do not block it: Ben prefers Alma (1st) to his wife Bea (2nd), but Alma "
        "prefers her husband Adam (1st) to Ben (2nd)."
    )


def test_where_nobody_can_be_exchanged_a_couple_is_parted():
    graph = Preferences.from_lists([[0]], [[0]]).graph()
    assert new_round(graph, ((0, 0),), "easy", 1).blocking == ((0, 0),)
    assert new_round(graph, (), "easy", 1) is None


def test_nobody_is_taken_for_somebody_else(three):
    assert distinct_names(three) == three.names
    twins = Preferences.from_lists([[0]], [[0]], names=("Kim", "Kim")).graph()
    assert distinct_names(twins) == ("man Kim", "woman Kim")
    assert distinct_names(problem("classic:n=30,seed=1"))[29:31] == ("man 29", "woman 0")


@pytest.fixture
def panel():
    services = Services(
        PageLimits(), None, lambda *_: None, lambda: None, lambda callback: callback
    )
    made = GamePanel(services)
    graph = problem("classic:n=6,seed=1")
    made.show(graph, gpucore.run("marriage", graph))
    return made


def pick(panel, pair):
    panel._act({"kind": "pick", "man": pair[0], "woman": pair[1]})
    return panel.game.status


def test_a_round_is_won_with_the_first_pair(panel):
    blocking = panel.round.blocking
    wrong = next(c for c in panel.round.couples if c not in blocking)
    status = pick(panel, wrong)
    assert (status["style"], status["over"]) == ("other", False)
    for pair in blocking:
        status = pick(panel, pair)
        assert (status["style"], status["over"]) == ("good", True)
    assert status["text"].endswith(f"No other pair blocks it; {len(blocking) + 1} tries.")
    assert status["score"].endswith("rounds won: 1")
    assert pick(panel, blocking[0])["score"] == status["score"]
    panel._act({"kind": "hint"})
    assert "are found" in panel.game.status["text"]


def test_hints_name_first_the_man_then_the_woman(panel):
    man, woman = panel.round.blocking[0]
    for person in (man, 6 + woman):
        panel._act({"kind": "hint"})
        assert panel.game.status["hint"] == person
        assert panel.game.people["names"][person] in panel.game.status["text"]


def test_what_is_shown_is_not_won(panel):
    panel._act({"kind": "all"})
    status = panel.game.status
    assert len(status["text"].split("\n")) == len(panel.round.blocking) == len(status["found"])
    assert pick(panel, panel.round.blocking[0])["score"].endswith("rounds won: 0")
    panel._act({"kind": "round"})
    assert panel.game.people["number"] == 2
    assert panel.game.status["found"] == []
    panel._act({"kind": "level", "value": "hard"})
    assert panel.game.people["number"] == 3
    panel._act({"kind": "pick", "man": 99, "woman": 0})
    panel._act({"kind": "unknown"})
    assert panel.game.status["score"].startswith("Round 3 · tries: 0")


def test_the_card_comes_with_a_marriage_and_goes_with_it(panel):
    assert panel.widget.layout.display is None
    graph = problem("classic:n=20,seed=1")
    panel.show(graph, gpucore.run("marriage", graph))
    assert panel.game.people == {}
    assert "up to 14 men" in panel.game.placeholder
    panel.clear()
    assert panel.widget.layout.display == "none"
    panel._act({"kind": "hint"})
    assert panel.game.status == {}
