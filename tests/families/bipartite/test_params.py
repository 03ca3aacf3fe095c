"""Bipartite matching: initial matchings, cancelling, refused parameters."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import gpucore
from gpucore.errors import Cancelled, DeviceError, GraphError, ParameterError
from gpucore.families.bipartite import fast
from gpucore.families.bipartite.fast import check_entries
from gpucore.family import get_runner
from gpucore.problems.bipartite.load import load_bipartite
from support.cancelling import Later
from support.devices import SmallDevice

from .runs import INITIAL, chain, find, scipy_cardinality, uniform

VARIANTS = get_runner("bipartite").variant_names

GRAPH = uniform(300, 280, 800, 4)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("initial", INITIAL)
def test_initial_matchings(each_device, variant, initial):
    result = find(GRAPH, variant, each_device, initial=initial)
    assert result.cardinality == scipy_cardinality(GRAPH)
    begun = result.figures["initial_cardinality"]
    if initial == "none":
        assert begun == 0
    else:  # a maximal matching has at least half of the pairs
        assert begun >= result.cardinality / 2


def test_karp_sipser_is_exact_on_trees(each_device):
    """A vertex with one neighbour can always be matched with it."""
    graph, _ = chain(200, 1)
    result = find(graph, "fast", each_device, initial="karp_sipser")
    assert result.figures["initial_cardinality"] == result.cardinality == 201


def test_karp_sipser_begins_larger_than_cheap(each_device):
    graph = uniform(5000, 5000, 12_000, 3)
    begun = {
        initial: find(graph, "fast", each_device, initial=initial).figures["initial_cardinality"]
        for initial in INITIAL
    }
    assert 0 == begun["none"] < begun["cheap"] < begun["karp_sipser"]
    assert begun["cheap_serial"] < begun["karp_sipser"]


def test_short_lists_first_begins_between_cheap_and_karp_sipser(each_device):
    """Leaves first lose less on skewed matrices, in which hubs take what leaves need."""
    graph = load_bipartite("bip_rmat:scale=12,edge_factor=8,seed=2")
    begun = {
        initial: find(graph, "fast", each_device, initial=initial).figures["initial_cardinality"]
        for initial in ("cheap", "short_first", "karp_sipser")
    }
    assert begun["cheap"] * 1.1 < begun["short_first"] < begun["karp_sipser"]


def test_entries_that_32_bits_cannot_number_are_refused(monkeypatch):
    check_entries(1 << 32)
    with pytest.raises(GraphError, match="4,294,967,297 entries are more than"):
        check_entries((1 << 32) + 1)
    monkeypatch.setattr(fast, "MOST_ENTRIES", GRAPH.num_edges)
    assert find(GRAPH, "fast").cardinality == scipy_cardinality(GRAPH)
    monkeypatch.setattr(fast, "MOST_ENTRIES", GRAPH.num_edges - 1)
    with pytest.raises(GraphError, match="use one of the paper's variants"):
        find(GRAPH, "fast")
    assert find(GRAPH, VARIANTS[1]).cardinality == scipy_cardinality(GRAPH)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_seed_is_that_of_karp_sipser(variant):
    first, second = (find(GRAPH, variant, initial="karp_sipser", seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.row_match, second.row_match)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "quick"}, "no variant 'quick'; it has fast, apfb_gpubfs_wr_ct"),
        (
            {"initial": "greedy"},
            "no initial matching 'greedy'; use cheap, cheap_serial, karp_sipser",
        ),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"predecessor_check": "no"}, "predecessor_check is 'no'"),
        ({"threads_per_block": 100}, "threads_per_block is 100; use 32"),
        ({"blocks": 0}, "blocks is 0; use an integer from 1"),
        ({"most_threads": 0}, "most_threads is 0; use an integer from 1"),
        ({"variant": "fast", "predecessor_check": False}, "predecessor_check"),
        ({"speed": 3}, "bipartite has no parameter 'speed'"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("bipartite", GRAPH, device="host", **params)


def test_a_graph_without_sides_is_refused():
    graph = gpucore.Graph.from_edges(2, [0], [1])
    with pytest.raises(GraphError, match="for_bipartite"):
        gpucore.run("bipartite", graph, device="host")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_graph_that_does_not_fit(variant):
    with pytest.raises(DeviceError, match=r"needs [\d.]+ [KM]iB, but device 'host' has only"):
        find(uniform(3000, 3000, 9000, 1), variant, SmallDevice())


@pytest.mark.parametrize("variant", VARIANTS)
def test_cancel(each_device, variant):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        find(GRAPH, variant, each_device, cancel=cancel)
    # The fast variant asks between launches, of which there are several only for long paths.
    long, matched = chain(5000)
    for patience in (1,) if variant == "fast" else (1, 3, 20):
        with pytest.raises(Cancelled):
            find(long, variant, each_device, initial=matched, cancel=Later(patience))
    assert find(GRAPH, variant, each_device).cardinality == scipy_cardinality(GRAPH)


@pytest.mark.parametrize("variant", VARIANTS)
def test_progress_is_reported(each_device, variant):
    seen = []
    find(GRAPH, variant, each_device, progress=lambda *step: seen.append(step))
    assert len(seen) > 1
    assert seen[-1][0] == "certifying"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("initial", INITIAL)
def test_record_levels_do_not_matter(each_device, variant, initial):
    found = [
        find(GRAPH, variant, each_device, initial=initial, record=level)
        for level in ("off", "counters", "events")
    ]
    assert len({result.cardinality for result in found}) == 1
    assert found[0].record is None
    assert found[2].record.lost_events == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_phase_makes_the_matching_larger(each_device, variant):
    result = find(GRAPH, variant, each_device, initial="none", record="counters")
    found = [phase["cardinality"] for phase in result.record.header["phases"]]
    assert found == sorted(found)
    assert found[-1] == result.cardinality
    assert len(result.figures["phase_levels"]) == result.figures["phases"]
    assert sum(result.figures["phase_levels"]) == result.figures["levels"]


@pytest.mark.parametrize("search", ["gpubfs", "gpubfs_wr"])
def test_apsb_ends_a_search_where_apfb_goes_on(each_device, search):
    """From the same matching, the first search of APsB ends at an earlier level."""
    graph = uniform(2000, 2000, 4600, 7)
    best = find(graph, "fast", each_device).row_match
    begun = np.where(np.arange(2000) % 3 == 0, best, -1)
    full, shortest = (
        find(graph, f"{name}_{search}_ct", each_device, initial=begun) for name in ("apfb", "apsb")
    )
    assert full.figures["phase_levels"][0] > shortest.figures["phase_levels"][0] >= 1
    assert full.cardinality == shortest.cardinality
