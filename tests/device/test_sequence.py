"""A sequence of launches that runs as one and can be repeated."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from gpucore.device import Device
from gpucore.errors import Cancelled


def tally(device: Device, n: int) -> tuple[Any, Any, Any]:
    """Return a prepared launch that adds to two arrays, and the arrays."""
    xp = device.xp
    total, size = xp.zeros(3, dtype=xp.uint64), xp.zeros(3, dtype=xp.int32)
    strength = device.asarray(np.arange(n, dtype=np.uint64))
    community = device.asarray((np.arange(n) % 3).astype(np.int32))
    launch = device.kernel("louvain_state", "louvain_tally").prepare(
        -(-n // 256), 256, [n, strength, community, total, size]
    )
    return launch, total, size


def test_launches_are_made_in_order_and_again(each_device: Device) -> None:
    launch, total, size = tally(each_device, 1000)
    row = each_device.sequence([lambda: size.fill(0), launch, launch])
    assert each_device.to_host(size).sum() == 0
    for time in (1, 2, 3):
        row()
        each_device.synchronize()
        assert each_device.to_host(size).tolist() == [668, 666, 666]
        assert each_device.to_host(total).sum() == time * 2 * 499_500


def test_a_sequence_is_cancelled(each_device: Device) -> None:
    launch, _, size = tally(each_device, 1000)
    row = each_device.sequence([launch])
    cancel = threading.Event()
    cancel.set()
    with each_device.cancel_with(cancel, None), pytest.raises(Cancelled):
        row()
    each_device.synchronize()
    assert each_device.to_host(size).sum() == 0
