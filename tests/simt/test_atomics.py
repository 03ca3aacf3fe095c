"""Every atomic function against a sequential model, alone and with many threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.device.host import HostDevice

from . import model

Host = Callable[..., HostDevice]
CELLS = 4

relaxed = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda old, value: old + value,
    "sub": lambda old, value: old - value,
    "min": lambda old, value: value if value < old else old,
    "max": lambda old, value: value if old < value else old,
    "and": lambda old, value: old & value,
    "or": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value,
    "exch": lambda old, value: value,
    "inc": lambda old, value: old.dtype.type(0) if old >= value else old + old.dtype.type(1),
    "dec": lambda old, value: value if old == 0 or old > value else old - old.dtype.type(1),
}
TYPES = {
    "add": ["int32", "uint32", "uint64", "float32", "float64"],
    "sub": ["int32", "uint32"],
    "min": ["int32", "uint32", "int64", "uint64"],
    "max": ["int32", "uint32", "int64", "uint64"],
    "and": ["int32", "uint32", "uint64"],
    "or": ["int32", "uint32", "uint64"],
    "xor": ["int32", "uint32", "uint64"],
    "exch": ["int32", "uint32", "uint64", "float32"],
    "inc": ["uint32"],
    "dec": ["uint32"],
}
FUNCTIONS = [(name, dtype) for name, dtypes in TYPES.items() for dtype in dtypes]
# What is left does not depend on the order: integers add exactly, and so on.
COMMUTATIVE = [(n, t) for n, t in FUNCTIONS if n != "exch" and n != "inc" and n != "dec"]


def numbers(count: int, dtype: str) -> st.SearchStrategy[np.ndarray]:
    if np.dtype(dtype).kind != "f":
        return model.from_bytes(count, dtype)
    return model.from_bytes(count, "int16").map(lambda x: (x / 7).astype(dtype))


def apply(name: str, cells: np.ndarray, where: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Apply the operations in order; return the old values."""
    old = np.zeros_like(values)
    with np.errstate(all="ignore"):
        for i, cell in enumerate(where):
            old[i] = cells[cell]
            cells[cell] = OPERATIONS[name](cells[cell], values[i])
    return old


@pytest.mark.parametrize(("name", "dtype"), FUNCTIONS)
@pytest.mark.parametrize("threads", [1, 2], ids=["one", "two"])
@relaxed
@given(data=st.data())
def test_in_order(host: Host, name: str, dtype: str, threads: int, data: st.DataObject) -> None:
    # Two OS threads take another path through the library; one block still runs in order.
    cells, values = data.draw(numbers(CELLS, dtype)), data.draw(numbers(12, dtype))
    where = data.draw(model.from_bytes(12, "uint8")).astype(np.int32) % CELLS
    expected = cells.copy()
    expected_old = apply(name, expected, where, values)
    old = np.zeros_like(values)
    kernel = host(threads=threads).kernel("atomics", f"{name}_{dtype}")
    if threads == 1:
        kernel(1, 1, (12, cells, where, values, old))
    else:  # the second block has nothing to do
        kernel(2, 12, (12, cells, where, values, old))
    assert old.tobytes() == expected_old.tobytes()
    assert cells.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("name", "dtype"), COMMUTATIVE)
@pytest.mark.parametrize(
    "options",
    [{"policy": "random", "seed": 3, "resident": 3, "yield_atomic": 0.5}, {"threads": 4}],
    ids=["random", "threads"],
)
def test_in_any_order(host: Host, name: str, dtype: str, options: dict[str, Any]) -> None:
    count = 3000
    rng = np.random.default_rng(1)
    where = rng.integers(0, CELLS, count).astype(np.int32)
    if np.dtype(dtype).kind == "f":
        values = rng.integers(-50, 50, count).astype(dtype)  # whole numbers: sums are exact
    else:
        values = np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype).copy()
    cells = np.zeros(CELLS, dtype)
    expected = cells.copy()
    apply(name, expected, where, values)
    old = np.zeros_like(values)
    host(**options).kernel("atomics", f"{name}_{dtype}")(4, 96, (count, cells, where, values, old))
    assert np.array_equal(cells, expected)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "uint32", "uint64"])
@pytest.mark.parametrize("threads", [1, 2], ids=["one", "two"])
def test_compare_and_swap(host: Host, dtype: str, threads: int) -> None:
    rng = np.random.default_rng(2)
    count = 60
    where = rng.integers(0, CELLS, count).astype(np.int32)
    expected, values = (rng.integers(0, 3, count).astype(dtype) for _ in range(2))
    cells, wanted = np.zeros(CELLS, dtype), np.zeros(CELLS, dtype)
    old = np.zeros(count, dtype)
    failed = 0
    wanted_old = np.zeros(count, dtype)
    for i, cell in enumerate(where):
        wanted_old[i] = wanted[cell]
        if wanted[cell] == expected[i]:
            wanted[cell] = values[i]
        else:
            failed += 1
    device = host(threads=threads)
    kernel = device.kernel("atomics", f"cas_{dtype}")
    kernel(threads, 60 if threads > 1 else 1, (count, cells, where, expected, values, old))
    assert old.tolist() == wanted_old.tolist()
    assert cells.tolist() == wanted.tolist()
    assert device.stats["atomics"] == count
    assert device.stats["cas_failed"] == failed


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("policy", ["sequential", "random"])
def test_a_sum_by_compare_and_swap_loses_nothing(host: Host, threads: int, policy: str) -> None:
    total = np.zeros(1, np.float32)
    device = host(policy=policy, threads=threads, resident=2, yield_atomic=0.5)
    device.kernel("atomics", "add_by_cas")(8, 64, (20, total))
    assert total[0] == 8 * 64 * 20
    assert device.stats["atomics"] == 8 * 64 * 20 + device.stats["cas_failed"]


def test_launches_at_the_same_time_lose_nothing(host: Host) -> None:
    """Two devices with one OS thread each, whose plain atomics assume to be alone."""
    total, swapped = np.zeros(1, np.int32), np.zeros(1, np.uint64)
    count, lanes = 400_000, 64

    together = threading.Barrier(2)

    def add() -> None:
        kernel = host(threads=1).kernel("atomics", "add_for_all")
        together.wait()
        kernel(1, lanes, (count, total, swapped))

    others = [threading.Thread(target=add) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert total[0] == swapped[0] == 2 * count * lanes
