"""Export from a page and back: links, records, pictures, single HTML pages."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from gpucore import check_solution, load, read_answer
from gpucore.problems.graph.prepare import for_matching
from support.watching import wait_for_charts, wait_for_value

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
#: Headings of the plots that Bokeh has made, in the order of the page.
TITLES = """[...document.querySelectorAll(".ws-card")].filter((card) => [...Bokeh.index.roots]
  .some(({ el, model }) => model.type === "Figure" && el.closest(".ws-card") === card))
  .map((card) => card.querySelector("h3").textContent)"""
LINK = (
    "matching?graph=karate&algorithm=suitor&variant=sync_lb&threads_per_block=128"
    "&vertices_per_warp=8&lb_iterations=2&device=host&policy=random&seed=7&step=21"
)


@pytest.fixture
def quiet(page):
    """Return a page that must report no error."""
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    yield page
    assert complaints == []


def wait_for_step(page, step):
    page.wait_for_function(f"{PLAYER}?.timeline.length > 0 && {PLAYER}.time === {step}")


def state(page):
    return page.evaluate(f"Array.from({PLAYER}.timeline.state.suitor)")


def save(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_bytes(), download.value.suggested_filename


def test_take_away_and_bring_back(quiet, server, context, tmp_path):
    page = quiet
    page.goto(server.url + LINK)
    wait_for_step(page, 21)
    before = state(page)

    # The link that the page offers opens the same state.
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_label("Link", exact=True)).to_have_value(server.url + LINK)

    png, name = save(page, "PNG")
    assert name == "karate-suitor-sync_lb-21.png"
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 20
        # The legend is below the graph, with the colours of the signs.
        stage = page.locator(".wp-stage").bounding_box()
        scale = picture.width / page.evaluate("document.querySelector('.wp-stage').clientWidth")
        top = round(stage["height"] * scale)
        legend = picture.convert("RGB").crop((0, top, picture.width, picture.height))
        colours = {colour for _, colour in legend.getcolors(1 << 24)}
        matched = page.evaluate(f"{PLAYER}.theme.done.match(/\\d+/g).map(Number)")
        assert tuple(matched) in colours

    page.get_by_role("button", name="GIF …").click()
    page.get_by_label("Last event of the animation").fill("6")
    gif, _ = save(page, "Make GIF")
    with Image.open(io.BytesIO(gif)) as animation:
        assert animation.n_frames == 7
    wait_for_step(page, 21)

    table, name = save(page, "Warps (CSV)")
    assert name == "karate-suitor-sync_lb-warps.csv"
    saved = list(csv.DictReader(io.StringIO(table.decode())))
    assert set(saved[0]) == {"warp", "begin (steps)", "end (steps)", "doing"}
    ends = {row["warp"]: float(row["end (steps)"]) for row in saved if row["doing"] != "atomic"}
    assert set(ends.values()) == {page.evaluate(f"{PLAYER}.clock.at(-1)")}
    assert len(ends) == page.evaluate(f"{PLAYER}.axis.rows.warps")

    # A chart behind a tab, which has no size there.
    chart = page.get_by_label("Chart", exact=True)
    page.wait_for_function(f"({TITLES}).includes('Active warps')")
    wait_for_charts(page, 4)  # all: the list is made when it has the focus
    chart.focus()
    expect(chart.locator("option")).to_have_text(page.evaluate(TITLES))
    chart.select_option("Active warps")
    drawing, name = save(page, "Chart (SVG)")
    assert name == "karate-suitor-sync_lb-active-warps.svg"
    assert b">iteration</text>" in drawing

    record, name = save(page, "Save record")
    assert name == "karate-suitor-sync_lb.npz"
    events = page.evaluate(f"{PLAYER}.timeline.length")
    html, _ = save(page, "HTML page")

    # The record plays without a run.
    upload = page.get_by_label("Record file")
    upload.set_input_files([{"name": "a.npz", "mimeType": "", "buffer": b"PK nonsense"}])
    expect(page.locator(".ws-error")).to_contain_text("is no Warplens record")
    upload.set_input_files([{"name": name, "mimeType": "", "buffer": record}])
    wait_for_step(page, 0)
    wait_for_value(page, f"{PLAYER}.timeline.length", events)
    page.evaluate(f"{PLAYER}.seek(21)")
    assert state(page) == before

    # The page plays from a file, without any request.
    file = tmp_path / "replay.html"
    file.write_bytes(html)
    alone = context.new_page()
    asked = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda error: asked.append(str(error)))
    alone.goto(file.as_uri())
    wait_for_step(alone, 21)
    assert state(alone) == before
    alone.locator(".wp-play").click()
    alone.wait_for_function(f"{PLAYER}.time > 22")
    assert asked == [file.as_uri()]


def test_the_solution_goes_home_and_is_certified(quiet, server, tmp_path):
    """The link below the result saves what ``warplens check`` takes."""
    page = quiet
    page.goto(server.url + LINK)
    wait_for_step(page, 21)
    page.get_by_role("button", name="Show the result now").click()
    for name, ending in (("CSV, a table", "csv"), ("JSON, with parameters and measures", "json")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == f"karate-suitor.{ending}"
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        graph = for_matching(load("karate"))
        checked = check_solution(graph, read_answer(path), "matching", require=["locally dominant"])
        assert checked.ok, checked.findings
