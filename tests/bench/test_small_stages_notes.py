"""What the notes say of the stages of small graphs was measured."""

from __future__ import annotations

import json
from statistics import geometric_mean

import pytest

from .test_reproducible_notes import RESULTS, VARIANTS, words_of
from .test_settling_notes import three
from .test_unseen_notes import FOLDER, cells, dotted

HEADING = "Stages of small graphs: `small_stages.json`"
SMALL = ("power", "ca-hepth", "facebook-pages", "delaunay_n16", "usa-road-ny", "dblp-2010")


@pytest.fixture
def data():
    return json.loads((RESULTS / "small_stages.json").read_text())


@pytest.fixture
def said():
    return words_of(RESULTS / "notes.md")


def ratio(rows, one, other):
    """Return the geometric mean of what `one` takes of the time of `other`."""
    return geometric_mean(row[one]["ms"][1] / row[other]["ms"][1] for row in rows)


def test_times_before_and_after(data, said):
    table = cells((RESULTS / "notes.md").read_text(), HEADING)
    for row in data["rows"]:
        begin = 2 * VARIANTS.index(row["variant"])
        expected = [", ".join(map(three, row[when]["ms"][1:])) for when in ("before", "after")]
        assert table[row["kind"]][begin : begin + 2] == expected
        assert row["before"]["runs"] == row["after"]["runs"] == 40
    small, large = (
        [dotted(ratio(chosen(data["rows"], v, small), "after", "before"), 2) for v in VARIANTS]
        for small in (True, False)
    )
    both = f"`fast` takes {small[0]} of the time before, and `leiden` {small[1]}"
    assert f"first six {both}; of the last four {large[0]} and {large[1]}" in said
    changes = words_of(FOLDER.parent / "CHANGELOG.md")
    assert f"`fast` takes {small[0]} of the time before in the mean of six graphs" in changes
    assert f"808,000 edges on an H200, and `leiden` {small[1]}" in changes
    fast = {row["kind"]: row for row in data["rows"] if row["variant"] == "fast"}
    for kind, text in (
        ("ca-hepth", "26,000 edges take {} ms ({} before)"),
        ("facebook-pages", "171,000 of a social network {} ({})"),
        ("dblp-2010", "808,000 {} ({})"),
    ):
        row = fast[kind]
        assert text.format(*(three(row[when]["ms"][1]) for when in ("after", "before"))) in changes
    aim = three(fast["ca-hepth"]["after"]["ms"][1])
    assert f"for 25,000 is not: 1.05 above, {aim} here" in said
    assert all(fast[kind]["after"]["ms"][1] < 2 for kind in SMALL[:-1])
    assert fast["dblp-2010"]["after"]["ms"][1] < 3


def chosen(rows, variant, small):
    return [row for row in rows if row["variant"] == variant and (row["kind"] in SMALL) == small]


def test_where_the_time_went(data, said):
    kinds = ("ca-hepth", "facebook-pages", "usa-road-ny", "dblp-2010")
    runs = [run for kind in kinds for run in data["traces"][kind]]
    last = [run["stages"][-2] for run in runs]
    none = [stage["us of contraction"] for stage in last if stage["moves"] == 0]
    assert f"In {len(none)} of the {len(runs)} runs on ca-hepth" in said
    assert f"all the same, in {min(none):.0f} to {max(none):.0f} microseconds" in said
    later = [
        stage["us of contraction"]
        for run in data["traces"]["ca-hepth"]
        for stage in run["stages"][1:-1]
    ]
    assert f"later stages took {min(later):.0f} to {max(later):.0f}, whatever its size" in said
    others = [
        1e3 * (run["ms"] - run["of the kernel"]) for each in data["traces"].values() for run in each
    ]
    assert f"Some {round(min(others), -1):.0f} to {round(max(others), -1):.0f} microseconds" in said
    social = data["traces"]["facebook-pages"]
    again = [len({stage["vertices"] for stage in run["stages"][:-1]}) for run in social]
    assert sum(n < len(run["stages"]) - 1 for n, run in zip(again, social, strict=True)) == 1
    assert "one of three traced runs swept such a stage again" in said


def test_what_was_tried(data, said):
    waits = data["tried"]["waits below"]["rows"]
    social = [row for row in waits if row["kind"] == "facebook-pages"]
    all_six, one = (dotted(ratio(rows, "1000", "none"), 2) for rows in (waits, social))
    assert f"a run takes {all_six} of the time on six graphs, {one} on facebook-pages" in said
    assert f"With 4,000 it is {dotted(ratio(waits, '4000', 'none'), 2)}, too" in said
    parts = data["tried"]["parts"]["rows"]
    assert f"four parts, not eight: {dotted(ratio(parts, '4', '8 below 5000'), 2)}" in said
    rows = data["tried"]["whole sweeps after fewer moves than one in"]["rows"]
    of = {v: [row for row in rows if row["variant"] == v] for v in VARIANTS}
    many, few = (
        [f"{ratio(of[v], n, '128'):.2f}".removeprefix("0") for v in VARIANTS] for n in ("512", "32")
    )
    assert f"take {many[0]} times as long (`fast`; `leiden`: {many[1]}), with 32 {few[0]}" in said
    assert f"with 32 {few[0]} and {few[1]}" in said
    before, after = (data["600 runs"]["dblp-2010"][code] for code in ("038f7953", "94c5b3d0"))
    assert f"{before['by launches']} of 600 other runs there did" in said
    assert f"did, and took up to {before['ms'][-1]:.0f} ms" in said
    assert f"none began again, and the longest took {after['ms'][-1]:.1f} ms" in said
    others = [row for kind, row in data["600 runs"].items() if kind != "dblp-2010"]
    assert len(others) == 5 and not any(
        each["by launches"] for row in others for each in row.values()
    )
    assert after["by launches"] == 0
    changes = words_of(FOLDER.parent / "CHANGELOG.md")
    longest = f"{before['by launches']} of 600 runs took up to {before['ms'][-1]:.0f} ms"
    assert f"on the last of these {longest}" in changes
