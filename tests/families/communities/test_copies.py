"""Starts side by side: copies are the graph, and the best one's communities are the result."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpucore
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.families.communities import louvain, starts
from gpucore.families.communities.fast.copies import Copies, best_copy, copies_of, levels_of_copy
from gpucore.families.communities.fast.refinement import composed
from gpucore.families.communities.first_stage import put_on_device
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.stage import Run, squares_of, strength_of
from gpucore.families.communities.starts import (
    BESIDE_MOST,
    BESIDE_STARTS,
    BESIDE_WORK,
    MOST_BESIDE,
    PAIR_WORK,
    ROUNDING,
    are_beside,
    starts_of,
)
from gpucore.record import Recorder
from support.devices import random_schedule

from .runs import find, random_graph, real_graph


@pytest.fixture
def beside(monkeypatch):
    """The host executor searches side by side, too."""
    monkeypatch.setattr(starts, "BESIDE_DEVICES", ("cuda", "host"))


def searched(graph, count, device=None, **params):
    """Return the given stage, its copies, and a run of these."""
    device = device or get_device("host")
    stage = put_on_device(graph, device, 0)
    several = Copies(stage, count, device)
    recorder = Recorder(device, "off", warps=1)
    run = Run(device, recorder, LouvainParams(**params), several.stage, copies=count)
    run.two_m = float(int(strength_of(device, stage).sum()))
    return stage, several, run


def test_copies_stay_on_the_device_as_their_graph_does(each_device):
    one, other = (random_graph(40, 90, seed) for seed in (1, 2))
    of_one = put_on_device(one, each_device, 0)
    copies = copies_of(one, of_one, 3, each_device)
    assert copies_of(one, put_on_device(one, each_device, 0), 3, each_device) is copies
    fewer = copies_of(one, of_one, 2, each_device)
    assert fewer is not copies and fewer.count == 2
    assert copies_of(one, of_one, 1, each_device) is None
    again = copies_of(one, of_one, 2, each_device)
    assert again is not fewer, "one copy keeps no others"
    gone = weakref.ref(again)
    del again
    assert gone() is not None
    assert copies_of(other, put_on_device(other, each_device, 0), 1, each_device) is None
    gc.collect()
    assert gone() is None, "copies of another graph are kept"


@pytest.mark.parametrize("weights", ["none", "real"])
def test_every_copy_is_the_graph(each_device, weights):
    graph = random_graph(40, 90, 3, loops=4, weights=weights)
    stage, several, _ = searched(graph, 3, each_device)
    copies, number = several.stage, several.number
    host = each_device.to_host
    number, indptr, indices = host(number), host(copies.indptr), host(copies.indices)
    own = host(copies.weights if len(copies.weights) > 1 else copies.weights.repeat(len(indices)))
    given = host(stage.weights if len(stage.weights) > 1 else stage.weights.repeat(stage.entries))
    assert sorted(number.ravel().tolist()) == list(range(120))
    assert (number[0] == np.arange(40)).all()
    assert not (number[1] - 40 == number[2] - 80).all()
    for copy in number:
        for vertex, at in enumerate(copy):
            mine = slice(indptr[at], indptr[at + 1])
            theirs = slice(graph.indptr[vertex], graph.indptr[vertex + 1])
            found = sorted(zip(indices[mine].tolist(), own[mine].tolist(), strict=True))
            lists = copy[graph.indices[theirs]].tolist(), given[theirs].tolist()
            assert found == sorted(zip(*lists, strict=True))


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(2, 15))
def test_the_copy_with_the_highest_modularity_is_kept(seed, count):
    draw = np.random.default_rng(seed)
    graph = random_graph(30, 60, seed, loops=2, weights="real")
    stage, several, run = searched(graph, count, resolution=0.7)
    labels = [draw.integers(0, 2 + copy, 30) for copy in range(count)]
    level, below = np.empty(30 * count, np.int32), 0
    for number, label in zip(several.number, labels, strict=True):
        level[number] = below + np.unique(label, return_inverse=True)[1]
        below += len(np.unique(label))
    names = draw.permutation(below).astype(np.int32)  # of other copies in between
    kept = best_copy(run, stage, several, [names[level]])
    matrix = adjacency(graph)
    exact = [modularity(matrix, np.unique(x, return_inverse=True)[1], 0.7) for x in labels]
    assert kept.reached == pytest.approx(exact, abs=1e-9)
    assert exact[kept.copy] >= max(exact) - 1e-9
    (community,) = levels_of_copy([names[level]], kept.number, kept.levels)
    mine = np.unique(labels[kept.copy], return_inverse=True)[1]
    assert community.max() == mine.max()
    assert len(np.unique(community * 100 + mine)) == mine.max() + 1


def test_the_squares_of_the_most_copies_fit_with_one_community_each():
    graph = random_graph(20, 60, 1)
    _, _, run = searched(graph, MOST_BESIDE)
    total = np.full(MOST_BESIDE, int(run.two_m), np.uint64)
    assert run.modularity(
        MOST_BESIDE * run.two_m, int(squares_of(run, total).sum())
    ) == pytest.approx(0.0, abs=1e-12)


def test_levels_of_a_copy_are_the_part_of_the_hierarchy_that_is_its_own():
    first, second = np.array([5, 5, 1, 0, 1, 2]), np.array([3, 0, 1, 1, 1, 0])
    found = levels_of_copy([first, second], np.array([0, 2, 4]), [0, 1])
    assert [level.tolist() for level in found] == [[1, 0, 0], [0, 0]]
    (found,) = levels_of_copy([first, second], np.array([0, 1, 3]), [1])
    assert found.tolist() == [0, 0, 1]
    assert levels_of_copy([], np.arange(3), []) == ()


@given(seed=st.integers(0, 2**32 - 1))
def test_a_level_that_loses_in_the_best_copy_is_left_out(seed):
    draw = np.random.default_rng(seed)
    graph = random_graph(24, 60, seed, weights="whole")
    stage, several, run = searched(graph, 3)
    levels, size = [], several.stage.n
    while size > 6:  # each joins communities of one copy at random: some gain, most lose
        copy = np.empty(size, np.int64)
        at = several.number.ravel() if not levels else composed(levels)[several.number.ravel()]
        copy[at] = np.repeat(range(3), 24)
        _, level = np.unique(
            copy * size + draw.integers(0, 1 + size // 6, size), return_inverse=True
        )
        levels.append(level.astype(np.int32))
        size = int(level.max()) + 1
    kept = best_copy(run, stage, several, levels)
    found = levels_of_copy(levels, kept.number, kept.levels)
    matrix, path = adjacency(graph), []
    for depth in range(len(found) + 1):
        community = composed(found[:depth])
        path.append(modularity(matrix, np.arange(24) if community is None else community, 1.0))
    assert np.diff(path).min(initial=0.0) >= -1e-9
    whole = [composed(levels[:depth])[kept.number] for depth in range(1, len(levels) + 1)]
    most = max(modularity(matrix, np.unique(x, return_inverse=True)[1], 1.0) for x in whole)
    assert path[-1] == pytest.approx(max(most, path[0]), abs=1e-9)
    assert kept.reached[kept.copy] == pytest.approx(path[-1], abs=1e-9)


@pytest.mark.parametrize("name", ["karate", "lesmis", "football", "netscience"])
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_a_run_side_by_side_is_certified_and_the_best(beside, each_device, variant, name):
    graph = real_graph(name)
    result = find(graph, variant, each_device, starts=4)
    figures = result.figures
    assert figures["side by side"]
    assert len(figures["starts"]) == 4
    assert result.modularity == figures["starts"][int(figures["kept start"].split()[0]) - 1]
    assert result.modularity >= max(figures["starts"]) - ROUNDING
    assert figures["stages"][0]["vertices"] == 4 * graph.num_vertices


@pytest.mark.parametrize("refine", [3, 0])
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_what_each_start_reached_is_that_of_its_communities(beside, variant, refine, monkeypatch):
    seen = {}

    def own_levels(levels, number, kept):
        seen["levels"] = levels
        return levels_of_copy(levels, number, kept)

    def made(*given):
        seen["copies"] = copies_of(*given)
        return seen["copies"]

    monkeypatch.setattr(louvain, "levels_of_copy", own_levels)
    monkeypatch.setattr(louvain, "copies_of", made)
    for name in ("lesmis", "netscience", "email-eu-core"):
        graph = real_graph(name)
        result = find(graph, variant, starts=4, refine=refine)
        matrix, levels = adjacency(graph), seen["levels"]
        whole = [composed(levels[: depth + 1]) for depth in range(len(levels))]
        numbers = [np.asarray(number) for number in seen["copies"].number]
        reached = [
            max(modularity(matrix, np.unique(x[own], return_inverse=True)[1], 1.0) for x in whole)
            for own in numbers
        ]
        assert result.figures["starts"] == pytest.approx(reached, abs=1e-9)
        assert result.modularity == pytest.approx(max(reached), abs=1e-9)
        assert result.figures["kept start"] == f"{int(np.argmax(np.round(reached, 11))) + 1} of 4"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("variant", ["fast", "leiden"])
def test_any_schedule(beside, variant, seed):
    graph = random_graph(3000, 7000, seed, loops=5, weights="real")
    result = find(graph, variant, random_schedule(seed), starts=3, bin_vertices=2500)
    assert len(set(result.figures["starts"])) > 1, "all starts are one search"


@pytest.mark.parametrize("thresholds", ["relative", "absolute"])
def test_stages_end_as_those_of_one_copy(beside, thresholds):
    """Gains and limits are those of one copy, or all copies would sweep longer or shorter."""
    graph = real_graph("power")
    params = {"thresholds": thresholds, "t_bin": 0.05, "t_final": 0.05, "refine": 0}
    one = find(graph, "fast", starts=1, **params)
    several = find(graph, "fast", starts=8, **params)
    assert several.figures["stages"][0]["modularity"] == pytest.approx(
        one.figures["stages"][0]["modularity"], abs=0.02
    )
    swept = [result.figures["stages"][0]["sweeps"] for result in (one, several)]
    assert abs(swept[0] - swept[1]) <= 1
    assert abs(len(one.levels) - len(several.levels)) <= 1


def test_without_edges_and_without_vertices(beside):
    for n in (0, 5):
        empty = gpucore.Graph.from_edges(n, [], [])
        assert find(empty, "fast", starts=4).community.tolist() == list(range(n))


def test_a_record_and_a_reproducible_run_search_in_turn(beside):
    graph = real_graph("karate")
    for options in ({"record": "events"}, {"deterministic": True}):
        result = gpucore.run("louvain", graph, device="host", starts=3, **options)
        assert "side by side" not in result.figures
        assert len(result.figures["starts"]) == 3


def test_memory_for_all_copies_is_asked_for_before(beside, monkeypatch):
    asked = []
    monkeypatch.setattr(HostDevice, "require_memory", lambda _, size, what: asked.append(size))
    graph = random_graph(2000, 6000, 2)
    for count in (1, 2, 4):
        gpucore.run("louvain", graph, device="host", starts=count)
    assert asked[1] > 1.9 * asked[0]
    assert asked[2] > 1.9 * asked[1]


def test_the_work_of_all_starts_is_bounded():
    for entries in range(0, 2 * BESIDE_WORK, BESIDE_WORK // 50):
        count = starts_of(1000, entries, beside=True)
        assert 1 <= count <= BESIDE_STARTS
        most = BESIDE_WORK if count > 2 else PAIR_WORK
        assert count == 1 or count * (1000 + entries) <= most <= BESIDE_MOST
    assert starts_of(0, PAIR_WORK // 2, beside=True) == 2
    assert starts_of(0, PAIR_WORK // 2 + 1, beside=True) == 1
    assert are_beside(2, 0, BESIDE_MOST // 2)
    assert not are_beside(2, 1, BESIDE_MOST // 2)
    assert not are_beside(1, 10, 10)
    assert are_beside(MOST_BESIDE, 10, 10)
    assert not are_beside(MOST_BESIDE + 1, 10, 10)


def test_more_starts_than_have_room_follow_one_another(beside):
    """With 64 copies of a graph in few communities the sum of squared shares would overflow."""
    graph = gpucore.Graph.from_edges(4, [0, 1, 2, 0], [1, 2, 3, 3])
    for count in (MOST_BESIDE, 64):
        result = find(graph, "fast", starts=count)
        assert ("side by side" in result.figures) == (count == MOST_BESIDE)
        assert len(result.figures["starts"]) == count
