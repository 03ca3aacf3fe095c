"""The common clock: every way of aligning runs starts at nothing and ends at everything."""

import numpy as np
import pytest

from app.clock import ALIGNMENTS, align

RUNS = {
    "equal": [[0, 0, 1, 2], [0, 1, 1, 2]],
    "unequal": [[0] * 7 + [1] * 2, [0, 1, 2, 3, 3, 3]],
    "warps ahead of others": [[0, 1, 0, 2, 1, 2], [0, 0, 0, 1, 0, 1, 3]],
    "an iteration without events": [[0, 2, 2], [0, 1, 1, 2]],
    "one of nothing": [[], [0, 1]],
    "three": [[0, 1], [0, 0, 1, 1], [0, 1, 1]],
    "none": [[]],
}


@pytest.fixture(params=RUNS)
def runs(request):
    return [np.array(run, np.int32) for run in RUNS[request.param]]


@pytest.mark.parametrize("how", ALIGNMENTS)
def test_from_nothing_to_everything_without_a_step_back(runs, how):
    tables = align(runs, how)
    assert len({len(table) for table in tables}) == 1
    for run, table in zip(runs, tables, strict=True):
        assert table.dtype == np.int32
        assert table[-1] == len(run)
        assert np.all(np.diff(table) >= 0)
        assert set(table) == set(range(len(run) + 1))


def test_by_step_the_shorter_run_waits():
    short, long = align([np.zeros(2, int), np.zeros(4, int)], "step")
    assert short.tolist() == [0, 1, 2, 2, 2]
    assert long.tolist() == [0, 1, 2, 3, 4]


def test_by_share_all_are_half_done_together():
    short, long = align([np.zeros(50, int), np.zeros(200, int)], "fraction")
    assert (short[100], long[100]) == (25, 100)


def test_iterations_begin_together():
    runs = [np.repeat([0, 1, 2], [5, 1, 2]), np.repeat([0, 1, 2], [1, 6, 3])]
    first, second = align(runs, "iteration")
    # Iterations take as long as their longer half: 5, 6 and 3 positions.
    assert first[[0, 5, 11, 14]].tolist() == [0, 5, 6, 8]
    assert second[[0, 5, 11, 14]].tolist() == [0, 1, 7, 10]
