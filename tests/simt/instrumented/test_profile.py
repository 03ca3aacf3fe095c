"""The profile has exactly the figures that follow from the kernels' source."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile
from gpucore.errors import DeviceError, ParameterError

Host = Callable[..., HostDevice]

SOURCE = (Path(__file__).parent / "kernels" / "patterns.cu").read_text().splitlines()
WARP = np.arange(32)


def line(mark: str, kernel: str) -> int:
    """Return the line of a mark in a kernel, or in the function above it that it calls."""
    start = next(
        i for i, text in enumerate(SOURCE) if f" {kernel}(" in text or f"({kernel})" in text
    )
    return next(i for i in range(start, len(SOURCE)) if f"// {mark}" in SOURCE[i]) + 1


def at(profile: Profile, kind: str, kernel: str, mark: str) -> dict[str, int]:
    return profile.select(kind, file="patterns.cu", line=line(mark, kernel))


def sectors(addresses: np.ndarray, size: int) -> int:
    """Return how many aligned 32-byte pieces the accesses of one warp touch."""
    return len(np.unique(np.concatenate([addresses, addresses + size - 1]) // 32))


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float64"])
@pytest.mark.parametrize(("stride", "offset"), [(1, 0), (2, 0), (32, 0), (0, 5), (1, 1), (3, 2)])
def test_coalescing(host: Host, dtype: str, stride: int, offset: int) -> None:
    device = host()
    warps, size = 3, np.dtype(dtype).itemsize
    values = np.arange(32 * warps * max(stride, 1) + offset + 1).astype(dtype)
    out = np.zeros(32 * warps, dtype)
    name = {"uint8": "copy_bytes", "int32": "copy_ints", "float64": "copy_doubles"}[dtype]
    device.kernel("patterns", name)(warps, 32, (stride, offset, values, out))
    assert np.array_equal(out, values[np.arange(32 * warps) * stride + offset])

    profile = device.profile()
    starts = (np.arange(32 * warps).reshape(warps, 32) * stride + offset) * size
    touched = sum(sectors(start, size) for start in starts)
    distinct = 32 if stride else 1
    load = at(profile, "global load", "copy_strided", "LOAD")
    assert load == {
        "requests": warps,
        "lanes": 32 * warps,
        "sectors": touched,
        "ideal_sectors": warps * -(-distinct * size // 32),
        "bank_conflicts": 0,
        "cas_failed": 0,
    }
    store = at(profile, "global store", "copy_strided", "STORE")
    assert store["requests"] == warps
    assert store["sectors"] == store["ideal_sectors"] == warps * size
    assert profile.races == ()


def test_known_strides(host: Host) -> None:
    """The textbook's figures, written out: 4-byte elements, one warp."""
    for stride, wanted in ((1, 4), (2, 8), (4, 16), (8, 32), (32, 32)):
        device = host()
        values, out = np.zeros(32 * stride, np.int32), np.zeros(32, np.int32)
        device.kernel("patterns", "copy_ints")(1, 32, (stride, 0, values, out))
        load = at(device.profile(), "global load", "copy_strided", "LOAD")
        assert (load["sectors"], load["ideal_sectors"]) == (wanted, 4)
        assert device.profile().coalescing == 4 / wanted


