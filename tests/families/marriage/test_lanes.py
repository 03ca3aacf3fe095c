"""The lanes of a warp in a marriage record, where the batch column holds a rank."""

from __future__ import annotations

import numpy as np

from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.record import marriage_record
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import RawRecord
from gpucore.record.wire import decode
from warplens.app.charts.lanes import lane_message, lanes_of


def record():
    """Two men propose to one woman in one instruction; the rejected one has no further choice."""
    events = np.zeros((3, 8), np.uint32)
    words = [
        (0, 0, Kind.ENGAGE, 0, 2, -1, 2),
        (0, 0, Kind.ENGAGE | 1 << 8, 1, 2, 0, 1),
        (1, 0, Kind.ALONE | 1 << 8, 0, -1, -1, 0),
    ]
    for row, (iteration, warp, kind, a, b, c, rank) in zip(
        events.view(np.int32), words, strict=True
    ):
        row[:] = (iteration, warp, kind, a, b, c, np.float32(1).view(np.int32), rank)
    rows, nothing = np.ones((2, 1, 8), np.uint32), np.arange(3, dtype=np.uint64)
    raw = RawRecord("events", rows, np.array([2]), events, 0, 0, nothing, "steps")
    graph = Preferences.from_lists([[0], [0]], [[1, 0]]).graph()
    return marriage_record(
        raw,
        graph,
        algorithm="marriage",
        params={"variant": "fast"},
        device={},
        rounds=(),
        wife=np.array([-1, 0], np.int32),
    )


def test_lanes_that_look_together_stand_in_one_step():
    lanes = lanes_of(record(), 0)
    assert lanes.columns == 2
    assert lanes.column.tolist() == [0, 0, 1]


def test_the_browser_gets_the_ranks_that_sentences_tell():
    meta, arrays = decode(lane_message(record(), 0))
    assert "{batch#}" in meta["sentences"]["1"]
    assert arrays["batch"].tolist() == [2, 1, 0]
