"""The measurement on graphs that no one tuned for, on small ones of every kind."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from statistics import geometric_mean

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


def cells(notes, heading):
    """Return the rows of a section's table by their first cell."""
    section = notes.partition(f"## {heading}")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {first.strip(): [cell.strip() for cell in rest] for first, *rest in rows}


def like(cell, value):
    """Return a value with as many digits as a cell has."""
    return f"{value:,.{len(cell.partition('.')[2])}f}"


def test_the_notes_are_those_of_the_results():
    folder = FOLDER / "results" / "unseen-h200"
    notes = (folder / "notes.md").read_text()
    table = cells(notes, "Communities: ")
    for row in json.loads((folder / "unseen.json").read_text())["rows"]:
        edges, *found = table.pop(row["kind"])
        wanted = [f"{row['edges']:,}"]
        for ours, peer in (("fast", "cugraph_louvain"), ("leiden", "cugraph_leiden")):
            one, other = row["methods"][ours], row["methods"][peer]
            slow, quick = 1e3 * one["seconds"]["worst"], 1e3 * other["seconds"]["best"]
            reached = one["modularity"]
            wanted += [
                like(found[0], slow),
                f"{reached['worst']:.5f} to {reached['best']:.5f}",
                like(found[2], quick),
                f"{other['modularity']['best']:.5f}",
                f"{quick / slow:.1f}",
            ]
            found = [*found[5:], *found[:5]]
        assert [edges, *found] == wanted, row["kind"]
    assert [*table] == ["graph", "---"]
    table = cells(notes, "The host waits less")
    rows = json.loads((folder / "waits.json").read_text())["rows"]
    for row in rows:
        found, times = table.pop(row["kind"]), [row[when]["median"] for when in ("before", "after")]
        assert found == [like(cell, time) for cell, time in zip(found, times, strict=True)]
    assert [*table] == ["graph", "---"]
    ratio = geometric_mean(row["after"]["median"] / row["before"]["median"] for row in rows)
    assert f"{ratio:.2f}".lstrip("0") + " of the time in the geometric mean" in notes
    table = cells(notes, "A warp that searches together")
    searches = json.loads((folder / "searches.json").read_text())
    processes = "before", "after", "five queued"
    for row in searches["rows"]:
        both = [row[ours][when]["median"] for ours in ("fast", "leiden") for when in processes]
        both += [row["fast"][when]["later_sweeps"] for when in processes[:2]]
        found = table.pop(row["kind"])
        assert found == [
            like(cell, time).removeprefix("0") for cell, time in zip(found, both, strict=True)
        ]
    assert [*table] == ["graph", "---"]
    means = [
        geometric_mean(
            row[ours][when]["median"] / row[ours]["before"]["median"] for row in searches["rows"]
        )
        for when in processes[1:]
        for ours in ("fast", "leiden")
    ]
    fast, leiden, *queued = (f"{mean:.2f}".removeprefix("0") for mean in means)
    said = " ".join(notes.split())
    assert (
        f"{fast} of the time of `fast` in the geometric mean of medians, {leiden} of that" in said
    )
    assert f"with five queued, {queued[0]} and {queued[1]}" in said
    profile = searches["profile"]
    visits, after = profile["before"]["visits"], profile["before"]["after_each_search"][-1]
    assert f"of {visits:,} visits" in said
    assert f"executed {after:,} times, {after / visits:.1f} times a visit" in said
    tried = searches["tried"]["later_sweeps"]
    assert f"{tried['with']:.1f} instead of {tried['without']:.1f} ms" in said
    both = searches["tried"]["counting, and four parts at a time"]
    chung, ring = (both[kind][1] / both[kind][0] for kind in ("Chung-Lu", "ring of cliques"))
    assert f"{chung:.2f} of the time before on Chung-Lu and {ring:.2f} on the ring" in said
    table = cells(notes, "ν-Louvain")
    for row in json.loads((folder / "nu_louvain.json").read_text())["rows"]:
        ours, peer = row["fast"], row["nu_louvain"]
        slow, quality, quick, other, times = table.pop(row["kind"])
        worst, best = 1e3 * max(ours["seconds"]), 1e3 * min(peer["seconds"])
        assert [slow, quick, times] == [like(slow, worst), like(quick, best), f"{best / worst:.1f}"]
        qualities = min(ours["modularity"]), max(peer["modularity"])
        assert [quality, other] == [f"{value:.5f}" for value in qualities]
        assert qualities[0] > qualities[1]
    assert [*table] == ["graph", "---"]
    table = cells(notes, "Maximum matchings")
    for row in json.loads((folder / "unseen_bipartite.json").read_text())["rows"]:
        ours, peer = row["methods"]["fast"], row["methods"]["ecl_mm"]
        _, entries, slow, quick, times, cardinality = table.pop(row["kind"])
        worst, best = 1e3 * ours["seconds"]["worst"], 1e3 * peer["seconds"]["best"]
        assert [entries, cardinality] == [
            f"{value:,}" for value in (row["edges"], ours["cardinality"]["worst"])
        ]
        assert [slow, quick, times] == [like(slow, worst), like(quick, best), f"{best / worst:.1f}"]
    assert [*table] == ["graph", "---"]
