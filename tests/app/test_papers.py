"""The page "Papers": its data is that of the committed results, and every figure is drawn."""

import json
import sys
from html import escape

import pytest

from gpucore.bench.papers.charts import Chart, Series, chart_of
from gpucore.bench.papers.declare import get_paper, papers
from gpucore.bench.papers.evaluate import evaluate
from gpucore.errors import ParameterError
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.pages import find_pages
from warplens.app.papers import data, words
from warplens.app.papers.charts import draw
from warplens.app.papers.html import write
from warplens.app.papers.page import PapersPage


@pytest.fixture
def page():
    """The page, started."""
    made = find_pages()["papers"].load()
    made.start()
    return made


def test_every_paper_has_data_and_it_is_that_of_the_results(papers_tool):
    assert data.names() == list(papers())
    for paper in papers().values():
        kept = (papers_tool.TARGET / f"{paper.name}.json").read_text()
        assert kept == papers_tool.text_of(paper), "run python tools/papers.py"


def test_the_page_opens_on_a_figure_that_agrees_and_differs(page):
    verdicts = {one["holds"] for one in page.shown["expectations"]}
    assert {True, False} <= verdicts
    assert page.shown["charts"]


def test_problems_are_not_joined_by_lines_and_units_are_spelled():
    charts = [c for n in data.names() for f in data.load(n)["figures"] for c in f["charts"]]
    assert {c["mark"] for c in charts if c["x_label"].startswith(("problem", "instance"))} == {
        "dot"
    }
    assert not {c["y_label"] for c in charts} & {"ms", "s", "us"}


def test_the_page_shows_both_sides_of_every_figure(page):
    assert isinstance(page, PapersPage)
    for name in data.names():
        page.paper.value = name
        assert (page.figure.value is None) is (not data.load(name)["figures"])
        assert page._shown.layout.display == (None if data.load(name)["figures"] else "none")
        for number, figure in enumerate(data.load(name)["figures"]):
            page.figure.value = number
            assert figure["title"] in page._head.value
            for one in figure["printed"]:
                assert words.escape(one["value"]) in page._beside.value
            shown = [one.children for one in page._charts.children[: len(figure["charts"])]]
            plots = [box.children[0] for _, box in shown]
            for (title, _), chart in zip(shown, figure["charts"], strict=True):
                assert escape(chart["title"]) in title.value
            assert all(hasattr(plot, "model_id") for plot in plots)
            assert page._errors.value == ""


def test_a_paper_without_figures_says_why_and_hides_the_last_one(page):
    page.paper.value = "bmatching"
    assert "text of paper II is lost" in page._overview.value
    assert page._shown.layout.display == "none"
    page.browser.dark = True
    page.paper.value = "suitor"
    assert page._shown.layout.display is None
    assert page._errors.value == ""


def test_the_charts_follow_the_colours_of_the_page(page):
    page.browser.dark = True
    assert page._errors.value == ""


def test_verdicts_are_shown_with_their_reason():
    figure = {
        "printed": [{"what": "a", "value": "<1>", "place": "p", "ours": None}],
        "expectations": [
            {"sentence": "s", "place": "p", "holds": False, "words": "w", "why": "old card"},
            {"sentence": "t", "place": "p", "holds": True, "words": "v", "why": "unused"},
        ],
    }
    text = words.beside(figure)
    assert "&lt;1&gt;" in text
    assert "not measured" in text
    assert "w. Why: old card." in text
    assert "unused" not in text
    assert (text.count("good"), text.count("bad")) == (1, 1)


def test_what_was_not_measured_says_so():
    found = evaluate(get_paper("suitor"), [])
    assert "No committed results" in words.measured_on(found["figures"][0])
    assert "0" in words.overview(found)


