"""An error names the mistake of a kernel and its place; the executor survives it."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelError

from . import torture

Host = Callable[..., HostDevice]


def numbers() -> np.ndarray:
    return np.zeros(1024, np.int32)


def launch(device: HostDevice, name: str, *args: Any, grid: int = 1, block: int = 64) -> None:
    device.kernel("mistakes", name)(grid, block, args)


STRICT = {
    "missing_from_own_mask": "lane is missing from its own mask 0x00000080, at mistakes.cu:8",
    "mask_names_returned_lane": r"mask 0xffffffff names lanes that have returned \(0x0000000f\)",
    "returns_while_others_wait": "lane 31 returned while others wait for it",
    "shuffle_from_outside": "reads from lane 4, which is not in the mask 0xaaaaaaaa",
    "odd_width": "a shuffle of width 12",
    "different_barriers": "different kinds of __syncthreads",
}
WITH_OUTPUT = {"shuffle_from_outside", "odd_width", "different_barriers"}


@pytest.mark.parametrize("policy", ["sequential", "random"])
@pytest.mark.parametrize("name", STRICT)
def test_strict_mode_names_it(host: Host, name: str, policy: str) -> None:
    args = [numbers()] if name in WITH_OUTPUT else []
    expected = STRICT[name]
    if "return" in name and policy == "random":
        expected = "returned"  # who comes first, the mask or the return, depends on the order
    if name == "missing_from_own_mask":  # no order comes into it
        expected = STRICT[name] + r", block \(0,0,0\), thread \(6,0,0\), lane 6"
    with pytest.raises(KernelError, match=expected):
        launch(host(strict=True, policy=policy), name, *args)


@pytest.mark.parametrize("name", STRICT)
def test_otherwise_it_is_tolerated(host: Host, name: str) -> None:
    launch(host(), name, *([numbers()] if name in WITH_OUTPUT else []))


@pytest.mark.parametrize("strict", [False, True])
def test_deadlock_between_two_collectives(host: Host, strict: bool) -> None:
    with pytest.raises(KernelError) as error:
        launch(host(strict=strict), "different_calls", numbers())
    text = str(error.value)
    assert "different_calls: deadlock in block (0,0,0)" in text
    assert "32 lanes wait at mistakes.cu:44 (__ballot_sync, mask 0xffffffff)" in text
    assert "32 lanes wait at mistakes.cu:45 (__shfl_sync, mask 0xffffffff)" in text


def test_deadlock_of_a_barrier_and_a_collective(host: Host) -> None:
    with pytest.raises(KernelError) as error:
        launch(host(resident=2), "barrier_against_collective", grid=2, block=40)
    text = str(error.value)
    assert "20 lanes wait at mistakes.cu:51 (__syncthreads)" in text
    assert "12 lanes wait at mistakes.cu:52 (__syncwarp, mask 0xffffffff)" in text
    assert "8 returned" in text  # the second warp's lanes met among themselves
    assert "1 more block waits" in text


@pytest.mark.parametrize("threads", [1, 2])
def test_crash_names_block_thread_and_line(host: Host, threads: int) -> None:
    with pytest.raises(KernelError) as error:
        launch(host(threads=threads), "writes_far_away", numbers(), 1 << 36, grid=4, block=32)
    text = str(error.value)
    assert "segmentation fault at address 0x" in text
    assert "in block (2,0,0), thread (5,0,0), after mistakes.cu:58 (__syncwarp)" in text


@pytest.fixture
def fenced() -> Iterator[np.ndarray]:
    """Yield an array of one page of int32, with a page behind it that cannot be written to."""
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    array = np.frombuffer(pages, np.int32)[: mmap.PAGESIZE // 4]
    behind = ctypes.c_void_p(array.ctypes.data + mmap.PAGESIZE)
    libc = ctypes.CDLL(None)
    assert libc.mprotect(behind, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ) == 0
    yield array
    assert libc.mprotect(behind, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_WRITE) == 0


def test_crash_names_the_array_that_was_left(host: Host, fenced: np.ndarray) -> None:
    past = f"12 past the {mmap.PAGESIZE} bytes of argument 0, in block \\(2,0,0\\)"
    with pytest.raises(KernelError, match=past):
        launch(host(), "writes_far_away", fenced, fenced.size + 3, grid=3, block=32)


def test_crash_at_an_impossible_address(host: Host) -> None:
    with pytest.raises(KernelError, match=r"segmentation fault at .*block \(2,0,0\)"):
        launch(host(), "writes_far_away", numbers(), 1 << 60, grid=3, block=32)


def test_crash_before_any_meeting(host: Host) -> None:
    with pytest.raises(KernelError, match="before it first met other lanes"):
        launch(host(), "reads_at_once", numbers(), numbers())


def test_division_by_zero(host: Host) -> None:
    with pytest.raises(KernelError, match=r"integer division by zero, in block \(0,0,0\)"):
        launch(host(), "divides", 0, numbers())
    out = numbers()
    launch(host(), "divides", 7, out)
    assert set(out[:64]) == {14}


def test_trap(host: Host) -> None:
    with pytest.raises(KernelError, match=r"__trap, at mistakes.cu:\d+, block \(0,0,0\)"):
        launch(host(), "gives_up")


@pytest.mark.parametrize("threads", [1, 2])
def test_stack_overflow(host: Host, threads: int) -> None:
    device = host(threads=threads)
    launch(device, "recurses", 20, numbers(), grid=2)
    with pytest.raises(KernelError, match=r"stack overflow \(a lane has 48 KiB\)"):
        launch(device, "recurses", 1_000_000, numbers(), grid=2)


def test_too_much_static_shared_memory(host: Host) -> None:
    kernel = host().kernel("shared", "forty_kilobytes")
    kernel(1, 32, (numbers(),), shared_mem=8192)
    with pytest.raises(KernelError, match="40960 bytes of static and 8193 bytes of dynamic"):
        kernel(1, 32, (numbers(),), shared_mem=8193)


def test_a_device_goes_on_after_every_mistake(host: Host) -> None:
    device = host(policy="random", seed=4, strict=True, resident=2)
    expected = torture.run(host())
    device.strict = False  # the torture kernel's lanes return while masks still name them
    for name, args in {
        "different_calls": [numbers()],
        "reads_at_once": [numbers(), numbers()],
        "recurses": [1_000_000, numbers()],
        "gives_up": [],
    }.items():
        with pytest.raises(KernelError):
            launch(device, name, *args)
        assert torture.run(device) == expected


def test_one_worker_fails_while_others_spin(host: Host) -> None:
    kernel = host(threads=3).kernel("endless", "one_fails")
    with pytest.raises(KernelError, match="__trap"):
        kernel(3, 32, (numbers(),))
