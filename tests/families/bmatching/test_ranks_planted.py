"""On ranks there are no races; planted mistakes are found: by races, mates or the replay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, KernelError
from gpucore.families.bmatching import heads, ranks_program
from gpucore.families.bmatching.capacity import capacities
from gpucore.record.replay import timeline_of
from support.bmatching_cases import greedy_b_mates
from support.deliveries import deliveries
from support.matching_cases import random_graph, skewed_graph
from support.planting import Mistake, build
from support.planting.apart import in_a_copy
from support.watched import Watched, WatchedWithMistake

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

BUILD = Path(__file__).parents[3] / "build" / "bmatching-ranks-planted-tests"
#: Schedules that may be needed to show a mistake, and those that show none without it.
MOST_SCHEDULES, CLEAN_SCHEDULES = 60, 12
#: Nearly complete and of few weights, so that many lanes meet at each vertex.
GRAPH = random_graph(40, 1200, 5, levels=4)
#: Capacities for lists by neighbour, and for sorted ones.
SMALL, LARGE = 3, 12
#: Every other vertex gets more offers from its own rank than it takes.
MIXED = [12, 2] * 20

SORTED = "bsuitor_ranks_sorted"
#: Each mistake and the b that shows it.
MISTAKES = (
    (
        Mistake(
            "no_room_means_room",
            SORTED,
            "target >= 0 && capacity == 0 ? offer : 0",
            "0",
            header="bsuitor.cuh",
        ),
        [12, 0, 3, 0] * 10,
    ),
    (
        Mistake(
            "cursor_not_claimed",
            SORTED,
            "const Bid found = atomicCAS(s.cursors + u, cursor, edge);",
            "const Bid found = cursor; simt_store(s.cursors + u, edge);",
        ),
        LARGE,
    ),
    (
        Mistake(
            "walk_starts_too_late",
            SORTED,
            "first_below(p, p.indptr[u], end, cursor);",
            "first_below(p, p.indptr[u], end, cursor) + 1;",
        ),
        LARGE,
    ),
    (
        Mistake(
            "walk_goes_on_too_late",
            SORTED,
            "place = first_below(p, place, end, cursor);",
            "place = first_below(p, place, end, cursor) + 1;",
        ),
        LARGE,
    ),
    (
        Mistake(
            "refused_by_equal_weights",
            SORTED,
            "if (weight != worst) return weight > worst;",
            "return weight > worst;",
        ),
        LARGE,
    ),
    (
        Mistake(
            "ties_by_numbers_in_the_part",
            SORTED,
            "with_vertex(edge, s.part.lo + u)",
            "with_vertex(edge, u)",
        ),
        LARGE,
    ),
    (
        Mistake("floor_too_high", SORTED, "if (edge < floor) break;", "if (edge <= floor) break;"),
        LARGE,
    ),
    (
        Mistake(
            "cursor_at_the_first_proposal",
            SORTED,
            "word == s.offers.starts[u + 1] - 1",
            "word == s.offers.starts[u]",
        ),
        LARGE,
    ),
    (
        Mistake("first_loser_forgotten", SORTED, "append(queue, length, outcome.next >= 0,",
                "append(queue, length, false,"),
        MIXED,
    ),
    (
        Mistake(
            "answer_lost",
            "bsuitor_ranks",
            "post(answers, to, message);",
            header="bsuitor_ranks.cuh",
        ),
        SMALL,
    ),
    (
        Mistake(
            "delivered_loser_forgotten",
            "bsuitor_ranks",
            "append(queue, length, next >= 0, next);",
            "append(queue, length, false, next);",
        ),
        LARGE,
    ),
    (
        Mistake(
            "claimed_by_all",
            "bsuitor_ranks",
            "claimed = atomicCAS(s.cursors + u, mine.cursor, choice) == mine.cursor;",
            "claimed = (simt_store(s.cursors + u, choice), true);",
        ),
        SMALL,
    ),
)  # fmt: skip
#: Mistakes of the kernels that work in the memory of other ranks.
PEERS = tuple(
    Mistake(name, "bsuitor_peers", old, new)
    for name, old, new in (
        (
            "plain_offer",
            "return ATOMIC_OF_ALL_RANKS(atomicMax)(word, offer);",
            "const Bid held = *word;\n        if (held < offer) *word = offer;\n"
            "        return held;",
        ),
        ("not_counted", "put_off(loser);\n        return -1;", "return -1;"),
        ("counted_for_another", "(counts, u), one_for(u));", "(counts, u), one_for(u + 1));"),
        (
            "plain_count",
            "ATOMIC_OF_ALL_RANKS(atomicAdd)(word_of(counts, u), one_for(u));",
            "*word_of(counts, u) += one_for(u);",
        ),
        ("copied_too_high", "worst[v] = theirs;", "worst[v] = theirs + 1;"),
    )
) + tuple(
    Mistake(name, "bsuitor_peers", old, new, header="marks.cuh")
    for name, old, new in (
        ("taken_for_another", "= 255u << bit_of(u);", "= 255u << bit_of(u + 1);"),
        (
            "plain_take",
            "ATOMIC_OF_ALL_RANKS(atomicAnd)(word_of(bytes, u), ~byte) & byte)",
            "(*word_of(bytes, u) &= ~byte), byte)",
        ),
    )
)
#: Mistakes where offers to ghosts wait to be delivered, which a recorded run does not do.
COLLECTED = tuple(
    Mistake(name, "bsuitor_peers", old, new)
    for name, old, new in (
        ("delivered_twice", "best[k] = 0;", ""),
        ("known_loser_forgotten", "    ++asked;\n                }", "} else fallen = 0;"),
        ("delivered_too_few", "k < peers.each() && best[k] != 0", "k < 1 && best[k] != 0"),
        ("later_loser_owes", "else peers.count_for(", "else peers.put_off("),
    )
)
#: Mistakes where offers to ghosts are packed, which a recorded run does not do either.
PACKED = tuple(
    Mistake(name, "bsuitor_peers", old, new)
    for name, old, new in (
        ("taken_in_too_few", "if (theirs.offers[i] == 0) break;", "if (i > 0) break;"),
        ("fallen_forgotten", "if (fallen != 0) peers.put_off(vertex_of(fallen));", ""),
        ("shown_too_high", "(held[j].last(each) >> 32));", "(held[j].last(each) >> 32) + 1);"),
    )
) + tuple(
    Mistake(name, "bsuitor_peers", old, new, header="parcels.cuh")
    for name, old, new in (
        ("one_word_packed", "j < each; ++j) {", "j < 1; ++j) {"),
        ("packed_elsewhere", "words[place * each + j] = word;", "words[i * each + j] = word;"),
        ("packed_too_early", "word = wanted ? words[i * each + j] : 0;\n            __syncwarp();",
         "word = wanted ? words[i * each + j] : 0;"),
        ("another_group", "if (lane == k) mask = who;", "if (lane == k - 1) mask = who;"),
    )
)  # fmt: skip
IDS = [mistake.name for mistake, _ in MISTAKES]


def schedule(seed):
    """Return options of a race detector whose lanes give way at any access."""
    return {
        "policy": "random",
        "seed": seed,
        "resident": 1 + seed % 4,
        "yield_access": (0.02, 0.2)[seed % 2],
        "yield_atomic": 0.3,
        "observe": "races",
        "strict": True,
        "poison": True,
    }


def wrong(device, b, graph=GRAPH, again=False, **options):
    """Return whether a run fails: an error, a race, not greedy's mates, or an inexact replay."""
    given = {"transport": "rounds", "record": "events"} | options
    try:
        with deliveries(again=again):
            result = gpucore.run("bmatching", graph, b=b, ranks=3, device=device, **given)
    except KernelError:
        return True
    starts, mates = greedy_b_mates(graph, capacities(graph, b))
    if not (np.array_equal(result.starts, starts) and np.array_equal(result.mates, mates)):
        assert not result.certificate.ok, "the certificate missed a wrong b-matching"
        return True
    if device.races():
        return True
    return given["record"] == "events" and not timeline_of(result.record).exact


