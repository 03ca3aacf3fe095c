"""Lanes race only at declared accesses: simt_load, simt_store, atomics."""

from __future__ import annotations

import pytest

from gpucore import native
from gpucore.errors import DeviceError
from gpucore.family import get_runner
from support.devices import race_detector

from .runs import INITIAL, fan, find, scipy_cardinality, uniform

VARIANTS = get_runner("bipartite").variant_names

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

GRAPHS = {
    "uniform": uniform(150, 140, 400, 5),
    "skewed": uniform(30, 600, 700, 6),
    "fan": fan(70, 80)[0],
    "large": uniform(1200, 1100, 3200, 9),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("initial", INITIAL)
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_races_are_declared(variant, graph, initial):
    device = race_detector()
    result = find(graph, variant, device, initial=initial)
    assert device.profile().races == ()
    assert result.cardinality == scipy_cardinality(graph)
