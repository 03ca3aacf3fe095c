"""The message to the player."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.errors import RecordError
from gpucore.families.matching.record import matching_timeline
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.wire import decode
from warplens.app.pages import get_view
from warplens.app.widgets import Player, player_payload

VIEW = get_view("matching")


@pytest.fixture(scope="module")
def run():
    graph = for_matching(load("karate"), seed=0)
    result = gpucore.run("suitor", graph, device="host", record="events", variant="nosync")
    return graph, result


def test_arrays_hold_graph_changes_and_events(run):
    graph, result = run
    positions = np.arange(2 * graph.num_vertices).reshape(-1, 2)
    meta, arrays = decode(
        player_payload(VIEW, graph, result.record, positions=positions, title="T")
    )
    timeline = matching_timeline(result.record)
    assert meta["title"] == "T"
    assert meta["doubt"] == ""
    assert meta["fields"] == list(timeline.fields)
    assert np.array_equal(arrays["changes/offsets"], timeline.offsets)
    assert np.array_equal(arrays["changes/new"], timeline.new)
    assert np.array_equal(arrays["events/a"], result.record.events["a"])
    assert np.array_equal(arrays["layout/x"], positions[:, 0])
    assert np.array_equal(arrays["edges/u"], graph.edges()[0])
    assert arrays["series/objective"][-1] == pytest.approx(result.weight, rel=1e-6)
    assert len(arrays["series/objective"]) == len(timeline) + 1


def test_without_positions_there_is_no_picture(run):
    graph, result = run
    _, arrays = decode(player_payload(VIEW, graph, result.record, positions=None))
    assert not any(name.startswith("layout/") for name in arrays)
    assert np.array_equal(arrays["edges/u"], graph.edges()[0])  # for neighbourhoods


def test_edges_without_end_are_not_sent(run, monkeypatch):
    graph, result = run
    monkeypatch.setattr(
        "warplens.app.widgets.player.payload.NEIGHBOURHOOD_EDGES", graph.num_edges - 1
    )
    _, arrays = decode(player_payload(VIEW, graph, result.record, positions=None))
    assert "edges/u" not in arrays


def test_another_graph_is_refused(run):
    _, result = run
    other = for_matching(load("karate"), seed=1)
    with pytest.raises(RecordError, match="made on another graph"):
        player_payload(VIEW, other, result.record, positions=None)


def test_a_new_replay_begins_at_its_start():
    player = Player(["matching"], b"first")
    player.position = 12
    player.payload = b"second"
    assert player.position == 0


def test_widgets_of_other_families_have_other_modules_and_styles():
    one, other = Player(["matching"]), Player(["redblue"])
    assert "families/matching/player.js" in one._esm
    assert "families/redblue/player.js" not in one._esm
    assert "families/redblue/player.js" in other._esm
    assert "--wp-blue" in other._css
    assert "--wp-blue" not in one._css
    assert one._anywidget_id != other._anywidget_id
    assert {"_esm", "_css", "_anywidget_id"} <= set(one.keys)
