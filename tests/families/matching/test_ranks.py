"""On ranks: greedy's mates for every number of ranks, transport, schedule; records replay."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.device import get_device
from gpucore.errors import GraphError, ParameterError
from gpucore.families.matching import outcome, ranks_outcome, suitor_program
from gpucore.families.matching.order import Kind
from gpucore.families.matching.peers_program import ghost_range
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import balanced_bounds, cut
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.replay import timeline_of
from support.deliveries import deliveries
from support.devices import SmallDevice, random_schedule
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.pairwise import pairwise
from support.running import uncertified

RANKS = (1, 2, 3, 4)
TRANSPORTS = ("rounds", "peers")
ALGORITHMS = ("suitor", "ld")
EVERYTHING = [
    pytest.param(name, transport, id=f"{name}-{transport}")
    for name in ALGORITHMS
    for transport in TRANSPORTS
]
#: Vertices of more neighbours get a block each: none of a small graph, some, or all.
HUBS = st.sampled_from([1024, 3, 0])
quick = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def match(name, graph, ranks, transport, device="host", *, hub_degree=1024, again=False, **given):
    with pytest.MonkeyPatch.context() as patch, deliveries(again=again):
        patch.setattr(suitor_program, "HUB_DEGREE", hub_degree)
        return run_on_ranks(name, graph, ranks, transport, device, **given)


def run_on_ranks(name, graph, ranks, transport, device, **given):
    return gpucore.run(name, graph, ranks=ranks, transport=transport, device=device, **given)


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
@given(
    graph=graphs(max_vertices=40),
    ranks=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    threads=st.sampled_from([32, 128, 256]),
    hubs=HUBS,
    again=st.booleans(),
)
@quick
def test_any_graph_any_schedule(name, transport, graph, ranks, seed, threads, hubs, again):
    given = {"threads_per_block": threads, "hub_degree": hubs, "again": again}
    result = match(name, graph, ranks, transport, random_schedule(seed), **given)
    assert result.certificate.ok, str(result.certificate)
    np.testing.assert_array_equal(result.mate, greedy_mates(graph))


@pytest.mark.parametrize(("ranks", "name", "transport"), pairwise(RANKS, ALGORITHMS, TRANSPORTS))
def test_fifty_schedules(name, transport, ranks):
    """Few distinct weights and hubs: many lanes and ranks want the same vertices."""
    graph = skewed_graph(6, 300, 5, levels=3)
    expected = greedy_mates(graph)
    for seed in range(50):
        hubs = (1024, 4)[seed % 2]
        device = random_schedule(seed)
        given = {"hub_degree": hubs, "again": seed % 4 > 1}
        result = match(name, graph, ranks, transport, device, certify=False, **given)
        np.testing.assert_array_equal(result.mate, expected, f"seed {seed}")


def hub(leaves):
    return graph_of(leaves + 1, [(0, v) for v in range(1, leaves + 1)], np.ones(leaves))


LARGER = {
    "random": random_graph(3000, 20_000, 1),
    "equal weights": random_graph(3000, 20_000, 2, levels=1),
    "skewed, ties": skewed_graph(11, 20_000, 4, levels=4),
    "hub": hub(3000),
    "isolated vertices": graph_of(4000, [(3, 3990), (3990, 3991)], [1, 2]),
    "fewer vertices than ranks": graph_of(2, [(0, 1)], [1]),
}


@pytest.mark.parametrize(
    ("kind", "runner", "ranks"),
    pairwise(list(LARGER), list(product(ALGORITHMS, TRANSPORTS)), [2, 5]),
)
def test_larger_graphs(kind, runner, ranks):
    (name, transport), graph = runner, LARGER[kind]
    for again in (True, False):
        result = match(name, graph, ranks, transport, again=again)
        np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)
    alone = gpucore.run(name, graph, device="host", certify=False)
    assert result.weight == alone.weight
    assert result.figures["ranks"] == ranks
    assert result.figures["transport"] == transport


@pytest.mark.parametrize("dataset", dataset_names("graph"))
def test_real_graphs(dataset):
    graph = for_matching(gpucore.load(dataset))
    expected = uncertified("greedy", graph).mate
    for name in ALGORITHMS:
        for transport in TRANSPORTS:
            result = match(name, graph, 3, transport, certify=False)
            np.testing.assert_array_equal(result.mate, expected, f"{name} {transport}")


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_match(name, transport, n):
    graph = Graph.from_edges(n, np.empty(0, int), np.empty(0, int))
    result = match(name, graph, 3, transport, record="events")
    assert (result.mate == -1).all()
    assert result.weight == result.figures["messages"] == 0
    assert result.certificate.ok


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
@given(
    graph=graphs(max_vertices=32),
    ranks=st.integers(1, 4),
    seed=st.integers(0, 2**32),
    hubs=HUBS,
)
@quick
def test_a_record_replays_exactly(name, transport, graph, ranks, seed, hubs):
    given = {"record": "events", "certify": False, "hub_degree": hubs}
    result = match(name, graph, ranks, transport, random_schedule(seed), **given)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    end = timeline.state(len(timeline))
    np.testing.assert_array_equal(end["suitor"], result.mate)
    times = result.record.events["time"]
    assert (np.diff(times) >= 0).all()


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
def test_a_record_has_the_ranks_and_the_table_of_rounds(name, transport):
    graph = random_graph(300, 1500, 7)
    result = match(name, graph, 3, transport, record="events")
    record, rounds = result.record, result.figures["rounds"]
    ranks = record.header["ranks"]
    assert ranks["count"] == 3
    assert ranks["transport"] == transport
    assert len(ranks["bounds"]) == 4
    assert sum(map(sum, ranks["bytes"])) == result.figures["bytes_sent"]
    assert sum(map(sum, ranks["messages"])) == result.figures["messages"]
    for column in ("bytes", "messages", "compute", "wait", "communication"):
        assert [len(row) for row in ranks[column]] == [3] * rounds
    events = record.events
    assert events["iteration"].max() < rounds
    assert set(events["rank"].tolist()) == set(record.warps["rank"].tolist()) == {0, 1, 2}
    # Who installs a bid: the owner of the target with messages, the proposer's rank with atomics.
    acts = events["b" if transport == "rounds" else "a"]
    bids = np.isin(events["kind"], (Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID))
    owners = np.searchsorted(ranks["bounds"], acts, side="right") - 1
    np.testing.assert_array_equal(events["rank"][bids], owners[bids])


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
@pytest.mark.parametrize("hubs", [1024, 20])
def test_counters_agree_with_events(name, transport, hubs):
    graph = skewed_graph(8, 1500, 3)
    record = match(name, graph, 3, transport, record="events", hub_degree=hubs).record
    kind, iteration = record.events["kind"], record.events["iteration"]
    proposals = (Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID)
    columns = {
        "suitor": {
            "proposals": proposals,
            "accepted": (Kind.PROPOSE_FREE, Kind.DISPLACE),
            "displaced": (Kind.DISPLACE,),
            "exhausted": (Kind.EXHAUSTED,),
        },
        "ld": {"active": (Kind.POINT, Kind.EXHAUSTED), "accepted": (Kind.MATCH,)},
    }[name]
    for column, kinds in columns.items():
        counted = np.bincount(iteration[np.isin(kind, kinds)], minlength=record.num_steps)
        np.testing.assert_array_equal(record.steps[column], counted, column)
    weight = record.final["bid"].sum(dtype=np.float64) / 2
    assert record.steps["objective"][-1] == pytest.approx(weight, rel=1e-5)


def test_every_message_of_suitor_is_answered_or_kept():
    """A proposal to another rank ends as a bid there, or costs one answer."""
    graph = random_graph(500, 3000, 3)
    record = match("suitor", graph, 2, "rounds", record="events").record
    bounds, events = record.header["ranks"]["bounds"], record.events
    away = (events["a"] >= bounds[1]) != (events["b"] >= bounds[1])
    kind = events["kind"]
    asked = away & np.isin(kind, (Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID))
    refused = away & (kind == Kind.OUTBID)
    freed = (kind == Kind.DISPLACE) & ((events["c"] >= bounds[1]) != (events["b"] >= bounds[1]))
    messages = int(asked.sum() + refused.sum() + freed.sum())
    assert messages == sum(map(sum, record.header["ranks"]["messages"]))


def test_each_vertex_is_announced_once_by_ld():
    graph = random_graph(500, 3000, 3)
    result = match("ld", graph, 3, "rounds", record="events")
    record = result.record
    events, bounds = record.events, record.header["ranks"]["bounds"]
    point = events["kind"] == Kind.POINT
    owner = np.searchsorted(bounds, [events["a"][point], events["b"][point]], side="right")
    pointers = int((owner[0] != owner[1]).sum())
    assert result.figures["messages"] == pointers + 2 * 2 * result.cardinality
    assert result.figures["bytes_sent"] == 8 * pointers + 4 * 2 * 2 * result.cardinality


def test_threads_of_the_host_do_not_matter():
    graph = skewed_graph(10, 8000, 9, levels=5)
    expected = uncertified("greedy", graph).mate
    for name in ALGORITHMS:
        for transport in TRANSPORTS:
            device = get_device("host", threads=3)
            for again in (True, False):
                result = match(name, graph, 2, transport, device, again=again, certify=False)
                np.testing.assert_array_equal(result.mate, expected)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_wrong_requests(name):
    graph = random_graph(5, 5, 1)
    for request, message in (
        ({"ranks": 0}, "ranks is 0; use an integer from 1 to 64"),
        ({"ranks": 2, "transport": "post"}, "no transport 'post'; it has auto, rounds, peers"),
        ({"ranks": 2, "variant": "nosync"}, "no variant 'nosync' on ranks"),
        ({"ranks": 2, "threads_per_block": 100}, "threads_per_block is 100; use 32"),
        ({"ranks": 2, "speed": 3}, "has no parameter 'speed' on ranks"),
        ({"transport": "peers"}, "has no parameter 'transport'"),
    ):
        with pytest.raises(ParameterError, match=message):
            gpucore.run(name, graph, device="host", **request)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_graphs_that_cannot_be_matched(name):
    loop = Graph.from_edges(2, [0, 0], [0, 1], [1.0, 1.0])
    with pytest.raises(GraphError, match=r"1 loops.*for_matching"):
        gpucore.run(name, loop, device="host", ranks=2)
    negative = Graph.from_edges(2, [0], [1], [-1.0])
    with pytest.raises(GraphError, match=r"not positive.*for_matching"):
        gpucore.run(name, negative, device="host", ranks=2)


def test_loops_are_found_in_every_part():
    device = get_device("host")
    graph = Graph.from_edges(9, [0, 2, 2, 5, 8, 8], [4, 2, 6, 5, 0, 8], np.ones(6))
    found = 0
    for part in cut(graph, 3):
        with suppress(GraphError):
            outcome.check_part(part, device)
            continue
        found += 1
    assert found == len({np.searchsorted(part.bounds, v, side="right") for v in (2, 5, 8)})
    with pytest.raises(GraphError, match="3 loops"):
        outcome.check_part(cut(graph, 1)[0], device)


def test_a_part_needs_its_rank():
    part = cut(random_graph(9, 20, 1), 2)[1]
    with pytest.raises(GraphError, match="a part of a graph is for a run on ranks"):
        gpucore.run("suitor", part, device="host")
    with pytest.raises(GraphError, match="this is part 1 of 2, and the rank is 0 of 2"):
        gpucore.run("suitor", part, device="host", ranks=2)


def test_too_little_memory_is_one_error_that_names_a_rank():
    device = SmallDevice()
    device.sibling = lambda number: SmallDevice()
    with pytest.raises(RuntimeError, match=r"^rank \d: the part of the graph and its matching"):
        gpucore.run("suitor", random_graph(40_000, 90_000, 1), device=device, ranks=3)


def test_algorithms_without_ranks():
    with pytest.raises(ParameterError, match=r"sgd runs on one device, not on ranks; .*ld, suitor"):
        gpucore.run("sgd", gpucore.load_ratings("sample_ratings"), device="host", ranks=2)


@pytest.mark.parametrize("name", ["suitor", "bmatching"])
def test_hubs_of_peers_get_blocks(name):
    """Hubs on different ranks; their degree is fixed in the kernels, so no small graph has one."""
    rng = np.random.default_rng(7)
    hubs = np.repeat([0, 1300, 2599], 1200)
    others = np.concatenate([rng.permutation(2600)[:1200] for _ in range(3)])
    keep = hubs != others
    graph = Graph.from_edges(
        2600, hubs[keep], others[keep], rng.integers(1, 9, int(keep.sum())), duplicates="max"
    )
    assert np.sort(graph.degrees)[-3] > 1024
    alone = gpucore.run(name, graph, device="host")
    for seed in range(4):
        found = match(name, graph, 3, "peers", random_schedule(seed), again=seed % 2 > 0)
        assert found.certificate.ok
        assert found.weight == pytest.approx(alone.weight, rel=1e-12)
        assert found.cardinality == alone.cardinality


@pytest.mark.parametrize(("name", "b"), [("suitor", 1), ("bmatching", 1), ("bmatching", 3)])
def test_a_hub_gets_its_best_proposals_only(name, b):
    """All leaves of a star propose to its centre; each rank sends it the best of its own leaves.

    A recorded run sends every proposal: an event is a change at the centre itself.
    """
    leaves, ranks = 90, 3
    weights = np.random.default_rng(3).permutation(leaves) + 1
    star = graph_of(leaves + 1, [(0, leaf) for leaf in range(1, leaves + 1)], weights)
    bounds = balanced_bounds(star.indptr, ranks)
    away = leaves + 1 - int(bounds[1])  # leaves that are not on the centre's rank
    params = {"b": b} if name == "bmatching" else {}

    def run(record):
        return run_on_ranks(name, star, ranks, "peers", "host", record=record, **params)

    # The centre proposes to at most b leaves; each proposal, and each that falls out, counts once.
    few, all_of_them = run("off").figures["messages"], run("counters").figures["messages"]
    assert few <= 2 * b * (ranks - 1) + 2 * b
    assert all_of_them >= away


def test_ghosts_are_the_range_of_all_neighbours():
    """Of a path in three parts a rank knows the neighbours at the cuts only."""
    path = graph_of(9, [(i, i + 1) for i in range(8)], np.arange(1, 9))
    device = get_device("host")
    found = []
    for part in cut(path, 3):
        here = ranks_outcome.PartOnDevice.put(part, device, 0, 0)
        first, last = ghost_range(here)
        found.append((part.lo - first, last - part.hi))
    assert found == [(0, 1), (1, 1), (1, 0)]