@pytest.mark.parametrize("seed", range(3))
def test_random_gather(host: Host, seed: int) -> None:
    random = np.random.default_rng(seed)
    index = random.integers(0, 500, 96).astype(np.int32)
    device = host(policy="random", seed=seed)
    out = np.zeros(96, np.int32)
    device.kernel("patterns", "gather")(1, 96, (index, np.arange(500, dtype=np.int32), out))
    assert np.array_equal(out, index)
    load = at(device.profile(), "global load", "gather", "GATHER")
    warps = index.reshape(3, 32)
    assert load["requests"] == 3
    assert load["sectors"] == sum(sectors(warp * 4, 4) for warp in warps)
    assert load["ideal_sectors"] == sum(-(-len(np.unique(warp)) * 4 // 32) for warp in warps)


@pytest.mark.parametrize(
    ("stride", "conflicts"),
    [(0, 0), (1, 0), (2, 1), (3, 0), (4, 3), (8, 7), (16, 15), (31, 0), (32, 31), (33, 0)],
)
def test_bank_conflicts(host: Host, stride: int, conflicts: int) -> None:
    device = host(observe="lines")
    device.kernel("patterns", "shared_ints")(1, 32, (stride, np.zeros(32, np.int32)))
    for kind, mark in (("shared store", "WRITE"), ("shared load", "READ")):
        found = at(device.profile(), kind, "shared_ints", mark)
        assert found["requests"] == 1
        assert found["lanes"] == 32
        assert found["bank_conflicts"] == conflicts
        assert found["sectors"] == 0


@pytest.mark.parametrize(("stride", "conflicts"), [(1, 0), (2, 2), (4, 6), (16, 30), (17, 0)])
def test_bank_conflicts_of_eight_bytes(host: Host, stride: int, conflicts: int) -> None:
    """Half a warp at a time: the conflicts of both halves add up."""
    device = host()
    device.kernel("patterns", "shared_doubles")(1, 32, (stride, np.zeros(32)))
    found = at(device.profile(), "shared load", "shared_doubles", "READ")
    assert found["bank_conflicts"] == conflicts


@pytest.mark.parametrize(("words", "conflicts"), [(32, 0), (16, 1), (4, 7), (1, 31)])
def test_shared_atomics_on_one_word_follow_each_other(
    host: Host, words: int, conflicts: int
) -> None:
    device, out = host(), np.zeros(32, np.int32)
    device.kernel("patterns", "shared_atomics")(1, 32, (words, out))
    assert out[:words].tolist() == [32 // words] * words
    found = at(device.profile(), "shared atomic", "shared_atomics", "ADD")
    assert (found["requests"], found["lanes"]) == (1, 32)
    assert found["bank_conflicts"] == conflicts
    assert device.profile().races == ()


@pytest.mark.parametrize("taken", [0x1, 0xFFFF, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0])
def test_divergent_branch(host: Host, taken: int) -> None:
    device = host()
    device.kernel("patterns", "branch")(1, 32, (taken, np.zeros(32, np.int32)))
    profile, there = device.profile(), taken.bit_count()
    for mark, lanes in (("THEN", there), ("ELSE", 32 - there), ("JOIN", 32)):
        store = at(profile, "global store", "branch", mark)
        assert (store["requests"], store["lanes"]) == (int(lanes > 0), lanes)
    then, other = (at(profile, "block", "branch", mark) for mark in ("THEN", "ELSE"))
    assert (then["requests"], then["lanes"]) == (int(there > 0), there)
    assert (other["requests"], other["lanes"]) == (int(there < 32), 32 - there)


@pytest.mark.parametrize("seed", range(3))
def test_lanes_join_again_after_every_inner_loop(host: Host, seed: int) -> None:
    trips = np.random.default_rng(seed).integers(0, 6, (32, 5)).astype(np.int32)
    device = host(policy="random", seed=seed, observe="lines")
    device.kernel("patterns", "loops")(1, 32, (5, trips.ravel(), np.zeros(64, np.int32)))
    inner = at(device.profile(), "global load", "loops", "INNER")
    assert inner["requests"] == trips.max(axis=0).sum()
    assert inner["lanes"] == trips.sum()
    outer = at(device.profile(), "global store", "loops", "OUTER")
    assert (outer["requests"], outer["lanes"]) == (5, 160)


def test_long_loops_are_followed(host: Host) -> None:
    trips = np.full(32, 3000, np.int32)
    trips[7], trips[20] = 20000, 0
    device = host(observe="lines")
    values = np.ones(20000, np.int32)
    out = np.zeros(32, np.int32)
    device.kernel("patterns", "long_loop")(1, 32, (trips, values, out))
    assert np.array_equal(out, trips)
    inner = at(device.profile(), "global load", "long_loop", "INNER")
    assert inner["requests"] == 20000
    assert inner["lanes"] == trips.sum()
    after = at(device.profile(), "global store", "long_loop", "AFTER")
    assert (after["requests"], after["lanes"]) == (1, 32)


def test_calls_come_before_their_callers(host: Host) -> None:
    """Two calls with half a warp each, then one with all lanes; two loads in the function."""
    device = host()
    values = np.arange(65, dtype=np.int32)
    device.kernel("patterns", "calls")(1, 32, (values, np.zeros(64, np.int32)))
    load = at(device.profile(), "global load", "helper", "HELPER")
    assert load["requests"] == 2 * 3
    assert load["lanes"] == 2 * (16 + 16 + 32)


@pytest.mark.parametrize("policy", ["sequential", "round_robin", "random"])
def test_lanes_meet_in_groups(host: Host, policy: str) -> None:
    device = host(policy=policy)
    device.kernel("patterns", "partial_meetings")(1, 32, (np.zeros(64, np.int32),))
    store = at(device.profile(), "global store", "partial_meetings", "STORE")
    # the halves are at the same instruction three times; then one of them goes on alone
    assert (store["requests"], store["lanes"]) == (5, 32 * 3 + 16 * 2)
    join = at(device.profile(), "global store", "partial_meetings", "JOIN")
    assert (join["requests"], join["lanes"]) == (1, 32)


@pytest.mark.parametrize("targets", [1, 4, 32])
def test_failed_compare_and_swaps(host: Host, targets: int) -> None:
    device, cells = host(), np.zeros(32, np.int32)
    device.kernel("patterns", "compare_once")(1, 32, (cells, targets, np.zeros(32, np.int32)))
    found = at(device.profile(), "global atomic", "compare_once", "CAS")
    assert (found["requests"], found["lanes"]) == (1, 32)
    assert found["cas_failed"] == device.stats["cas_failed"] == 32 - targets


def test_racy_accesses_count_for_the_kernels_line(host: Host) -> None:
    device = host()
    arguments = np.zeros(1, np.int32), np.zeros(1, np.int32)
    device.kernel("patterns", "racy_counter")(2, 32, arguments)
    profile = device.profile()
    assert at(profile, "global load", "racy_counter", "LOOK")["lanes"] == 64
    assert at(profile, "global store", "racy_counter", "SET")["lanes"] == 64
    assert at(profile, "global atomic", "racy_counter", "MAX")["lanes"] == 64
    assert profile.races == ()


def test_figures_do_not_depend_on_the_schedule(host: Host) -> None:
    index = np.random.default_rng(5).integers(0, 500, 96).astype(np.int32)
    profiles = []
    for options in ({}, {"policy": "round_robin"}, {"policy": "random", "yield_access": 0.3}):
        device = host(**options)
        device.kernel("patterns", "gather")(1, 96, (index, np.zeros(500, np.int32), index.copy()))
        profiles.append(device.profile().to_json())
    assert profiles[0] == profiles[1] == profiles[2]


def test_profile_is_data(host: Host) -> None:
    device = host()
    assert device.profile().to_json()["lines"]["file"] == []
    assert device.profile().simt_efficiency == device.profile().coalescing == 1.0
    kernel = device.kernel("patterns", "copy_ints")
    for _ in range(3):
        kernel(2, 32, (1, 0, np.zeros(64, np.int32), np.zeros(64, np.int32)))
    profile = device.profile()
    assert profile.launches == 3
    assert profile.select("global load")["requests"] == 6
    assert profile.simt_efficiency == 1.0
    data = json.loads(json.dumps(profile.to_json()))
    assert {len(column) for column in data["lines"].values()} == {len(profile.lines["file"])}
    assert set(data["lines"]["file"]) == {"patterns.cu"}
    device.reset_profile()
    assert device.profile().launches == 0


def test_only_what_is_asked_for_is_observed(host: Host) -> None:
    for observe, lines in (("nothing", 0), ("races", 0), ("lines", 6), ("all", 6)):
        device = host(observe=observe)
        for _ in range(3):
            arguments = (1, 0, np.zeros(64, np.int32), np.zeros(64, np.int32))
            device.kernel("patterns", "copy_ints")(2, 32, arguments)
        assert device.profile().select("global load")["requests"] == lines


def test_refusals(host: Host) -> None:
    with pytest.raises(DeviceError, match="instrumented=True"):
        HostDevice().profile()
    with pytest.raises(ParameterError, match="threads=1, not 2"):
        host(threads=2)
    with pytest.raises(ParameterError, match="observe 'much'"):
        host(observe="much")
    with pytest.raises(ParameterError, match="yield_access needs instrumented=True"):
        HostDevice(yield_access=0.5)
