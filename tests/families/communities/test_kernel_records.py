"""Records of the Louvain method are complete, and recording changes no result."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.communities.hierarchy import Kind
from gpucore.family import get_runner

from .runs import PAPER, find, hubs, real_graph

VARIANTS = get_runner("louvain").variant_names


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["karate", "football"])
def test_every_move_is_an_event(each_device, variant, name):
    result = find(real_graph(name), variant, each_device, record="events")
    record = result.record
    assert record.lost_events == 0
    moved = record.events["kind"] == Kind.MOVE
    counted = np.bincount(record.events["iteration"][moved], minlength=record.num_steps)
    np.testing.assert_array_equal(counted, record.steps["moves"])
    np.testing.assert_array_equal(
        np.bincount(record.warps["iteration"], record.warps["moves"], minlength=record.num_steps),
        record.steps["moves"],
    )
    assert (record.events["value"][moved] > 0).all()
    stages = result.figures["stages"]
    assert record.steps["sweep"].max() == max(stage["sweeps"] for stage in stages)


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize("level", ["counters", "events"])
def test_recording_changes_nothing(each_device, variant, level):
    graph = hubs(330)
    plain = find(graph, variant, each_device)
    result = find(graph, variant, each_device, record=level)
    np.testing.assert_array_equal(result.community, plain.community)
    assert result.modularity == plain.modularity


def merging(record):
    """Return the steps of contractions, and the rows of the warps in them."""
    steps = np.flatnonzero(record.steps["merging"])
    return steps, np.isin(record.warps["iteration"], steps)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("name", "level"),
    # The counters of a large graph are made by the same code at both levels.
    [("karate", "counters"), ("karate", "events"), ("email-eu-core", "counters")],
)
def test_contractions_record_the_work_of_warps(each_device, variant, level, name):
    """Every entry of a stage's lists is hashed once, by some warp, when the stage is contracted.

    "leiden" contracts its last stage only to find that no parts of it joined, or that these lost.
    """
    result = find(real_graph(name), variant, each_device, record=level)
    record = result.record
    steps, rows = merging(record)
    assert (record.steps["sweep"][steps] == 0).all()
    assert (record.steps["moves"][steps] == 0).all()
    contracted = [s["entries"] for s in result.figures["stages"] if not s.get("refining")]
    stages, entries = record.steps["stage"][steps], record.steps["edges"][steps]
    *before, last = np.bincount(stages, entries, minlength=len(contracted))
    assert before == contracted[:-1]
    assert last == contracted[-1] or (variant == "leiden" and last == 0)
    read = np.bincount(
        record.warps["iteration"][rows], record.warps["edges"][rows], minlength=record.num_steps
    )
    np.testing.assert_array_equal(read[steps], record.steps["edges"][steps])
    assert (record.steps["lane_slots"] >= record.steps["edges"])[steps].all()
    assert (record.warps["lane_slots"][rows] % 32 == 0).all()
    # An edge is added to a vertex's table at most once, and each of its sums to that of pairs.
    joined = record.warps["probes"][rows].sum() - record.warps["collisions"][rows].sum()
    assert 0 < joined <= 2 * record.warps["edges"][rows].sum()


@pytest.mark.parametrize("variant", VARIANTS)
def test_filled_slots_are_in_the_row_that_has_the_slots(each_device, variant):
    """Also where the warps of a block share a table; lanes that compare by shuffles have none."""
    warps = find(real_graph("email-eu-core"), variant, each_device, record="counters").record.warps
    assert (warps["occupied"] <= warps["slots"]).all()
    assert (warps["collisions"] <= warps["probes"]).all()
    tables = (warps["slots"] > 0) & (warps["probes"] > 0)
    assert tables.any()
    # A warp may find none in its share of a block's table, but not all warps of a launch.
    filled = np.bincount(warps["iteration"][tables], warps["occupied"][tables])
    assert (filled[np.unique(warps["iteration"][tables])] > 0).all()


@pytest.mark.parametrize("variant", PAPER)
def test_a_community_is_merged_by_the_warp_that_says_so(each_device, variant):
    """Each merge is logged by its warp or block, in the launch of the community's group."""
    result = find(real_graph("email-eu-core"), variant, each_device, record="events")
    events, record = result.record.events, result.record
    merges = events["kind"] == Kind.MERGE
    steps, rows = merging(record)
    assert set(events["iteration"][merges]) <= set(steps)
    cells = set(zip(record.warps["iteration"][rows], record.warps["warp"][rows], strict=True))
    said = set(zip(events["iteration"][merges], events["warp"][merges], strict=True))
    assert said <= cells
    assert len({warp for _, warp in said}) > 1
    label = result.at_level(1)
    work = np.bincount(label, np.diff(real_graph("email-eu-core").indptr))
    first = merges & (record.steps["stage"][events["iteration"]] == 0)
    group = record.steps["bucket"][events["iteration"][first]]
    np.testing.assert_array_equal(
        group, 1 + np.searchsorted([127, 479], work[label[events["a"][first]]])
    )


def test_hubs_are_merged_in_global_memory(each_device):
    """The largest communities are those of the third group, a block each."""
    result = find(hubs(600), "buckets", each_device, record="events")
    steps, _ = merging(result.record)
    assert 3 in result.record.steps["bucket"][steps]
    assert result.record.steps["bucket"][steps].min() >= 1
