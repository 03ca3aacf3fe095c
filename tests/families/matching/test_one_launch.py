"""All of a small graph's run is one launch, and a larger graph's are several: the same mates."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.families.bmatching import fast
from gpucore.families.matching import suitor
from gpucore.families.matching.hubs import HUB_DEGREE, Hubs
from support.devices import race_detector, random_schedule
from support.matching_cases import random_graph, skewed_graph
from support.running import uncertified

GRAPH = skewed_graph(12, 60_000, 2, levels=5)
EVERYTHING = [("suitor", {}, "suitor_serial"), ("bmatching", {"b": 3}, "bsuitor_serial")]
NAMES = ["suitor", "b = 3"]


def mates_of(result):
    return result.mate if hasattr(result, "mate") else result.mates


def found_in(device, name, graph, given, most_entries, monkeypatch):
    """Return the mates if graphs of at most so many entries have one launch, and whether it had."""
    launches = []
    whole_run = Hubs.whole_run
    monkeypatch.setattr(Hubs, "whole_run", lambda *a: launches.append(a) or whole_run(*a))
    for module in (suitor, fast):
        monkeypatch.setattr(module, "ONE_LAUNCH", most_entries)
    result = gpucore.run(name, graph, device=device, **given)
    assert result.certificate.ok, str(result.certificate)
    return mates_of(result), bool(launches)


@pytest.mark.parametrize(("name", "given", "serial"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("one", [True, False], ids=["one launch", "several"])
def test_the_limit_decides(each_device, name, given, serial, one, monkeypatch):
    assert GRAPH.max_degree > HUB_DEGREE
    limit = len(GRAPH.indices) - (not one)
    mates, was_one = found_in(each_device, name, GRAPH, given, limit, monkeypatch)
    assert was_one == one
    np.testing.assert_array_equal(mates, mates_of(uncertified(serial, GRAPH, **given)))


@pytest.mark.parametrize(("name", "given", "serial"), EVERYTHING, ids=NAMES)
def test_one_launch_on_any_schedule(name, given, serial, monkeypatch):
    """More vertices than the lanes of its blocks, so that warps take several shares."""
    graph = random_graph(2015, 6000, 3, levels=4)
    right = mates_of(uncertified(serial, graph, **given))
    for device in (*map(random_schedule, range(8)), race_detector()):
        mates, was_one = found_in(device, name, graph, given, 1 << 20, monkeypatch)
        assert was_one
        np.testing.assert_array_equal(mates, right)
