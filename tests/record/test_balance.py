"""Figures of imbalance against values computed by hand and a record's own sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpucore
from gpucore.errors import ParameterError
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.balance import (
    active_warps,
    balance,
    gini,
    idle_share,
    num_warps,
    per_warp,
)

WARPS = {
    "iteration": np.array([0, 0, 0, 1, 1, 2]),
    "warp": np.array([0, 1, 3, 0, 3, 3]),
    "edges": np.array([10, 20, 30, 1, 2, 3]),
}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0),
        ([0, 0, 0], 0),
        ([7], 0),
        ([5, 5, 5, 5], 0),
        ([0, 0, 0, 1], 3 / 4),  # one of four has everything: 1 - 1/4
        ([1, 3], 1 / 4),  # mean difference (0 + 2 + 2 + 0)/4 = 1, over twice the mean 2
        ([1, 2, 3, 4], 1 / 4),  # differences sum to 20, over 2 * 4 * 10
        ([4, 1, 3, 2], 1 / 4),
    ],
)
def test_gini_of_values_worked_out_by_hand(values, expected):
    assert gini(np.array(values)) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40))
def test_gini_is_half_the_relative_mean_difference(values):
    x = np.array(values, dtype=float)
    differences = np.abs(x[:, None] - x[None, :]).mean()
    expected = differences / (2 * x.mean()) if x.sum() else 0.0
    assert gini(x) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("wrong", [[1, -1], [np.nan, 1], [1, np.nan]])
def test_shares_that_are_none_are_refused(wrong):
    with pytest.raises(ParameterError, match="shares of work"):
        gini(np.array(wrong))


def test_the_figures_of_a_small_run():
    shares = per_warp(WARPS, WARPS["edges"])
    assert shares.tolist() == [11, 20, 0, 35]
    found = balance(shares)
    assert (found.warps, found.busy, found.total, found.largest) == (4, 3, 66, 35)
    assert found.mean == 16.5
    assert found.ratio == pytest.approx(35 / 16.5)
    # ranks 0..3 of 0, 11, 20, 35 weigh -3, -1, 1, 3: (-11 + 20 + 105) / (4 * 66)
    assert found.gini == pytest.approx(114 / 264)
    assert per_warp(WARPS, WARPS["edges"], iteration=1).tolist() == [1, 0, 0, 2]
    assert active_warps(WARPS).tolist() == [3, 2, 1]
    assert num_warps(WARPS) == 4


def test_nothing_to_do_is_even():
    found = balance(np.zeros(3))
    assert (found.ratio, found.gini, found.busy) == (1, 0, 0)
    nothing = {"iteration": np.zeros(0, np.int32), "warp": np.zeros(0, np.int32)}
    assert len(active_warps(nothing)) == num_warps(nothing) == 0


def test_idle_lanes_are_weighed_by_their_slots():
    assert idle_share(np.array([1, 31]), np.array([32, 32])) == 0.5
    assert idle_share(np.array([8, 64]), np.array([32, 64])) == pytest.approx(24 / 96)
    assert idle_share(np.array([]), np.array([])) == 0


def test_they_match_the_sums_of_a_real_record():
    graph = for_matching(load("rmat:scale=8,seed=2"))
    result = gpucore.run("suitor", graph, device="host", record="counters", variant="nosync")
    record = result.record
    for name in ("active", "edges", "lane_slots"):
        assert balance(per_warp(record.warps, record.warps[name])).total == record.steps[name].sum()
        for i in record.steps["iteration"]:
            assert per_warp(record.warps, record.warps[name], i).sum() == record.steps[name][i]
    assert active_warps(record.warps)[0] == num_warps(record.warps)
