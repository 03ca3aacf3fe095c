"""Lanes race only at declared accesses."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore import native
from gpucore.errors import DeviceError
from gpucore.families.communities import starts
from gpucore.families.communities.fast import sizes, small
from gpucore.family import get_runner
from support.devices import race_detector

from .runs import find, hubs, once, random_graph

VARIANTS = get_runner("louvain").variant_names

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

GRAPHS = {
    "loops": random_graph(80, 240, 5, loops=9, weights="real"),
    "hubs": hubs(330),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_races(variant, graph):
    device = race_detector()
    result = find(graph, variant, device, **once(variant))
    assert device.profile().races == ()
    if variant not in ("fast", "leiden"):
        np.testing.assert_array_equal(result.community, find(graph, variant).community)


@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_no_races_in_single_launches(variant, graph, deterministic, monkeypatch):
    for name in ("COOPERATIVE_ENTRIES", "JOINT_ENTRIES"):
        monkeypatch.setattr(sizes, name, 0)
    device = race_detector()
    find(graph, variant, device, starts=1, deterministic=deterministic)
    assert device.profile().races == ()


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_no_races_where_moves_wait(variant, graph):
    device = race_detector()
    find(graph, variant, device, starts=1, deterministic=True)
    assert device.profile().races == ()


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_no_races_side_by_side(variant, graph, monkeypatch):
    monkeypatch.setattr(starts, "BESIDE_DEVICES", ("host",))
    device = race_detector()
    assert find(graph, variant, device, starts=3).figures["side by side"]
    assert device.profile().races == ()


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_no_races_in_the_last_stages(graph, monkeypatch):
    monkeypatch.setattr(sizes, "TINY", 0)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    device = race_detector()
    result = find(graph, "fast", device, starts=1)
    assert any(s.get("one_launch") for s in result.figures["stages"]), "not one launch"
    assert device.profile().races == ()
