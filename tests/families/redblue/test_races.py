"""Every word has one writer: no races and the same result under all schedules."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore import native
from gpucore.errors import DeviceError
from support.devices import observed_schedule, race_detector
from support.matching_cases import random_graph, skewed_graph

from .runs import EVERYTHING, NAMES, mates_of, reference, run, star

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

#: For 8 lanes a vertex, for a warp, and for a block.
GRAPHS = {
    "random": random_graph(200, 600, 5),
    "skewed": skewed_graph(8, 1500, 6, levels=3),
    "warps": random_graph(90, 4000, 7),
    "star": star(2200, centre=70),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_there_are_no_races(variant, select, graph):
    for record in ("off", "events"):
        device = race_detector()
        result = run(graph, variant, device, select=select, record=record)
        assert device.profile().races == ()
        np.testing.assert_array_equal(result.mate, reference(graph, select)[0])


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_a_hundred_schedules_with_lanes_that_part_anywhere(variant, select):
    graph = skewed_graph(5, 120, 5, levels=3)
    expected, _ = reference(graph, select)
    for seed in range(100):
        found = mates_of(graph, variant, observed_schedule(seed), select=select)
        np.testing.assert_array_equal(found, expected, f"schedule {seed}")


def test_two_hundred_schedules_of_blocks_that_share_counters():
    graph = skewed_graph(6, 400, 8, levels=3)
    expected, _ = reference(graph, "weighted")
    for seed in range(200):
        found = mates_of(graph, "fast", observed_schedule(seed), select="weighted")
        np.testing.assert_array_equal(found, expected, f"schedule {seed}")
