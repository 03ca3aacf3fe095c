"""The measurement of small graphs of many kinds: its graphs, its runs, its judgement."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from gpucore.problems.graph.fingerprint import fingerprint_of

FOLDER = Path(__file__).parents[2] / "benchmarks"
#: Kinds that take long to make.
SLOW = ("hypercube",)


@pytest.fixture
def small(monkeypatch):
    """Load benchmarks/unseen_small.py."""
    pytest.importorskip("igraph")
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("unseen_small", FOLDER / "unseen_small.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_seed_makes_a_graph_of_every_kind(small):
    assert len(small.KINDS) > 50
    for kind in small.KINDS.keys() - SLOW:
        graph, again, other = (small.make(kind, seed) for seed in (1, 1, 2))
        assert fingerprint_of(graph) == fingerprint_of(again), kind
        assert fingerprint_of(graph) != fingerprint_of(other), kind
        assert 2_000 <= graph.num_edges <= 60_000, kind


def test_what_falls_short(small):
    peers = {"multilevel": [0.5, 0.5, 0.9]}
    assert small.faults([0.499, 0.5], peers) == []
    assert small.faults([0.49, 0.493], peers) == ["0.0100 below multilevel"]
    assert small.faults([0.5, 0.51], peers) == ["2.0% apart"]


def test_a_row_for_each_graph(small, monkeypatch, tmp_path, capsys):
    output = tmp_path / "found.json"
    words = ["--seed", "3", "--runs", "2", "--kinds", "karate", "stars", "--", str(output)]
    monkeypatch.setattr(sys, "argv", ["unseen_small.py", *words])
    small.main()
    found = json.loads(output.read_text())
    assert {"date", "commit", "hardware", "seed"} <= found["about"].keys()
    assert [row["graph"] for row in found["rows"]] == ["karate", "stars"]
    for row in found["rows"]:
        assert len(row["multilevel"]) == len(row["Leiden"]) == small.SEEDS
        for variant in small.OURS:
            assert len(row[f"{variant}, 1"]["modularity"]) == 2
    assert capsys.readouterr().out.count("| stars, ") == 1
