"""What the README shows runs as it stands there."""

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gpucore import algorithms
from gpucore.family import methods

README = (Path(__file__).parents[2] / "README.md").read_text()
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("warplens ")
]


EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run_example(block, folder):
    command = [sys.executable, "-c", block]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert len([line for line in block.splitlines() if line]) <= 12
    return ran.stdout


def test_the_first_example_runs(tmp_path):
    assert "certified" in run_example(EXAMPLES[0], tmp_path)
    assert (tmp_path / "karate.npz").exists()


def test_the_example_of_a_matrix_runs(tmp_path):
    assert "'square': (152, 152)" in run_example(EXAMPLES[1], tmp_path)


def test_the_example_of_an_own_kernel_runs(tmp_path, lab_compiler):
    assert "1 data race" in run_example(EXAMPLES[2], tmp_path)


@pytest.mark.parametrize("words", [c for c in COMMANDS if c[0] != "bench"], ids=" ".join)
def test_the_commands_run(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with gzip.open("my-graph.mtx.gz", "wt") as file:
        file.write("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
    result = call(*words)
    assert result.exit_code == 0, result.output


def test_the_table_names_all_algorithms_and_no_others_as_working():
    rows = [line for line in README.splitlines() if line.startswith("| `")]
    working = {name for row in rows if "| works |" in row for name in re.findall(r"`(\w+)`", row)}
    assert working == set(algorithms())


def test_all_methods_on_the_processor_are_named():
    assert all(f"`{name}`" in README for name in methods())
