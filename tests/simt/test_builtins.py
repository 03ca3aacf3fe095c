"""CUDA's small functions against NumPy and Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gpucore.device.host import HostDevice

Host = Callable[..., HostDevice]


@pytest.fixture
def device(host: Host) -> HostDevice:
    return host()


def test_bits(device: HostDevice) -> None:
    fixed = [0, 1, 1 << 31, 1 << 32, 1 << 63, 2**64 - 1, 2**32 - 1, 0x0123456789ABCDEF]
    drawn = np.random.default_rng(0).integers(0, 2**63, 56, dtype=np.uint64)
    values = np.concatenate([np.array(fixed, np.uint64), drawn])
    out, reversed_ = np.zeros((64, 6), np.int32), np.zeros((64, 2), np.uint64)
    device.kernel("builtins", "bits")(1, 64, (values, out, reversed_))
    for i, wide in enumerate(values.tolist()):
        low = wide & 0xFFFFFFFF
        expected = [low.bit_count(), wide.bit_count(), 32 - low.bit_length()]
        expected += [64 - wide.bit_length(), (low & -low).bit_length(), (wide & -wide).bit_length()]
        assert out[i].tolist() == expected
        assert reversed_[i].tolist() == [int(f"{low:032b}"[::-1], 2), int(f"{wide:064b}"[::-1], 2)]


def test_parameters_are_known_and_passed(device: HostDevice) -> None:
    kernel = device.kernel("builtins", "parameters")
    assert [str(p) for p in kernel.signature.parameters] == [
        "bool",
        "int8",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float32",
        "float64",
        "array of const float32",
        "array of int32",
        "array of const bytes",
        "array of const bool",
        "array of const uint64",
    ]
    out, end = np.zeros(1, np.int32), np.array([100000], np.int32)
    weights, table = np.array([90000], np.float32), np.array([device.address(end)], np.uint64)
    numbers = (True, -2, 30, -400, 5000, -(2**40) - 6, 2**50 + 70, 800.0, 9000.0)
    kernel(1, 1, (*numbers, weights, out, np.zeros(3), np.array([True]), table))
    expected = 1 - 2 + 30 - 400 + 5000 - 6 + 70 + 800 + 9000 + 90000 + 1 + 100000
    assert out[0] == expected


def test_casts_keep_the_bits(device: HostDevice) -> None:
    words = np.random.default_rng(1).integers(0, 2**32, 64, dtype=np.uint64).astype(np.uint32)
    floats, doubles = words.view(np.float32), np.linspace(-1e9, 1e9, 64)
    out, longs, same = np.zeros(64, np.uint32), np.zeros(64, np.int64), np.zeros(64, np.int32)
    device.kernel("builtins", "casts")(1, 64, (floats, doubles, out, longs, same))
    assert np.array_equal(out, words)
    assert np.array_equal(longs, doubles.view(np.int64))
    assert same.all()


def test_extremes_convert_like_cuda(device: HostDevice) -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(-200, 200, 64).astype(np.int32)
    b = rng.integers(0, 200, 64).astype(np.uint32)
    c, d = rng.normal(size=64).astype(np.float32), rng.normal(size=64)
    mixed, floating = np.zeros((64, 2), np.uint32), np.zeros((64, 2))
    plain = np.zeros(64, np.int32)
    device.kernel("builtins", "extremes")(1, 64, (a, b, c, d, mixed, floating, plain))
    as_unsigned = a.view(np.uint32)  # min(int, unsigned) compares unsigned numbers
    assert np.array_equal(mixed[:, 0], np.minimum(as_unsigned, b))
    assert np.array_equal(mixed[:, 1], np.maximum(as_unsigned, b))
    assert np.array_equal(floating[:, 0], np.minimum(c.astype(float), d))
    assert np.array_equal(floating[:, 1], np.maximum(c.astype(float), d))
    assert np.array_equal(plain, np.clip(a, -100, 100))


def test_the_clock_runs(device: HostDevice) -> None:
    out = np.zeros(32, np.int64)
    device.kernel("builtins", "clock_runs")(1, 32, (out,))
    assert (out > 0).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_time_is_shared_by_all_lanes_and_goes_on_from_launch_to_launch(
    host: Host, threads: int
) -> None:
    device = host(threads=threads, resident=2)
    latest = 0
    for _ in range(3):
        first, last = np.zeros((2, 6 * 64), np.uint64)
        device.kernel("builtins", "time_runs")(6, 64, (first, last))
        # No lane leaves a barrier of the block before all lanes have reached it.
        for begun, ended in zip(first.reshape(6, 64), last.reshape(6, 64), strict=True):
            assert begun.max() <= ended.min()
        assert first.min() >= latest
        latest = int(last.max())
