"""The numbers of every chart agree with the record, counted here in another way."""

import dataclasses

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, LinearColorMapper

import gpucore
from gpucore.device import get_device
from gpucore.families.matching.order import Kind
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.balance import active_warps, balance, per_warp
from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from support.plain import plain
from warplens.app.charts.curve_card import CurvePanel
from warplens.app.charts.lanes import (
    LANES,
    lane_message,
    lane_words,
    lanes_of,
)
from warplens.app.charts.loads import load_maps
from warplens.app.charts.section import Charts
from warplens.app.charts.spec import by_iteration
from warplens.app.charts.theme import LIGHT
from warplens.app.charts.warp_card import WarpPanel, measures_html, warp_at
from warplens.app.families.matching.charts import CHARTS, chain_lengths, matched_vertices
from warplens.app.pages import get_view

VIEW = get_view("matching")


def record_of(spec, algorithm="suitor", record="events", **params):
    device = get_device("host", policy="round_robin", resident=4)
    return gpucore.run(algorithm, for_matching(load(spec)), device=device, record=record, **params)


@pytest.fixture(scope="module", params=["nosync", "sync_lb", "ld"])
def played(request):
    """Return a record and its timeline."""
    name = "ld" if request.param == "ld" else "suitor"
    result = record_of("rmat:scale=7,seed=3", name, variant=request.param)
    return result, timeline_of(result.record)


def test_matched_vertices_are_those_of_every_state(played):
    result, timeline = played
    counts = matched_vertices(timeline)
    assert len(counts) == len(timeline) + 1
    for time in np.linspace(0, len(timeline), 25).astype(int):
        suitor = timeline.state(time)["suitor"]
        held = np.flatnonzero(suitor >= 0)
        assert counts[time] == np.count_nonzero(suitor[suitor[held]] == held)
    assert counts[-1] == 2 * result.figures["cardinality"]


def test_iterations_add_up_what_their_events_brought(played):
    result, timeline = played
    record = result.record
    for quantity, end in (
        (matched_vertices(timeline), 2 * result.figures["cardinality"]),
        (VIEW.objective(timeline), result.figures["weight"]),
    ):
        steps = by_iteration(quantity, record.events["iteration"], record.num_steps)
        assert len(steps) == record.num_steps
        assert steps[-1] == pytest.approx(end, rel=1e-6)


def test_iterations_of_a_few_events_by_hand():
    quantity = np.array([1.0, 3, 2, 6])  # grows by 2, -1 and 4
    assert by_iteration(quantity, np.array([0, 1, 0]), 3).tolist() == [7, 6, 6]
    assert by_iteration(quantity, np.array([0, 1, 5]), 2).tolist() == [3, 6]
    assert len(by_iteration(np.zeros(1), np.zeros(0, np.int32), 0)) == 0


def test_the_weight_by_iteration_is_that_of_the_steps(run):
    timeline = timeline_of(run.record)
    steps = by_iteration(
        VIEW.objective(timeline), run.record.events["iteration"], run.record.num_steps
    )
    assert steps == pytest.approx(run.record.steps["objective"], rel=1e-6)


def test_chains_hold_every_displacement_once(played):
    record = played[0].record
    counts = chain_lengths(record)
    kinds = record.events["kind"]
    if Kind.POINT in kinds:
        assert len(counts) == 0
        return
    assert counts @ np.arange(len(counts)) == np.count_nonzero(kinds == Kind.DISPLACE)
    assert counts @ np.arange(len(counts)) == record.steps["displaced"].sum()


def test_lanes_hold_every_event_of_their_warp_once(played):
    record = played[0].record
    seen = np.zeros(record.num_events, bool)
    for warp in range(int(record.warps["warp"].max()) + 1):
        lanes = lanes_of(record, warp)
        assert not seen[lanes.event].any()
        seen[lanes.event] = True
        assert (record.events["warp"][lanes.event] == warp).all()
        assert np.array_equal(record.events["lane"][lanes.event], lanes.lane)
        cells = set(zip(lanes.column.tolist(), lanes.lane.tolist(), strict=True))
        assert len(cells) == len(lanes.event), "no cell hides an event"
        assert lanes.waited == lanes.columns * LANES - len(cells)
        assert lanes.acted.sum() == len(cells)
        iteration = record.events["iteration"][lanes.event]
        by_column = iteration[np.argsort(lanes.column, kind="stable")]
        assert (np.diff(by_column) >= 0).all()
        if record.header["algorithm"] == "suitor":
            assert (np.diff(lanes.column) >= 0).all(), "steps are in order of time"
    assert seen.all()


def test_a_lane_message_carries_what_is_drawn_and_said(run):
    meta, arrays = decode(lane_message(run.record, 0))
    lanes = lanes_of(run.record, 0)
    assert (meta["warp"], meta["columns"], meta["waited"]) == (0, lanes.columns, lanes.waited)
    for name in ("kind", "a", "b", "c", "value", "iteration"):
        assert np.array_equal(arrays[name], run.record.events[name][lanes.event])
    edges = int(run.record.warps["edges"][run.record.warps["warp"] == 0].sum())
    assert f"scanned {edges:,} edges" in meta["words"][0]


def test_a_record_of_counters_says_why_it_shows_no_lanes():
    record = record_of("karate", record="counters", variant="nosync").record
    lanes = lanes_of(record, 0)
    assert lanes.columns == lanes.waited == len(lanes.event) == 0
    assert "recorded as counters" in " ".join(lane_words(record, lanes, "iteration"))
    assert decode(lane_message(record, 0))[0]["columns"] == 0
    assert len(chain_lengths(record)) == 0


