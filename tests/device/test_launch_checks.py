"""Every mistake in a launch is one error of one sentence, raised before the kernel runs."""

from __future__ import annotations

import ctypes as c
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpucore.device.arguments import Arguments
from gpucore.device.base import Kernel
from gpucore.device.host import HostDevice
from gpucore.device.signature import Parameter, Signature
from gpucore.errors import KernelError

NAMES = [
    "flag", "small", "medium", "number", "count", "wide", "word", "single", "twice",
    "weights", "out", "anything", "flags", "table",
]  # fmt: skip
CODES = ["?", "i1", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "f4", "i4", None, "?", "u8"]


def fake_signature() -> Signature:
    """Return one parameter of every kind, as the native library describes them."""
    parameters = []
    for name, code in zip(NAMES, CODES, strict=True):
        dtype = None if code is None else np.dtype(code)
        array = name in NAMES[9:]
        size = 0 if dtype is None else dtype.itemsize
        parameters.append(Parameter(dtype, array, array and name != "out", size))
    return Signature(tuple(parameters))


class Recording(Kernel):
    """Keeps what would be launched."""

    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        self.launched = grid, block, values, shared_mem, cooperative
        return lambda: None


@pytest.fixture
def kernel() -> Recording:
    return Recording(HostDevice(), "example", fake_signature())


def arguments(**changes: Any) -> list[Any]:
    table = np.zeros(1, np.uint64)
    good: dict[str, Any] = {
        "flag": True, "small": -3, "medium": 60000, "number": np.int32(-7), "count": 2**32 - 1,
        "wide": -(2**63), "word": 2**64 - 1, "single": 0.5, "twice": 3,
        "weights": np.ones(3, np.float32), "out": np.zeros(2, np.int32),
        "anything": np.zeros(5, np.complex64), "flags": np.ones(1, np.bool_), "table": table,
    }  # fmt: skip
    assert changes.keys() <= good.keys()
    return list((good | changes).values())


def test_arguments_that_fit(kernel: Recording) -> None:
    kernel((2, 3), 64, arguments(), shared_mem=100, cooperative=True)
    grid, block, values, shared_mem, cooperative = kernel.launched
    assert (grid, block, shared_mem, cooperative) == ((2, 3, 1), (64, 1, 1), 100, True)
    words = [*values[:9], *range(5)]
    row = Arguments(kernel.signature, values, words)._row.memory
    cells = np.frombuffer(row, np.uint64)[:14]
    for cell, value, code in zip(cells, arguments(), CODES[:9], strict=False):
        assert np.frombuffer(cell.tobytes(), code)[0] == value
    assert cells[9:].tolist() == [*range(5)]
    first = c.addressof(row)
    assert np.frombuffer(row, np.uint64)[14:].tolist() == [*range(first, first + 8 * 14, 8)]


def test_memory_of_arguments_is_taken_again(kernel: Recording) -> None:
    """No two launches have the same at a time."""
    kernel(1, 1, arguments())
    values = kernel.launched[2]

    def taken() -> Arguments:
        return Arguments(kernel.signature, values, [*values[:9], *range(5)])

    one, two = taken(), taken()
    assert one.address != two.address
    before = one.address
    del one
    assert taken().address == before


def test_arguments_as_most_are_need_no_examination(kernel: Recording) -> None:
    """Those that fit pass as they are; one that does not is found among them."""
    usual = Signature(tuple(p for p in kernel.signature.parameters if p.array or p.limits[1] > 0))
    args = [
        a
        for a, p in zip(arguments(), kernel.signature.parameters, strict=True)
        if p in usual.parameters
    ]
    args = [int(a) if isinstance(a, np.integer) else a for a in args]
    assert usual._are_usual(args, np.ndarray)
    assert all(a is b for a, b in zip(args, usual.check("k", args, np), strict=True))
    for index, wrong in [
        (0, 2**70),
        (0, True),
        (0, np.int8(1)),
        (-1, np.zeros(1, np.int8)),
        (-1, 1),
    ]:
        other = [*args]
        other[index] = wrong
        assert not usual._are_usual(other, np.ndarray)


