"""Exercises of the lab on b-matching accept right answers and explain wrong ones."""

import pytest

from warplens.labs.bmatching import halves, runs, stability, stacks
from warplens.labs.bmatching.runs import star, watch

ENTER = """
SIMT_KERNEL(enter)(const int* offers, int* words)
{
    int mine = offers[threadIdx.x];
    for (int i = 0; i < 3; ++i) {
        const int before = atomicMax(words + i, mine);
        if (before < mine) mine = before;
    }
}
"""
RACY = ENTER.replace(
    "const int before = atomicMax(words + i, mine);",
    "const int before = words[i]; if (before < mine) words[i] = mine;",
)


@pytest.fixture(scope="module")
def hub():
    return watch(star(3, 5, 2, 6, 4), 2)


def test_what_falls_out_first(hub):
    holder, first, weight = hub.falls()[0]
    assert holder == 0
    assert runs.first_to_fall(first, hub).ok
    wrong = runs.first_to_fall(0, hub)
    assert wrong.ok is False
    assert "holds the offers" in wrong.why
    assert "is a mate of 0" in runs.first_to_fall(4, hub).why
    assert f"{weight:g}" in wrong.why
    assert runs.first_to_fall(None, hub).ok is None
    assert hub.mates().splitlines()[0] == "0: 2, 4"


@pytest.mark.parametrize(("guess", "ok"), [(0, True), (3, False), (None, None)])
def test_one_slot_is_suitor(guess, ok):
    assert runs.unlike_suitor(guess, "karate_weighted").ok is ok


def test_all_orders_have_one_end():
    made = [watch("karate_weighted", 2, schedule=seed) for seed in range(3)]
    verdict = runs.results(1, made)
    assert verdict.ok
    assert "greedy algorithm" in verdict.why
    assert "not where they end" in runs.results(3, made).why
    other = watch("karate_weighted", 1)
    assert runs.results(2, [*made, other]).ok


def test_events_of_eager_and_delayed():
    eager, delayed = (watch("karate_weighted", 2, variant=v) for v in ("eager", "delayed"))
    table = runs.events_of([eager, delayed]).splitlines()
    assert [line.split()[0] for line in table] == ["variant", "eager", "delayed"]
    verdict = runs.more_falls(len(delayed.falls()), eager, delayed)
    assert verdict.ok
    assert f"twice the {eager.result.cardinality}" in verdict.why
    assert runs.more_falls(10**6, eager, delayed).ok is False


def test_the_weight_against_b():
    weights, bounds, whole = runs.curve("lesmis")
    part = round(100 * weights[2] / whole)
    assert runs.part_of_weight(part + 4, "lesmis", 3).ok
    assert runs.part_of_weight(part + 9, "lesmis", 3).ok is False
    assert runs.part_of_weight(None, "lesmis", 3).ok is None
    assert all(weight <= bound for weight, bound in zip(weights, bounds, strict=True))
    assert runs.against_b("lesmis").html.count("<circle") == 10


BOTH = [(u, v, 1.01) for u in (0, 1) for v in (2, 3)]
BOTH += [(u, v) for u in (0, 1) for v in (4, 5)] + [(u, v) for u in (2, 3) for v in (6, 7)]


@pytest.mark.parametrize(
    ("edges", "b", "ok", "why"),
    [
        ([(0, 1, 1.0), (1, 2, 1.01), (2, 3, 1.0)], 1, True, "cannot be below one half"),
        ([(0, 1, 1.0), (1, 2, 1.01), (2, 3, 1.0)], 2, None, "100.0%"),
        (BOTH, 2, True, "4,096 sets"),
        ([(0, v) for v in range(1, 20)], 2, False, "at most"),
        ([(0, 30)], 2, False, "from 0 to 23"),
        ([(0, 1, -1)], 2, False, "above 0"),
        ([(0, 0)], 2, False, "two different ends"),
        ([(0,)], 2, False, "two ends"),
        (3, 2, False, "not iterable"),
    ],
)
def test_greedy_is_half_as_good(edges, b, ok, why):
    verdict = halves.bad(edges, b)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("source", "ok", "why"),
    [
        (ENTER, True, "no race"),
        (RACY, False, "the best offers are"),
        (ENTER.replace("if (before < mine) mine = before;", ""), False, "the best offers are"),
        (ENTER.replace("int mine", "it mine"), False, "does not compile"),
    ],
)
def test_a_stack_without_a_lock(lab_compiler, source, ok, why):
    verdict = stacks.kernel(source, schedules=2)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("rule", "ok", "why"),
    [
        (stability.blocks, True, "no edge blocks a greedy one"),
        (lambda w, mine, theirs, b: w > min(mine, default=0), False, "does not block"),
        (lambda w, mine, theirs, b: False, False, "has room"),
        (lambda w, mine, theirs, b: w > min(mine), False, "Your rule failed"),
    ],
)
def test_blocking_edges(rule, ok, why):
    verdict = stability.rule(rule, graphs=3)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize("b", [1, 3])
def test_the_stable_assignment_is_the_b_matching(b):
    assert stability.assigned_alike(0, "karate_weighted", b).ok
    assert stability.assigned_alike(5, "karate_weighted", b).ok is False
