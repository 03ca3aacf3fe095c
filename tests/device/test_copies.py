"""Copies from a device to the host."""

from __future__ import annotations

import numpy as np

from gpucore.device.base import Device


def test_a_later_copy_is_what_was_there_when_it_was_asked_for(each_device: Device) -> None:
    array = each_device.asarray(np.arange(1000, dtype=np.int64))
    wait = each_device.to_host_later(array)
    array.fill(7)
    np.testing.assert_array_equal(wait(), np.arange(1000))
    assert each_device.to_host(array).tolist() == [7] * 1000
