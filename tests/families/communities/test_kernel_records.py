"""Records of the Louvain method are complete, and recording changes no result."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.communities.hierarchy import Kind
from gpucore.families.communities.louvain import VARIANTS

from .runs import PAPER, find, hubs, real_graph


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
