"""Executor and kernels under AddressSanitizer and UBSan, in a process of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent

OVERRUN = """
import sys
import numpy as np
from gpucore.device.host import HostDevice
kernel = HostDevice(library=sys.argv[1]).kernel("mistakes", "writes_far_away")
kernel(4, 32, (np.zeros(5000, np.int32), 5000))
"""


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """Return the environment in which a Python process loads sanitized libraries."""
    compiler = os.environ.get("CXX", "c++")
    if sys.platform != "linux" or shutil.which(compiler) is None:
        pytest.skip("needs a C++ compiler on Linux")
    names = ["libasan.so", "libubsan.so"]
    found = [
        subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True)
        for name in names
    ]
    paths = [done.stdout.strip() for done in found]
    if not all(Path(path).is_absolute() for path in paths):
        pytest.skip("the compiler has no shared sanitizer libraries")
    return {**os.environ, "LD_PRELOAD": " ".join(paths)}


@pytest.fixture(scope="module")
def sanitized(build_library: Callable[..., Path]) -> Path:
    return build_library("sanitized", "-DSANITIZE=ON", "-DFAMILIES=torture;mistakes")


@pytest.mark.parametrize("fake_stack", [0, 1])
def test_torture_is_clean(
    environment: dict[str, str], sanitized: Path, library: Path, fake_stack: int
) -> None:
    # Leaks are not looked for: they would be the interpreter's.
    options = f"detect_leaks=0:detect_stack_use_after_return={fake_stack}"
    script = str(HERE / "torture.py")
    done = subprocess.run(
        [sys.executable, script, str(sanitized)],
        env={**environment, "ASAN_OPTIONS": options},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    plain = subprocess.run(
        [sys.executable, script, str(library)], capture_output=True, text=True, check=True
    )
    assert done.stdout == plain.stdout


def test_an_overrun_is_found(environment: dict[str, str], sanitized: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OVERRUN, str(sanitized)],
        env={**environment, "ASAN_OPTIONS": "detect_leaks=0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    assert "in writes_far_away" in done.stderr