@pytest.fixture(scope="module")
def library():
    """Return the library of the kernels with mistakes, which records events."""
    headers = [path for folder in folders() for path in folder.glob("*.cuh")]
    planted = [*(mistake for mistake, _ in MISTAKES), *PEERS, *COLLECTED, *PACKED]
    sources = {source_path(mistake.source) for mistake in planted}
    return build(BUILD, [*headers, *sources], planted, levels="0 2")


@pytest.mark.parametrize(("mistake", "b"), MISTAKES, ids=IDS)
@in_a_copy
def test_a_planted_mistake_is_found(library, mistake, b):
    assert any(
        wrong(WatchedWithMistake(library, mistake, **schedule(seed)), b)
        for seed in range(MOST_SCHEDULES)
    )


@pytest.mark.parametrize("mistake", COLLECTED, ids=[mistake.name for mistake in COLLECTED])
@in_a_copy
def test_a_mistake_in_a_delivery_is_found(library, mistake):
    given = {"transport": "peers", "record": "off", "again": True}
    assert any(
        wrong(WatchedWithMistake(library, mistake, **schedule(seed)), SMALL, **given)
        for seed in range(MOST_SCHEDULES)
    )


@pytest.mark.parametrize("mistake", PACKED, ids=[mistake.name for mistake in PACKED])
@in_a_copy
def test_a_mistake_in_what_is_packed_is_found(library, mistake):
    given = {"transport": "peers", "record": "off"}
    assert any(
        wrong(WatchedWithMistake(library, mistake, **schedule(seed)), SMALL, **given)
        for seed in range(MOST_SCHEDULES)
    )