@pytest.mark.parametrize("mark", ["line", "step", "dot", "bar"])
@pytest.mark.parametrize("log", [False, True])
def test_every_kind_of_chart_is_drawn(mark, log):
    series = [Series("a", [0.0, 1.0], [1.0, 5.0], [0.5, 4.0], [2.0, 6.0])]
    names = ["g", "h"] if mark in ("dot", "bar") else []
    chart = Chart("t", "x", "y", series, mark, y_log=log, categories=names)
    for colours in (LIGHT, DARK):
        plot = draw(chart, colours)
        assert plot.xaxis[0].axis_label_text_color == colours.text
        assert plot.y_range.end > 5
        assert [item.label.value for item in plot.right[0].items] == ["a"]
        assert plot.right[0].label_text_font == plot.xaxis[0].major_label_text_font


def test_unknown_papers_are_errors():
    with pytest.raises(ParameterError, match="suitor, louvain"):
        data.load("nope")


def test_the_file_needs_nothing_from_the_network(tmp_path):
    found = data.load("suitor")
    (path,) = write(found, tmp_path)
    text = path.read_text()
    assert path.name == "suitor.html"
    assert "Bokeh" in text
    assert "<script src=" not in text
    assert "<link" not in text.partition("<script")[0]
    assert found["figures"][1]["title"] in text
    assert json.dumps(found["figures"][1]["charts"][0]["series"][0]["name"])[1:-1] in text
    assert chart_of(found["figures"][1]["charts"][0]).title in text


def test_without_bokeh_no_page_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bokeh", None)
    assert write(data.load("suitor"), tmp_path) == []
    assert not list(tmp_path.iterdir())


def places(plot):
    """Return where a plot's legend is."""
    sides = ("right", "below", "above", "left")
    return [s for s in sides if "Legend" in [type(one).__name__ for one in getattr(plot, s)]]


def test_a_narrow_window_has_the_legend_below_the_plot(page, monkeypatch):
    """Beside it, the names take all of a phone's width."""
    chart = chart_of(data.load("marriage")["figures"][0]["charts"][0])
    beside, below = draw(chart, LIGHT), draw(chart, LIGHT, narrow=True)
    assert (places(beside), places(below)) == (["right"], ["below"])
    assert below.height > beside.height
    drawn = []
    monkeypatch.setattr(
        "warplens.app.papers.page.draw",
        lambda chart, colours, narrow: drawn.append(narrow) or "no chart",
    )
    page.browser.narrow = True
    assert drawn and all(drawn)


@pytest.mark.parametrize(("least", "log", "short"), [(0.0, False, True), (1e-3, True, False)])
def test_large_numbers_are_short_on_an_axis_that_begins_at_zero(least, log, short):
    chart = Chart("T", "men", "s", [Series("a", [least, 25e6], [1.0, 2.0])], x_log=log)
    (axis,) = draw(chart, LIGHT).xaxis
    assert (type(axis.formatter).__name__ == "NumeralTickFormatter") is short


def test_a_short_logarithmic_axis_has_ticks_from_end_to_end():
    chart = Chart("T", "", "s", [Series("a", [0.0, 1.0], [0.07, 3.6])], y_log=True)
    ticks = [at for at in draw(chart, LIGHT).yaxis[0].ticker.ticks if 0.07 < at < 3.6]
    assert ticks == pytest.approx([0.1, 0.2, 0.5, 1, 2])


def test_a_paper_opens_on_a_figure_that_agrees_and_one_that_does_not(page):
    for name in data.names():
        figures = data.load(name)["figures"]
        verdicts = [{one["holds"] for one in figure["expectations"]} for figure in figures]
        page.paper.value = name
        if any({True, False} <= of_one for of_one in verdicts):
            assert {True, False} <= verdicts[page.figure.value]


def test_problems_are_not_joined_by_lines():
    series = [Series("ours", [0, 1, 2], [3, 1, 2])]
    chart = Chart("Times", "", "seconds", series, "line", categories=["a", "b", "c"])
    glyphs = {type(one.glyph).__name__ for one in draw(chart, LIGHT).renderers}
    assert glyphs == {"Scatter"}
