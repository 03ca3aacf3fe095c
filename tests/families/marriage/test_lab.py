"""Exercises of the lab on stable marriage accept right answers and explain wrong ones."""

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.problems.preferences.preferences import Preferences
from warplens.labs.marriage import (
    greedy,
    happiness,
    proposals,
)
from warplens.labs.marriage import (
    runs as marriage,
)
from warplens.labs.marriage.rows import rows
from warplens.labs.marriage.runs import loaded, watch
from warplens.labs.matching.runs import path

RACY = """
SIMT_KERNEL(marry)(int n, const int* women, const int* her_rank, int* held)
{
    int man = threadIdx.x, place = 0;
    while (place < n) {
        const int at = man * n + place, woman = women[at];
        const int word = (her_rank[at] * 64 + man) * 64 + place;
        const int before = held[woman];
        if (word < before) held[woman] = word;
        if (before == 0x7fffffff) break;
        place = word < before ? before % 64 + 1 : place + 1;
        if (word < before) man = before / 64 % 64;
    }
}
"""
FIXED = RACY.replace("= held[woman];", "= atomicMin(held + woman, word);").replace(
    "        if (word < before) held[woman] = word;\n", ""
)


@pytest.fixture(scope="module")
def four():
    return loaded("gale_shapley_4")


@pytest.fixture(scope="module")
def in_rounds(four):
    return watch(four, variant="gs")


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [
        (("β", "D"), True, "There are 2 more such pairs"),
        (("A", "γ"), True, "γ has C, choice number 3, and ranks A 2"),
        (("α", "B"), False, "So α would not go"),
        (("β", "A"), False, "So A would not go"),
        (("α", "A"), False, "married to each other"),
        (("α", "β"), None, "not a man's and a woman's name"),
        (("α", "Z"), None, "not a man's and a woman's name, like ('α', 'A')"),
        (("α", "B", "Z"), None, "not a man's and a woman's name"),
        ("αB", None, "not a man's and a woman's name"),
        (7, None, "7 is not"),
        (None, None, "a man's and a woman's name"),
    ],
)
def test_a_blocking_pair(four, guess, ok, why):
    verdict = marriage.blocks(guess, four)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(("guess", "ok"), [("C", True), ("A", False), ("c", None), (None, None)])
def test_a_partner_with_the_story(in_rounds, guess, ok):
    verdict = marriage.partner(guess, "α", in_rounds)
    assert verdict.ok is ok
    if ok is not None:
        assert "γ proposes to A, his choice number 2; she ranks him 2 and leaves α" in verdict.why


def test_the_hint_on_a_partner_does_not_name_the_right_one(in_rounds):
    hint = marriage.partner("B", "α", in_rounds).hint
    assert hint and "C" not in hint


def test_the_text_says_what_the_kernels_do(four, in_rounds):
    chains = watch(four)
    assert chains.couples() == in_rounds.couples() == "α and C, β and D, γ and A, δ and B"
    assert in_rounds.rounds().splitlines()[0] == "round 1: free men 4, women they ask 3"
    assert in_rounds.rounds().endswith("5 rounds in all")
    assert "8 proposals, 9 places considered" in in_rounds.summary()
    assert "7 proposals, 9 places considered" in chains.summary()
    assert len(chains.story().splitlines()) == chains.record.num_events


def test_one_marriage_whatever_the_schedule():
    runs = [watch("classic:n=40,seed=1", seed=seed) for seed in range(3)]
    assert marriage.different_marriages(1, runs).ok
    assert "The order of events differs" in marriage.different_marriages(3, runs).why


def test_stable_marriages_are_counted(four):
    three = loaded("gale_shapley_3")
    assert marriage.all_stable(three) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert marriage.all_stable(four) == [(2, 3, 0, 1)]
    assert marriage.stable_marriages(3, three).ok
    assert "for whoever proposes" in marriage.stable_marriages(1, three).why


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(210, True, "1 + 2 + ... + 20"), (400, False, "all places"), (60, False, "random lists")],
)
def test_places_of_a_hard_instance(guess, ok, why):
    made = watch("hard:n=20", variant="gs")
    verdict = marriage.considered(guess, made)
    assert verdict.ok is ok
    assert why in verdict.why
    assert made.rounds(1) == "round 1: free men 20, women they ask 1\n20 rounds in all"


