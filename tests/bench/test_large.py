"""The measurements of large graphs, on small ones: every part has a time, and all is certified."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from gpucore.families.communities.fast import batches, contraction, small

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def large(monkeypatch):
    """Load benchmarks/large.py."""
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("large", FOLDER / "large.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured(large, monkeypatch, folder, *words):
    """Run the command, and return its rows."""
    output = folder / "found" / "large.json"
    command = ["large.py", *words, "--device", "host", "--repeat", "1", "--output", str(output)]
    monkeypatch.setattr(sys, "argv", command)
    large.main()
    return json.loads(output.read_text())["runs"]


def test_a_matching_and_communities(large, monkeypatch, tmp_path):
    words = ("suitor", "rmat_rows:scale=7", "--counters")
    (row,) = measured(large, monkeypatch, tmp_path, *words)
    assert set(row["parts"]) == {
        "load", "first run", "run", "prepare", "certify", "run with counters"
    }  # fmt: skip
    assert row["certified"]
    assert row["recorded"]["edges"] > row["edges"]
    monkeypatch.setattr(contraction, "SMALL_TABLE", 0)
    monkeypatch.setattr(contraction, "fits_at_once", lambda *_: False)
    monkeypatch.setattr(batches, "SHARE", 1 << 60)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    spec = "grid_rows:rows=60,columns=60,weights=unit"
    rows = measured(large, monkeypatch, tmp_path, "louvain", spec)
    assert len(rows) == 2
    assert rows[1]["certified"]
    assert rows[1]["stages"][0]["batches"] > 1


def test_a_wrong_graph_is_noted(large, monkeypatch, tmp_path):
    (row,) = measured(large, monkeypatch, tmp_path, "louvain", "rmat_rows:scale=99")
    assert "scale" in row["refused"]
