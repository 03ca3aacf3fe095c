"""Red/blue matching: refused parameters, termination, numbering, records."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import gpucore
from gpucore.errors import Cancelled, DeviceError, GraphError, ParameterError
from gpucore.families.redblue.colours import round_numbers
from gpucore.families.redblue.run import BEST_P
from gpucore.families.redblue.timeline import Kind
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.numbering import renumbered
from gpucore.record.replay import timeline_of
from support.cancelling import Later
from support.devices import SmallDevice
from support.matching_cases import graph_of, random_graph, skewed_graph
from support.running import uncertified

from .runs import COLOURS, EVERYTHING, NAMES, SELECTS, find, mates_of, reference, run, star

VARIANTS = get_runner("redblue").variant_names

GRAPH = random_graph(400, 1500, 4, levels=40)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "quick"}, "no variant 'quick'; it has fast, paper"),
        ({"select": "best"}, "no select 'best'; it has weighted, random, first"),
        ({"generator": "sha"}, "no generator 'sha'; it has md5, philox"),
        *(({"p": p}, "p is ") for p in (0, 1, 0.0, 1.0, -0.5, 2, float("nan"), True, "0.5", None)),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"permute": 1}, "permute is 1"),
        ({"max_rounds": 0}, "max_rounds is 0"),
        ({"max_rounds": True}, "max_rounds is True"),
        ({"speed": 3}, "redblue has no parameter 'speed'"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("redblue", GRAPH, device="host", **params)


def test_graphs_that_cannot_be_matched():
    loop = Graph.from_edges(2, [0, 0], [0, 1], [1.0, 1.0])
    with pytest.raises(GraphError, match="1 loops"):
        gpucore.run("redblue", loop, device="host")
    negative = Graph.from_edges(2, [0], [1], [-1.0])
    with pytest.raises(GraphError, match="not positive"):
        gpucore.run("redblue", negative, device="host")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("p", [0.01, 0.1, 0.95])
def test_rare_colours_take_longer_and_end(each_device, variant, p):
    for generator in COLOURS:
        result = find(GRAPH, variant, each_device, p=p, generator=generator)
        expected, _ = reference(GRAPH, p=p, generator=generator)
        np.testing.assert_array_equal(result.mate, expected)
        assert result.figures["rounds"] > find(GRAPH, variant, each_device).figures["rounds"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_vertex_whose_colour_never_changes_dies_all_the_same(each_device, variant):
    """Vertex 0 hashes zeros: for small p it is red for ever, and lives alone in the end."""
    for pairs in ([(1, 2)], [(0, 1), (1, 2)], [(v, v + 1) for v in range(5)]):
        graph = graph_of(6, pairs, np.ones(len(pairs)))
        for seed in range(5):
            find(graph, variant, each_device, p=0.2, seed=seed, max_rounds=500)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("p", [1e-9, 1 - 1e-9])
def test_too_many_rounds_are_an_error(each_device, variant, p):
    with pytest.raises(ParameterError, match=r"vertices still live after 70 rounds with p="):
        run(GRAPH, variant, each_device, p=p, max_rounds=70)
    rounds = find(GRAPH, variant, each_device).figures["rounds"]
    assert find(GRAPH, variant, each_device, max_rounds=rounds).figures["rounds"] == rounds
    with pytest.raises(ParameterError, match="raise max_rounds"):
        run(GRAPH, variant, each_device, max_rounds=rounds - 1)


@pytest.mark.parametrize("select", SELECTS)
def test_permuted_vertices_are_reported_by_their_given_numbers(each_device, select):
    order = np.random.default_rng([3, 1]).permutation(400).astype(np.int32)
    expected, _ = reference(renumbered(GRAPH, order), select, seed=3)
    plain = find(GRAPH, "fast", each_device, select=select, seed=3)
    for variant in VARIANTS:
        result = find(GRAPH, variant, each_device, select=select, seed=3, permute=True)
        np.testing.assert_array_equal(
            result.mate[order], np.where(expected >= 0, order[expected], -1)
        )
        assert (result.mate != plain.mate).any()


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("p", [BEST_P, 0.2])
def test_the_processor_finds_the_same(each_device, select, p):
    runner = get_runner("redblue_omp")
    for graph in (GRAPH, skewed_graph(11, 20_000, 3, levels=50), star(900)):
        expected = find(graph, "fast", each_device, select=select, p=p, seed=2)
        for threads in (1, 2, 3):
            result = uncertified(runner.name, graph, select=select, p=p, seed=2, threads=threads)
            np.testing.assert_array_equal(result.mate, expected.mate)
            for name in ("rounds", "matched", "dead", "weight"):
                assert result.figures[name] == expected.figures[name]


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("generator", COLOURS)
@pytest.mark.parametrize("permute", [False, True])
def test_the_processor_takes_the_same_parameters(each_device, select, generator, permute):
    chosen = {"select": select, "generator": generator, "permute": permute, "seed": 6}
    graph = skewed_graph(11, 20_000, 3, levels=50)
    expected = find(graph, "fast", each_device, **chosen)
    result = uncertified("redblue_omp", graph, threads=2, **chosen)
    np.testing.assert_array_equal(result.mate, expected.mate)
    assert result.figures == expected.figures


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_graph_that_does_not_fit(variant):
    with pytest.raises(DeviceError, match=r"needs [\d.]+ [KM]iB, but device 'host' has only"):
        run(random_graph(9000, 9000, 1), variant, SmallDevice())


@pytest.mark.parametrize("variant", VARIANTS)
def test_cancel(each_device, variant):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        run(GRAPH, variant, each_device, cancel=cancel)
    with pytest.raises(Cancelled):
        run(GRAPH, variant, each_device, p=0.01, cancel=Later(2))
    find(GRAPH, variant, each_device)


@pytest.mark.parametrize("variant", VARIANTS)
def test_progress_is_reported(each_device, variant):
    seen = []
    result = find(GRAPH, variant, each_device, progress=lambda *step: seen.append(step))
    rounds = result.figures["rounds"]
    rounds_reported = [words for words, _, _ in seen if words.startswith("round ")]
    assert len(rounds_reported) == (1 if variant == "fast" else rounds)  # one launch is one report
    assert rounds_reported[-1] == f"round {rounds}: 0 vertices live"
    assert seen[-1][0] == "certifying"


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("permute", [False, True])
def test_record_levels_do_not_matter(each_device, variant, select, permute):
    chosen = {"select": select, "permute": permute, "seed": 5}
    found = [
        find(GRAPH, variant, each_device, record=level, **chosen)
        for level in ("off", "counters", "events")
    ]
    assert found[0].record is None
    assert found[2].record.lost_events == 0
    for result in found[1:]:
        np.testing.assert_array_equal(result.mate, found[0].mate)
        assert result.figures == found[0].figures
    timeline = timeline_of(found[2].record)
    assert timeline.exact, timeline.doubt
    end = timeline.state(len(timeline))
    np.testing.assert_array_equal(end["mate"], found[0].mate)
    np.testing.assert_array_equal(end["colour"], np.where(found[0].mate >= 0, 2, 3))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("generator", COLOURS)
@pytest.mark.parametrize("p", [BEST_P, 0.25, 0.9])
def test_colours_are_those_of_numpy_bit_for_bit(each_device, variant, generator, p):
    graph = random_graph(700, 1500, 2)
    record = find(
        graph, variant, each_device, generator=generator, p=p, seed=11, record="events"
    ).record
    events = record.events
    coloured = events["kind"] == Kind.COLOUR
    iterations = np.unique(events["iteration"][coloured])
    assert (iterations % 4 == 0).all()
    assert iterations[0] == 0
    for iteration in iterations.tolist():
        here = coloured & (events["iteration"] == iteration)
        r = int(round_numbers(11, iteration // 4 + 1)[-1])
        blue = COLOURS[generator](events["a"][here], r, p)
        np.testing.assert_array_equal(events["b"][here] == 0, blue)
    every_vertex = np.sort(events["a"][coloured & (events["iteration"] == 0)])
    np.testing.assert_array_equal(every_vertex, np.arange(700))


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_add_up(each_device, variant):
    result = find(GRAPH, variant, each_device, record="events")
    steps, kinds = result.record.steps, result.record.events["kind"]
    # The row of every sub-step has the figures of its whole round.
    assert steps["matched"][::4].tolist() == result.figures["matched"]
    assert steps["dead"][::4].tolist() == result.figures["dead"]
    assert (kinds == Kind.DIE).sum() == sum(result.figures["dead"])
    assert steps["proposals"].sum() == (kinds == Kind.PROPOSE).sum()
    assert steps["responses"].sum() == (kinds == Kind.RESPOND).sum() == result.cardinality
    assert (kinds == Kind.MATCH).sum() == result.cardinality


def test_seconds_of_equal_runs_may_differ_but_nothing_else():
    first, second = (find(GRAPH, seed=8) for _ in range(2))
    np.testing.assert_array_equal(first.mate, second.mate)
    assert first.figures == second.figures
    assert (mates_of(GRAPH, "fast", "host", seed=9) != first.mate).any()
