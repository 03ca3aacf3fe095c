"""What the browser saves: the picture, the time axis and the charts, as tables and as vectors."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from support.published import READY
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.page import page_of
from warplens.app.published.replays import replay_of
from warplens.app.widgets import export_bar

pytestmark = pytest.mark.browser

KARATE = "karate_weighted-suitor-nosync"
#: Most of its time is between launches.
LAUNCHES = "football-bipartite-apfb"
PLAYER = "__warplens.players[0]"
SPACE = {"svg": "http://www.w3.org/2000/svg"}


@pytest.fixture
def opened(page, tmp_path):
    """Open a record of the gallery at a step, as a page without a server."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))

    def open_record(name, step):
        stored = entry(name)
        replay = replay_of(stored.record(), PageLimits(), title=stored.title)
        file = tmp_path / f"{name}.html"
        file.write_text(page_of(replay))
        page.goto(f"{file.as_uri()}?step={step}")
        page.wait_for_function(READY)
        page.wait_for_function(f"{PLAYER}.time === {step} && !{PLAYER}.stage.view.moving")
        return stored.record()

    yield open_record
    assert found == []


def saved(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(download.value.path()).read_text(), download.value.suggested_filename


def texts(svg):
    return [text.text for text in svg.iterfind(".//svg:text", SPACE)]


def test_the_picture_is_vectors_with_the_labels_and_marks_of_the_state(page, opened):
    opened(KARATE, 20)
    text, name = saved(page, "SVG")
    assert name.endswith("-20.svg")
    svg = ET.fromstring(text)
    assert list(svg.iterfind(".//svg:image", SPACE)) == []  # no pixels
    assert svg.find("svg:desc", SPACE).text == page.locator(".wp-now").text_content()
    written = Counter(texts(svg))
    assert {str(vertex) for vertex in range(34)} <= set(written)
    for entry_of_legend in page.locator(".wp-legend li:visible").all_text_contents():
        assert entry_of_legend.strip() in written
    # One dashed disc for each vertex without a candidate, and one in the legend.
    exhausted = page.evaluate(f"{PLAYER}.marks.classes.filter((one) => one === 3).length")
    parts = [part.attrib for part in svg.iterfind(".//svg:path[@stroke-dasharray]", SPACE)]
    discs = [part for part in parts if part["d"].count("A") == 2]
    assert exhausted > 0
    assert len(discs) == exhausted + 1


@pytest.mark.parametrize(
    ("name", "step", "labels"),
    [
        ("southern_women-bipartite-apfb", 53, {"rows", "columns"}),
        ("karate-louvain-buckets", 116, {"26", "33"}),
        ("classic40-marriage-mw", 54, {"Men propose", "man 14", "woman 23"}),
        ("karate_weighted-bmatching-eager-b3", 29, {"2", "8"}),
        ("lesmis-redblue-fast", 89, {"Valjean", "Bamatabois"}),
        ("sample-sgd-el", 12, {"u0", "m3", "thread 1", "a"}),
    ],
)
def test_the_picture_of_each_family_is_vectors(page, opened, name, step, labels):
    opened(name, step)
    svg = ET.fromstring(saved(page, "SVG")[0])
    assert list(svg.iterfind(".//svg:image", SPACE)) == []
    assert labels <= set(texts(svg))
    colours = {part.get("fill") for part in svg.iterfind(".//svg:path", SPACE)}
    assert len(colours) > 3
    # The page has its own canvases again, and no second picture.
    assert page.evaluate("document.createElement('canvas').vector === undefined")
    expect(page.locator(".wp-stage > div[style*='99999']")).to_have_count(0)


def test_a_matrix_of_blocks_is_rectangles(page, opened):
    opened("netscience-suitor-nosync", 2270)
    page.get_by_role("button", name="Adjacency matrix").click()
    page.wait_for_function(f"{PLAYER}.stage.view.counts?.some((count) => count)")
    svg = ET.fromstring(saved(page, "SVG")[0])
    assert list(svg.iterfind(".//svg:image", SPACE)) == []
    rects = "".join(
        part.get("d") for part in svg.iterfind(".//svg:path[@shape-rendering='crispEdges']", SPACE)
    )
    drawn = np.zeros((160, 160), bool)
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1", rects):
        drawn[int(y), int(x) : int(x) + int(wide)] = True
    counts = np.array(page.evaluate(f"[...{PLAYER}.stage.view.counts]")).reshape(160, 160)
    assert (drawn == (counts > 0)).all()
    expect(page.get_by_text("The picture is saved.", exact=True)).to_be_visible()


#: What a picture of so many pixels becomes, each of another colour than the one beside it.
RECTS = """async ([script, side, alpha]) => {
  const { rectsOf } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const image = new ImageData(side, side);
  image.data.forEach((_, i) => (image.data[i] = i % 4 === 3 ? alpha : (i >> 2) % 2));
  return rectsOf(image, 0, 0);
}"""


@pytest.mark.parametrize(
    ("side", "alpha", "paths"),
    [(2, 255, 2), (150, 255, None), (150, 0, 0)],
    ids=["few", "too many", "clear"],
)
def test_more_pixels_than_a_file_of_vectors_bears_stay_an_image(page, side, alpha, paths):
    script = (Path(export_bar.__file__).parent / "rects.js").read_text()
    found = page.evaluate(RECTS, [script, side, alpha])
    assert (None if found is None else len(found)) == paths
    if side == 2:
        assert found[0] == (
            '<path d="M0 0h1v1h-1zM0 1h1v1h-1z" fill="#000000" shape-rendering="crispEdges"/>'
        )


def test_the_time_axis_is_vectors_with_every_interval(page, opened):
    opened(KARATE, 20)
    text, name = saved(page, "Warps (SVG)")
    assert name.endswith("-warps.svg")
    svg = ET.fromstring(text)
    table = list(csv.DictReader(io.StringIO(saved(page, "Warps (CSV)")[0])))
    doing = [row for row in table if row["doing"] not in ("idle", "atomic")]
    lasting = [row for row in doing if row["begin (µs)"] != row["end (µs)"]]
    kinds = {row["doing"] for row in lasting}
    assert len(svg.findall("svg:rect", SPACE)) == 1 + len(lasting) + len(kinds)  # ground and key
    assert "warp 0" in texts(svg)
    page.get_by_role("button", name="Less time (w)").click()
    zoomed = ET.fromstring(saved(page, "Warps (SVG)")[0])
    assert len(zoomed.findall("svg:rect", SPACE)) < len(svg.findall("svg:rect", SPACE))


def test_a_folded_gap_is_broken_on_both_sides_and_labelled_with_its_length(page, opened):
    opened(LAUNCHES, 20)
    svg = ET.fromstring(saved(page, "Warps (SVG)")[0])
    gaps = svg.findall("svg:rect[@class='gap']", SPACE)
    sides = [float(gap.get("x")) + k * float(gap.get("width")) for gap in gaps for k in (0, 1)]
    marks = [line.get("x1") for line in svg.findall("svg:line[@stroke-dasharray]", SPACE)]
    assert [float(mark) for mark in marks] == pytest.approx(sides, abs=0.02)
    turned = svg.findall("svg:text[@transform]", SPACE)
    folded = page.evaluate(f"{PLAYER}.axis.folds.gaps.map(({{ from, to }}) => to - from)")
    assert len(folded) > 5
    scale = {"ns": 1e-3, "µs": 1, "ms": 1e3}
    labels = [re.fullmatch(r"\+([\d.,]+) (\w+)", text.text).groups() for text in turned]
    lengths = [float(number.replace(",", "")) * scale[unit] for number, unit in labels]
    assert lengths == pytest.approx(folded, rel=0.01)
    page.get_by_label("gaps to scale").check()
    svg = ET.fromstring(saved(page, "Warps (SVG)")[0])
    assert svg.findall("svg:rect[@class='gap']", SPACE) == []
    assert svg.findall("svg:line[@stroke-dasharray]", SPACE) == []


def test_a_chart_is_saved_as_its_numbers_and_as_vectors(page, opened):
    record = opened(KARATE, 20)
    documents = page.evaluate("Bokeh.documents.length")
    chart = page.get_by_label("Chart", exact=True)
    titles = page.locator("#charts h3").all_text_contents()
    expect(chart.locator("option")).to_have_text(titles)
    rows = list(csv.reader(io.StringIO(saved(page, "Chart (CSV)")[0])))
    assert rows[0] == ["warp / iteration", "0", "1", "2"]
    edges = np.zeros((5, 3), int)
    np.add.at(edges, (record.warps["warp"], record.warps["iteration"]), record.warps["edges"])
    assert [[int(float(cell or 0)) for cell in row[1:]] for row in rows[1:]] == edges.tolist()
    chart.select_option("Active warps")
    table, name = saved(page, "Chart (CSV)")
    assert name.endswith("-active-warps.csv")
    assert table.splitlines() == ["x,top", "0,5", "1,4", "2,2"]
    text, name = saved(page, "Chart (SVG)")
    assert name.endswith("-active-warps.svg")
    svg = ET.fromstring(text)
    assert {"iteration", "warps", "0", "1", "2"} <= set(texts(svg))
    fills = [part.get("fill") for part in svg.iterfind(".//svg:path", SPACE)]
    assert len([fill for fill in fills if fill not in (None, "none")]) >= 3
    assert page.evaluate("Bokeh.documents.length") == documents  # the copy is gone


def test_a_frame_without_an_origin_offers_no_files(page, opened, tmp_path):
    opened(KARATE, 20)
    around = tmp_path / "around.html"
    around.write_text(f'<iframe sandbox="allow-scripts" src="{KARATE}.html"></iframe>')
    page.goto(around.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".wp-counter").wait_for()
    expect(frame.locator("body[data-ready='1']")).to_be_attached()
    expect(frame.locator("#export")).to_be_empty()
