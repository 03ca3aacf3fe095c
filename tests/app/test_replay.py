"""The messages to the player: their content, and what is left out."""

import numpy as np

from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.outcomes.replay import replay, still
from warplens.app.pages import get_view
from warplens.app.widgets.player import payload

VIEW = get_view("matching")


def test_a_graph_alone_is_sent_without_events(lesmis):
    meta, arrays = decode(still(lesmis, positions_of(lesmis), VIEW, "Les Misérables"))
    assert meta["title"] == "Les Misérables"
    assert len(arrays["events/kind"]) == 0
    assert (arrays["state/suitor"] == -1).all()
    assert len(arrays["edges/u"]) == lesmis.num_edges


def test_a_graph_that_is_not_drawn_sends_no_places(lesmis):
    """Its edges are sent: the player draws its matrix and the neighbourhoods of its vertices."""
    drawn = decode(still(lesmis, positions_of(lesmis), VIEW, "small"))[1]
    _, arrays = decode(still(lesmis, None, VIEW, "large"))
    assert set(drawn) - set(arrays) == {"layout/x", "layout/y"}
    assert len(arrays["edges/u"]) == lesmis.num_edges


def test_a_graph_of_very_many_edges_sends_none(lesmis, monkeypatch):
    monkeypatch.setattr(payload, "NEIGHBOURHOOD_EDGES", lesmis.num_edges - 1)
    _, arrays = decode(still(lesmis, None, VIEW, "huge"))
    assert "edges/u" not in arrays


def test_a_run_is_sent_whole(run, lesmis):
    timeline = timeline_of(run.record)
    message, refusal = replay(
        VIEW, lesmis, positions_of(lesmis), run.record, timeline, title="a run", limits=PageLimits()
    )
    assert refusal == ""
    _, arrays = decode(message)
    assert len(arrays["events/kind"]) == run.record.num_events
    assert np.array_equal(arrays["changes/new"], timeline.new)


def test_too_large_a_message_is_not_sent_but_explained(run, lesmis):
    timeline = timeline_of(run.record)
    message, refusal = replay(
        VIEW,
        lesmis,
        None,
        run.record,
        timeline,
        title="a run",
        limits=PageLimits(payload_bytes=1000),
    )
    assert message == b""
    assert "1000 B" in refusal