def test_the_figures_are_those_of_the_record(run):
    record = run.record
    text = measures_html(record, VIEW.warp_measures[0])
    whole = balance(per_warp(record.warps, record.warps["edges"]))
    assert whole.total == record.steps["edges"].sum()
    for figure in (f"{whole.total:,.6g}", f"{whole.ratio:.2f}", f"{whole.gini:.2f}"):
        assert f"<dd>{figure}</dd>" in text
    busy = 32 * record.steps["edges"].sum() / record.steps["lane_slots"].sum()
    assert f"<dd>{busy:.1f} of 32</dd>" in text
    assert "in all" not in measures_html(record, VIEW.warp_measures[2]), "shares are not added up"


def test_levelling_and_the_long_tail_are_in_the_numbers():
    spec = "grid:rows=40,columns=40"
    found = {
        variant: record_of(spec, record="counters", variant=variant, vertices_per_warp=32).record
        for variant in ("nosync", "sync_lb")
    }
    spread = {
        variant: balance(per_warp(record.warps, record.warps["active"], iteration=1)).gini
        for variant, record in found.items()
    }
    assert spread["sync_lb"] < spread["nosync"]
    tail = active_warps(found["nosync"].warps)
    assert tail[-1] < tail[0] / 4
    assert np.array_equal(tail, np.bincount(found["nosync"].warps["iteration"]))


def test_compared_maps_share_their_axes_and_colours():
    spec = "rmat:scale=7,seed=3"
    records = [
        record_of(spec, record="counters", variant="nosync", vertices_per_warp=held).record
        for held in (4, 16)
    ]
    edges, _, idle = VIEW.warp_measures
    for measure in (edges, idle):
        maps = load_maps(VIEW, records, measure, LIGHT)
        scales = [plot.select_one(LinearColorMapper).high for plot in maps]
        largest = max(float(np.nanmax(measure.values(one.warps))) for one in records)
        assert scales == [pytest.approx(largest)] * 2
        columns = max(int(one.warps["iteration"].max()) + 1 for one in records)
        assert {(plot.x_range.end, plot.y_range.start) for plot in maps} == {
            (columns - 0.5, float(maps[0].y_range.start))
        }
        for plot, record in zip(maps, records, strict=True):
            (source,) = (s for s in plot.select(ColumnDataSource) if "image" in s.data)
            work = np.nansum(np.asarray(source.data["image"][0], np.float64))
            assert work == pytest.approx(np.nansum(measure.values(record.warps)))
    alone = [float(np.nanmax(edges.values(one.warps))) for one in records]
    assert alone[0] != alone[1], "a scale of its own would hide this"


def test_a_place_in_a_shared_row_means_the_largest(run):
    record, measure = run.record, VIEW.warp_measures[0]
    last = int(record.warps["warp"].max())
    first = record.warps["iteration"] == 0
    busiest = record.warps["warp"][first][np.argmax(record.warps["edges"][first])]
    assert warp_at(record, measure, last + 1, 1, 0) == busiest
    assert warp_at(record, measure, 1, 1, 0) == 1
    assert warp_at(record, measure, last + 1, 1, -1) == 1
    assert warp_at(record, measure, 1, last + 7, 0) == last


def test_a_click_shows_the_lanes_of_the_warp(run):
    panel = WarpPanel(VIEW, "here", lambda callback: callback)
    panel.show(run.record)
    panel.draw(*look())
    assert panel._lanes.payload == b""
    panel._lanes.asked = [1, 0]
    assert decode(panel._lanes.payload)[0]["warp"] == 1
    panel.show(run.record)
    assert panel._lanes.payload == b""


def test_counters_alone_give_a_weight_and_explain_the_rest():
    record = record_of("karate", record="counters", variant="sync_lb").record
    panel = CurvePanel(VIEW, "here", lambda callback: callback)
    panel.show(record, None)
    panel.draw(*look())
    by_event, by_steps = panel.curves()
    assert len(by_event) == 0
    assert np.array_equal(by_steps, record.steps["objective"])
    panel._which.value = 1
    assert CHARTS.series[0].missing in panel._box.children[0].value


def test_curves_run_over_time_where_the_record_knows_it(run):
    timeline = timeline_of(run.record)
    panel = CurvePanel(VIEW, "here", lambda callback: callback)
    panel.show(run.record, timeline)
    panel.draw(*look())
    panel._over.value = "time"
    plot = figure_of(panel)
    assert plot.xaxis.axis_label == "time in steps"
    assert plot.x_range.end == run.record.events["time"][-1]
    assert "steps of the host executor" in plain(panel._text.value)
    events = {name: column for name, column in run.record.events.items() if name != "time"}
    panel.show(dataclasses.replace(run.record, events=events), timeline)
    panel.draw(*look())
    assert [value for _, value in panel._over.options] == ["event", "iteration"]
    assert "recorded without times" in panel._text.value
    panel.show(run.record, timeline)
    assert [value for _, value in panel._over.options] == ["event", "iteration", "time"]


def figure_of(panel):
    return panel._box.children[0]._model


def test_the_toolbar_comes_when_it_is_asked_for(run):
    charts = Charts(VIEW, lambda callback: callback)
    charts.show(run.record, timeline_of(run.record))
    assert charts._warps._chart.figure.toolbar_location is None
    charts._tools.value = True
    assert charts._warps._chart.figure.toolbar_location == "above"


def look():
    return LIGHT, False
