"""Fixtures of the tests that compile CPU methods: the compiler, and folders for programs."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from support.racing import COMPILER


@pytest.fixture(scope="session")
def cxx():
    """Return the C++ compiler; without one the test is skipped."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"no C++ compiler {COMPILER}")
    return COMPILER


@pytest.fixture(scope="module")
def plain_folder(cxx, tmp_path_factory):
    """Return a folder for programs without ThreadSanitizer."""
    return tmp_path_factory.mktemp("plain")


@pytest.fixture(scope="module")
def sanitized_folder(cxx, tmp_path_factory):
    """Return a folder for programs with ThreadSanitizer; where it cannot run, skip the test."""
    folder = tmp_path_factory.mktemp("watched")
    source = folder / "empty.cpp"
    source.write_text("int main() { return 0; }")
    command = [cxx, "-fsanitize=thread", source, "-o", folder / "empty"]
    if (
        subprocess.run(command, capture_output=True).returncode != 0
        or subprocess.run([folder / "empty"], capture_output=True).returncode != 0
    ):
        pytest.skip("ThreadSanitizer does not run here")
    return folder
