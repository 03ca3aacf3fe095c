"""Every block has its own shared memory, also with several blocks on an OS thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpucore.device.host import HostDevice

Host = Callable[..., HostDevice]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"resident": 6, "policy": "round_robin"},
        {"resident": 4, "policy": "random", "seed": 2, "poison": True},
        {"resident": 3, "threads": 2, "policy": "random"},
    ],
    ids=str,
)
def test_blocks_do_not_see_each_other(host: Host, options: dict[str, Any]) -> None:
    blocks, threads = 12, 96
    out = np.zeros(blocks * threads, np.uint64)
    kernel = host(**options).kernel("shared", "neighbours")
    kernel(blocks, threads, (out,), shared_mem=4 * threads)
    block, thread = (a.astype(np.uint64) for a in np.divmod(np.arange(blocks * threads), threads))
    neighbour = (thread + np.uint64(1)) % np.uint64(threads)
    value = block * np.uint64(1000) + neighbour
    expected = value + value * np.uint64(3 * 4096) + (value << np.uint64(26))
    expected += (block * np.uint64(7)) << np.uint64(44)
    expected += (neighbour % np.uint64(100)) << np.uint64(57)
    assert np.array_equal(out, expected)


def test_alignment(host: Host) -> None:
    out = np.zeros(3, np.uint64)
    host().kernel("shared", "addresses")(1, 1, (out,), shared_mem=12)
    dynamic, byte, number = (int(x) for x in out)
    assert dynamic % 128 == 0
    assert byte >= dynamic + 12
    assert number % 8 == 0
    assert number > byte


def test_poison_marks_memory_that_was_never_written(host: Host) -> None:
    out = np.zeros(64, np.uint8)
    kernel = host(poison=True).kernel("shared", "untouched")
    for _ in range(2):
        kernel(3, 32, (out,), shared_mem=32)
        assert set(out.tolist()) == {0xCD}
