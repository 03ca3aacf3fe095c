"""Several starts: never worse than one, equal to one on larger graphs, and honest in the record."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.errors import ParameterError
from gpucore.families.communities.fast import small
from gpucore.families.communities.fast.order import Order, first_of
from gpucore.families.communities.starts import (
    NATIVE_STARTS,
    NATIVE_WORK,
    ROUNDING,
    STARTS,
    WORK,
    starts_of,
)
from gpucore.families.communities.timeline import communities_timeline
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule
from support.running import uncertified

from .runs import find, random_graph, real_graph

PETERSEN = Graph.from_edges(10, *zip(*nx.petersen_graph().edges, strict=True))


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_the_petersen_graph_is_two_cycles(each_device, variant):
    """In the order of the numbers, a search ends with five pairs, which no move improves."""
    assert find(PETERSEN, variant, starts=1).modularity == pytest.approx(2 / 15)
    assert find(PETERSEN, variant, each_device).modularity == pytest.approx(1 / 6)


def test_the_native_method_leaves_the_pairs_too():
    method = get_runner("louvain_serial")
    found = [uncertified(method.name, PETERSEN, starts=starts) for starts in (1, STARTS)]
    assert [result.modularity for result in found] == pytest.approx([2 / 15, 1 / 6])
    assert all(method.certify(PETERSEN, result).ok for result in found)
    with pytest.raises(ParameterError, match="starts"):
        uncertified(method.name, PETERSEN, starts=0)


def test_networkx_gets_the_best():
    found = nx.community.louvain_communities(nx.petersen_graph(), backend="warplens")
    assert nx.community.modularity(nx.petersen_graph(), found) == pytest.approx(1 / 6)


@pytest.mark.parametrize("name", ["karate", "lesmis", "football", "polbooks"])
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_several_starts_keep_the_best(variant, name):
    graph = real_graph(name)
    one, several = find(graph, variant, starts=1), find(graph, variant)
    figures = several.figures
    assert several.params["starts"] == len(figures["starts"]) == STARTS
    assert figures["starts"][0] == one.modularity, "the first start is not the usual search"
    assert several.modularity == figures["starts"][int(figures["kept start"].split()[0]) - 1]
    assert several.modularity >= max(figures["starts"]) - ROUNDING


def test_any_schedule_and_real_weights():
    found = set()
    for seed in range(6):
        graph = random_graph(50, 110, seed, loops=5, weights="real")
        result = find(graph, "fast", random_schedule(seed))
        assert result.modularity >= max(result.figures["starts"]) - ROUNDING
        found.add(len(set(result.figures["starts"])))
    assert max(found) > 1, "all starts are one search"


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_a_record_is_that_of_the_search_that_is_kept(each_device, variant):
    result = gpucore.run("louvain", PETERSEN, device=each_device, variant=variant, record="events")
    record = result.record
    assert record.header["starts"] == result.figures["starts"]
    assert record.header["kept start"] == result.figures["kept start"]
    timeline = communities_timeline(record)
    assert timeline.doubt == ""
    assert timeline.modularity[-1] == pytest.approx(max(record.header["starts"]))
    assert sum(stage["sweeps"] for stage in record.header["stages"]) == result.sweeps


def test_the_native_record_is_that_of_the_search_that_is_kept():
    result = uncertified("louvain_serial", PETERSEN, starts=STARTS, record="events")
    timeline = communities_timeline(result.record)
    assert timeline.doubt == ""
    assert timeline.modularity[-1] == pytest.approx(1 / 6)
    assert result.record.header["starts"] == result.figures["starts"]


class Listing(HostDevice):
    """Lists the kernels that a run asks for, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def kernel(self, source, name, **more):
        self.asked.append(name)
        return super().kernel(source, name, **more)


@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_other_graphs_are_searched_once_with_the_same_launches(variant, monkeypatch):
    graph = random_graph(3000, 9000, 4)
    assert starts_of(graph.num_vertices, len(graph.indices)) == 1

    def never(*_):
        raise AssertionError("an order was changed")

    monkeypatch.setattr(Order, "shuffled", never)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    ran = []
    for starts in (1, None):
        device = Listing()
        result = find(graph, variant, device, starts=starts)
        assert "starts" not in result.figures
        sweeps = [stage["sweeps"] for stage in result.figures["stages"]]
        ran.append((device.asked, sweeps, result.community.tolist()))
    assert ran[0] == ran[1]
    assert len(ran[0][0]) > 5


@pytest.mark.parametrize(
    ("native", "most", "work"), [(False, STARTS, WORK), (True, NATIVE_STARTS, NATIVE_WORK)]
)
def test_the_starts_share_a_fixed_amount_of_work(native, most, work):
    assert starts_of(0, 0, native=native) == starts_of(10, 30, native=native) == most
    for entries in range(0, 2 * work, work // 97):
        starts = starts_of(20, entries, native=native)
        assert starts == 1 or starts * (20 + entries) <= work


def test_an_order_is_shuffled_inside_its_classes():
    device = get_device("host")
    first = first_of((10, 20, 30, 0, 1, 9, 20, 10))
    order = Order(np.arange(100, dtype=np.int32), first)
    found = order.shuffled(device, (1, 0)).vertices
    assert found[:10].tolist() == [*range(10)]
    assert found[90:].tolist() == [*range(90, 100)], "hubs stay, the largest first"
    turned = order.vertices.copy()
    for begin, end in ((10, 30), (30, 60), (61, 70), (70, 90)):
        assert sorted(found[begin:end].tolist()) == [*range(begin, end)]
        assert found[begin:end].tolist() != [*range(begin, end)]
        turned[begin:end] = turned[begin:end][::-1]
    again = Order(turned, first).shuffled(device, (1, 0))
    np.testing.assert_array_equal(again.vertices, found)  # in whatever order a GPU placed them
    other = order.shuffled(device, (2, 0))
    assert found.tolist() != other.vertices.tolist()


def test_starts_belong_to_the_tuned_variants():
    with pytest.raises(ParameterError, match="starts belong to"):
        find(PETERSEN, "buckets", starts=2)
    with pytest.raises(ParameterError, match="starts"):
        find(PETERSEN, "fast", starts=0)
    assert find(PETERSEN, "buckets").params["starts"] is None
