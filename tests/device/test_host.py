"""The host device: options, description, memory, kernels, the native library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpucore import native
from gpucore.device import constants, get_device, source
from gpucore.device.host import HostDevice
from gpucore.errors import DeviceError, KernelError, ParameterError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "fair"}, "policy 'fair' is none of sequential, round_robin, random"),
        ({"seed": -1}, "seed is -1; it must be 0 to"),
        ({"seed": 1.5}, "seed must be an integer, not 1.5"),
        ({"resident": 0}, "resident is 0; it must be 1 to 512"),
        ({"threads": 0}, "threads is 0; it must be 1 to 256"),
        ({"threads": True}, "threads must be an integer"),
        ({"yield_atomic": 1.01}, "yield_atomic is 1.01; it must be a probability"),
        ({"yield_atomic": "often"}, "yield_atomic is 'often'; it must be a probability"),
        ({"yield_access": 0.5}, "yield_access needs instrumented=True"),
        ({"speed": 3}, "HostDevice has no option 'speed'; it has .*policy"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        get_device("host", **options)


def test_unknown_device() -> None:
    with pytest.raises(ParameterError, match="no device 'tpu'; choose auto, cuda or host"):
        get_device("tpu")
    with pytest.raises(ParameterError, match="device options need a named device"):
        get_device("auto", seed=1)


def test_description_is_data() -> None:
    device = get_device("host", policy="random", seed=7, resident=2)
    description = json.loads(json.dumps(device.describe()))
    assert description["name"] == "host"
    assert description["model"]
    assert (description["policy"], description["seed"], description["resident"]) == ("random", 7, 2)
    assert description["versions"]["numpy"] == np.__version__


def test_arrays_stay_where_they_are() -> None:
    device = get_device("host")
    array = np.arange(5)
    assert device.xp is np
    assert device.asarray(array) is array
    assert device.to_host(array) is array
    assert device.asarray(np.zeros((4, 6))[:, ::2]).flags.c_contiguous
    assert device.address(array[2:]) == array.ctypes.data + 2 * array.itemsize
    assert device.asarray([1, 2]).tolist() == [1, 2]
    device.synchronize()


def test_memory_is_asked_for_before_it_is_taken() -> None:
    device = get_device("host")
    assert 0 < device.free_memory() <= device.total_memory()
    device.require_memory(1024, "a test")
    with pytest.raises(DeviceError, match=r"the record needs 1024 TiB, but device 'host' has"):
        device.require_memory(1 << 50, "the record")


def test_timer() -> None:
    device = get_device("host")
    with device.timer() as timer:
        sum(range(1000))
    assert timer.seconds > 0


def test_kernels_are_found_and_kept() -> None:
    device = get_device("host")
    kernel = device.kernel("suitor", "suitor_mates")
    assert kernel is device.kernel("suitor", "suitor_mates")
    assert repr(kernel) == (
        "<kernel suitor_mates(int32, array of const uint64, array of int32) on host>"
    )
    for level in source.RECORD_LEVELS:
        for stem in source.sources():
            names = [k for k in native.library().kernels if k[0] == stem and k[2] == level]
            assert names, f"{stem} at level {level}"


@pytest.mark.parametrize(
    ("source", "name", "record", "message"),
    [
        ("nothing", "x", 0, "there is no kernel source 'nothing'; the known ones: .*suitor"),
        ("suitor", "x", 0, "source 'suitor' has no kernel 'x'; it has .*suitor_nosync"),
        ("suitor", "suitor_nosync", 3, "has no record level 3; levels are 0, 1 and 2"),
    ],
)
def test_kernels_that_do_not_exist(source: str, name: str, record: int, message: str) -> None:
    with pytest.raises(KernelError, match=message):
        get_device("host").kernel(source, name, record=record)


def test_constants_have_their_defaults_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "#ifndef TILE\n#define TILE 0x20u\n#endif\n  # ifndef WORD\n  #  define WORD int\n"
    (tmp_path / "suitor.cu").write_text(text + "#define OTHER 3\n")
    monkeypatch.setattr(constants, "source_path", lambda source: tmp_path / f"{source}.cu")
    constants.default_constants.cache_clear()
    try:
        assert constants.default_constants("suitor") == {"TILE": "0x20u", "WORD": "int"}
        device = get_device("host")
        device.kernel("suitor", "suitor_mates", TILE=32)
        with pytest.raises(KernelError, match=r"compiled with TILE=0x20u only, not 64"):
            device.kernel("suitor", "suitor_mates", TILE=64)
        with pytest.raises(KernelError, match=r"no constant 'OTHER'; those .* set: TILE, WORD"):
            device.kernel("suitor", "suitor_mates", OTHER=3)
    finally:
        constants.default_constants.cache_clear()


def test_the_error_for_a_missing_library_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpucore.__path__", [str(tmp_path / "a"), str(tmp_path / "b")])
    with pytest.raises(DeviceError, match=r"libwarplens.so is not installed; .*pip install \."):
        native.library_path()
    (tmp_path / "b" / "_lib").mkdir(parents=True)
    expected = tmp_path / "b" / "_lib" / "libwarplens.so"
    expected.write_bytes(b"not a library")
    assert native.library_path() == expected
    with pytest.raises(DeviceError, match="the native library does not load"):
        native.library()
    with pytest.raises(DeviceError, match="the native library does not load"):
        HostDevice(library=expected)


def test_a_library_of_something_else(tmp_path: Path) -> None:
    import _ctypes

    with pytest.raises(DeviceError, match="is not a library of kernels"):
        HostDevice(library=_ctypes.__file__)
