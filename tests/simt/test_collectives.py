"""Every warp collective against a NumPy model, with random groups, values, offsets and widths."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.device.host import HostDevice

from . import model

Host = Callable[..., HostDevice]

TYPES = ["int32", "uint32", "int64", "uint64", "float32", "float64"]
WIDTHS = [1, 2, 4, 8, 16, 32]
ORDERS: list[dict[str, Any]] = [{}, {"policy": "random", "seed": 5}]

relaxed = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@st.composite
def groups(draw: st.DrawFn) -> np.ndarray:
    """Partition the warp into groups; every lane gets its group's mask."""
    label = draw(model.from_bytes(32, "uint8")) % draw(st.integers(1, 6))
    masks = [model.bits([j for j in range(32) if label[j] == label[i]]) for i in range(32)]
    return np.array(masks, np.uint32)


def per_lane(low: int, high: int) -> st.SearchStrategy[np.ndarray]:
    """Draw an int32 in [low, high] for every lane."""
    return model.from_bytes(32, "uint8").map(
        lambda x: (low + x.astype(np.int32) % (high - low + 1)).astype(np.int32)
    )


@pytest.fixture(params=ORDERS, ids=str)
def device(host: Host, request: pytest.FixtureRequest) -> HostDevice:
    return host(**request.param)


@pytest.mark.parametrize("kind", range(4), ids=["idx", "up", "down", "xor"])
@pytest.mark.parametrize("dtype", TYPES)
@relaxed
@given(data=st.data())
def test_shuffles(device: HostDevice, dtype: str, kind: int, data: st.DataObject) -> None:
    masks = data.draw(groups())
    values = data.draw(model.from_bytes(32, dtype))
    offsets = data.draw(per_lane(-70 if kind in (0, 3) else 0, 70))
    widths = np.full(32, data.draw(st.sampled_from(WIDTHS)), np.int32)
    out = np.zeros(32, dtype)
    kernel = device.kernel("collectives", f"shuffle_{dtype}")
    kernel(1, 32, (kind, masks, values, offsets, widths, out))
    assert out.tobytes() == model.shuffle(kind, masks, values, offsets, widths).tobytes()


@pytest.mark.parametrize("dtype", TYPES)
@relaxed
@given(data=st.data())
def test_matches(device: HostDevice, dtype: str, data: st.DataObject) -> None:
    masks = data.draw(groups())
    palette = data.draw(model.from_bytes(3, dtype))
    values = palette[data.draw(per_lane(0, 2))]
    some, every = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
    equal = np.zeros(32, np.int32)
    kernel = device.kernel("collectives", f"match_{dtype}")
    kernel(1, 32, (masks, values, some, every, equal))
    for lane in range(32):
        group = model.lanes_of(int(masks[lane]))
        alike = [i for i in group if model.same_bits(values[i], values[lane])]
        assert some[lane] == model.bits(alike)
        assert equal[lane] == (alike == group)
        assert every[lane] == (masks[lane] if alike == group else 0)


@relaxed
@given(masks=groups(), predicates=per_lane(-1, 1))
def test_votes(device: HostDevice, masks: np.ndarray, predicates: np.ndarray) -> None:
    ballot = np.zeros(32, np.uint32)
    some, every = np.zeros(32, np.int32), np.zeros(32, np.int32)
    device.kernel("collectives", "vote")(1, 32, (masks, predicates, ballot, some, every))
    for lane in range(32):
        group = model.lanes_of(int(masks[lane]))
        votes = [i for i in group if predicates[i] != 0]
        assert ballot[lane] == model.bits(votes)
        assert some[lane] == bool(votes)
        assert every[lane] == (votes == group)


@relaxed
@given(masks=groups(), values=model.from_bytes(32, "int32"))
def test_signed_reductions(device: HostDevice, masks: np.ndarray, values: np.ndarray) -> None:
    outs = [np.zeros(32, np.int32) for _ in range(3)]
    device.kernel("collectives", "reduce_int32")(1, 32, (masks, values, *outs))
    for lane in range(32):
        mine = values[model.lanes_of(int(masks[lane]))]
        total = np.add.reduce(mine, dtype=np.int32)  # modulo 2**32
        assert [out[lane] for out in outs] == [total, mine.min(), mine.max()]


@relaxed
@given(masks=groups(), values=model.from_bytes(32, "uint32"))
def test_unsigned_reductions(device: HostDevice, masks: np.ndarray, values: np.ndarray) -> None:
    outs = [np.zeros(32, np.uint32) for _ in range(6)]
    device.kernel("collectives", "reduce_uint32")(1, 32, (masks, values, *outs))
    ufuncs = [np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor]
    for lane in range(32):
        mine = values[model.lanes_of(int(masks[lane]))]
        for ufunc, out in zip(ufuncs, outs, strict=True):
            assert out[lane] == reduce(ufunc, mine[1:], mine[0])


@pytest.mark.parametrize("leaving", [0, 1, 0x80000000, 0x0F0F0F0F, 0x7FFFFFFF])
def test_lanes_that_returned_are_not_waited_for(device: HostDevice, leaving: int) -> None:
    ballot = np.zeros(32, np.uint32)
    device.kernel("collectives", "vote_without")(1, 32, (leaving, ballot))
    stay = ~leaving & 0xFFFFFFFF
    assert [int(b) for b in ballot] == [stay if stay >> lane & 1 else 0 for lane in range(32)]


def test_convergence_is_not_promised(device: HostDevice) -> None:
    masks = np.zeros(32, np.uint32)
    device.kernel("collectives", "active")(1, 32, (masks,))
    assert masks.tolist() == [1 << lane for lane in range(32)]


def test_a_short_warp_has_only_its_lanes(device: HostDevice) -> None:
    ballot = np.zeros(20, np.uint32)
    device.kernel("collectives", "vote_without")(1, 20, (0, ballot))
    assert set(ballot.tolist()) == {(1 << 20) - 1}
