"""No data races, and the same result where lanes part at any access."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore import native
from gpucore.errors import DeviceError
from gpucore.families.bmatching.capacity import capacities
from support.bmatching_cases import greedy_b_mates
from support.devices import observed_schedule, race_detector
from support.matching_cases import graph_of, skewed_graph

from .runs import EVERYTHING, NAMES, find

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

SKEWED = skewed_graph(7, 900, 6, levels=3)
#: A centre above the degree of a hub, for the blocks of the tuned kernel.
STAR = graph_of(1102, [(0, v) for v in range(1, 1102)], np.arange(1101) % 40 + 1)


@pytest.mark.parametrize("b", [1, 3, 12])
@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_there_are_no_races(params, b):
    for graph in (SKEWED, STAR) if params["variant"] == "fast" else (SKEWED,):
        device = race_detector()
        result = find(graph, b, device, params, record="events")
        assert device.profile().races == ()
        assert np.array_equal(result.mates, greedy_b_mates(graph, capacities(graph, b))[1])


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_schedules_with_lanes_that_part_anywhere(params):
    graph = skewed_graph(4, 60, 5, levels=3)
    for b in (2, 9):
        starts, mates = greedy_b_mates(graph, capacities(graph, b))
        for seed in range(50):
            result = find(graph, b, observed_schedule(seed), params, certify=False)
            assert np.array_equal(result.starts, starts), f"b = {b}, schedule {seed}"
            assert np.array_equal(result.mates, mates), f"b = {b}, schedule {seed}"
