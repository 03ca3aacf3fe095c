"""What the notes say of stages that are swept again, and of graphs that settle, was measured."""

from __future__ import annotations

import json
from statistics import geometric_mean

import pytest

from .test_unseen_notes import FOLDER, cells, dotted, like


@pytest.fixture
def data():
    return json.loads((FOLDER / "results" / "unseen-h200" / "again.json").read_text())


@pytest.fixture
def said():
    notes = (FOLDER / "results" / "unseen-h200" / "notes.md").read_text()
    section = notes.partition("\n## Stages that are swept again")[2].partition("\n## ")[0]
    return " ".join(section.split())


def test_pairs(data, said):
    notes = (FOLDER / "results" / "unseen-h200" / "notes.md").read_text()
    table = cells(notes, "Stages that are swept again, copies, settling: `again.json`")
    found = {}
    for row in (*data["small"], *data["ego-twitter"]):
        pair = [like("0.00", row[when]["median"]) for when in ("before", "after")]
        found.setdefault(row["kind"], []).extend(pair)
    assert {kind: row for kind, row in table.items() if kind in found} == found
    assert [*table][:2] == ["graph", "---"] and len(table) == 2 + len(found)

    def mean(part, variant):
        return dotted(
            geometric_mean(
                row["after"]["median"] / row["before"]["median"]
                for row in data[part]
                if row["variant"] == variant
            ),
            2,
        )

    small, large = ([mean(part, one) for one in ("fast", "leiden")] for part in ("small", "large"))
    assert (
        f"`fast` takes {small[0]} of the time before on the first six, and `leiden` {small[1]}"
        in said
    )
    assert f"(`large`, 30 runs) {large[0]} and {large[1]}" in said
    ring = next(row for row in data["large"] if row["kind"] == "ring of cliques")
    worst = f"{ring['after']['worst']:.1f} ms instead of {ring['before']['worst']:.1f}"
    assert f"the worst run on the ring took {worst}" in said


def test_one_launch(data, said):
    before, after = data["ring, runs by stages swept again"].values()
    runs = sum(count for count, _ in before.values())
    again = [runs - found["0"][0] for found in (before, after)]
    assert f"in {again[0]} of {runs} runs" in said and f"{again[1]} of {runs} runs repeat" in said
    assert (
        "took {:.1f} ms, with one {:.1f}, with two {:.1f}".format(*(before[k][1] for k in "012"))
        in said
    )
    clocks = data["microseconds of one launch"]
    dblp, road = clocks["dblp-2010"], clocks["usa-road-ny"]
    first, second = (one["before"]["measure"] for one in (dblp, road))
    assert f"{first} microseconds for dblp-2010, {second} for usa-road-ny" in said
    more = [one["after"]["number"] - one["before"]["number"] for one in (dblp, road)]
    assert f"takes {more[0]} and {more[1]} microseconds longer" in said
    copies = [one["before"]["copies"] for one in clocks.values()]
    assert f"{min(copies)} to {max(copies)} microseconds" in said


def test_what_was_looked_at_and_tried(data, said):
    lost = data["ring, modularity lost by stages that were swept again"]
    assert len(lost) == 3 and "in three that were looked at" in said
    assert all(-1e-6 < one < 0 for run in lost for one in run)
    left = data["dblp-2010, runs that left one launch"]
    assert (left["runs"], left["left"]) == (400, 2)
    assert "In 400 other runs that happened twice." in said
    tried = data["tried"]
    shares = sorted(b / a for a, b in tried["waiting from 16 edges, facebook-pages"])
    assert f"facebook-pages {dotted(shares[0], 2)} to {dotted(shares[1], 2)} of the time" in said
    before, after = tried["one block up to 3072 entries, ca-hepth"]
    assert f"(ca-hepth {after:.1f} ms instead of {before:.1f})" in said


def test_where_runs_differ(data, said):
    for kind in ("R-MAT/16", "preferential attachment/12", "Chung-Lu/16"):
        row = next(r for r in data["hubs"] if (r["kind"], r["variant"]) == (kind, "fast"))
        cell = "{:.0f} and {:.0f}".format(*(row["before"][when] for when in ("median", "worst")))
        assert cell in said, kind
        for when in ("median", "worst"):
            assert f"{row['after'][when]:.0f}" in said, kind
    most = [
        (high - low) / high
        for row in data["first stages"]
        for low, _, high in [row["modularity"]]
        if (row["variant"], row.get("most_sweeps"), row.get("refine")) == ("fast", 40, 16)
    ]
    least, largest = (f"{100 * one:.1f}".removeprefix("0") for one in (min(most), max(most)))
    assert f"still differ by {least} to {largest} %" in said
    follows = data["correlation of first stage and end"]["R-MAT"]["fast"]
    assert f"(correlation {dotted(follows, 2)} of ten runs)" in said
    alike = [row["ms"][1] for row in data["first stages"] if row.get("deterministic")][::2]
    attachment, chung, rmat = (f"{one:.0f}" for one in alike)
    assert f"take {chung}, {attachment} and {rmat} ms" in said
    others = [
        100 * (row["modularity"][1] - row["modularity"][0]) / row["modularity"][1]
        for row in (data["igraph"][k] for k in ("Chung-Lu", "preferential attachment", "R-MAT"))
    ]
    assert f"by {others[0]:.1f}, {others[1]:.1f} and {dotted(others[2], 1)} % in ten orders" in said


def test_other_graphs_and_families(data, said):
    for row in data["tuned"]:
        assert f" {row['ms'][1]:.2f} " in said, row
    for row in data["matchings"]:
        cell = like("0.00" if row["algorithm"] == "bipartite" else "0.000", row["ms"][1])
        assert cell.removeprefix("0") in said, row
