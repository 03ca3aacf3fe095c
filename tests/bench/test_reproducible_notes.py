"""What the notes say of reproducible runs, and of parts of lists, was measured."""

from __future__ import annotations

import json
from statistics import geometric_mean

import pytest

from .test_settling_notes import three
from .test_unseen_notes import FOLDER, cells, dotted

RESULTS = FOLDER / "results" / "unseen-h200"
HEADING = "Reproducible runs: `reproducible.json`"
VARIANTS = ("fast", "leiden")


def words_of(path):
    return " ".join(path.read_text(encoding="utf-8").split())


@pytest.fixture
def rows():
    return json.loads((RESULTS / "reproducible.json").read_text())["rows"]


def times(row, when):
    """Return how many times as long a reproducible run takes as a usual one."""
    return row[when]["reproducible"][1] / row[when]["usual"][1]


def below(row):
    """Return the share by which a reproducible run has less modularity than the least usual one."""
    least, found = row["after"]["modularity usual"][0], row["after"]["modularity reproducible"]
    return max(0.0, 1 - found / least)


def test_times_of_reproducible_runs(rows):
    notes = (RESULTS / "notes.md").read_text()
    said, table = words_of(RESULTS / "notes.md"), cells(notes, HEADING)
    for row in rows:
        begin = 3 * VARIANTS.index(row["variant"])
        medians = [three(row[when]["reproducible"][1]) for when in ("before", "after")]
        expected = [*medians, f"{times(row, 'after'):.2f}"]
        assert table[row["kind"]][begin : begin + 3] == expected
    of = {v: [row for row in rows if row["variant"] == v] for v in VARIANTS}
    mean, most = (
        [f([times(row, when) for row in of[v]]) for when in ("after", "before") for v in VARIANTS]
        for f in (geometric_mean, max)
    )
    words = "{:.1f} times as long as a usual one (`leiden`: {:.1f}), at most {:.1f} ({:.1f})"
    words = words.format(*mean[:2], *most[:2])
    assert f"a reproducible run takes {words}; before, {mean[2]:.1f} and {mean[3]:.1f}" in said
    assert f"at most {most[2]:.1f} and {most[3]:.1f}. It takes" in said
    taken = [
        dotted(geometric_mean(now / before for now, before in medians_of(of[v])), 2)
        for v in VARIANTS
    ]
    assert f"It takes {taken[0]} of the time before (`leiden`: {taken[1]}). The aim of 1.5" in said
    met = {v: sum(times(row, "after") <= 1.5 for row in of[v]) for v in VARIANTS}
    assert met == {"fast": 6, "leiden": 3} and len(of["fast"]) == 17
    assert "met by `fast` on six of seventeen and by `leiden` on three" in said
    less = {v: [below(row) for row in of[v]] for v in VARIANTS}
    assert [sum(each > 0 for each in less[v]) for v in VARIANTS] == [5, 6]
    share = " and ".join(f"{dotted(100 * max(less[v]), 1)} %" for v in VARIANTS)
    assert f"on five graphs (`fast`) and six (`leiden`), by at most {share}" in said
    changes = words_of(FOLDER.parent / "CHANGELOG.md")
    assert f"of seventeen graphs a reproducible run takes {words}" in changes
    each = [times(row, "after") for row in rows]
    tutorial = words_of(FOLDER.parent / "docs" / "tutorials" / "communities.md")
    assert f"takes {min(each):.1f} to {max(each):.1f} times as long on an H200" in tutorial


def medians_of(rows):
    """Return the medians of reproducible runs, after and before."""
    return [[row[when]["reproducible"][1] for when in ("after", "before")] for row in rows]


def test_what_was_changed_in_reproducible_runs():
    data = json.loads((RESULTS / "reproducible.json").read_text())
    said, changes = words_of(RESULTS / "notes.md"), words_of(FOLDER.parent / "CHANGELOG.md")
    stages = data["second stages"].values()
    chung_lu, of_rmat = ((found["reproducible"], found["usual"]) for found in stages)
    took = "took {:.0f} ms for that, and {:.1f} in a usual run; on R-MAT {:.0f} and {:.1f}"
    assert took.format(*chung_lu, *of_rmat) in said
    earlier = data["earlier"]["R-MAT"]
    before, after = (earlier[when][1] for when in ("before", "after"))
    assert f"R-MAT took {three(before)} ms before, and {three(after)} after" in said
    large = f"R-MAT graph of {earlier['edges'] / 1e6:.0f} million edges"
    assert f"{after:.0f} ms for an {large} after the first two of these ({before:.0f} be" in changes
    attached, network = (
        "{}, {} and {}".format(
            *(dotted(data["parts"][kind][parts]["modularity"], 4) for parts in ("8", "4", "2"))
        )
        for kind in ("preferential attachment", "ca-hepth")
    )
    assert f"attachment has {attached}, ca-hepth {network} (`parts`)" in said


def test_parts_of_lists():
    data, said = (
        json.loads((RESULTS / "bipartite_parts.json").read_text()),
        words_of(RESULTS / "notes.md"),
    )
    ratios = {}
    for row in data["choices"]:
        medians = row["median ms by entries of a part"]
        ratio = geometric_mean(medians["64"]) / geometric_mean(medians["256"])
        ratios.setdefault(row["kind"], []).append(ratio)
    mean = dotted(geometric_mean(x for each in ratios.values() for x in each), 2)
    assert sum(map(len, ratios.values())) == 14
    each = [
        f"{kind} {dotted(geometric_mean(ratios[kind]), 2)}"
        for kind in ("R-MAT/8", "Chung-Lu/4", "facebook-pages")
    ]
    assert f"a run takes {mean} of the time: {', '.join(each)}; 32 edges gain no more" in said
    assert f"takes {mean} of the time in the mean of fourteen" in words_of(
        FOLDER.parent / "CHANGELOG.md"
    )
    pair = {
        row["kind"]: (row["before"][1], row["after"][1])
        for row in data["rows"]
        if row["permutation"] == 7
    }
    texts = [" and ".join(map(three, pair[kind])) for kind in ("R-MAT/8", "Chung-Lu/4")]
    assert f"{texts[0]} ms on R-MAT/8, {texts[1]} on Chung-Lu/4" in said
    small = " and ".join(f"{x:.2f}".removeprefix("0") for x in pair["delaunay_n16"])
    in_turn = dotted(geometric_mean(ratios["delaunay_n16"]), 2)
    assert f"but {small} on delaunay_n16, where those in turn are {in_turn}" in said
    run = data["a run on facebook-pages"]
    paths = run["paths of the first twelve"]
    later = run["pairs"] - run["pairs at first"] - sum(paths)  # of the other phases together
    assert run["phases"] == 16 and max(*paths[4:], later) == 32
    assert "sixteen phases follow one another, and those after the fourth find at most 32" in said
    shared = {}
    for kind, row in data["tried"]["parts of 64: frontiers of blocks in shared memory"].items():
        ratio = geometric_mean(row["shared memory"]) / geometric_mean(row["before"])
        shared.setdefault(kind.startswith("R-MAT"), []).append(ratio)
    assert len(shared[False]) == 12
    means = dotted(geometric_mean(shared[True]), 2), f"{geometric_mean(shared[False]):.2f}"
    assert "shared memory (R-MAT/8 {} of the time, the six others {})".format(*means) in said
