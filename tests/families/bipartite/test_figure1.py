"""The race of the paper's figure 1: two augmenting paths from c1 that share the column c2.

Row r1 and column c2 are matched.  The search comes from c1 over r1 to c2, and from there to both r2
and r3.  ALTERNATE walks back from both at once, and both want c2.  Without line 8 of algorithm 3
(the predecessor check) the second walk takes the end of the first path for its own next row, and
walks to and fro between r2 and r3 for ever.

Source: Deveci, Kaya, Uçar, Çatalyürek, Euro-Par 2013, figure 1 and section 3.
"""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.errors import WarplensError
from gpucore.families.bipartite.record import Kind
from support.devices import random_schedule

from .runs import ALL_PATHS, PAPER, fan, figure_one, find

SEEDS = range(60)
GRAPH, MATCHED = figure_one()


def begun(variant, device, **more):
    """Run a variant from figure 1's matching."""
    return find(GRAPH, variant, device, initial=MATCHED, **more)


def fails(graph, matched, variant, device):
    """Return whether a run without the check fails.

    A walk would never end, and is stopped and counted; or phases make no progress, which is an
    error; or the matching is not certified.
    """
    try:
        result = gpucore.run(
            "bipartite",
            graph,
            device=device,
            variant=variant,
            initial=matched,
            predecessor_check=False,
        )
    except WarplensError as error:
        assert "predecessor" in str(error), error
        return True
    return result.figures["runaways"] > 0 or not result.certificate.ok


@pytest.mark.parametrize("variant", PAPER)
def test_figure_1_every_schedule_is_certified_with_the_check(variant):
    for seed in SEEDS:
        result = begun(variant, random_schedule(seed))
        assert result.cardinality == 2
        assert result.row_match[0] == 0
        assert (result.row_match == 1).sum() == 1


@pytest.mark.parametrize("variant", ALL_PATHS)
def test_figure_1_fails_on_some_schedule_without_the_check(variant):
    """Without its check the kernel fails on the schedules of the test above."""
    failed = [seed for seed in SEEDS if fails(GRAPH, MATCHED, variant, random_schedule(seed))]
    assert failed


@pytest.mark.parametrize("variant", ALL_PATHS)
def test_figure_1_is_met_and_repaired(variant):
    """On some schedules the check stops a walk, on others both pass, and one is repaired."""
    stopped = repaired = 0
    for seed in SEEDS:
        events = begun(variant, random_schedule(seed), record="events").record.events
        stops, fixes = events["kind"] == Kind.STOP, events["kind"] == Kind.FIX
        stopped += stops.any()
        repaired += (events["b"][fixes] >= 0).any()
    assert stopped
    assert repaired


@pytest.mark.gpu
@pytest.mark.parametrize("variant", PAPER)
def test_figure_1_on_a_gpu(cuda, variant):
    """Lanes of a warp go in step there: both read the same row, both write, one is repaired."""
    for _ in range(20):
        assert begun(variant, cuda).cardinality == 2


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize("size", [2, 40, 300])
def test_many_walks_through_one_column(each_device, variant, size):
    """Figure 1 with more roots and more ends of paths."""
    graph, matched = fan(size, size)
    result = find(graph, variant, each_device, initial=matched)
    assert result.cardinality == 2
    assert np.count_nonzero(result.column_match >= 0) == 2
