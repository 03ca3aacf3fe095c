"""Lets the tests of this folder use the graphs and references of other folders' tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

for neighbour in ("certify", "algorithms", "cpu"):
    sys.path.insert(0, str(Path(__file__).parent.parent / neighbour))

from racing import COMPILER  # noqa: E402


@pytest.fixture(scope="session")
def compiler():
    if shutil.which(COMPILER) is None:
        pytest.skip(f"no C++ compiler {COMPILER}")
    return COMPILER


@pytest.fixture(scope="module")
def folder(compiler, tmp_path_factory):
    return tmp_path_factory.mktemp("plain")


@pytest.fixture(scope="module")
def watched(compiler, tmp_path_factory):
    """Skip where ThreadSanitizer cannot run: no runtime library, or an unsuitable kernel."""
    folder = tmp_path_factory.mktemp("watched")
    source = folder / "empty.cpp"
    source.write_text("int main() { return 0; }")
    command = [compiler, "-fsanitize=thread", source, "-o", folder / "empty"]
    if (
        subprocess.run(command, capture_output=True).returncode != 0
        or subprocess.run([folder / "empty"], capture_output=True).returncode != 0
    ):
        pytest.skip("ThreadSanitizer does not run here")
    return folder
