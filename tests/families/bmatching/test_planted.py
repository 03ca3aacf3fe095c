"""Mistakes planted in the kernels are found: by the race detector, schedules or the certificate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, KernelError
from gpucore.families.bmatching.capacity import capacities
from gpucore.record.replay import timeline_of
from support.bmatching_cases import greedy_b_mates
from support.matching_cases import random_graph
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy

from .runs import find

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

BUILD = Path(__file__).parents[3] / "build" / "bmatching-planted-tests"
MOST_SCHEDULES, CLEAN_SCHEDULES = 200, 25
#: Nearly complete, so that many workers meet at each vertex.
GRAPH = random_graph(24, 500, 5, levels=9)
CASCADE, HEAP = 2, 9

FAST = {"variant": "fast"}
EAGER, DELAYED, SEVERAL = (
    {"variant": variant, "worker": worker, "lists": "unsorted"}
    for variant, worker in (("eager", "warp"), ("delayed", "thread"), ("eager", "thread"))
)


def mistake(name, source, old, new="", **options):
    """Plant a mistake in a source, or in the header that the keyword names."""
    return Mistake(name, source, old, new, **options)


#: Each mistake, the run that shows it, and b.
MISTAKES = (
    (
        mistake(
            "no_lock",
            "bsuitor",
            "while (atomicCAS(offers.locks + v, 0, 1) != 0) __nanosleep(100);",
            "",
            header="bsuitor.cuh",
        ),
        EAGER,
        HEAP,
    ),
    (
        mistake(
            "lock_given_back_early",
            "bsuitor",
            "        atomicExch(offers.locks + v, 0);\n",
            header="bsuitor.cuh",
            moved_to="        size = simt_load(offers.sizes + v);\n",
        ),
        EAGER,
        HEAP,
    ),
    (
        mistake(
            "sinks_to_a_larger_child",
            "bsuitor",
            "const Bid least = warp_min(word);",
            "const Bid least = warp_max(word == ~0ull ? 0 : word);",
            header="bsuitor.cuh",
        ),
        EAGER,
        HEAP,
    ),
    (
        mistake(
            "cascade_loses_the_carried",
            "bsuitor",
            "if (previous < offer) offer = previous;",
            "if (previous < offer) return previous;",
            header="bsuitor.cuh",
        ),
        EAGER,
        CASCADE,
    ),
    (
        mistake(
            "cursor_not_claimed",
            "bsuitor",
            "else if (atomicCAS(s.cursors + u, cursor, choice) != cursor) choice = ~0ull;",
            "else simt_store(s.cursors + u, choice);",
        ),
        EAGER,
        CASCADE,
    ),
    (
        mistake(
            "a_cursor_for_each_lane",
            "bsuitor",
            "if (WIDTH > 1) cursor = __shfl_sync(ALL_LANES, cursor, 0);",
        ),
        EAGER,
        CASCADE,
    ),
    (
        mistake(
            "floor_too_high",
            "bsuitor",
            "edge >= floor && edge > choice",
            "edge > floor && edge > choice",
        ),
        EAGER,
        CASCADE,
    ),
    (
        mistake(
            "put_off_twice",
            "bsuitor",
            "== 0)\n        round.next_vertices",
            ">= 0)\n        round.next_vertices",
            header="bsuitor_round.cuh",
        ),
        DELAYED,
        CASCADE,
    ),
    (
        mistake(
            "put_off_without_atomic",
            "bsuitor",
            "atomicAdd(round.next_owed + u, proposals) == 0",
            "(round.next_owed[u] += proposals) == proposals",
            header="bsuitor_round.cuh",
        ),
        DELAYED,
        CASCADE,
    ),
    (
        mistake(
            "refused_and_done",
            "bsuitor",
            "else if (u >= 0 && next != u) --left;",
            "else if (u >= 0) --left;",
        ),
        DELAYED,
        CASCADE,
    ),
    (
        mistake(
            "gives_up_for_another",
            "bsuitor",
            "turn.proposer >= 0 && turn.choice == 0 && u == own",
            "turn.proposer >= 0 && turn.choice == 0",
        ),
        SEVERAL,
        HEAP,
    ),
    (
        mistake(
            "fast_cursor_not_claimed",
            "bsuitor_fast",
            "if (SLOTS == 1 || choice == 0) {",
            "if (true) {",
            header="bsuitor_offers.cuh",
        ),
        FAST,
        6,
    ),
    (
        mistake(
            "first_round_without_atomic",
            "bsuitor_fast",
            "else atomicAdd(word_of(owed, u), one_for(u));",
            "else owed[u] += 1;",
            header="bsuitor_offers.cuh",
        ),
        FAST,
        CASCADE,
    ),
    (
        mistake(
            "order_not_written",
            "bsuitor_fast",
            "        __syncwarp();\n        for (int base = 0; base < sharing.seekers;",
            "        for (int base = 0; base < sharing.seekers;",
            header="bsuitor_search.cuh",
        ),
        FAST,
        CASCADE,
    ),
    (
        mistake(
            "passes_its_own_word",
            "bsuitor_fast",
            "place += held[i] > offer;",
            "place += held[i] != 0;",
            header="bsuitor_offers.cuh",
        ),
        FAST,
        CASCADE,
    ),
    (
        mistake(
            "last_proposal_not_seen",
            "bsuitor_first",
            "pack(w, v) >= cursors[u]",
            "pack(w, v) > cursors[u]",
        ),
        FAST,
        HEAP,
    ),
    (
        mistake(
            "best_offer_at_the_root",
            "bsuitor_first",
            "? place : capacity - 1 - place",
            "? place : place",
        ),
        FAST,
        HEAP,
    ),
    (
        mistake(
            "heap_not_moved",
            "bsuitor_first",
            "held < capacity) move_down(walk.words, capacity, held, lane);",
            "held < capacity) __syncwarp();",
        ),
        FAST,
        HEAP,
    ),
    (
        mistake(
            "refused_and_forgotten",
            "bsuitor_first",
            "put_off(round, (int)u, refused);",
            "",
        ),
        FAST,
        HEAP,
    ),
)
IDS = [planted.name for planted, *_ in MISTAKES]


@pytest.fixture(scope="module")
def library():
    """Return the library of the kernels with mistakes, which records events."""
    headers = [path for folder in folders() for path in folder.glob("*.cuh")]
    possible = [planted for planted, *_ in MISTAKES if can_be_planted(planted)]
    sources = {source_path(planted.source) for planted in possible}
    return build(BUILD, [*headers, *sources], possible, levels="0 2")


def can_be_planted(planted):
    """Return whether the kernels still have the text; else only the test of this one fails."""
    try:
        return bool(planted.apply(source_path(planted.source).read_text()))
    except LookupError:
        return False


def schedule(seed):
    """Return options of a device on which lanes may give way at every access."""
    return {
        "policy": "random",
        "seed": seed,
        "resident": 1 + seed % 4,
        "yield_access": (0.05, 0.3)[seed % 2],
        "yield_atomic": 0.5,
        "poison": True,
    }


def is_right(device, params, b):
    """Return whether a run ends well: no error, certified, greedy's mates, an exact replay."""
    try:
        result = find(GRAPH, b, device, params, record="events")
    except KernelError:
        return False
    starts, mates = greedy_b_mates(GRAPH, capacities(GRAPH, b))
    if not (np.array_equal(result.starts, starts) and np.array_equal(result.mates, mates)):
        assert not result.certificate.ok, "the certificate missed a wrong b-matching"
        return False
    return timeline_of(result.record).exact


@pytest.mark.parametrize(("params", "b"), [(p, b) for _, p, b in MISTAKES[::2]])
def test_without_a_mistake_nothing_is_found(params, b):
    for seed in range(CLEAN_SCHEDULES):
        device = HostDevice(instrumented=True, observe="races", **schedule(seed))
        assert is_right(device, params, b), f"schedule {seed}"
        assert device.profile().races == ()


@pytest.mark.parametrize(("planted", "params", "b"), MISTAKES, ids=IDS)
@in_a_copy
def test_a_mistake_is_found(library, planted, params, b):
    assert can_be_planted(planted), f"{planted.source}.cu has another text now"
    for seed in range(MOST_SCHEDULES):
        device = Planted(library, planted, observe="races", **schedule(seed))
        if not is_right(device, params, b) or device.profile().races:
            return
    pytest.fail(f"{MOST_SCHEDULES} schedules, no race, and the result was always right")
