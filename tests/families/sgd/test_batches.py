"""Batched node locking: warps that want the same users, the order of items, machine code."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import nvrtc
from gpucore.device.source import source_path
from gpucore.families.sgd.batches import LONG, in_order, users_in_a_turn
from gpucore.families.sgd.record import Kind
from gpucore.problems.ratings.ratings import Ratings
from support.devices import random_schedule

from .cases import factor


def all_pairs(users, items, seed=0):
    """Return ratings of every user for every item."""
    u, i = (a.ravel() for a in np.indices((users, items)))
    values = np.random.default_rng(seed).uniform(1, 5, users * items)
    return Ratings.from_entries(u, i, values, (users, items))


@pytest.mark.parametrize("k", [8, 16, 64, 128])
@pytest.mark.parametrize(("users", "items"), [(1, 40), (3, 30), (40, 3)])
def test_warps_that_want_the_same_users_all_end(users, items, k):
    """Whoever has a user's first word waits for the others; all others put back what they have."""
    problem, deferred = all_pairs(users, items), 0
    for seed in range(5):
        result = factor(
            problem, "nl_batched", random_schedule(seed), record="events", k=k, test=0.0,
            sweeps=1, biases=bool(seed % 2),
        )  # fmt: skip
        deferred += np.count_nonzero(result.record.events["kind"] == Kind.DEFER_USER)
    assert deferred > 0


def test_an_item_of_many_turns_is_processed_once():
    """Its ratings come from memory 32 at a time, and two such lots are on their way."""
    for count in (31, 32, 33, 64, 65, 130, 300):
        problem = all_pairs(count, 2)
        result = factor(problem, "nl_batched", record="events", test=0.0, sweeps=1)
        assert result.record.num_events >= 2 * count


def test_long_items_come_first_and_others_at_random():
    degrees = np.random.default_rng(1).integers(1, 30, 500)
    degrees[[70, 400, 9]] = 5_000, 9_000, 7_000
    warps = 16
    order = in_order(degrees, warps, seed=3)
    assert sorted(order) == list(range(500))
    assert order[:3].tolist() == [400, 9, 70]
    assert degrees[order[2]] > LONG * degrees.sum() / warps > degrees[order[3:]].max()
    assert not np.array_equal(order, in_order(degrees, warps, seed=4))
    assert abs(np.corrcoef(degrees[order[3:]], np.arange(497))[0, 1]) < 0.2


@pytest.mark.parametrize("flags", [0, 1, 2])
@pytest.mark.parametrize("length", [8, 16, 128])
def test_the_kernel_of_a_gpu_keeps_everything_in_registers(length, flags):
    pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")
    found = nvrtc.compile_file(
        source_path("sgd_batched"), arch="sm_90", constants={"LENGTH": length, "FLAGS": flags}
    ).resources()["sgd_node_batched"]
    assert found.stack_bytes == found.spill_store_bytes == found.spill_load_bytes == 0
    assert found.registers <= 255
    assert 1 <= users_in_a_turn(length) <= 32
