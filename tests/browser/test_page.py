"""A visitor's way through the matching page, in a real browser, from a real server."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from serving import Server
from watching import watching

pytestmark = pytest.mark.browser

PATIENCE = 60_000  # milliseconds; machines with many tests at once are slow

PLAYER = "window.__warpscope?.players[0]"
EVENTS = f"{PLAYER}?.timeline.length ?? 0"
TIME = f"{PLAYER}.time"
CURSOR = """name => {
  const source = Bokeh.documents.map((d) => d.get_model_by_name(name)).filter(Boolean).at(-1);
  return source ? Object.fromEntries(
    Object.entries(source.data).map(([column, values]) => [column, values[0]])) : null;
}"""

BROKEN = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("elsewhere"), "--pool", "1", "--upload-mb", "1")
    yield running
    assert running.stop() == 0, running.output


@pytest.fixture
def watched(page, server):
    """Return a page; nothing it loads may come from elsewhere, and it may not complain."""
    with watching(page, server, PATIENCE) as complaints:
        page.complaints = complaints
        yield page


@pytest.fixture
def matching(watched, server):
    """Return the matching page, ready to run."""
    watched.goto(f"{server.url}matching")
    run_button(watched).wait_for()
    wait_until_ready(watched)
    return watched


def run_button(page):
    return page.get_by_role("button", name="Run", exact=True)


def wait_until_ready(page):
    ready = "document.querySelector('.ws-run')?.disabled === false"
    page.wait_for_function(ready, timeout=PATIENCE)


def choose(page, label, option):
    page.get_by_label(label, exact=True).select_option(option)


def load(page, title, vertices):
    """Choose a graph of the collection and wait until it is there."""
    choose(page, "Graph", title)
    wait_for_graph(page, vertices)


def wait_for_graph(page, vertices):
    facts = f"document.querySelector('.ws-facts')?.textContent.startsWith('{vertices}vertices')"
    page.wait_for_function(facts, timeout=PATIENCE)
    wait_until_ready(page)


def run(page):
    run_button(page).click()
    page.locator(".ws-verdict").wait_for()
    page.wait_for_function(f"{EVENTS} > 0", timeout=PATIENCE)


def test_run_play_and_scrub(matching):
    page = matching
    load(page, "Zachary's karate club (34)", "34")
    choose(page, "Variant", "sync_lb")
    choose(page, "Vertices per warp", "8")
    choose(page, "Run on", "This computer's processor")
    run(page)

    assert page.locator(".ws-verdict").text_content() == "Certified"
    assert page.locator(".ws-checks .bad").count() == 0
    figures = page.locator(".ws-figures", has_text="Matched edges").text_content()
    matched = int(re.search(r"Matched edges(\d+)", figures)[1])
    weight = float(re.search(r"Weight([\d.]+)", figures)[1])

    events = page.evaluate(EVENTS)
    button = lambda name: page.get_by_role("button", name=name)  # noqa: E731
    button("On one event").click()
    button("On one event").click()
    button("On one event").click()
    button("Back one event").click()
    assert page.evaluate(TIME) == 2
    assert "proposes" in page.locator(".wp-now").text_content()
    page.get_by_role("slider", name="event").fill(str(events // 2))
    assert page.evaluate(TIME) == events // 2
    button("To the start").click()
    assert page.evaluate(TIME) == 0

    choose(page, "speed", "5 events/s")
    button("Play").click()
    page.wait_for_function(f"{TIME} > 2", timeout=PATIENCE)
    button("Pause").click()
    rest = page.evaluate(TIME)
    assert 2 < rest < events

    page.get_by_role("slider", name="event").fill(str(events))
    assert page.evaluate(TIME) == events
    shown = page.locator(".wp-figures", has_text=f"{matched} pairs matched").text_content()
    assert float(shown.rsplit(" ", 1)[1]) == pytest.approx(weight, rel=1e-2)


def test_charts_follow_the_player(matching):
    page = matching
    run(page)
    page.wait_for_function("Bokeh.documents.length >= 2", timeout=PATIENCE)
    page.get_by_role("slider", name="event").fill("7")
    page.wait_for_function(f"({CURSOR})('curve-cursor')?.event === 7", timeout=PATIENCE)
    place = page.evaluate(f"""() => {{
      const {{ events }} = {PLAYER};
      return {{ x: events.iteration[6], y: events.warp[6] }};
    }}""")
    assert page.evaluate(CURSOR, "warp-map-cursor") == place
    for name in ("Vertices held", "Idle lanes", "Iterations"):
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="Time", exact=True).click()
    time = page.evaluate(f"{PLAYER}.clock[6]")
    assert f"{time:,.0f} steps" in page.locator(".wp-counter").text_content()
    page.wait_for_function(f"({CURSOR})('curve-cursor')?.time === {time}", timeout=PATIENCE)
    page.get_by_role("button", name="Events", exact=True).click()
    page.get_by_role("button", name="Matched vertices").click()
    assert page.locator(".ws-error").count() == 0


def test_a_click_on_a_warp_shows_its_lanes(matching):
    page = matching
    run(page)
    page.get_by_text("Click a warp in the map").wait_for()
    chart = page.locator(".ws-card", has=page.get_by_role("heading", name="Warps", exact=True))
    chart.locator(".bk-Canvas").click(position={"x": 120, "y": 60})
    lanes = page.locator(".wl[data-warp]")
    lanes.wait_for()
    warp = int(lanes.get_attribute("data-warp"))
    assert f"Warp {warp} had work in" in lanes.text_content()
    page.get_by_label("Warp", exact=True).fill("0")
    page.get_by_label("Warp", exact=True).press("Enter")
    page.locator(".wl[data-warp='0']").wait_for()
    grid = lanes.locator("canvas")
    grid.click(position={"x": 60, "y": 28})  # lane 0 in the warp's first step
    page.wait_for_function(f"{TIME} > 0", timeout=PATIENCE)
    place = page.evaluate(f"({PLAYER}).events.warp[{TIME} - 1]")
    assert place == 0
    assert "lane 0, " in lanes.locator(".wl-now").text_content()


def test_code_follows_the_player_and_is_profiled(matching):
    page = matching
    load(page, "Zachary's karate club (34)", "34")
    choose(page, "Variant", "sync_lb")
    choose(page, "Vertices per warp", "8")
    profile = page.get_by_role("button", name="Profile these kernels")
    assert profile.is_disabled()
    run(page)
    lit = page.locator(".wc-lines [aria-current]")
    assert lit.count() == 0
    kinds = page.evaluate(f"Array.from({PLAYER}.events.kind)")
    for kind, line in ((1, "v had no suitor"), (2, "u displaces x"), (4, "u stays alone")):
        if kind in kinds:
            page.evaluate(f"{PLAYER}.seek({kinds.index(kind) + 1})")
            page.locator(".wc-lines [aria-current]", has_text=line).wait_for()
            assert page.locator(".wc-why").text_content().endswith(".")
            place = page.locator(".wc-row[aria-current]")
            assert place.get_attribute("data-line").isdigit()
            assert (
                page.locator(".wc-happened").text_content()
                == page.locator(".wp-now").text_content()
            )

    profile.click()
    page.locator(".wc-profiled").wait_for()
    assert "no data race" in page.locator(".wc-summary").text_content()
    told = page.locator(".wc-told")
    row = page.locator(".wc-row", has_text="if (edge >= floor")
    row.hover()
    page.locator(".wc-told .wc-first", has_text="un-coalesced, because each lane").wait_for()
    assert re.search(r"touched [\d.]+ sectors", told.text_content())
    page.get_by_role("button", name="Active lanes").click()
    assert re.fullmatch(r"[\d.]+ of 32", row.locator(".wc-bar").text_content())

    # Long lines are scrolled sideways; numbers and bars stay where they are.
    moved = page.evaluate("""() => {
      const source = document.querySelector('.wc-source');
      const parts = [...source.querySelector('.wc-known').children];
      const places = () => parts.map((part) => part.getBoundingClientRect().left);
      const before = places();
      source.scrollLeft = 40;
      const moved = places().map((place, i) => before[i] - place);
      source.scrollLeft = 0;
      return moved;
    }""")
    assert moved == [pytest.approx(3, abs=3), pytest.approx(3, abs=3), pytest.approx(40, abs=1)]
    page.get_by_role("region", name="Kernel source").press("ArrowDown")
    page.locator(".wc-shown").wait_for()
    wait_until_ready(page)


def test_cancel(matching):
    page = matching
    page.get_by_role("button", name="Generated").click()
    choose(page, "Family", "R-MAT (a few hubs)")
    for label, value in (("Vertices, power of 2", "16"), ("Edges per vertex", "16")):
        readout = page.locator(".widget-slider", has_text=label).locator(".widget-readout")
        readout.fill(value)
        readout.press("Enter")
    wait_for_graph(page, "65,536")
    assert page.get_by_text("each cell is a vertex").is_visible()
    # Clicked from within the page: the way through the test's own protocol takes longer than
    # some runs.
    page.evaluate("""() => {
      const cancel = document.querySelector('.ws-cancel');
      const press = () => (cancel.disabled ? requestAnimationFrame(press) : cancel.click());
      document.querySelector('.ws-run').click();
      press();
    }""")
    error = page.locator(".ws-error")
    error.wait_for()
    assert "The run was cancelled." in error.text_content()
    wait_until_ready(page)
    assert not page.locator(".ws-verdict").is_visible()


def test_uploads(matching):
    page = matching
    page.get_by_role("button", name="Your file").click()
    assert "up to 1 MiB" in page.locator(".ws-side").text_content()
    upload = page.get_by_label("Graph file")

    def give(name, content):
        upload.set_input_files([{"name": name, "mimeType": "text/plain", "buffer": content}])

    give("broken.mtx", BROKEN)
    error = page.locator(".ws-error")
    error.wait_for()
    assert "broken.mtx" in error.text_content()
    assert "Traceback" not in page.locator("body").text_content()

    give("huge.txt", b"1 2\n" * 300_000)
    complaint = page.locator(".ws-upload-complaint").first
    complaint.wait_for()
    assert "larger than 1 MiB" in complaint.text_content()

    give("square.txt", b"1 2 0.5\n2 3 0.25\n3 4 1\n4 1 0.125\n")
    wait_for_graph(page, "4")
    assert not error.is_visible()
    run(page)
    assert page.locator(".ws-verdict").text_content() == "Certified"

    edges = b"".join(b"%d %d\n" % (i, i + 1) for i in range(60_000))
    give("long.txt", edges)
    wait_for_graph(page, "60,001")


@pytest.mark.parametrize("width", [1280, 700, 420])
def test_the_page_fits_dark_and_light(matching, width):
    page = matching
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark")
    run(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) != dark
    for card in page.locator(".ws-card:visible").all():
        box = card.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_closed_page_frees_its_place(context, page, watched, server):
    second = context.new_page()
    second.set_default_timeout(PATIENCE)
    second.goto(f"{server.url}matching")
    run_button(second).wait_for()
    watched.goto(server.url)
    before = places_in_use(watched)
    assert before >= 1
    second.close(run_before_unload=True)
    for _ in range(100):
        watched.wait_for_timeout(100)
        watched.goto(server.url)
        if places_in_use(watched) == before - 1:
            break
    assert places_in_use(watched) == before - 1


def places_in_use(page):
    return int(re.search(r"(\d+) of \d+ places", page.locator(".ws-foot").text_content())[1])


def test_the_landing_page_leads_to_the_dashboard(watched, server):
    watched.goto(server.url)
    watched.get_by_role("link", name="Weighted matching").click()
    run_button(watched).wait_for()
    assert watched.title() == "Weighted matching · Warpscope"


@pytest.mark.skipif(not Path("/proc").exists(), reason="finds the kernel's process in /proc")
def test_a_dead_kernel_is_told(matching):
    page = matching
    kernel = page.evaluate(
        "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
    )
    os.kill(process_of(kernel), signal.SIGKILL)
    banner = page.locator("#ws-banner")
    banner.wait_for()
    assert "has died" in banner.text_content()
    page.get_by_role("button", name="Open it again").click()
    banner.wait_for(state="hidden")
    wait_until_ready(page)
    # The broken connection may be complained about; that is what this test made.
    page.complaints.clear()


def process_of(kernel):
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if kernel.encode() in command:
            return int(folder.name)
    raise AssertionError(f"no process of kernel {kernel}")
