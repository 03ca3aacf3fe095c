"""Correct kernels give the same result under every schedule; a seed repeats a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpucore.device.host import HostDevice

from . import torture

Host = Callable[..., HostDevice]


@pytest.fixture(scope="module")
def expected(host: Host) -> str:
    return torture.run(host())


@pytest.mark.parametrize(
    "options",
    [
        {"strict": False, "poison": True},
        {"resident": 4},
        {"policy": "round_robin"},
        {"policy": "round_robin", "resident": 5, "poison": True},
        {"threads": 2},
        {"threads": 4, "resident": 2},
        {"threads": 3, "policy": "random", "yield_atomic": 0.5},
    ],
    ids=str,
)
def test_fixed_schedules_agree(host: Host, expected: str, options: dict[str, Any]) -> None:
    assert torture.run(host(**options)) == expected


@pytest.mark.parametrize("chunk", range(10))
def test_random_schedules_agree(host: Host, expected: str, chunk: int) -> None:
    for seed in range(20 * chunk, 20 * (chunk + 1)):
        device = host(
            policy="random",
            seed=seed,
            resident=1 + seed % 5,
            yield_atomic=seed % 3 / 2,
            poison=seed % 2 == 1,
        )
        assert torture.run(device) == expected, f"seed {seed}"


def test_ucontext_switch_agrees(build_library: Callable[..., Any], expected: str) -> None:
    device = HostDevice(
        library=build_library("ucontext", "-DUCONTEXT=ON", "-DFAMILIES=torture"), resident=2
    )
    assert torture.run(device) == expected


def order(device: HostDevice, blocks: int = 3, threads: int = 64, turns: int = 4) -> np.ndarray:
    out = np.zeros((blocks * threads, turns), np.int32)
    device.kernel("order", "order")(blocks, threads, (turns, np.zeros(1, np.int32), out))
    return out


@pytest.mark.parametrize("policy", ["sequential", "round_robin", "random"])
def test_same_seed_same_run(host: Host, policy: str) -> None:
    options: dict[str, Any] = {"policy": policy, "seed": 7, "resident": 2, "yield_atomic": 0.25}
    device = host(**options)
    first = order(device)
    assert np.array_equal(first, order(device))
    assert np.array_equal(first, order(host(**options)))


def test_other_seed_other_run(host: Host) -> None:
    runs = {order(host(policy="random", seed=seed)).tobytes() for seed in range(20)}
    assert len(runs) == 20


def test_sequential_runs_block_after_block_and_warp_after_warp(host: Host) -> None:
    tickets = order(host(), turns=1)[:, 0]
    warp_of_turn = np.argsort(tickets) // 32
    assert np.array_equal(np.unique(warp_of_turn), np.arange(6))
    assert np.count_nonzero(np.diff(warp_of_turn)) == 5  # no warp is come back to


def test_round_robin_goes_from_warp_to_warp(host: Host) -> None:
    tickets = order(host(policy="round_robin", resident=3), turns=4)
    turns = np.sort(tickets.reshape(6, 32, 4), axis=1)
    for warp in range(1, 6):  # a warp's second turn comes after every other warp's first one
        assert turns[warp, :, 1].min() > turns[:, :, 0].max()


@pytest.mark.parametrize("options", [{}, {"threads": 4}, {"resident": 7}], ids=str)
def test_every_thread_runs_once_with_its_own_identity(host: Host, options: dict[str, Any]) -> None:
    grid, block = (3, 2, 2), (5, 7, 2)
    out = np.full((12, 70, 8), -1, np.int32)
    host(**options).kernel("order", "identity")(grid, block, (out,))
    for number in range(12):
        bx, by, bz = number % 3, number // 3 % 2, number // 6
        for thread in range(70):
            tx, ty, tz = thread % 5, thread // 5 % 7, thread // 35
            assert out[number, thread].tolist() == [bx, by, bz, tx, ty, tz, thread % 32, 32]


def test_figures_of_a_launch(host: Host) -> None:
    device = host()
    order(device, blocks=3, threads=64, turns=4)
    stats = device.stats
    assert stats["blocks"] == 3
    assert stats["collectives"] == 3 * 2 * 4
    assert stats["lane_steps"] == 3 * 64 * 4
    assert stats["atomics"] == 3 * 64 * 4
    assert stats["barriers"] == stats["grid_barriers"] == stats["cas_failed"] == 0
    assert stats["switches"] > 0
