"""What the notes say of stages that add little was measured."""

from __future__ import annotations

import json
from itertools import pairwise
from statistics import geometric_mean

import pytest

from gpucore.families.communities.fast import ends, sizes

from .test_reproducible_notes import RESULTS, VARIANTS, words_of
from .test_settling_notes import three
from .test_unseen_notes import cells, dotted

#: The comparisons with cuGraph, each with a seed of its own.
SEEDS = "", "_forenoon", "_dawn", "_night", "_evening", "_earlier", "_morning", "_day_before"
RING = "ring of cliques"


@pytest.fixture
def data():
    return json.loads((RESULTS / "last_shares.json").read_text())


@pytest.fixture
def said():
    return words_of(RESULTS / "notes.md")


def ring_of(seed):
    """Return what was measured on the ring of cliques with a seed."""
    rows = json.loads((RESULTS / f"unseen{seed}.json").read_text())["rows"]
    return next(row["methods"] for row in rows if row["kind"] == RING)


def test_times_before_and_after(data, said):
    table = cells((RESULTS / "notes.md").read_text(), "Stages that add little: `last_shares.json`")
    for row in data["rows"]:
        begin = 4 * VARIANTS.index(row["variant"])
        both = row["before"], row["after"]
        expected = [", ".join(map(three, one["ms"][1:])) for one in both]
        expected += [f"{one['modularity'][0]:.5f}" for one in both]
        assert table[row["kind"]][begin : begin + 4] == expected
    assert len(data["rows"]) == 2 * (len(table) - 2)
    fast, leiden = (
        dotted(
            geometric_mean(
                row["after"]["ms"][1] / row["before"]["ms"][1]
                for row in data["rows"]
                if row["variant"] == variant
            ),
            2,
        )
        for variant in VARIANTS
    )
    assert f"`fast` takes {fast} of the time before, and `leiden` {leiden}. The ring" in said
    assert f"took turns on one machine say {fast} and {leiden} on fifteen graphs" in said
    ring = next(row for row in data["rows"] if (row["kind"], row["variant"]) == (RING, "fast"))
    less = ring["before"]["modularity"][0] - ring["after"]["modularity"][0]
    now = ring_of("")
    above = now["fast"]["modularity"]["worst"] - now["cugraph_louvain"]["modularity"]["best"]
    assert f"has {dotted(less, 5)} less of modularity" in said
    assert f"comparison above it is {dotted(above, 5)} above cuGraph's best" in said


def test_shares(data, said):
    assert ends.LAST_SHARES == {"fast": 0.002, "leiden": 0.0002}
    assert sizes.TINY == 2000

    def worst(kind, variant, share, part="shares"):
        (found,) = (
            row["modularity"][0]
            for row in data["shares"]
            if (row["kind"], row["variant"], row["share"], row["part"])
            == (kind, variant, share, part)
        )
        return found

    less, taken, none = (dotted(worst(RING, "fast", share), 5) for share in (0.003, 0.002, 0.0))
    assert f"has {less} at least instead of {taken} (0: {none}), less than cuGraph" in said
    theirs = (ring_of(seed)["cugraph_louvain"]["modularity"]["best"] for seed in SEEDS)
    assert worst(RING, "fast", 0.003) < min(theirs)
    less, taken = (dotted(worst("small world", "fast", share), 5) for share in (0.005, 0.002))
    assert f"small world with .005 {less} instead of {taken}" in said
    of = "power-law communities", "leiden"
    most, none = dotted(worst(*of, 0.001), 5), dotted(worst(*of, 0.0), 5)
    more, taken = (dotted(worst(*of, share, "leiden"), 5) for share in (0.0005, 0.0002))
    words = f"had {most} instead of {none}, with .0005 {more}; with .0002 {taken}, which is taken"
    assert words in said


def test_what_a_run_did(data, said):
    ring = data["stages before"][RING]
    fourth, fifth = [b["modularity"] - a["modularity"] for a, b in pairwise(ring)][2:4]
    assert fifth < 0
    words = f"added {dotted(fourth, 5)} in {ring[3]['ms']:.2f} ms, and the fifth nothing in"
    assert f"{words} {dotted(ring[4]['ms'], 2)} " in said
    profile = data["profile of the ring"]
    sweeps = profile["fast_move_lanes"]["before"][:8]
    assert all(f"{time:.0f}" == "40" for time in sweeps[4:])
    assert "takes 40 microseconds on the ring, where four of eight had nothing" in said
    before, after = (profile["fast_pairs_lanes"][when][0] for when in ("before", "after"))
    assert f"the ring {after:.0f} microseconds instead of {before:.0f}" in said
    kernels = {row["kind"]: row["kernel"] for row in data["numbered"]}
    for kind, words in ((RING, "on the ring"), ("dblp-2010", "on dblp-2010")):
        before, after = kernels[kind]
        assert f"{after:.2f} " in said and f"instead of {before:.2f} {words}" in said
    more = max(1e3 * (after - before) for before, after in kernels.values())
    assert f"elsewhere up to {more:.0f} microseconds more" in said


def test_processes_and_what_was_not_taken(data, said):
    power = next(row["ms"] for row in data["alike"] if row["kind"] == "power")
    same = power["mid"] + power["mid2"]
    words = f"had a median of {dotted(min(same), 2)} or of {three(max(same))} ms on power"
    assert words in said
    two = {row["kind"]: row for row in data["two parts"]}
    ratio = {kind: row["two"]["ms"][1] / row["four"]["ms"][1] for kind, row in two.items()}
    least = dotted(two[RING]["two"]["modularity"][0], 5)
    words = f"({dotted(ratio[RING], 2)} of the time, {least}; with the grid"
    assert f"{words} {ratio['subdivided grid']:.2f})" in said
    apart = geometric_mean(row["ms"][1] / row["ms"][0] for row in data["edges apart"])
    assert f"compare the others ({dotted(apart, 2)}, `edges apart`)" in said
