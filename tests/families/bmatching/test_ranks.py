"""On any number of ranks, by either transport: the b-matching of one device."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.errors import ParameterError
from gpucore.families.bmatching.capacity import capacities
from gpucore.families.bmatching.fast import CASCADE
from gpucore.record.replay import timeline_of
from support.bmatching_cases import graphs_and_b, greedy_b_mates
from support.deliveries import deliveries
from support.devices import SmallDevice, random_schedule
from support.matching_cases import graph_of, random_graph, skewed_graph

quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RANKS, TRANSPORTS = (1, 2, 3, 4), ("rounds", "peers")


def find(graph, b, device, again=False, **options):
    """Run b-Suitor on ranks."""
    with deliveries(again=again):
        return gpucore.run("bmatching", graph, device=device, b=b, **options)


def fits(graph, b, transport):
    """Return whether a transport takes these capacities."""
    found = set(capacities(graph, b).tolist())
    small = len(found) == 1 and found <= set(range(1, CASCADE + 1))
    return transport == "rounds" or not found or small


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("ranks", RANKS)
@given(case=graphs_and_b(max_vertices=30), seed=st.integers(0, 2**32), again=st.booleans())
@quick
def test_any_graph_any_b_any_schedule(ranks, transport, case, seed, again):
    graph, b = case
    if not fits(graph, b, transport):
        transport = "rounds"
    result = find(graph, b, random_schedule(seed), again, ranks=ranks, transport=transport)
    starts, mates = greedy_b_mates(graph, capacities(graph, b))
    np.testing.assert_array_equal(result.starts, starts)
    np.testing.assert_array_equal(result.mates, mates)
    assert result.certificate.ok, str(result.certificate)
    assert result.figures["ranks"] == ranks


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("ranks", RANKS)
def test_two_hundred_schedules(ranks, transport):
    """Fifty schedules each: few distinct weights and hubs on different ranks."""
    graph = skewed_graph(5, 150, 9, levels=3)
    for b in (2, 5, 12)[: 2 if transport == "peers" else 3]:
        starts, mates = greedy_b_mates(graph, capacities(graph, b))
        for seed in range(25):
            options = {"ranks": ranks, "transport": transport, "again": seed % 2 > 0}
            result = find(graph, b, random_schedule(seed), certify=False, **options)
            assert np.array_equal(result.starts, starts), f"b = {b}, schedule {seed}"
            assert np.array_equal(result.mates, mates), f"b = {b}, schedule {seed}"


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("ranks", RANKS)
def test_records_of_ranks_replay(ranks, transport):
    for b, seed in ((1, 1), (3, 2), (6, 3), (12, 4), ("degree/2", 5))[
        : 3 if transport == "peers" else 5
    ]:
        graph = skewed_graph(6, 300, seed, levels=9)
        result = find(
            graph, b, random_schedule(seed), ranks=ranks, transport=transport, record="events"
        )
        timeline = timeline_of(result.record)
        assert timeline.exact, timeline.doubt
        assert set(result.record.events["rank"]) <= set(range(ranks))
        table = result.record.header["ranks"]
        assert len(table["bytes"]) == result.figures["rounds"]
        steps = result.record.steps
        assert steps["objective"][-1] == pytest.approx(result.weight, rel=1e-4)


@pytest.mark.parametrize("b", [3, 12, "degree/2"])
def test_large_graphs_on_each_device(each_device, b):
    graph = skewed_graph(12, 60_000, 8, levels=200)
    result = find(graph, b, each_device, ranks=3, transport="rounds")
    starts, mates = greedy_b_mates(graph, capacities(graph, b))
    np.testing.assert_array_equal(result.starts, starts)
    np.testing.assert_array_equal(result.mates, mates)


def test_what_one_rank_sends_is_counted():
    """Two vertices on two ranks: each proposes once, the answers are none."""
    graph = graph_of(2, [(0, 1)], [1.0])
    result = find(graph, 1, "host", ranks=2, transport="rounds")
    assert result.figures["messages"] == 2
    assert result.figures["bytes_sent"] == 2 * 3 * 4


@pytest.mark.parametrize("b", [30, "degree/2", 0])
def test_heaps_and_unequal_capacities_need_rounds(b):
    graph = skewed_graph(6, 400, 1)
    with pytest.raises(ParameterError, match="transport 'peers' needs the same b of 1 to 8"):
        find(graph, b, "host", ranks=2, transport="peers")


def test_memory_for_sorted_lists_is_refused_before_it_is_taken():
    """One vertex of large capacity: all ranks sort their lists."""
    graph = random_graph(256, 20_000, 1)
    device = SmallDevice()
    device.sibling = lambda number: SmallDevice()
    small, large = ([b, *[1] * 255] for b in (CASCADE, CASCADE + 1))
    assert find(graph, small, device, ranks=3, transport="rounds").certificate.ok
    with pytest.raises(RuntimeError, match=r"^rank \d: the part of the graph and its matching"):
        find(graph, large, device, ranks=3)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "eager"}, "no variant 'eager' on ranks"),
        ({"b": -2}, "b is -2"),
        ({"b": [1]}, "b has 1 numbers, but the graph has 32 vertices"),
        ({"threads_per_block": 7}, "threads_per_block is 7"),
        ({"transport": "post"}, "transport"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        find(skewed_graph(5, 50, 1), **({"b": 2} | params), device="host", ranks=2)
