"""Fixtures that call the command line, in this process or in a new one."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner


@pytest.fixture(scope="session")
def call():
    """Run a command in this process; returns typer's result."""
    from gpucore.cli.app import build

    runner = CliRunner()

    def run(*words):
        return runner.invoke(build(), [str(word) for word in words])

    return run


@pytest.fixture(scope="session")
def call_json(call):
    """Run a command with --json; returns its exit code and the one object on stdout."""

    def run(*words):
        result = call(*words, "--json")
        lines = result.stdout.splitlines()
        assert len(lines) == 1, result.output
        return result.exit_code, json.loads(lines[0])

    return run


@pytest.fixture(scope="session")
def process():
    """Run ``python -m gpucore.cli`` as a process of its own."""

    def run(*words, **options):
        command = [sys.executable, "-m", "gpucore.cli", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)

    return run
