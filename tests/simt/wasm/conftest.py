"""Builds modules with ``tools/wasm.py``; without the extra "wasm" the tests are skipped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .device import WasmLibrary

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build" / "wasm"


def _build(output: Path, *arguments: object) -> WasmLibrary:
    command = [sys.executable, ROOT / "tools" / "wasm.py", "--output", output, *arguments]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    from .device import WasmLibrary

    return WasmLibrary(output)


@pytest.fixture(scope="session")
def families() -> WasmLibrary:
    """Return the kernels of all families; building them takes minutes the first time."""
    return _build(BUILD / "kernels.wasm")


@pytest.fixture(scope="session")
def own() -> WasmLibrary:
    """Return the kernels of the tests of the executor."""
    sources = (ROOT / "tests" / "simt" / "kernels").glob("*.cu")
    return _build(BUILD / "tests.wasm", "--levels", 0, "--", *sorted(sources))
