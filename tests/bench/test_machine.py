"""The commit in a results file of ``benchmarks/`` is that of the sources, or none is named."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

MODULE = Path(__file__).parents[2] / "benchmarks" / "machine.py"


def git(folder, *words):
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


def put(folder, name, text):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return benchmarks/machine.py, which looks at a checkout of its own."""
    monkeypatch.delenv("WARPLENS_COMMIT", raising=False)
    spec = importlib.util.spec_from_file_location("machine", MODULE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path / "outer" / "tree"
    for top in module.SOURCES:
        put(root, f"{top}/one.py", "1")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    monkeypatch.setattr(module, "ROOT", root)
    return module


def test_a_clean_checkout_names_its_commit(machine):
    put(machine.ROOT, "benchmarks/results/new.json", "{}")
    put(machine.ROOT, "notes.py", "")
    assert machine.commit() == git(machine.ROOT, "rev-parse", "--short", "HEAD")


@pytest.mark.parametrize("name", ["gpucore/one.py", "app/new.js", "gpucore/new folder/a b.cu"])
def test_a_history_older_than_the_sources_names_no_commit(machine, name):
    put(machine.ROOT, name, "newer")
    first = machine.commit()
    assert first == f"code {machine.sources_digest()}"
    put(machine.ROOT, name, "newest")
    assert machine.commit() not in (first, git(machine.ROOT, "rev-parse", "--short", "HEAD"))


def test_a_removed_source_counts(machine):
    (machine.ROOT / "gpucore" / "one.py").unlink()
    assert machine.commit().startswith("code ")


def test_the_commit_of_a_project_around_the_copy_is_not_named(machine):
    (machine.ROOT / ".git").rename(machine.ROOT.parent / ".git")
    git(machine.ROOT.parent, "add", ".")
    git(machine.ROOT.parent, "commit", "-q", "-m", "around")
    assert machine.commit() == f"code {machine.sources_digest()}"


def test_without_git_the_digest_is_named(machine, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert machine.commit() == f"code {machine.sources_digest()}"


def test_a_given_commit_is_named(machine, monkeypatch):
    put(machine.ROOT, "gpucore/one.py", "newer")
    monkeypatch.setenv("WARPLENS_COMMIT", "abc1234")
    assert machine.commit() == "abc1234"
