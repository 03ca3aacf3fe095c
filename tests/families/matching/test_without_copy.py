"""Suitor on a graph that is in the device's memory only: the same mates, certified in blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gpucore
from gpucore.cli.options import load_without_copy
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.errors import DeviceError, GraphError
from gpucore.families.matching import suitor
from gpucore.family import get_runner
from gpucore.problems.graph.distributed.load import load_whole
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import cut
from support.devices import SmallDevice
from support.matching_cases import greedy_mates, random_graph, skewed_graph

GRAPHS = [
    random_graph(300, 2000, 1, levels=4),
    skewed_graph(9, 6000, 2, levels=3),
    Graph.from_edges(3, [0], [2], [1.0]),
    Graph.from_edges(2, [], [], []),
    Graph.from_edges(0, [], [], []),
]


@pytest.mark.parametrize("record", ["off", "counters", "events"])
@pytest.mark.parametrize("variant", suitor.ALGORITHM.variant_names)
@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_the_same_mates(graph, variant, record):
    (part,) = cut(graph, 1)
    result = gpucore.run("suitor", part, device="host", variant=variant, record=record)
    assert result.certificate.ok, str(result.certificate)
    np.testing.assert_array_equal(result.mate, greedy_mates(graph))
    alone = gpucore.run("suitor", graph, device="host", variant=variant)
    assert result.weight == alone.weight
    for name, value in alone.certificate.figures.items():
        assert result.certificate.figures[name] == pytest.approx(value, rel=1e-12)


def test_wrong_mates_and_figures_are_found():
    graph = GRAPHS[0]
    (part,) = cut(graph, 1)
    device = get_device("host")
    result = gpucore.run("suitor", part, device=device, certify=False)
    u = int(np.flatnonzero(result.mate >= 0)[0])
    single, one_end = result.mate.copy(), result.mate.copy()
    single[[u, result.mate[u]]] = -1
    one_end[u] = -1
    for name, changed in {
        "b-stable": {"mate": single},
        "symmetric": {"mate": one_end},
        "reported figures": {"figures": {**result.figures, "weight": result.weight * 1.01}},
    }.items():
        certificate = suitor.certify_whole_part(part, replace(result, **changed), device)
        assert certificate.failure is not None, name
        assert certificate.failure.name == name


def test_what_cannot_be_matched():
    (loop,) = cut(Graph.from_edges(2, [0, 0], [0, 1], [1.0, 1.0]), 1)
    with pytest.raises(GraphError, match="1 loops, which no matching can contain"):
        gpucore.run("suitor", loop, device="host")
    (negative,) = cut(Graph.from_edges(2, [0], [1], [-1.0]), 1)
    with pytest.raises(GraphError, match="not positive"):
        gpucore.run("suitor", negative, device="host")
    (part,) = cut(GRAPHS[0], 1)
    with pytest.raises(GraphError, match="ld takes no graph that is in a device's memory only"):
        gpucore.run("ld", part, device="host")


def test_too_little_memory_says_how_much_is_needed_and_free():
    (part,) = cut(random_graph(40_000, 90_000, 1), 1)
    device = SmallDevice()
    with pytest.raises(DeviceError, match=r"the matching needs .* has only .* free; choose a "):
        gpucore.run("suitor", part, device=device)


class Card(HostDevice):
    """A device that is not the host, for what depends on that only."""

    name = "other"


@pytest.mark.parametrize("name", ["suitor", "louvain"])
def test_the_command_line_takes_no_copy_where_it_can(name):
    algorithm, spec = get_runner(name), "planted_rows:n=60,communities=3"
    part = load_without_copy(spec, algorithm, Card(), 0, None, None)
    assert part.source == gpucore.load(spec).source
    assert load_without_copy(spec, algorithm, get_device("host"), 0, None, None) is None
    assert load_without_copy("karate", algorithm, Card(), 0, None, None) is None
    assert load_without_copy(spec, get_runner("ld"), Card(), 0, None, None) is None
    assert gpucore.run(name, part, device="host").certificate.ok


def test_a_generated_graph_is_not_prepared_again():
    part = load_whole("rmat_rows:scale=6", get_device("host"))
    assert "prepared" not in part.source
    unit = load_whole("rmat_rows:scale=6,weights=unit", get_device("host"), seed=3)
    assert unit.source["prepared"] == [{"step": "random_weights", "seed": 3}]
    assert gpucore.run("suitor", unit, device="host").certificate.ok
