"""What the notes say of graphs that settle was measured."""

from __future__ import annotations

import json
from itertools import pairwise
from statistics import geometric_mean, median

import pytest

from .test_unseen_notes import FOLDER, cells, dotted

HEADING = "What settling takes: `settling.json`"


@pytest.fixture
def data():
    return json.loads((FOLDER / "results" / "unseen-h200" / "settling.json").read_text())


@pytest.fixture
def notes():
    return (FOLDER / "results" / "unseen-h200" / "notes.md").read_text()


@pytest.fixture
def said(notes):
    return " ".join(notes.partition(f"## {HEADING}")[2].partition("\n## ")[0].split())


def of(rows, kind, variant="fast"):
    return next(r for r in rows if (r["kind"], r["variant"]) == (kind, variant))


def three(value):
    """Return a time with three digits, as the table has it."""
    return f"{value:.{1 if value >= 9.995 else 2}f}"


def test_pairs(data, notes, said):
    table = cells(notes, HEADING)
    for row in (*data["hubs"], *data["ego-twitter"], *data["small"]):
        found = table[row["kind"]][:3] if row["variant"] == "fast" else table[row["kind"]][3:]
        before, after = row["before"], row["after"]
        times = [f"{three(one['median'])}, {three(one['worst'])}" for one in (before, after)]
        assert found == [*times, f"{before['last sweeps']:.0f} to {after['last sweeps']:.0f}"]
    for part, runs in (("hubs", 20), ("small", 30), ("ego-twitter", 80)):
        counted = {row[when]["runs"] for row in data[part] for when in ("before", "after")}
        assert counted == {runs}

    def mean(part, variant):
        rows = (row for row in data[part] if row["variant"] == variant)
        return dotted(geometric_mean(r["after"]["median"] / r["before"]["median"] for r in rows), 2)

    of_hubs, small = ([mean(part, one) for one in ("fast", "leiden")] for part in ("hubs", "small"))
    assert f"`fast` takes {of_hubs[0]} of the time before, and `leiden` {of_hubs[1]}" in said
    assert f"of the last five {small[0]} and {small[1]}" in said
    rmat = of(data["hubs"], "R-MAT/16")
    words = "`fast` takes {:.0f} ms for an R-MAT graph of two million edges ({:.0f} before)"
    changes = " ".join((FOLDER.parent / "CHANGELOG.md").read_text().split())
    assert words.format(*(rmat[when]["median"] for when in ("after", "before"))) in changes


def passes_of(sweeps):
    """Return moves and gain of every pass of a run; the first sweeps before come first."""
    found, moves, gain = [], 0, 0.0
    for _, moved, _, ended, _, gained in sweeps:
        moves, gain = moves + moved, gain + gained
        if ended:
            found.append((moves, gain))
            moves, gain = 0, 0.0
    return found


def empty_sweeps(sweeps):
    """Return the microseconds of sweeps that moved none, in the parts of a graph that settles."""
    return [
        now[4] - before[4]
        for before, now in pairwise(sweeps)
        if now[1] == 0 and before[3] == 0 and now[2] == 4
    ]


def test_sweeps(data, said):
    runs = data["sweeps of one run"]
    before = runs["R-MAT/16 before"]
    begin = max(i for i, (one, other) in enumerate(pairwise(before), 1) if other[0] <= one[0])
    _, *passes = passes_of(before[begin:])
    little = [gain for moves, gain in passes if moves and gain / moves < 5e-10]
    assert f"in {len(little)} of its {len(passes)} passes the moves gained less than 5e-10" in said
    slow, quick = (
        f"{median(empty_sweeps(runs[f'R-MAT/16 {name}'])):.0f}" for name in ("before", "with both")
    )
    assert f"moved none took {slow} microseconds, and {quick} with an earlier form" in said
    walk = data["microseconds of fast_inside"]["Chung-Lu"]
    assert f"takes {walk['after'][0]} microseconds instead of {walk['before'][0]}" in said


def test_other_graphs(data, said):
    for row in data["tuned"]:
        assert f" {row['ms'][1]:.2f} " in said, row
    contest = json.loads((FOLDER / "results" / "louvain-h200" / "contest.json").read_text())
    for one in contest["measurements"]:
        variant = {"ours": "fast", "ours_leiden": "leiden"}.get(one["method"])
        if variant and one["graph"] in {row["kind"] for row in data["tuned"]}:
            assert f"({1e3 * one['median']:.2f})" in said, one["graph"]
            assert of(data["tuned"], one["graph"], variant)["ms"][1] < 1e3 * one["median"]


def test_what_was_tried(data, said):
    tried = data["tried"]
    fewer = of(tried["fewer warps where few vertices moved"], "R-MAT/16")
    assert (
        f"(R-MAT: {fewer['128 warps']['median']:.0f} ms, with all {fewer['before']['median']:.0f})"
        in said
    )
    bound = of(
        tried["vertices of which a bound says that they could not gain rest in passes"],
        "Chung-Lu/16",
    )
    with_it, without = (f"{bound[one]['median']:.1f}" for one in ("with", "without"))
    assert f"(Chung-Lu {with_it} ms, without {without})" in said
    parts = tried["parts of a sweep, and hubs of up to 65,536 edges in one launch"]
    two, eight, four = (f"{of(parts, 'R-MAT/16')[f'{n} parts']['median']:.1f}" for n in (2, 8, 4))
    assert f"(R-MAT {two} and {eight}, with four {four})" in said
    (beside,) = (rows for name, rows in tried.items() if name.startswith("hubs in a launch beside"))
    shares = {
        row["kind"]: row["beside"]["median"] / row["after the others"]["median"]
        for row in beside
        if row["variant"] == "fast"
    }
    rmat, attachment = (dotted(shares[k], 2) for k in ("R-MAT", "preferential attachment"))
    assert f"{rmat} of the time on R-MAT and {attachment} on preferential attachment" in said
    assert shares["Chung-Lu"] > 0.98


def test_what_a_comment_says_of_longer_passes(data):
    kind = "preferential attachment/12"
    parts = data["tried"]["parts of a sweep, and hubs of up to 65,536 edges in one launch"]
    short = of(parts, kind)["4 parts"]["median"]
    longer = of(data["tried"]["all turns taken one by one"], kind)["one by one"]["median"]
    source = FOLDER.parent / "gpucore/families/communities/fast/ends.py"
    text = " ".join(source.read_text().replace("#:", "").split())
    assert f"took an H200 {short:.0f} ms, with 64 it took {longer:.0f}" in text
