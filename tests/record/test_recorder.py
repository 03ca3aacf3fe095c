"""The recorder keeps to its memory budget and refuses budgets that are too small."""

from __future__ import annotations

import pytest

from gpucore.errors import ParameterError
from gpucore.record import Recorder


def test_budgets_are_kept(each_device):
    for level in ("counters", "events"):
        for warps in (1, 7, 1000):
            recorder = Recorder(each_device, level, warps=warps, budget=1 << 20)
            assert recorder.nbytes <= 1 << 20
            assert recorder.row_capacity >= 1
            raw = recorder.collect()
            assert (len(raw.rows), len(raw.events), raw.lost_events, raw.merged_rows) == (
                0,
                0,
                0,
                0,
            )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": "all", "warps": 1}, "no record level 'all'"),
        ({"level": "events", "warps": 0}, "at least one warp"),
        ({"level": "events", "warps": 1, "event_share": 1.5}, "between 0 and 1"),
        ({"level": "events", "warps": 10**6, "budget": 1 << 20}, "budget of at least"),
        ({"level": "counters", "warps": 10**6, "budget": 1 << 20}, "budget of at least"),
    ],
)
def test_budgets_that_make_no_sense(each_device, arguments, message):
    with pytest.raises(ParameterError, match=message):
        Recorder(each_device, **arguments)


def test_the_budget_that_is_asked_for_is_enough(each_device):
    for level in ("counters", "events"):
        with pytest.raises(ParameterError) as caught:
            Recorder(each_device, level, warps=5000, budget=1000)
        needed = int(str(caught.value).rsplit("least ", 1)[1].split(" ")[0].replace(",", ""))
        assert Recorder(each_device, level, warps=5000, budget=needed).nbytes <= needed
