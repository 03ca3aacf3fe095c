"""The view of communities: texts, charts and comparisons."""

import dataclasses
import json

import numpy as np
import pytest
from bokeh.models import VStrip

import gpucore
from gpucore.errors import Cancelled
from gpucore.families.communities.certificate import certify_result
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from support.drawings import check_measures
from support.pairwise import pairwise
from support.plain import plain
from warplens.app.charts.theme import LIGHT
from warplens.app.charts.warp_card import WarpPanel
from warplens.app.comparison.contenders import Contender
from warplens.app.comparison.results import (
    equal_vertices,
    players,
    run_all,
    table_card,
)
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

from .runs import once

VIEW = get_view("communities")


def prepared(name):
    return VIEW.prepare(load(name))


def run(graph, variant="buckets", record="events", **params):
    return gpucore.run("louvain", graph, device="host", record=record, variant=variant, **params)


@pytest.fixture(scope="module")
def football():
    return prepared("football")


@pytest.fixture(scope="module")
def result(football):
    return run(football)


def test_an_opened_record_says_what_the_run_said(football, result):
    opened = VIEW.result(result.record, football)
    assert equal_vertices([result, opened]) == (115, 115)
    assert certify_result(football, opened).ok
    for name in ("modularity", "communities", "levels", "sweeps"):
        assert opened.figures[name] == pytest.approx(result.figures[name])
    for level in range(len(result.levels) + 1):
        alike = dict(zip(opened.at_level(level), result.at_level(level), strict=True))
        assert len(alike) == len(set(alike.values())) == result.at_level(level).max() + 1


def test_an_opened_record_says_of_how_many_searches_it_is_the_best():
    graph = prepared("lesmis")
    found = run(graph, "fast")
    opened = VIEW.result(found.record, graph)
    shown = dict(VIEW.measures(opened, graph))
    assert shown == dict(VIEW.measures(found, graph))
    assert shown["Orders of the vertices"] == f"the best is {found.figures['kept start']}"
    least, most = (f"{value(found.figures['starts']):.4f}" for value in (min, max))
    assert shown["Modularity of all"] == f"{least} to {most}"
    assert shown["Modularity"] == most
    once = run(graph, "fast", starts=1)
    assert "Searches with other orders" not in dict(VIEW.measures(once, graph))


def test_known_groups_are_compared(football, result):
    figures = dict(VIEW.measures(result, football))
    assert figures["Known groups"] == "12"
    assert 0.8 < float(figures["Like the known groups, NMI"]) <= 1
    assert 0.7 < float(figures["Like the known groups, ARI"]) <= 1
    other = prepared("gnp:n=40,p=0.2,seed=1")
    assert "Known groups" not in dict(VIEW.measures(run(other), other))


def test_the_curves_end_at_the_result(football, result):
    timeline = timeline_of(result.record)
    objective = VIEW.objective(timeline)
    assert objective[-1] == pytest.approx(result.modularity, abs=1e-9)
    (series,) = VIEW.charts.series
    left = series.by_event(timeline)
    assert left[0] == football.num_vertices
    assert left[-1] == result.num_communities
    for time in range(0, len(timeline), 31):
        assert left[time] == len(np.unique(timeline.state(time)["community"]))
    (sizes,) = VIEW.charts.distributions
    assert (sizes.counts(result.record) * np.arange(len(sizes.counts(result.record)))).sum() == 115


@pytest.mark.parametrize(
    ("variant", "record", "graph"),
    pairwise(
        get_runner("louvain").variant_names,
        ["counters", "events"],
        ["karate", "rmat:scale=10,edge_factor=4,seed=1"],
    ),
)
def test_every_drawing_draws_every_run(variant, record, graph):
    graph = prepared(graph)
    kept = run(graph, variant, record, **once(variant)).record
    for drawing in VIEW.charts.drawings:
        found = drawing.draw(kept, graph.names, LIGHT, False)
        assert not isinstance(found, str) or drawing.title == "Buckets"
    check_measures(VIEW, kept.warps)


def test_graphs_without_edges_have_words_for_charts():
    graph = VIEW.prepare(gpucore.problems.graph.graph.Graph.from_edges(3, [], []))
    kept = run(graph).record
    drawn = [d.draw(kept, None, LIGHT, False) for d in VIEW.charts.drawings]
    assert sum(isinstance(one, str) and one.endswith(".") for one in drawn) == 3


def test_the_browser_gets_a_graph_before_and_after(football, result):
    places = positions_of(football)
    meta, arrays = decode(still(football, places, VIEW, "teams"))
    assert meta["family"] == "communities"
    assert arrays["state/community"].tolist() == list(range(115))
    meta, arrays = decode(player_payload(VIEW, football, result.record, positions=places))
    assert arrays["series/objective"][-1] == pytest.approx(result.modularity, abs=1e-6)
    assert "moves from the community" in json.dumps(meta["sentences"])


def test_a_cpu_method_is_shown_by_its_final_state():
    graph = prepared("karate")
    contenders = [
        Contender("louvain", "host", {"variant": "buckets"}),
        Contender("louvain_serial", "cpu"),
    ]

    class Never:
        def is_set(self):
            return False

    sides = run_all(
        contenders, graph, get_view("communities"), PageLimits(), lambda *_: None, Never()
    )
    unrecorded = dataclasses.replace(sides[1].result, record=None)
    sides = [sides[0], dataclasses.replace(sides[1], result=unrecorded, timeline=None)]
    message, remark = players(sides, graph, positions_of(graph), VIEW, PageLimits())
    _, arrays = decode(message)
    meta, ended = decode(bytes(arrays["run/1"]))
    assert meta["title"] == "Louvain, serial"
    assert len(np.unique(ended["state/community"])) == sides[1].result.num_communities
    assert "its picture shows its result" in remark
    table = table_card(sides, graph, VIEW)
    assert "ARI with the first" in table
    assert "NMI with the first" in table


def test_a_cancelled_run_stops(football):
    class Now:
        def is_set(self):
            return True

    with pytest.raises(Cancelled):
        gpucore.run("louvain", football, device="host", cancel=Now())


@pytest.mark.parametrize("variant", get_runner("louvain").variant_names)
def test_the_warp_map_hatches_contractions(football, variant):
    record = run(football, variant, "counters").record
    card = WarpPanel(VIEW, "here", lambda callback: callback)
    card.show(record)
    card.draw(LIGHT, False)
    (drawn,) = [r for r in card._chart.figure.renderers if isinstance(r.glyph, VStrip)]
    found = drawn.data_source.data["x0"] + 0.5
    merged = np.flatnonzero(record.steps["merging"])
    assert found.tolist() == merged.tolist()
    stages = [s for s in record.header["stages"] if not s.get("refining")]
    contracted = np.unique(record.steps["stage"][merged]).tolist()
    # The communities of the last stage of "leiden" are only numbered.
    assert contracted[: len(stages) - 1] == list(range(len(stages) - 1))
    assert variant == "leiden" or len(contracted) == len(stages)
    assert "Hatched columns are contractions" in plain(card._text.value)


def test_older_records_have_no_hatch(result):
    kept = result.record
    steps = {name: column for name, column in kept.steps.items() if name != "merging"}
    older = dataclasses.replace(kept, steps=steps)
    assert not VIEW.charts.hatched.which(older).any()
    card = WarpPanel(VIEW, "here", lambda callback: callback)
    card.show(older)
    card.draw(LIGHT, False)
    assert not list(card._chart.figure.select(VStrip))
    assert "Hatched" not in card._text.value
