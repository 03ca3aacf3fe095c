"""The measurement on graphs that no one tuned for, on small ones of every kind."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from gpucore.datasets import remote

FOLDER = Path(__file__).parents[2] / "benchmarks"
MADE = {
    "subdivided grid": (1.1, 1.3),
    "3-D nearest neighbours": (3.2, 4.2),
    "ring of cliques": (11.0, 11.6),
    "small world": (9.6, 10.0),
    "power-law communities": (7.0, 13.0),
    "R-MAT": (13.0, 16.0),
    "preferential attachment": (14.0, 17.0),
    "Chung-Lu": (11.0, 15.0),
}


@pytest.fixture
def unseen(monkeypatch):
    """Load benchmarks/unseen.py."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(remote, "_allowed", False)  # the command allows downloads
    spec = importlib.util.spec_from_file_location("unseen", FOLDER / "unseen.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(unseen, monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["unseen.py", *map(str, words)])
    unseen.main()


def test_all_kinds_are_made(unseen):
    assert [*unseen.MADE] == [*MADE]
    assert len(unseen.MADE) + len(unseen.REAL) == 12


@pytest.mark.parametrize("kind", MADE)
def test_a_seed_makes_a_graph_of_its_kind(unseen, kind):
    graph, again, other = (unseen.make(kind, seed, 300) for seed in (1, 1, 2))
    np.testing.assert_array_equal(graph.indices, again.indices)
    assert not np.array_equal(graph.indices, other.indices)
    least, most = MADE[kind]
    assert least <= graph.num_edges / graph.num_vertices <= most
    degree = np.diff(graph.indptr)
    if kind == "subdivided grid":
        assert sorted(set(degree)) == [2, 3, 4]
    if kind == "Chung-Lu":
        assert degree.max() > 20 * degree.mean()


def test_quality_beside_speed(unseen, monkeypatch, tmp_path, capsys):
    output = tmp_path / "found" / "unseen.json"
    kinds = ("--kinds", "small world", "Chung-Lu")
    words = ("--smaller", 5000, "--seed", 3, "--runs", 2, "--theirs", 2, "--output", output)
    main(unseen, monkeypatch, *kinds, *words)
    found = json.loads(output.read_text())
    assert {"date", "commit", "hardware", "seed", "smaller"} <= found["about"].keys()
    assert [row["kind"] for row in found["rows"]] == ["small world", "Chung-Lu"]
    for row in found["rows"]:
        assert {"fast", "leiden", "networkx_louvain"} <= row["methods"].keys()
        for name in ("fast", "leiden"):
            ours = row["methods"][name]
            assert (ours["certified"], ours["runs"], ours["improvable"]) == (True, 2, 0)
            quality = ours["modularity"]
            assert quality["worst"] <= quality["median"] <= quality["best"]
    assert all(pair["graphs"] == 2 for pair in found["summary"])
    assert {pair["peer"] for pair in found["summary"]} >= {"networkx_louvain"}
    assert "mean speed" in capsys.readouterr().out


def test_matchings_of_permuted_matrices(unseen, monkeypatch, tmp_path):
    output = tmp_path / "matrices.json"
    words = ("--family", "bipartite", "--peers", "scipy_matching", "--kinds", "R-MAT", "Chung-Lu")
    sizes = ("--smaller", 5000, "--seed", 3, "--runs", 2, "--theirs", 1, "--output", output)
    main(unseen, monkeypatch, *words, *sizes)
    found = json.loads(output.read_text())
    for row in found["rows"]:
        assert [*row["methods"]] == ["fast", "scipy_matching"]
        ours, theirs = row["methods"].values()
        assert ours["cardinality"]["worst"] == theirs["cardinality"]["best"] > 0
    assert [pair["worst quality"] for pair in found["summary"]] == [0]


def test_a_real_graph_without_a_network_is_noted(unseen, monkeypatch, tmp_path):
    monkeypatch.setenv("WARPLENS_SUITESPARSE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    main(unseen, monkeypatch, "--kinds", "road network", "--output", tmp_path / "unseen.json")
    (row,) = json.loads((tmp_path / "unseen.json").read_text())["rows"]
    assert "usroads-48" in row["refused"]


@pytest.mark.parametrize(
    "words", [("--runs", 0), ("--seed", -1), ("--kinds", "another"), ("--peers", "another")]
)
def test_wrong_words_are_refused(unseen, monkeypatch, tmp_path, words):
    with pytest.raises(SystemExit):
        main(unseen, monkeypatch, *words, "--output", tmp_path / "unseen.json")
