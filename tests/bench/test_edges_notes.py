"""What the notes say of contraction by edges, and of further cycles, was measured."""

from __future__ import annotations

import json
from statistics import geometric_mean

import pytest

from .test_reproducible_notes import RESULTS, VARIANTS, words_of
from .test_settling_notes import three
from .test_unseen_notes import cells, dotted


@pytest.fixture
def data():
    return json.loads((RESULTS / "edges.json").read_text())


@pytest.fixture
def said():
    return words_of(RESULTS / "notes.md")


def mean(rows, variant):
    """Return the geometric mean of what the code after takes of the time before."""
    chosen = (row for row in rows if row["variant"] == variant)
    return geometric_mean(row["after"]["ms"][1] / row["before"]["ms"][1] for row in chosen)


def differ(modularity):
    """Return by how many per cent of the best run the others are worse."""
    return 100 * (modularity[-1] - modularity[0]) / modularity[-1]


def test_times_before_and_after(data, said):
    table = cells((RESULTS / "notes.md").read_text(), "Contraction by edges: `edges.json`")
    for row in data["rows"]:
        begin = 2 * VARIANTS.index(row["variant"])
        expected = [", ".join(map(three, row[when]["ms"][1:])) for when in ("before", "after")]
        assert table[row["kind"]][begin : begin + 2] == expected
        assert row["before"]["runs"] == row["after"]["runs"] == 80
    fast, leiden, *tuned = (
        dotted(mean(data[of], variant), 2) for of in ("rows", "tuned") for variant in VARIANTS
    )
    assert f"`fast` takes {fast} of the time before, and `leiden` {leiden}; on the eight" in said
    assert f"(`tuned`) {tuned[0]} and {tuned[1]}" in said
    hepth = next(
        row for row in data["rows"] if (row["kind"], row["variant"]) == ("ca-hepth", "fast")
    )
    assert f"25,000 edges is not met: {three(hepth['after']['ms'][1])}." in said
    before, after = data["matched"]["dblp-2010"]
    assert f"dblp-2010 took {three(after)} ms instead of {three(before)}" in said


def test_contractions(data, said):
    def listed(times):
        return f"{', '.join(map(str, times[:-1]))} and {times[-1]}"

    of = data["contraction"]
    ring, hepth, dblp = of["ring of cliques"], of["ca-hepth"], of["dblp-2010"]
    stages = f"{listed(ring['after'])} microseconds instead of {listed(ring['before'])}"
    assert f"ring's stages take {stages}" in said
    assert f"ca-hepth's {listed(hepth['after'])} instead of {listed(hepth['before'])}" in said
    last = f"{listed(dblp['after'][3:])} instead of {listed(dblp['before'][3:])}"
    assert f"have a loop only, {last}" in said


def test_cycles(data, said):
    lines = (RESULTS / "notes.md").read_text().splitlines()
    for row in data["cycles"]:
        begin = f"| {row['kind']} | {row['cycles']} |"
        shown = next(line for line in lines if line.startswith(begin))[len(begin) :].split(" | ")
        first = 3 * VARIANTS.index(row["variant"])
        expected = [three(row["ms"][1]), f"{row['modularity'][1]:.5f}"]
        expected.append(f"{differ(row['modularity']):.1f} %")
        assert [cell.strip(" |") for cell in shown[first : first + 3]] == expected
        assert row["runs"] == 10
    for more in (False, True):
        parts = [differ(row["modularity"]) for row in data["cycles"] if (row["cycles"] > 1) == more]
        least, most = dotted(min(parts), 1), dotted(max(parts), 1)
        assert f"differ by {least} to {most} % as before" in said
    by = {(row["kind"], row["method"]): differ(row["modularity"]) for row in data["igraph"]}
    one, four, ten = (dotted(by["Chung-Lu/16", f"leiden{n}"], 1) for n in (1, 4, 10))
    assert four == ten
    assert f"differs by {one} % on Chung-Lu/16 with one iteration, {four} % with four" in said
    shown = [dotted(by["preferential attachment/12", f"leiden{n}"], 1) for n in (1, 4, 10)]
    assert f"attachment/12 by {shown[0]}, {shown[1]} and {shown[2]} %" in said
