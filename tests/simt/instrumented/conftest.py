"""Builds the instrumented test kernels once a session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpucore.device.host import HostDevice

from . import planted

HERE = Path(__file__).parent
BUILD = HERE.parents[2] / "build" / "simt-instrumented-tests"


def _tool(name: str) -> str:
    """Return a build tool, from this Python's own environment if it is there."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"building the instrumented test kernels needs {name}")
    return found


@pytest.fixture(scope="session")
def library() -> Path:
    """Return the library of test kernels, correct and changed; quick if nothing changed."""
    kernels = BUILD / "kernels"
    planted.write_kernels(kernels, planted.SYNCHRONISED + planted.PRODUCT_MISTAKES)
    configure = [_tool("cmake"), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DKERNELS={kernels}"]
    configure += ["-S", str(HERE), "-B", str(BUILD)]
    for command in (configure, [_tool("ninja"), "-C", str(BUILD)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"the instrumented test kernels do not build:\n{done.stdout}{done.stderr}")
    return BUILD / "libinstrumented_tests.so"


@pytest.fixture(scope="session")
def host(library: Path) -> Callable[..., HostDevice]:
    """Return a function that makes an instrumented device with the given options."""

    def make(**options: Any) -> HostDevice:
        return HostDevice(library=library, instrumented=True, **options)

    return make
