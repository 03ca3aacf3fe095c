"""The certificate accepts stable marriages and names the defect of all others."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpucore.errors import GraphError, ParameterError
from gpucore.families.marriage import blocking as searching
from gpucore.families.marriage import certificate as marriage
from gpucore.families.marriage.certificate import blocking_pairs, certify_marriage, certify_result
from gpucore.families.marriage.result import MarriageResult
from gpucore.loading import load
from gpucore.problems.preferences.generate import (
    cycles,
    easy,
    hard,
    hospitals,
)
from gpucore.problems.preferences.preferences import Preferences

from .cases import arrays, best_for_men, blocking, capacities_of, instances, stable_marriages

relaxed = settings(deadline=None, max_examples=60)

#: Man 0 wants 0, 1; man 1 wants 1, 0, 2; man 2 wants 2. Stable: 0-0, 1-1, 2-2.
THREE = Preferences.from_lists([[0, 1], [1, 0, 2], [2]], [[1, 0], [0, 1], [1, 2]])
#: Two residents; hospital 0 has two places.
HOSPITAL = Preferences.from_lists([[0], [0, 1], [0]], [[2, 1, 0], [1]], woman_capacity=[2, 1])


def failing(problem, men, women, **options):
    found = certify_marriage(problem, np.asarray(men), np.asarray(women), **options)
    assert not found.ok
    assert found.failure is found.checks[-1]
    return found.failure


@st.composite
def marriages(draw):
    """Draw an instance and any marriage within its capacities, stable or not."""
    preferences = draw(instances(capacities=draw(st.booleans())))
    his, _ = preferences.lists()
    room = capacities_of(preferences)
    pairs = []
    for m, w in draw(st.permutations([(m, w) for m, row in enumerate(his) for w in row])):
        if room[0][m] and room[1][w] and draw(st.integers(0, 9)):
            pairs.append((m, w))
            room[0][m] -= 1
            room[1][w] -= 1
    return preferences, sorted(pairs)


@given(instances(), st.booleans())
@relaxed
def test_what_deferred_acceptance_finds_is_certified(preferences, swap):
    preferences = preferences.swapped() if swap else preferences
    pairs = best_for_men(preferences)
    his, hers = preferences.lists()
    wife = dict(pairs)
    considered = sum(row.index(wife[m]) + 1 if m in wife else len(row) for m, row in enumerate(his))
    figures = {"cardinality": len(pairs), "considered": considered}
    for key, ranks in (
        ("men_mean_rank", [his[m].index(w) + 1 for m, w in pairs]),
        ("women_mean_rank", [hers[w].index(m) + 1 for m, w in pairs]),
    ):
        figures[key] = float(np.mean(ranks)) if pairs else None
    certificate = certify_marriage(preferences, *arrays(pairs), proposers="men")
    assert certificate.ok, str(certificate)
    assert len(certificate.checks) == 6
    known = {name: value for name, value in figures.items() if value is not None}
    assert dict(certificate.figures) == pytest.approx(known, rel=1e-12)


@given(instances(most=4))
@relaxed
def test_of_all_stable_marriages_the_best_of_each_side_is_known(preferences):
    best = {
        "men": best_for_men(preferences),
        "women": sorted((m, w) for w, m in best_for_men(preferences.swapped())),
    }
    stable = stable_marriages(preferences)
    assert best["men"] in stable
    assert best["women"] in stable
    for pairs in stable:
        assert certify_marriage(preferences, *arrays(pairs)).ok
        for side, found in best.items():
            certificate = certify_marriage(preferences, *arrays(pairs), proposers=side)
            assert certificate.ok == (pairs == found)
            assert certificate.ok or certificate.failure.name == f"best for the {side}"


@pytest.mark.parametrize("length", [2, 3, 7])
def test_a_rotation_is_named_and_leads_to_a_stable_marriage(length):
    preferences = cycles(n=40, length=length, seed=4)
    men_best, women_best = best_for_men(preferences), best_for_men(preferences.swapped())
    women_best = sorted((m, w) for w, m in women_best)
    assert certify_marriage(preferences, *arrays(men_best), proposers="men").ok
    assert certify_marriage(preferences, *arrays(women_best), proposers="women").ok
    for side, worst in (("men", women_best), ("women", men_best)):
        failure = failing(preferences, *arrays(worst), proposers=side)
        assert failure.name == f"best for the {side}"
        moved = dict(worst)
        named = re.findall(r"man (\d+) with woman (\d+)", failure.detail)
        assert len(named) == min(length, 5)
        if length <= 5:
            moved |= {int(m): int(w) for m, w in named}
            assert certify_marriage(preferences, *arrays(moved.items())).ok


@given(instances(capacities=True))
@relaxed
def test_assignments_with_capacities_are_certified(preferences):
    pairs = best_for_men(preferences)
    certificate = certify_marriage(preferences, *arrays(pairs))
    assert certificate.ok, str(certificate)


@given(marriages())
@relaxed
def test_a_marriage_is_certified_if_and_only_if_nothing_blocks(drawn):
    preferences, pairs = drawn
    blocks = blocking(preferences, pairs)
    found = blocking_pairs(preferences, *arrays(pairs))
    assert list(zip(found.men.tolist(), found.women.tolist(), strict=True)) == blocks
    for m, w, his_rank, her_rank in zip(*(array.tolist() for array in found), strict=True):
        assert preferences.rank(m, w) == (his_rank, her_rank)
    certificate = certify_marriage(preferences, *arrays(pairs))
    assert certificate.ok == (not blocks)
    if blocks:
        assert certificate.failure.name == "no blocking pair"
        detail = certificate.failure.detail
        number, named = detail.split(" blocking pair")[0], detail.count("he ranks her")
        assert named == sum(f"man {m} and woman {w}: " in detail for m, w in blocks)
        if preferences.is_shared:
            assert 1 <= int(number.removeprefix("at least ")) <= len(blocks)
        else:
            assert (int(number), named) == (len(blocks), min(len(blocks), marriage.NAMED))


@given(marriages(), st.data())
@relaxed
def test_a_lost_pair_is_found(drawn, data):
    preferences, _ = drawn
    pairs = best_for_men(preferences)
    assume(pairs)
    lost = data.draw(st.sampled_from(pairs))
    left = [pair for pair in pairs if pair != lost]
    assert failing(preferences, *arrays(left)).name == "no blocking pair"
    found = blocking_pairs(preferences, *arrays(left))
    assert lost in zip(found.men.tolist(), found.women.tolist(), strict=True)


@given(instances(), st.data())
@relaxed
def test_one_wrong_partner_is_always_found(preferences, data):
    """Any other partner is not listed, is taken, or leaves a blocking pair."""
    pairs = best_for_men(preferences)
    assume(pairs)
    at = data.draw(st.integers(0, len(pairs) - 1))
    men, women = arrays(pairs)
    women[at] = data.draw(st.integers(-1, preferences.num_women))
    assume(women[at] != pairs[at][1])
    his, _ = preferences.lists()
    wrong = list(zip(men.tolist(), women.tolist(), strict=True))
    proper = len(set(women.tolist())) == len(wrong) and all(w in his[m] for m, w in wrong)
    found = certify_marriage(preferences, men, women)
    assert found.ok == (proper and not blocking(preferences, wrong))
    if not found.ok and proper:
        assert any(
            f"man {m} and woman {w}: " in found.failure.detail
            for m, w in blocking(preferences, wrong)
        )
    elif not found.ok:
        assert str(women[at]) in found.failure.detail


@pytest.mark.parametrize(
    ("men", "women", "check", "named"),
    [
        ([0, 1], [[0, 1]], "well formed", "women has the shape (1, 2), men (2,)"),
        ([[0]], [[0]], "well formed", "men has the shape (1, 1)"),
        ([0.0], [0], "well formed", "men has the dtype float64"),
        ([0, 3], [0, 1], "well formed", "outside 0..2: men[1] = 3"),
        ([0, 1], [0, -1], "well formed", "outside 0..2: women[1] = -1"),
        ([1, 0], [1, 0], "in order", "man 0 and woman 0 follow man 1 and woman 1, at pair 1"),
        ([0, 0], [1, 1], "in order", "man 0 and woman 1 are there twice"),
        ([0, 0], [0, 1], "room for all", "man 0 has 2 partners (0, 1) and room for 1"),
        ([0, 1], [1, 1], "room for all", "woman 1 has 2 partners (0, 1) and room for 1"),
        ([0, 2], [0, 1], "mutually listed", "lists: man 2 and woman 1"),
        ([0, 1], [0, 1], "no blocking pair",
         "1 blocking pair: man 2 and woman 2: he ranks her 1 and has no partner, "
         "she ranks him 2 and has no partner"),
        ([0, 1], [0, 2], "no blocking pair", "man 1 and woman 1: he ranks her 1 but has"),
    ],
)  # fmt: skip
def test_the_failing_check_names_the_pair(men, women, check, named):
    failure = failing(THREE, men, women)
    assert failure.name == check
    assert named in failure.detail


@pytest.mark.parametrize(
    ("men", "women", "check", "named"),
    [
        ([0, 1, 2], [0, 0, 0], "room for all", "woman 0 has 3 partners (0, 1, 2) and room for 2"),
        ([1, 2], [1, 0], "no blocking pair", "man 1 and woman 0: he ranks her 1 but has one "
         "ranked 2, she ranks him 2 and has room"),
        ([0, 1], [0, 0], "no blocking pair", "man 2 and woman 0: he ranks her 1 and has "
         "no partner, she ranks him 1 but has one ranked 3"),
    ],
)  # fmt: skip
def test_the_failing_check_of_a_hospital_names_the_pair(men, women, check, named):
    assert certify_marriage(HOSPITAL, np.array([1, 2]), np.array([0, 0])).ok
    failure = failing(HOSPITAL, men, women)
    assert failure.name == check
    assert named in failure.detail


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_chunks_do_not_matter(monkeypatch, chunk):
    preferences = load_easy()
    pairs = arrays(best_for_men(preferences))
    whole = certify_marriage(preferences, *pairs)
    some = blocking_pairs(preferences, pairs[0][5:], pairs[1][5:])
    monkeypatch.setattr(searching, "CHUNK", chunk)
    assert whole.ok
    assert certify_marriage(preferences, *pairs) == whole
    again = blocking_pairs(preferences, pairs[0][5:], pairs[1][5:])
    assert all(np.array_equal(a, b) for a, b in zip(some, again, strict=True))


def load_easy():
    return easy(60, seed=3)


@pytest.mark.parametrize("room", [None, 3])
def test_shared_lists_are_proved_as_their_expansion_is(room):
    preferences = hard(40, seed=2)
    if room:
        preferences = Preferences.shared(
            preferences.order, preferences.standing, woman_capacity=[room] * 40,
            man_capacity=[2] * 40,
        )  # fmt: skip
    pairs = best_for_men(preferences)
    for some in (pairs, pairs[1:], pairs[:-3], pairs[::2], []):
        short = certify_marriage(preferences, *arrays(some))
        long = certify_marriage(preferences.expanded(), *arrays(some))
        assert short.ok == long.ok == (some is pairs)
        assert short.figures == long.figures
        assert short.ok or "at least" in short.failure.detail


def test_half_a_million_shared_lists_are_proved():
    """In 250 billion pairs one that blocks is found; those of best and worst standing, too."""
    n = 500_000
    preferences = hard(n, seed=1)
    women = preferences.order[preferences.standing - 1]
    men = np.arange(n)
    certificate = certify_marriage(preferences, men, women)
    assert certificate.ok, str(certificate)
    assert certificate.figures["considered"] == n * (n + 1) // 2
    by_standing = np.argsort(preferences.standing)
    for a, b in ((0, 1), (n - 2, n - 1), (1000, 400_000)):
        first, second = by_standing[[a, b]]
        wrong = women.copy()
        wrong[[first, second]] = wrong[[second, first]]
        failure = failing(preferences, men, wrong)
        assert failure.name == "no blocking pair"
        assert f"and woman {women[first]}: " in failure.detail
        assert b - a > 1 or f"1 blocking pair: man {first} and " in failure.detail


def test_a_large_easy_instance_and_hospitals_in_no_time():
    preferences = hospitals(residents=2000, hospitals=40, capacity=30, length=6, seed=1)
    pairs = best_for_men(preferences)
    assert certify_marriage(preferences, *arrays(pairs)).ok
    assert not certify_marriage(preferences, *arrays(pairs[:-1])).ok
    big = easy(100_000, seed=1)
    none = np.empty(0, np.int32)
    failure = failing(big, none, none)
    assert failure.detail.startswith(f"{big.num_pairs} blocking pairs: man 0 and ")


def test_any_of_many_blocking_pairs():
    preferences = hard(1000)
    none = np.empty(0, np.int32)
    found = blocking_pairs(preferences, none, none, limit=7)
    assert found.men.size == 7
    assert blocking_pairs(THREE, none, none).men.tolist() == [0, 0, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("men", "women", "text"),
    [
        ([5], [0], "well formed: outside"),
        ([1, 0], [1, 0], "in order"),
        ([0, 0], [0, 1], "room for all: man 0"),
        ([2], [0], "man 2 and woman 0"),
    ],
)
def test_blocking_pairs_are_those_of_marriages(men, women, text):
    with pytest.raises(ParameterError, match=text):
        blocking_pairs(THREE, np.array(men), np.array(women))


def test_results_are_certified_with_what_they_report():
    preferences = THREE.graph()
    figures = {
        "cardinality": 3, "considered": 3, "men_mean_rank": 1.0, "women_mean_rank": 2.0,
        "proposals": 3, "rounds": None,
    }  # fmt: skip
    result = MarriageResult(
        "by hand", {}, 0.0, figures, {"proposers": "men"},
        men=np.arange(3, dtype=np.int32), women=np.arange(3, dtype=np.int32),
        num_men=3, num_women=3,
    )  # fmt: skip
    certificate = certify_result(preferences, result)
    assert certificate.ok, str(certificate)
    as_json = json.loads(json.dumps(certificate.as_dict()))
    assert as_json["figures"]["women_mean_rank"] == 2.0
    object.__setattr__(result, "params", {"proposers": "women"})
    assert certify_result(preferences, result).failure.detail == (
        "stable, too, and better for them: man 0 with woman 1, man 1 with woman 0"
    )


def test_what_is_no_preferences_is_refused():
    with pytest.raises(GraphError, match="stable marriage takes preferences"):
        certify_marriage(load("karate"), np.empty(0, int), np.empty(0, int))
    with pytest.raises(ParameterError, match="proposers must be"):
        certify_marriage(THREE, np.arange(3), np.arange(3), proposers="children")
