"""Microbenchmarks: their kernels do what is counted, and the costs come from what was measured."""

import json

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.families.sgd.probe import ATOMICS, ON_HOST, PLACES, measure_costs

THREADS, REPEATS = 64, 16


def atomics(kind, spread, **options):
    device = get_device("host", **options)
    words = np.zeros(1 + (THREADS - 1) * spread, np.uint32)
    numbers, last = np.zeros(words.size, np.float32), np.zeros(THREADS, np.uint32)
    arguments = [words, numbers, ATOMICS.index(kind), spread, REPEATS, THREADS, last]
    device.kernel("sgd_probe", "sgd_atomics")(4, THREADS // 2, arguments)  # half the threads idle
    return words, numbers, last


@pytest.mark.parametrize("spread", PLACES.values())
def test_every_atomic_is_made(spread):
    own = 1 if spread else THREADS
    words, numbers, _ = atomics("add u32", spread)
    assert (words[:: spread or 1] == REPEATS * own).all()
    assert not numbers.any()
    words, numbers, _ = atomics("add f32", spread)
    assert (numbers[:: spread or 1] == REPEATS * own).all()
    assert not words.any()


def test_alone_every_second_try_succeeds():
    """A thread tries with the number that it found last, and another number is there each time."""
    for kind in ("CAS u32", "exchange u32"):
        words, _, last = atomics(kind, 32)
        assert (words[::32] == REPEATS // 2).all(), kind
        assert (last == words[::32]).all(), kind


@pytest.mark.parametrize("seed", range(5))
def test_contended_cas_succeeds_once_a_value(seed):
    words, _, last = atomics("CAS u32", 0, policy="random", seed=seed, resident=4, yield_atomic=0.5)
    assert 1 <= words[0] < THREADS * REPEATS
    assert (last <= words[0]).all()


@pytest.mark.parametrize("blocks", [1, 3, 8])
def test_all_blocks_pass_all_barriers(blocks):
    device = get_device("host", policy="random", seed=blocks)
    state, passed = np.zeros(2, np.uint32), np.zeros(1, np.uint32)
    kernel = device.kernel("sgd_probe", "sgd_barriers")
    kernel(blocks, 32, [state, 7, passed], cooperative=True)
    assert passed[0] == 7 * blocks
    assert device.stats["grid_barriers"] == 7


def test_costs_are_measured():
    device = get_device("host")
    probe = measure_costs(device)
    costs = probe.costs
    assert min(costs.update, costs.lock, costs.barrier, costs.launch, costs.atomic) > 0
    assert costs.stream > 0
    assert costs.update == pytest.approx(1 / probe.updates["one worker"])
    assert costs.barrier == probe.barriers[max(probe.barriers)]
    for kind in ATOMICS:
        for place in PLACES:
            assert tuple(probe.atomics[kind][place]) == ON_HOST.threads
    kept = json.loads(json.dumps(probe.as_dict()))
    assert kept["costs"]["lock"] == costs.lock
