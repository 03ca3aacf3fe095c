"""The charts show the record's numbers; their cursors have the right names."""

import numpy as np
import pytest
from bokeh.document import Document

from warplens.app.charts.bars import bars
from warplens.app.charts.curve import CURVE_POINTS, curve, thin
from warplens.app.charts.theme import DARK, LIGHT, blank_figure, palette, quiet_legend
from warplens.app.charts.warp_map import Grid, WarpMap
from warplens.app.pages import get_view
from warplens.app.view import Measure

VIEW = get_view("matching")
WARPS = {"iteration": np.array([0, 0, 1]), "warp": np.array([0, 2, 1])}


def test_the_map_holds_every_row_at_its_place():
    grid = Grid.of(WARPS, np.array([5, 7, 9]))
    expected = [[5, np.nan], [np.nan, 9], [7, np.nan]]
    assert np.array_equal(grid.cells, expected, equal_nan=True)
    assert grid.group == 1


def test_a_huge_map_shows_groups_and_their_largest_value(monkeypatch):
    monkeypatch.setattr("warplens.app.charts.warp_map.MAP_CELLS", 4)
    grid = Grid.of(WARPS, np.array([5, 7, 9]))
    assert grid.group == 2
    assert np.array_equal(grid.cells, [[5, 9], [7, np.nan]], equal_nan=True)


def test_more_warps_than_pixels_share_rows(monkeypatch):
    monkeypatch.setattr("warplens.app.charts.warp_map.MAP_ROWS", 2)
    assert Grid.of(WARPS, np.array([5, 7, 9])).group == 2
    chart = WarpMap(WARPS, Measure("edges", lambda _: np.array([5, 7, 9])), LIGHT, "here")
    assert chart.group == 2
    assert chart.figure.y_range.start == 3.5, "the axis counts warps, not rows"


@pytest.mark.parametrize("logarithmic", [False, True])
def test_bars_are_as_high_as_the_counts(logarithmic):
    plot = bars(
        np.array([5, 0, 3]),
        axis="length",
        label="chains",
        colours=LIGHT,
        cursor="here",
        logarithmic=logarithmic,
    )
    data = plot.renderers[0].data_source.data
    assert data["x"].tolist() == [0, 2]
    assert data["top"].tolist() == [5, 3]
    document = Document()
    document.add_root(plot)
    assert set(document.get_model_by_name("here").data) == {"iteration"}
    assert document.to_json()


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("measure", VIEW.warp_measures, ids=lambda measure: measure.label)
def test_the_warp_map_is_a_valid_document(run, measure, colours):
    chart = WarpMap(run.record.warps, measure, colours, "here")
    document = Document()
    document.add_root(chart.figure)
    cursor = document.get_model_by_name("here")
    assert set(cursor.data) == {"x", "y"}
    document.validate()
    assert document.to_json()
    chart.show(VIEW.warp_measures[0])


@pytest.mark.parametrize("over", ["event", "iteration", "time"])
def test_the_curve_is_a_valid_document(over):
    plot = curve(
        np.array([0.0, 0.25, 0.5]),
        np.array([0.0, 1, 3]),
        over=over,
        axis="where",
        label="weight",
        colours=LIGHT,
        cursor="here",
    )
    document = Document()
    document.add_root(plot)
    assert set(document.get_model_by_name("here").data) == {"event", "iteration", "time"}
    assert plot.xaxis.axis_label == "where"
    assert plot.x_range.end == 0.5
    assert document.to_json()


def test_a_legend_has_the_font_of_the_axes():
    plot = blank_figure(LIGHT, "x", "y")
    plot.line([0, 1], [0, 1], legend_label="a")
    quiet_legend(plot, LIGHT)
    assert plot.legend[0].label_text_font == plot.xaxis[0].major_label_text_font


def test_a_curve_of_one_iteration_is_drawn():
    plot = curve(
        np.zeros(1),
        np.ones(1),
        over="iteration",
        axis="iteration",
        label="w",
        colours=DARK,
        cursor="c",
    )
    assert plot.x_range.end >= 1


def test_long_curves_are_thinned_but_keep_their_ends():
    x, y = thin(np.arange(1e5), np.arange(1e5) ** 2)
    assert len(x) <= CURVE_POINTS
    assert (x[0], x[-1]) == (0, 1e5 - 1)
    assert np.array_equal(y, x**2)


def test_the_palette_runs_from_end_to_end():
    colours = palette(LIGHT.ramp, 64)
    assert len(colours) == 64
    assert (colours[0], colours[-1]) == (LIGHT.ramp[0], LIGHT.ramp[-1])