def test_an_unpickled_array_is_usual() -> None:
    """Its type object is another one than NumPy's own."""
    array = pickle.loads(pickle.dumps(np.zeros(3, np.int64)))
    assert array.dtype is not np.dtype(np.int64)
    for dtype, usual in ((np.int64, True), (np.int32, False)):
        signature = Signature((Parameter(np.dtype(dtype), True, False, 8),))
        assert signature._are_usual([array], np.ndarray) is usual


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("flag", 1, "argument 0 must be a number of bool, not int"),
        ("small", 128, "128 does not fit into int8"),
        ("medium", -1, "-1 does not fit into uint16"),
        ("number", np.int64(1), "argument 3 must be int32, not int64"),
        ("number", 1.0, "argument 3 must be a number of int32, not float"),
        ("number", True, "must be a number of int32, not bool"),
        ("number", "1", "must be a number of int32, not str"),
        ("number", None, "must be a number of int32, not NoneType"),
        ("number", np.zeros(1, np.int32), "must be a number of int32, not ndarray"),
        ("count", 2**32, "4294967296 does not fit into uint32"),
        ("wide", 2**63, "does not fit into int64"),
        ("word", -1, "-1 does not fit into uint64"),
        ("single", 2**24 + 1, "16777217 does not fit into float32"),
        ("single", 1e39, "1e.39 does not fit into float32"),
        ("single", np.float64(1), "argument 7 must be float32, not float64"),
        ("twice", 10**400, "does not fit into float64"),
        ("weights", np.ones(3), "argument 9 must be an array of const float32, not of float64"),
        ("weights", np.ones(3, ">f4"), "not of >f4"),
        ("weights", [1.0, 2.0], "must be a numpy array of const float32, not list"),
        ("weights", np.ones(6, np.float32)[::2], "argument 9 is not contiguous"),
        ("weights", np.ones((2, 3), np.float32).T, "argument 9 is not contiguous"),
        ("out", np.zeros(2, np.uint32), "argument 10 must be an array of int32, not of uint32"),
        ("out", np.frombuffer(b"\0" * 8, np.int32), "argument 10 is read-only"),
        ("anything", 5, "argument 11 must be a numpy array of const bytes, not int"),
        ("flags", np.zeros(1, np.uint8), "must be an array of const bool, not of uint8"),
        ("table", np.zeros(1, np.int64), "must be an array of const uint64, not of int64"),
    ],
)
def test_arguments_that_do_not_fit(kernel: Recording, name: str, value: Any, message: str) -> None:
    with pytest.raises(KernelError, match=f"example: .*{message}"):
        kernel(1, 32, arguments(**{name: value}))
    assert not hasattr(kernel, "launched")


def test_a_constant_array_may_be_read_only(kernel: Recording) -> None:
    kernel(1, 32, arguments(weights=np.frombuffer(b"\0" * 8, np.float32)))


def test_infinities_are_numbers(kernel: Recording) -> None:
    kernel(1, 32, arguments(single=float("inf"), twice=float("nan")))
    assert np.isposinf(kernel.launched[2][7])


def test_an_unaligned_array(kernel: Recording) -> None:
    raw = np.zeros(13, np.uint8)[1:]
    with pytest.raises(KernelError, match="argument 9 is not aligned in memory"):
        kernel(1, 32, arguments(weights=raw.view(np.float32)))


@pytest.mark.parametrize("count", [0, 13, 15])
def test_number_of_arguments(kernel: Recording, count: int) -> None:
    with pytest.raises(KernelError, match=f"example takes 14 arguments, {count} were given"):
        kernel(1, 32, (arguments() * 2)[:count])


def test_an_array_of_records() -> None:
    record = Parameter(None, array=True, read_only=False, granule=64)
    kernel = Recording(HostDevice(), "example", Signature((record,)))
    kernel(1, 32, [np.zeros(8, np.uint64)])
    with pytest.raises(KernelError, match="must hold records of 64 bytes, but has 56 bytes"):
        kernel(1, 32, [np.zeros(7, np.uint64)])


@pytest.mark.parametrize(
    ("grid", "block", "message"),
    [
        (0, 32, "grid.x is 0; it must be at least 1"),
        (-5, 32, "grid.x is -5; it must be at least 1"),
        ((1, 0), 32, "grid.y is 0"),
        ((1, 70000), 32, "grid.y is 70000; the most is 65535"),
        (2**31, 32, "grid.x is 2147483648"),
        ((1, 1, 1, 1), 32, "the grid must be one to three integers"),
        ((), 32, "the grid must be one to three integers"),
        (1.5, 32, "the grid must be one to three integers"),
        (1, 0, "block.x is 0"),
        (1, 1025, "block.x is 1025; the most is 1024"),
        (1, (32, 33), "a block of 1056 threads; the most is 1024"),
        (1, (1, 1, 65), "block.z is 65; the most is 64"),
        (1, "32", "the block must be one to three integers"),
    ],
)
def test_sizes_that_no_gpu_has(kernel: Recording, grid: Any, block: Any, message: str) -> None:
    with pytest.raises(KernelError, match=f"example: {message}"):
        kernel(grid, block, arguments())


@pytest.mark.parametrize("shared_mem", [-1, 49153])
def test_shared_memory_that_a_block_cannot_have(kernel: Recording, shared_mem: int) -> None:
    with pytest.raises(KernelError, match=f"{shared_mem} bytes of dynamic shared memory; a block"):
        kernel(1, 32, arguments(), shared_mem=shared_mem)


def test_sizes_may_be_numpy_integers(kernel: Recording) -> None:
    kernel(np.int64(3), (np.int32(8), np.uint8(4)), arguments())
    assert kernel.launched[:2] == ((3, 1, 1), (8, 4, 1))
