"""The profile lens: readings and sentences of known access patterns, and of real kernels."""

import numpy as np
import pytest

import gpucore
from gpucore.device.host import HostDevice
from gpucore.device.profile import COUNTERS, Access, Profile, Race
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from warplens.app.code.book import CodeBook, source_lines
from warplens.app.code.lens import (
    MEASURES,
    explain,
    lens,
    readings,
    rows_of,
    summary,
)
from warplens.app.families.matching.code import CODE


def counters(**given):
    return {name: given.get(name, 0) for name in COUNTERS}


def said(rows, measure, **because):
    texts = [item["text"] for item in explain(rows, because) if item["measure"] == measure]
    assert len(texts) == 1
    return texts[0]


def load_of(lanes, sectors, ideal, requests=10):
    return {
        "global load": counters(
            requests=requests,
            lanes=lanes * requests,
            sectors=sectors * requests,
            ideal_sectors=ideal * requests,
        )
    }


def test_a_gather_is_un_coalesced():
    rows = load_of(32, 20, 4)
    reading = readings(rows)["sectors"]
    assert (reading.text, reading.badness, reading.lost) == ("20 for 4", 0.8, 160)
    text = said(rows, "sectors", sectors="each lane reads the bid of another neighbour")
    assert "32 lanes" in text
    assert "20 sectors of 32 bytes where 4 would do" in text
    assert text.endswith("un-coalesced, because each lane reads the bid of another neighbour.")
    assert "addresses that lie far apart" in said(rows, "sectors")


def test_neighbouring_entries_are_coalesced():
    text = said(load_of(32, 4, 4), "sectors")
    assert text.endswith("4 sectors, no more than its bytes fill: coalesced.")
    assert readings(load_of(32, 4, 4))["sectors"].badness == 0


def test_an_adjacency_that_begins_inside_a_sector_is_nearly_coalesced():
    assert "nearly coalesced" in said(load_of(32, 5, 4), "sectors")


def test_the_same_entry_for_all_lanes_is_one_sector():
    assert "one sector of 32 bytes serves them all" in said(load_of(32, 1, 1), "sectors")


def test_one_lane_alone_has_nothing_to_coalesce():
    rows = load_of(1, 1, 1)
    assert "nothing to coalesce" in said(rows, "sectors")
    assert "one lane at work and 31 waiting" in said(rows, "lanes")


def test_divergence():
    rows = {"block": counters(requests=4, lanes=34)}
    assert readings(rows)["lanes"].text == "8.5 of 32"
    assert "8.5 of 32 lanes at work on average: divergence" in said(rows, "lanes")
    full = {"block": counters(requests=4, lanes=128)}
    assert said(full, "lanes") == "Warps came here 4 times with all 32 lanes at work."


def test_bank_conflicts():
    rows = {"shared load": counters(requests=2, lanes=64, bank_conflicts=62)}
    assert readings(rows)["banks"].text == "+31"
    assert "needed 31 further passes, because lanes asked for different words" in said(
        rows, "banks"
    )
    rows = {"shared load": counters(requests=2, lanes=64)}
    assert said(rows, "banks").endswith("no bank conflict.")
    rows = {"shared atomic": counters(requests=2, lanes=64, bank_conflicts=62)}
    assert "lanes asked for one word, or words of one bank" in said(rows, "banks")


def test_failed_cas():
    rows = {"global atomic": counters(requests=3, lanes=40, sectors=9, ideal_sectors=9)}
    rows["global atomic"]["cas_failed"] = 30
    assert readings(rows)["cas"].text == "30 of 40"
    assert said(rows, "cas", cas="both ends try").endswith(
        "changed nothing, because both ends try."
    )
    rows["global atomic"]["cas_failed"] = 0
    assert "None of the 40" in said(rows, "cas", cas="both ends try")


@pytest.fixture(scope="module")
def graph():
    return for_matching(load("karate"))


@pytest.mark.parametrize(("algorithm", "variant"), sorted(CODE.files))
def test_a_real_profile_fits_the_files(graph, algorithm, variant):
    device = HostDevice(instrumented=True)
    gpucore.run(algorithm, graph, device=device, certify=False, variant=variant)
    profile, files = device.profile(), CODE.files[algorithm, variant]
    assert set(np.unique(profile.lines["file"])) <= set(files)
    shown = lens(profile, CODE, files)
    assert [measure["name"] for measure in shown["measures"]] == list(MEASURES)
    assert shown["races"] == []
    assert "no data race" in shown["summary"]
    longest = dict.fromkeys(MEASURES, 0.0)
    for file, lines in shown["files"].items():
        for line, found in lines.items():
            assert source_lines(file)[int(line) - 1].strip()
            assert found["sentences"]
            for measure, (text, badness, length) in found["readings"].items():
                assert text
                assert 0 <= badness <= 1
                longest[measure] = max(longest[measure], length)
                assert length <= 1
    assert longest["lanes"] == longest["sectors"] == 1
    reasons = [
        item["text"] for f in shown["files"].values() for x in f.values() for item in x["sentences"]
    ]
    assert any("un-coalesced, because each lane" in text for text in reasons)


def test_the_table_holds_what_the_profile_holds(graph):
    device = HostDevice(instrumented=True)
    gpucore.run("ld", graph, device=device, certify=False)
    profile = device.profile()
    rows = rows_of(profile, "ld.cu")
    for kind in ("block", "global load", "global atomic"):
        mine = sum(found[kind]["lanes"] for found in rows.values() if kind in found)
        assert (
            mine
            == profile.lines["lanes"][
                (profile.lines["kind"] == kind) & (profile.lines["file"] == "ld.cu")
            ].sum()
        )


def test_races_are_listed():
    columns = {"file": np.array([], str), "line": np.array([], int), "kind": np.array([], str)}
    columns |= {name: np.array([], np.uint64) for name in COUNTERS}
    write = Access("global store", "ld.cu", 3, 0, 1)
    read = Access("global load", "ld.cu", 5, 1, 2)
    profile = Profile(columns, (Race(write, read, 7),), 2)
    shown = lens(profile, CodeBook({}, {}), ("ld.cu",))
    assert "ld.cu:3" in shown["races"][0]
    assert "7 times" in shown["races"][0]
    assert summary(profile).endswith(
        "1 data race. Every number adds up all 2 launches of the kernels."
    )
