"""Barriers of the block and of the grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelError

Host = Callable[..., HostDevice]

SCHEDULES: list[dict[str, Any]] = [
    {},
    {"policy": "round_robin", "resident": 3},
    {"policy": "random", "seed": 8, "resident": 2},
    {"threads": 2},
    {"threads": 3, "policy": "random"},
]


@pytest.fixture(params=SCHEDULES, ids=str)
def device(host: Host, request: pytest.FixtureRequest) -> HostDevice:
    return host(**request.param)


def state() -> np.ndarray:
    return np.zeros(2, np.uint32)


@pytest.mark.parametrize("seed", range(6))
def test_predicates_of_a_block(device: HostDevice, seed: int) -> None:
    blocks, threads = 4, 75
    rng = np.random.default_rng(seed)
    leaves = (rng.random((blocks, threads)) < 0.3 * (seed % 3)).astype(np.int32)
    values = (rng.random((blocks, threads)) < [0.02, 0.5, 0.99, 1.0][seed % 4]).astype(np.int32) * 9
    count, every, some = (np.full((blocks, threads), -1, np.int32) for _ in range(3))
    device.kernel("barriers", "predicates")(blocks, threads, (leaves, values, count, every, some))
    for block in range(blocks):
        here = leaves[block] == 0
        votes = values[block][here] != 0
        for out, expected in ((count, votes.sum()), (every, votes.all()), (some, votes.any())):
            assert set(out[block][here]) <= {int(expected)}
            assert set(out[block][~here]) <= {-1}


@pytest.mark.parametrize(("blocks", "threads"), [(1, 64), (7, 32), (30, 33), (12, 256)])
def test_grid_barrier(device: HostDevice, blocks: int, threads: int) -> None:
    values = np.random.default_rng(3).integers(0, 99, blocks * threads).astype(np.uint32)
    expected = np.cumsum(values, dtype=np.uint32)
    kernel = device.kernel("barriers", "grid_prefix_sum")
    kernel(blocks, threads, (values, np.zeros_like(values), state()), cooperative=True)
    assert np.array_equal(values, expected)
    assert device.stats["grid_barriers"] == int(np.ceil(np.log2(blocks * threads)))


def test_returned_threads_are_not_waited_for(device: HostDevice) -> None:
    out = np.zeros(1, np.int32)
    kernel = device.kernel("barriers", "grid_with_returned_threads")
    kernel(6, 64, (state(), out), cooperative=True)
    assert out[0] == 6 * 32


def test_a_returned_block_is_waited_for_in_vain(device: HostDevice) -> None:
    kernel = device.kernel("barriers", "grid_without_one")
    with pytest.raises(KernelError) as error:
        kernel(6, 64, (state(),), cooperative=True)
    text = str(error.value)
    assert "deadlock" in text
    assert "64 lanes wait at barriers.cu:" in text
    assert "(simt_grid_sync)" in text
    assert "of 6 blocks 1 returned" in text


def test_needs_a_cooperative_launch(device: HostDevice) -> None:
    kernel = device.kernel("mistakes", "grid_barrier_alone")
    with pytest.raises(KernelError, match="a barrier of the grid needs a cooperative launch"):
        kernel(2, 32, (state(),))


def test_cooperative_launch_that_is_too_large(device: HostDevice) -> None:
    kernel = device.kernel("mistakes", "grid_barrier_alone")
    with pytest.raises(KernelError, match="runs 16384 at most: launch a smaller grid"):
        kernel(17, 1024, (state(),), cooperative=True)
    kernel(16, 1024, (state(),), cooperative=True)
