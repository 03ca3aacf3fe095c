"""The view of bipartite matching: texts, charts and comparisons."""

import json

import numpy as np
import pytest

import gpucore
from gpucore.compare import Contestant, run_contestant
from gpucore.device import get_device
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.record import Kind
from gpucore.family import get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from support.drawings import check_measures
from support.driving import Visitor
from warplens.app.charts.theme import LIGHT
from warplens.app.comparison.page import ComparePage
from warplens.app.comparison.results import (
    Contender,
    Side,
    equal_vertices,
    players,
    run_all,
    table_card,
    verdict_card,
)
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

VIEW = get_view("bipartite")
VARIANTS = get_runner("bipartite").variant_names


def run(graph, variant="apfb_gpubfs_wr_ct", record="events", **params):
    device = get_device("host", policy="random", seed=1)
    return gpucore.run("bipartite", graph, device=device, record=record, variant=variant, **params)


@pytest.fixture(scope="module")
def women():
    return load_bipartite("southern_women")


@pytest.fixture(scope="module")
def result(women):
    return run(women, initial="none")


def test_an_opened_record_says_what_the_run_said(women, result):
    opened = VIEW.result(result.record, women)
    assert equal_vertices([result, opened]) == (32, 32)
    assert certify_result(women, opened).ok
    for name in ("cardinality", "initial_cardinality", "phases", "levels", "repairs", "edges"):
        assert opened.figures[name] == result.figures[name], name
    assert VIEW.measures(opened, women) == VIEW.measures(result, women)


def test_the_figures_count_what_is_matched_and_what_is_not(women, result):
    figures = dict(VIEW.measures(result, women))
    assert figures["Matched pairs"] == "14"
    assert (figures["Rows unmatched"], figures["Columns unmatched"]) == ("4", "0")
    assert figures["Before the search"] == "0"


def test_the_curves_end_at_the_result(result):
    timeline = timeline_of(result.record)
    objective = VIEW.objective(timeline)
    assert (objective[0], objective[-1]) == (0, result.cardinality)
    (series,) = VIEW.charts.series
    reached = series.by_event(timeline)
    for time in range(0, len(timeline) + 1, 17):
        assert reached[time] == np.count_nonzero(timeline.state(time)["wave"])


def test_paths_are_as_long_as_their_flips():
    """The chain of four has one path, through all of it."""
    record = run(load_bipartite("chain:length=4,chains=3")).record
    (lengths,) = VIEW.charts.distributions
    found = lengths.counts(record)
    flips = np.count_nonzero(record.events["kind"] == Kind.FLIP)
    assert (found * np.arange(len(found))).sum() == flips
    assert len(lengths.counts(run(load_bipartite("chain:length=1")).record)) == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("record", ["counters", "events"])
def test_every_drawing_draws_every_run(variant, record):
    graph = load_bipartite("uniform:rows=30,columns=40,degree=3,seed=2")
    kept = run(graph, variant, record, initial="none").record
    for drawing in VIEW.charts.drawings:
        assert not isinstance(drawing.draw(kept, graph.names, LIGHT, False), str)
    check_measures(VIEW, kept.warps)


@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (3, 0), (0, 0)])
def test_an_empty_matrix_has_words_for_charts(shape):
    graph = BipartiteGraph.from_entries([], [], shape)
    kept = run(graph).record
    drawn = [drawing.draw(kept, None, LIGHT, False) for drawing in VIEW.charts.drawings]
    assert all(not isinstance(one, str) or one.endswith(".") for one in drawn)
    still(graph, positions_of(graph), VIEW, "empty")


def test_the_browser_gets_a_matrix_before_and_after(women, result):
    places = positions_of(women)
    meta, arrays = decode(still(women, places, VIEW, "women"))
    assert (meta["family"], meta["rows"], meta["n"]) == ("bipartite", 18, 32)
    assert (arrays["state/mate"] == -1).all()
    meta, arrays = decode(player_payload(VIEW, women, result.record, positions=places))
    assert meta["rows"] == 18
    assert arrays["series/objective"][-1] == 14
    assert "augmenting path" in json.dumps(meta["sentences"])
    assert (arrays["edges/u"] < 18).all()
    assert (arrays["edges/v"] >= 18).all()


def test_runs_are_compared_vertex_by_vertex(women):
    contenders = [
        Contender("bipartite", "host", {"variant": variant, "initial": "none"})
        for variant in ("apfb_gpubfs_wr_ct", "apsb_gpubfs_wr_ct")
    ]

    class Never:
        def is_set(self):
            return False

    sides = run_all(
        contenders, women, get_view("bipartite"), PageLimits(), lambda *_: None, Never()
    )
    assert [side.error for side in sides] == ["", ""]
    message, _ = players(sides, women, positions_of(women), VIEW, PageLimits())
    meta, _ = decode(message)
    assert meta["compared"] == ["mate"]
    assert "Matched pairs" in table_card(sides, women, VIEW)
    assert VIEW.picture(sides[0].result)["mate"].shape == (32,)


def test_the_comparison_with_p_dbfs_begins_with_one_matching():
    (offered,) = (c for c in VIEW.installed_comparisons() if "P-DBFS" in c.title)
    graph = load_bipartite(offered.graph)
    kernel, method = (
        run_contestant(graph, Contestant(name, None, "host", params), certify=False)
        for name, params in (
            (str(run["name"]), {key: run[key] for key in run if key != "name"})
            for run in offered.runs
        )
    )
    begun = kernel.figures["initial_cardinality"]
    assert begun == method.figures["initial_cardinality"] < kernel.cardinality == method.cardinality


def test_two_runs_are_compared():
    """The page has two places for runs."""
    assert all(len(c.runs) == 2 or c.schedules for c in VIEW.installed_comparisons())


def test_all_comparisons_can_be_run():
    names = {str(run["name"]) for offered in VIEW.installed_comparisons() for run in offered.runs}
    assert "bipartite" in names
    for offered in VIEW.installed_comparisons():
        for wanted in offered.runs:
            assert wanted.get("variant", VARIANTS[0]) in VARIANTS


def test_a_comparison_brings_its_matrix():
    page = ComparePage("bipartite", PageLimits())
    visitor = Visitor(page, page.bar.run)
    titles = [offered.title for offered in VIEW.installed_comparisons()]
    page.chooser.offer.value = titles.index("What the predecessor check is for")
    visitor.wait()
    assert page._loaded.prepared == load_bipartite("crossing")
    visitor.run()
    assert page._errors.value == ""
    assert "Walks without end" in page._table.value


def test_different_matchings_are_no_alarm(women, result):
    kernel = Contender("bipartite", "host")
    other = run(women, "fast", initial="karp_sipser")
    verdict = verdict_card([Side(kernel, result), Side(kernel, other)], VIEW)
    assert "different matchings" in verdict
    assert "seldom unique" in verdict
