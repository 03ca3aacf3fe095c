"""The order rebuilt from slots is a possible order of the run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.device import get_device
from gpucore.families.matching.order import Kind, dependencies, suitor_chains
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.linearise import add_program_order, linearise, repair, settle
from support.simulation import columns
from support.strategies import weighted_graphs
from support.suitor_simulation import simulate


def possible(events, order):
    """Replay events on a plain state; return True if every event finds the state it names."""
    suitor = {}
    settled = {}
    last_batch = {}
    for i in order:
        event = {name: column[i] for name, column in events.items()}
        a, b, c, kind = (int(event[name]) for name in ("a", "b", "c", "kind"))
        when = (int(event["iteration"]), int(event["batch"]))
        if last_batch.get(int(event["warp"]), when) > when or a in settled:
            return False
        last_batch[int(event["warp"])] = when
        if kind != Kind.EXHAUSTED and suitor.get(b, -1) != c:
            return False
        if kind in (Kind.PROPOSE_FREE, Kind.DISPLACE):
            suitor[b] = a
            settled[a] = b
            if c >= 0 and settled.pop(c, None) != b:
                return False
    return True


def reorder(events):
    pairs = dependencies(events)
    order, consistent = linearise(
        events["warp"], events["iteration"], events["batch"], pairs.before, pairs.after
    )
    return order, consistent and pairs.complete


@settings(max_examples=150, deadline=None)
@given(weighted_graphs(), st.integers(1, 6), st.integers(0, 2**32), st.sampled_from([0, 0.5, 0.9]))
def test_any_interleaving_can_be_replayed(graph, warps, seed, stickiness):
    machine = simulate(*graph, warps=warps, seed=seed, stickiness=stickiness)
    assert possible(columns(machine.happened), range(len(machine.happened)))
    events = columns(machine.logged)
    order, exact = reorder(events)
    assert exact
    assert sorted(order) == list(range(len(machine.logged)))
    assert possible(events, order)


def test_slots_in_the_true_order_stay_as_they_are():
    edges = [(u, v, (u * 7 + v * 3) % 5 + 1) for u in range(30) for v in range(u)]
    machine = simulate(30, edges, warps=1, seed=1)
    events = columns(machine.happened)
    order, exact = reorder(events)
    assert exact
    assert np.array_equal(order, np.arange(len(order)))


def test_slots_are_really_out_of_order_in_the_simulation():
    """Guards the tests above: the raw slot order must not already be possible."""
    edges = [(u, v, (u * 7 + v * 3) % 5 + 1) for u in range(30) for v in range(u)]
    raw = [columns(simulate(30, edges, warps=6, seed=s, stickiness=0).logged) for s in range(5)]
    assert not all(possible(events, range(len(events["a"]))) for events in raw)


@settings(max_examples=60, deadline=None)
@given(weighted_graphs(), st.integers(0, 2**32), st.data())
def test_lost_events_are_noticed_and_do_no_harm(graph, seed, data):
    machine = simulate(*graph, warps=4, seed=seed)
    kept = [event for event in machine.logged if data.draw(st.booleans())]
    events = columns(kept)
    order, _ = reorder(events)
    assert sorted(order) == list(range(len(kept)))


def test_contradictions_are_reported():
    warp = np.array([0, 1, 2], np.int32)
    zero = np.zeros(3, np.int32)
    order, consistent = linearise(warp, zero, zero, np.array([0, 1, 2]), np.array([1, 2, 0]))
    assert sorted(order) == [0, 1, 2]
    assert not consistent


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(0, 2**32))
def test_a_lane_keeps_the_order_of_its_slots(n, seed):
    rng = np.random.default_rng(seed)
    warp, iteration, batch, lane = (np.sort(rng.integers(0, 3, n)) for _ in range(4))
    lane = rng.permutation(lane)
    # Later slots that have to come first, of other warps, pull the order apart.
    after = rng.integers(0, n, 20)
    before = rng.integers(after, n)
    nothing = np.zeros(0, np.int64)
    plain, consistent = linearise(warp, iteration, batch, before, after, lane)
    assert sorted(plain) == list(range(n))
    if consistent:
        place = np.argsort(plain)
        for one in range(n):
            same = [
                other
                for other in range(one + 1, n)
                if all(column[one] == column[other] for column in (warp, iteration, batch, lane))
            ]
            assert all(place[one] < place[other] for other in same)
    order, consistent = linearise(warp, iteration, batch, nothing, nothing, lane)
    assert consistent and order.tolist() == list(range(n))


def test_lanes_that_have_parted_point_and_match_in_turn():
    graph = for_matching(load("rmat:scale=8,edge_factor=8,seed=1"), seed=0)
    device = get_device("host", policy="random", seed=4, resident=4, yield_atomic=0.7)
    record = gpucore.run("ld", graph, device=device, record="events").record
    names = ("iteration", "warp", "lane", "kind", "a", "b")
    last, busiest = {}, {}
    for *lane, kind, a, b in zip(*(record.events[name].tolist() for name in names), strict=True):
        before = last.get(tuple(lane))
        if kind == Kind.MATCH:  # the lane has just pointed, and saw itself pointed to
            assert before == (Kind.POINT, a, b)
        last[tuple(lane)] = kind, a, b
        busiest[tuple(lane)] = busiest.get(tuple(lane), 0) + 1
    assert max(busiest.values()) > 3


def test_no_events():
    empty = np.empty(0, np.int32)
    order, consistent = linearise(empty, empty, empty, empty, empty)
    assert len(order) == 0
    assert consistent


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32), st.sampled_from([0, 1, 64]))
def test_any_partial_order_is_kept_however_far_it_settles(n, seed, rounds):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(n)  # truth[i]: time of event i
    before, after = rng.integers(0, n, (2, 3 * n))
    swap = truth[before] > truth[after]
    before, after = np.where(swap, after, before), np.where(swap, before, after)
    keep = before != after
    apart = np.arange(n)  # every event in a warp of its own
    constraints = add_program_order(apart, apart, apart, before[keep], after[keep])
    order = np.argsort(settle(n, constraints, rounds), kind="stable")
    order, consistent = repair(order, constraints)
    position = np.argsort(order)
    assert consistent
    assert np.all(position[before[keep]] < position[after[keep]])


def chains_one_by_one(events):
    """Follow the chains in plain Python."""
    following = {}
    chains = []
    for i in range(len(events["a"])):
        kind, a, c = (int(events[name][i]) for name in ("kind", "a", "c"))
        chain = following.pop(a, None)
        if chain is None:
            chain = []
            chains.append(chain)
        chain.append(i)
        if kind == Kind.DISPLACE:
            following[c] = chain
        elif kind == Kind.OUTBID:
            following[a] = chain
    return chains


@settings(max_examples=60, deadline=None)
@given(weighted_graphs(), st.integers(1, 6), st.integers(0, 2**32))
def test_chains_follow_the_displaced(graph, warps, seed):
    events = columns(simulate(*graph, warps=warps, seed=seed).happened)
    chains = suitor_chains(events)
    expected = chains_one_by_one(events)
    assert [chains[i].tolist() for i in range(len(chains))] == expected
    lengths = [sum(events["kind"][i] == Kind.DISPLACE for i in chain) for chain in expected]
    assert chains.lengths.tolist() == lengths
    assert chains.histogram().sum() == len(expected)


@pytest.mark.parametrize("warps", [1, 5])
def test_chain_of_a_path_with_growing_weights(warps):
    """On a path whose weights grow, the last proposal displaces all the way back."""
    n = 12
    machine = simulate(n, [(v, v + 1, v + 1.0) for v in range(n - 1)], warps=warps, seed=3)
    chains = suitor_chains(columns(machine.happened))
    assert chains.lengths.sum() == sum(e[2] == Kind.DISPLACE for e in machine.happened)