@pytest.mark.parametrize(
    ("rule", "ok", "why"),
    [
        (
            lambda holds, comes, hers: (
                comes if holds is None else min(holds, comes, key=hers.index)
            ),
            True,
            "stable marriage",
        ),
        (
            lambda holds, comes, hers: comes if holds is None else holds,
            False,
            "why did she not keep him",
        ),
        (lambda holds, comes, hers: comes, False, "would both rather"),
        (lambda holds, comes, hers: 99, False, "your rule keeps 99"),
        (lambda holds, comes, hers: None, False, "your rule keeps None"),
        (lambda holds, comes, hers: 1 / 0, False, "ZeroDivisionError"),
    ],
)
def test_answers_are_tried_on_instances(rule, ok, why):
    verdict = proposals.answer(rule)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("source", "ok", "why"),
    [
        (FIXED, True, "0, 0, "),
        (RACY, False, "atomicMin"),
        (FIXED.replace("word =", "word"), False, "does not compile"),
    ],
)
def test_kernels_are_tried_under_schedules(lab_compiler, source, ok, why):
    verdict = proposals.kernel(source, schedules=3)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("men", "women", "ok", "why"),
    [
        ([[0, 1, 2]] * 3, [[0, 1, 2]] * 3, True, "of all 6 ways"),
        (
            [[0, 1, 2], [1, 2, 0], [2, 0, 1]],
            [[1, 2, 0], [2, 0, 1], [0, 1, 2]],
            None,  # as it came
            "There are 3 stable marriages",
        ),
        ([[0, 1], [1, 0]], [[0, 1], [1, 0]], False, "three to six"),
        ([[0], [1], [2]], [[0], [1], [2]], False, "each man rank all women"),
        ([[0, 0]], [[0]], False, "twice"),
    ],
)
def test_instances_with_one_stable_marriage(men, women, ok, why):
    verdict = proposals.one_marriage(men, women)
    assert verdict.ok is ok
    assert why in verdict.why


def test_ranks_are_measured():
    grown = happiness.grow([8, 64], instances=4)
    assert np.allclose(grown.considered, grown.men * grown.sizes)
    assert (grown.men < grown.women).all()
    assert len(grown.table().splitlines()) == 3
    assert grown.picture()._repr_html_().count("<circle") == 4


@pytest.mark.parametrize(("guess", "ok"), [(50, False), (None, None), ("ten", None)])
def test_a_rank_is_guessed(guess, ok):
    verdict = happiness.women_get(guess, 100)
    assert verdict.ok is ok
    truth = marriage.marry("classic:n=100,seed=1").figures["women_mean_rank"]
    assert happiness.women_get(truth * 1.2, 100).ok
    assert not happiness.women_get(truth * 1.4, 100).ok


def test_counters_are_reported():
    header, random, hard = happiness.effort(("classic:n=50", "mw"), ("hard:n=50", "mw")).split("\n")
    assert header.endswith("lanes with a man")
    assert random.startswith("classic:n=50          mw")
    assert " 1,275 " in hard
    small, large = happiness.passed_by([100, 2000]).splitlines()[1:]
    assert " 5,050 " in small
    assert " 2,001,000 " in large
    assert "(100%)" not in small + large


def test_words_are_measured():
    one, sixteen, many = happiness.words(25_000_000, 30, 60).splitlines()[1:]
    assert one.split() == ["1", "36", "200.000", "MB"]
    assert sixteen.split()[:2] == ["16", "40"]
    assert many.split() == ["256", "44", "0.781", "MB"]
    assert len(happiness.words(1 << 30, 1 << 20, 1 << 20).splitlines()) == 2


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(30, True, "34 are left"), (20, False, "left out the place"), (29, False, "the run says 30")],
)
def test_bits_are_guessed(guess, ok, why):
    verdict = happiness.word_bits(guess, 1000, 1000, 1000)
    assert verdict.ok is ok
    assert why in verdict.why


def test_greedy_matching_is_a_marriage():
    row = path(3, 4, 5, 2)
    assert greedy.suitor_proposals(row) == 5
    assert greedy.proposals(5, row).ok
    assert "Only the men" in greedy.proposals(10, row).why
    lines = greedy.beside(row).splitlines()
    assert lines[4].split("  ")[0] == "3 asks 2, who leaves 1"
    assert lines[4].endswith("man 3 asks woman 2, who leaves man 1")
    assert [line[:5] for line in greedy.claims("karate").splitlines()] == ["holds"] * 6


def test_residents_get_places():
    doctors = loaded("nrmp_5")
    assert greedy.first_choices(2, doctors).ok
    assert "purged of 3" in greedy.first_choices(5, doctors).why
    assert "City (2 places): Anderson, Eastman" in greedy.placed(doctors)


def test_roommates():
    verdict = greedy.stable_rooms(0, greedy.quartet())
    assert verdict.ok
    assert "1 odd party" in verdict.why
    pairs = greedy.Roommates.from_lists([[1, 2, 3], [0, 2, 3], [3, 0, 1], [2, 0, 1]])
    assert greedy.stable_rooms(1, pairs).ok
    assert "with men and women" in greedy.stable_rooms(1, greedy.quartet()).why.lower()


def test_lists_are_drawn(four, in_rounds):
    shown = rows(four, in_rounds.result)._repr_html_()
    assert shown.count("outline:") == 8
    assert rows(Preferences.from_graph(path(1, 2)))._repr_html_().count("<tr>") == 6
    with pytest.raises(ParameterError, match="room for 40"):
        rows("hard:n=41")
