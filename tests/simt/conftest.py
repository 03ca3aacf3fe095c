"""Builds the tests' own kernels once a session and gives them to the tests as a host device."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpucore.device.host import HostDevice
from support.planting import compiled_executor

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "simt-tests"


def _tool(name: str) -> str:
    """Return a build tool, from this Python's own environment if it is there."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"building the tests' kernels needs {name}")
    return found


@cache
def build(kind: str, *options: str) -> Path:
    """Return the library of test kernels, built with CMake options; quick if nothing changed."""
    folder = BUILD / kind
    configure = [_tool("cmake"), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-S", str(HERE), "-B", str(folder), *options]
    for command in (configure, [_tool("ninja"), "-C", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"the tests' kernels do not build:\n{done.stdout}\n{done.stderr}")
    return folder / "libsimt_tests.so"


@pytest.fixture(scope="session")
def library() -> Path:
    """Return the library of test kernels."""
    objects = ";".join(map(str, compiled_executor("executor")))
    return build("plain", f"-DEXECUTOR={objects}")


@pytest.fixture(scope="session")
def build_library() -> Callable[..., Path]:
    """Return a function that builds the test kernels in another way."""
    return build


@pytest.fixture(scope="session")
def host(library: Path) -> Callable[..., HostDevice]:
    """Return a function that makes a host device of the test kernels with the given options."""

    def make(**options: Any) -> HostDevice:
        return HostDevice(library=library, **options)

    return make
