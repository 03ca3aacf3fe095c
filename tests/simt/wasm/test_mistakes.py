"""In WebAssembly a mistake ends in an error too, and the device goes on after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpucore.errors import Cancelled, KernelError

from .. import torture
from ..test_waiting import After

pytest.importorskip("wasmtime", reason="needs the extra wasm: make wasm")

from .device import WasmDevice, WasmLibrary

#: The first test that asks for a module waits until it is built.
pytestmark = pytest.mark.timeout(1800)


def numbers() -> np.ndarray:
    return np.zeros(1024, np.int32)


MISTAKES = {
    "divides": ((0, numbers()), r"integer division by zero, in block \(0,0,0\), thread \("),
    "gives_up": ((), r"__trap, at mistakes.cu:\d+, block \(0,0,0\)"),
    "different_calls": ((numbers(),), r"deadlock in block .* at mistakes.cu:44 \(__ballot_sync"),
}


def launch(device: WasmDevice, name: str, *args: Any, grid: int = 1, block: int = 64) -> None:
    device.kernel("mistakes", name)(grid, block, args)


@pytest.mark.parametrize("name", MISTAKES)
def test_it_is_named_and_the_device_goes_on(own: WasmLibrary, name: str) -> None:
    device = WasmDevice(own, policy="random", seed=4)
    expected = torture.run(device)
    args, text = MISTAKES[name]
    with pytest.raises(KernelError, match=text):
        launch(device, name, *args)
    assert torture.run(device) == expected


@pytest.mark.parametrize("depth", [300, 1_000, 1_000_000])
def test_stack_overflow(own: WasmLibrary, depth: int) -> None:
    device = WasmDevice(own)
    launch(device, "recurses", 20, numbers())
    with pytest.raises(KernelError, match="stack overflow"):
        launch(device, "recurses", depth, numbers())
    launch(device, "recurses", 20, numbers())


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (1024, "a lane wrote outside of its arrays, 0 past the 4096 bytes of argument 0"),
        (-3, "a lane wrote outside of its arrays, 12 before the 4096 bytes of argument 0"),
        (1 << 28, r"beyond all memory, in block \(2,0,0\), thread \(5,0,0\), after mistakes.cu:58"),
    ],
)
def test_a_write_outside_of_an_array(own: WasmLibrary, index: int, text: str) -> None:
    with pytest.raises(KernelError, match=text):
        launch(WasmDevice(own), "writes_far_away", numbers(), index, grid=3, block=32)
    launch(WasmDevice(own), "writes_far_away", numbers(), 1023, grid=3, block=32)


def test_several_threads_are_refused(own: WasmLibrary) -> None:
    with pytest.raises(KernelError, match="WebAssembly has one thread"):
        launch(WasmDevice(own, threads=2), "divides", 7, numbers(), grid=2)


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_an_endless_kernel_is_cancelled(own: WasmLibrary, kind: int) -> None:
    device = WasmDevice(own)
    with device.cancel_with(After(3), None), pytest.raises(Cancelled):
        device.kernel("endless", "never_ends")(1, 64, (kind, numbers()))
