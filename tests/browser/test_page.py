"""A visit to the  matching page, in a real browser, from a real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.serving import FORKS
from support.visiting import (
    EVENTS,
    PLAYER,
    TIME,
    choose,
    load,
    run,
    run_button,
    show_chart,
    wait_for_graph,
    wait_until_ready,
)
from support.watching import wait_for_charts, wait_for_value

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(shared_page, server):
    """Return the matching page, reached from the landing page, after a run of its first graph."""
    page = shared_page
    page.goto(server.url)
    page.get_by_role("link", name="Weighted matching").click()
    expect(page).to_have_title("Weighted matching · Warplens")
    run_button(page).wait_for()
    wait_until_ready(page)
    run(page)
    return page


CURSOR = """name => {
  const source = Bokeh.documents.map((d) => d.get_model_by_name(name)).filter(Boolean).at(-1);
  return source ? Object.fromEntries(
    Object.entries(source.data).map(([column, values]) => [column, values[0]])) : null;
}"""

BROKEN = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n"


def test_charts_follow_the_player(opened):
    page = opened
    wait_for_charts(page, 4)
    page.get_by_role("slider", name="event").fill("7")
    page.wait_for_function(f"({CURSOR})('curve-cursor')?.event === 7")
    place = page.evaluate(f"""() => {{
      const {{ events }} = {PLAYER};
      return {{ x: events.iteration[6], y: events.warp[6] }};
    }}""")
    wait_for_value(page, CURSOR, place, "warp-map-cursor")
    for heading, name in (
        ("Warps", "Vertices held"),
        ("Warps", "Idle lanes"),
        ("Progress", "Iterations"),
    ):
        show_chart(page, heading)
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="Time", exact=True).click()
    time = page.evaluate(f"{PLAYER}.clock[6]")
    expect(page.locator(".wp-counter")).to_contain_text(f"{time:,.0f} steps")
    page.wait_for_function(f"({CURSOR})('curve-cursor')?.time === {time}")
    page.get_by_role("button", name="Events", exact=True).click()
    page.get_by_role("button", name="Matched vertices").click()
    wait_until_ready(page)
    wait_for_charts(page, 4)
    expect(page.locator(".ws-error")).to_have_count(0)


def test_a_click_on_a_warp_shows_its_lanes(opened):
    page = opened
    show_chart(page, "Warps")
    page.get_by_text("Click a warp in the map").wait_for()
    wait_for_charts(page, 4)
    chart = page.locator(".ws-card", has=page.get_by_role("heading", name="Warps", exact=True))
    chart.locator(".bk-Canvas").click(position={"x": 120, "y": 60})
    lanes = page.locator(".wl[data-warp]")
    lanes.wait_for()
    warp = int(lanes.get_attribute("data-warp"))
    expect(lanes).to_contain_text(f"Warp {warp} had work in")
    page.get_by_label("Warp", exact=True).fill("0")
    page.get_by_label("Warp", exact=True).press("Enter")
    page.locator(".wl[data-warp='0']").wait_for()
    grid = lanes.locator("canvas")
    grid.click(position={"x": 60, "y": 28})  # lane 0 in the warp's first step
    page.wait_for_function(f"{TIME} > 0")
    assert page.evaluate(f"({PLAYER}).events.warp[{TIME} - 1]") == 0
    expect(lanes.locator(".wl-now")).to_contain_text("lane 0, ")


#: The visible elements that are wider than a width.
OUTSIDE = """width => {
  const isOutside = ({ left, right }) => left < 0 || right > width;
  const outside = [...document.querySelectorAll('.ws-card')]
    .filter((card) => isOutside(card.getBoundingClientRect()))
    .map((card) => card.className);
  return document.documentElement.scrollWidth <= width ? outside : ['the page', ...outside];
}"""


def test_the_page_fits_dark_and_light(opened):
    page = opened
    window = page.viewport_size
    page.emulate_media(color_scheme="dark")
    wait_for_charts(page, 4)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    for width in (420, 1280, 700):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_value(page, OUTSIDE, [], width)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{ground} !== '{dark}'")
    wait_for_value(page, OUTSIDE, [], 700)
    page.set_viewport_size(window)


# What only looks at the first run is above; what follows makes other runs.


def test_run_play_and_scrub(opened):
    page = opened
    load(page, "Zachary's karate club (34)", "34")
    choose(page, "Variant", "Synchronised, levelled (SyncLB)")
    choose(page, "Vertices per warp", "8")
    choose(page, "Run on", "This computer's processor")
    run(page)

    expect(page.locator(".ws-verdict")).to_have_text("Certified")
    expect(page.locator(".ws-checks .bad")).to_have_count(0)
    figures = page.locator(".ws-measures", has_text="Matched edges").text_content()
    matched = int(re.search(r"Matched edges(\d+)", figures)[1])
    weight = float(re.search(r"Weight([\d.]+)", figures)[1])

    events = page.evaluate(EVENTS)
    button = lambda name: page.get_by_role("button", name=name)  # noqa: E731
    button("On one event").click()
    button("On one event").click()
    button("On one event").click()
    button("Back one event").click()
    assert page.evaluate(TIME) == 2
    expect(page.locator(".wp-now")).to_contain_text("proposes")
    page.get_by_role("slider", name="event").fill(str(events // 2))
    assert page.evaluate(TIME) == events // 2
    button("To the start").click()
    assert page.evaluate(TIME) == 0

    choose(page, "speed", "5 events/s")
    button("Play").click()
    page.wait_for_function(f"{TIME} > 2")
    button("Pause").click()
    rest = page.evaluate(TIME)
    assert 2 < rest < events

    page.get_by_role("slider", name="event").fill(str(events))
    assert page.evaluate(TIME) == events
    shown = page.locator(".wp-measures")
    expect(shown).to_contain_text(f"{matched} pairs matched")
    assert float(shown.text_content().rsplit(" ", 1)[1]) == pytest.approx(weight, rel=1e-2)


def test_cancel(opened):
    page = opened
    page.get_by_role("button", name="Generated").click()
    choose(page, "Family", "R-MAT (a few hubs)")
    for label, value in (("Vertices, power of 2", "16"), ("Edges per vertex", "16")):
        readout = page.locator(".widget-slider", has_text=label).locator(".widget-readout")
        readout.fill(value)
        readout.press("Enter")
    # The graph of the first slider alone may be shown for a moment.
    expect(page.locator(".ws-facts")).to_contain_text("909,907edges")
    wait_for_graph(page, "65,536")
    choose(page, "Vertices per warp", "8")  # which takes longest
    expect(page.get_by_text("each cell is a vertex")).to_be_visible()
    # Clicked from within the page: the way through the test's own protocol takes longer than
    # some runs.
    page.evaluate("""() => {
      const cancel = document.querySelector('.ws-cancel');
      const press = () => (cancel.disabled ? requestAnimationFrame(press) : cancel.click());
      document.querySelector('.ws-run').click();
      press();
    }""")
    expect(page.locator(".ws-error")).to_contain_text("The work was cancelled.")
    wait_until_ready(page)
    expect(page.locator(".ws-verdict")).to_be_hidden()


def test_uploads(opened):
    page = opened
    page.get_by_role("button", name="Your file").click()
    expect(page.locator(".ws-side")).to_contain_text("up to 1 MiB")
    upload = page.get_by_label("Graph file")

    def give(name, content):
        upload.set_input_files([{"name": name, "mimeType": "text/plain", "buffer": content}])

    give("broken.mtx", BROKEN)
    error = page.locator(".ws-error")
    expect(error).to_contain_text("broken.mtx")
    assert "Traceback" not in page.locator("body").text_content()

    give("huge.txt", b"1 2\n" * 300_000)
    complaint = page.locator(".ws-upload-complaint").first
    expect(complaint).to_contain_text("larger than 1 MiB")
    expect(upload).to_have_value("")  # a file of the same name can be chosen again

    give("square.txt", b"1 2 0.5\n2 3 0.25\n3 4 1\n4 1 0.125\n")
    wait_for_graph(page, "4")
    expect(error).to_be_hidden()
    expect(complaint).to_be_empty()
    run(page)
    expect(page.locator(".ws-verdict")).to_have_text("Certified")

    page.get_by_text("or paste lines").click()
    page.get_by_label("lines of two ends").fill("1 2\n2 3\n3 1\n1 4\n4 5\n5 6\n6 7")
    page.get_by_role("button", name="Use these lines").click()
    wait_for_graph(page, "7")

    edges = b"".join(b"%d %d\n" % (i, i + 1) for i in range(60_000))
    give("long.txt", edges)
    wait_for_graph(page, "60,001")


@pytest.mark.skipif(not FORKS, reason="finds the process by its name")
def test_a_dead_kernel_is_told(matching, server):
    page = matching
    kernel = page.evaluate(
        "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
    )
    (process,) = (one for one in server.page_processes() if one.name() == f"page {kernel[:8]}")
    process.kill()
    banner = page.locator("#ws-banner")
    expect(banner).to_contain_text("has died")
    page.get_by_role("button", name="Open it again").click()
    banner.wait_for(state="hidden")
    wait_until_ready(page)
    # The page may report the broken connection, which this test causes.
    page.complaints.clear()


#: Puts what ipywidgets shows of a lost widget into the first page, as soon as it has a body.
LOSE_ONE = """({ once }) => {
  if (once && sessionStorage.getItem("lost")) return;
  sessionStorage.setItem("lost", "yes");
  addEventListener("DOMContentLoaded", () => {
    const node = document.createElement("div");
    node.className = "jupyter-widgets";
    node.textContent = "Error displaying widget: model not found";
    document.body.append(node);
  });
}"""


def lose(page, once):
    page.add_init_script(f"({LOSE_ONE})({{ once: {str(once).lower()} }})")


def test_a_page_that_lost_a_widget_is_loaded_again(watched, server):
    lose(watched, once=True)
    watched.goto(f"{server.url}matching")
    wait_until_ready(watched)
    assert watched.evaluate("sessionStorage.getItem('ws-loaded-again') !== null")
    expect(watched.locator("#ws-banner")).to_be_hidden()


def test_a_page_that_loses_widgets_again_and_again_says_so(watched, server):
    lose(watched, once=False)
    watched.goto(f"{server.url}matching")
    expect(watched.locator("#ws-banner")).to_contain_text("lost a part")