def test_deliveries_without_a_mistake():
    for seed in range(CLEAN_SCHEDULES):
        device = Watched(instrumented=True, **schedule(seed))
        given = {"transport": "peers", "record": "off", "again": seed // 4 % 2 > 0}
        assert not wrong(device, SMALL, **given), f"schedule {seed}"


@pytest.mark.parametrize("mistake", PEERS, ids=[mistake.name for mistake in PEERS])
@in_a_copy
def test_a_mistake_in_the_memory_of_others_is_found(library, mistake):
    assert any(
        wrong(WatchedWithMistake(library, mistake, **schedule(seed)), SMALL, transport="peers")
        for seed in range(MOST_SCHEDULES)
    )


@pytest.mark.parametrize(
    ("b", "transport"),
    [(SMALL, "rounds"), (SMALL, "peers"), (LARGE, "rounds"), ("degree/2", "rounds")],
)
def test_without_a_mistake_nothing_is_found(b, transport):
    for seed in range(CLEAN_SCHEDULES):
        device = Watched(instrumented=True, **schedule(seed))
        assert not wrong(device, b, transport=transport), f"schedule {seed}"
        assert len(device.others) == 2
    device = Watched(instrumented=True, **schedule(1))
    assert not wrong(device, b, skewed_graph(7, 900, 6, levels=3), transport=transport)


def test_capacities_of_both_kinds_without_a_mistake():
    for seed in range(CLEAN_SCHEDULES):
        assert not wrong(Watched(instrumented=True, **schedule(seed)), MIXED), f"schedule {seed}"


def test_ties_in_the_order_of_lists_are_found(monkeypatch):
    """Of equal weights the smaller neighbour first: another order than that of the offers."""

    def smaller_first(arrays, device):
        indptr, indices, weights = arrays
        rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        order = np.lexsort((indices, -weights, rows))
        return heads.Heads(indptr, indices[order], weights[order])

    monkeypatch.setattr(ranks_program, "sort_all", smaller_first)
    assert wrong(Watched(instrumented=True, **schedule(0)), LARGE)
