"""Static pages in a browser: from a file, and in a frame of another page under a path."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from support.firefox import Firefox, find_firefox
from support.published import NAMES, READY
from support.rules import violations
from warplens.app.limits import PageLimits
from warplens.app.published.folder import write_site

PLAYER = "__warplens.players[0]"
TIME = "__warplens.players[0].time"
FRAME = """<link rel="icon" href="data:,"><h1>Lecture</h1>
<iframe src="{}" width="900" height="700"></iframe>
<script>window.heard = []; addEventListener("message", ({{data}}) => heard.push(data));</script>"""


@pytest.fixture
def address(site):
    """The site below a path of a plain web server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    root = site.parents[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", root
    server.shutdown()


def test_a_visitor_opens_a_run_from_the_index(page, errors, site):
    page.goto((site / "index.html").as_uri())
    page.get_by_text("Weighted matching (2)").click()
    page.locator(f'a[href="{NAMES[0]}.html"]').click()
    page.wait_for_function(READY)
    page.locator(".wp").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"{TIME} > 0")
    expect(page.locator(".wc-lines [aria-current=step]")).to_have_count(1)
    page.wait_for_function("document.querySelectorAll('.bk-Figure').length > 0")
    expect(page.locator("text=Certified").first).to_be_attached()


def test_the_address_names_step_part_and_theme(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=7&from=5&to=20&theme=dark")
    page.wait_for_function(READY)
    assert page.evaluate(TIME) == 7
    assert page.evaluate("__warplens.players[0].playback.loop") == {
        "from": 5, "to": 20, "name": "part"
    }  # fmt: skip
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("query", ["step=99999999", "step=-1", "from=9&to=3", "step=a&theme=pink"])
def test_an_address_that_asks_for_too_much(page, errors, site, query):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + f"?{query}")
    page.wait_for_function(READY)
    assert 0 <= page.evaluate(TIME) <= page.evaluate("__warplens.players[0].timeline.length")


def test_a_frame_talks_with_the_page_around_it(page, errors, address):
    base, root = address
    query = "controls=0&step=3"
    (root / "lecture.html").write_text(FRAME.format(f"week-3/runs/{NAMES[0]}.html?{query}"))
    page.goto(f"{base}lecture.html")
    page.wait_for_function("window.heard.some(({step}) => step === 3)")
    frame = page.frames[1]
    assert not frame.locator(".wp-controls").is_visible()
    # Where the replay begins is no move of the reader.
    page.wait_for_function("window.heard.some(({type}) => type === 'ready')")
    assert page.evaluate("heard.find(({type}) => type === 'ready').step") == 3
    assert not page.evaluate("heard.some(({own}) => own)")
    page.evaluate("frames[0].postMessage({type: 'warplens:seek', step: 5}, '*')")
    page.wait_for_function("window.heard.at(-1).step === 5 && window.heard.at(-1).text")
    assert frame.evaluate(TIME) == 5


def test_no_move_is_taken_back_when_frames_are_late(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri())
    page.wait_for_function(READY)
    player = "__warplens.players[0]"
    page.evaluate("addEventListener('warplens:moved', ({detail}) => (window.shown = detail.event))")
    page.evaluate(f"{player}.seek(3)")
    page.wait_for_function("window.shown === 3")
    page.evaluate(f"""() => {{
      const soon = window.requestAnimationFrame;
      window.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 900);
      {player}.seek(5);
    }}""")
    page.wait_for_function("window.shown !== 3")
    assert page.evaluate(TIME) == 5
    assert page.evaluate("window.shown") == 5


def test_several_runs_share_a_clock_and_a_loop(page, errors, site):
    page.goto((site / f"together-{NAMES[0]}.html").as_uri() + "?from=2&to=6&loop=1&play=1")
    page.wait_for_function(READY)
    assert page.evaluate("__warplens.players.length || __warplens.together.views.length") == 2
    clock = "__warplens.together.clock"
    page.wait_for_function(f"{clock}.position === 6")
    page.wait_for_function(f"{clock}.position === 2")
    assert page.evaluate(f"{clock}.playing")


def test_the_frame_that_is_offered_opens_at_the_step(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=4")
    page.wait_for_function(READY)
    page.locator("#embed summary").click()
    page.wait_for_function("document.querySelector('#frame').value.includes('step=4')")


def test_a_story_plays_with_its_stops_and_questions(page, errors, site):
    page.goto((site / "index.html").as_uri())
    story = page.locator('a[href="story-a-chain.html"]')
    page.locator("summary", has_text="Stories").click()
    story.click()
    page.wait_for_function(READY)
    stops = page.evaluate("JSON.parse(data.textContent).story.stops")
    place = page.locator(".wy-place")
    assert place.inner_text().startswith(f"stop 1 of {len(stops)}")
    assert not page.locator("#results").is_visible()
    for number, stop in enumerate(stops):
        page.wait_for_function(f"{TIME} === {stop['table']['step']}")
        assert page.locator(".wy-caption").inner_text() == stop["table"]["caption"]
        if question := stop["question"]:
            page.locator(".wy-answers button").nth(question["answer"]).click()
            assert page.locator(".wy-verdict").inner_text().startswith("Right.")
        if number < len(stops) - 1:
            page.keyboard.press("PageDown")
    assert any(stop["question"] for stop in stops)
    assert page.locator("#results").is_visible()
    page.goto(page.url + "?stop=3")
    page.wait_for_function(f"{TIME} === {stops[2]['table']['step']}")
    page.locator("#embed summary").click()
    page.wait_for_function("document.querySelector('#frame').value.includes('?stop=3')")


def test_the_long_tail_ends_with_two_runs_on_one_scale(page, errors, tmp_path):
    write_site(tmp_path / "tail", PageLimits(), ["netscience-suitor-nosync"])
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto((tmp_path / "tail" / "story-long-tail.html").as_uri() + "?stop=4")
    page.wait_for_function(READY)
    lanes = page.locator(".wx-lanes")
    expect(lanes.locator("b")).to_have_text("The 32 lanes of warp 179")
    expect(lanes.locator("[aria-current] .wx-strip")).to_be_in_viewport(ratio=1)
    page.goto((tmp_path / "tail" / "story-long-tail.html").as_uri() + "?stop=11")
    page.wait_for_function(READY)
    titles = page.locator(".wx-head > b:visible")
    expect(titles.first).to_have_text("This run: 31.1 µs")
    expect(titles.last).to_contain_text("24.6 µs")
    expect(page.locator(".wx-frame")).to_have_count(2)
    expect(page.locator(".wx-frame").last).to_be_in_viewport(ratio=0.6)
    ends = page.evaluate(f"{PLAYER}.axis.camera.to === {PLAYER}.axis.other.camera.to")
    assert ends is True
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".wx-frame")).to_have_count(1)


def test_the_first_story_draws_lanes_before_the_first_event(page, errors, site):
    page.goto((site / "story-what-is-a-warp.html").as_uri())
    page.wait_for_function(READY)
    expect(page.locator(".wx-lanes b")).to_have_text("The 32 lanes of warp 0")
    expect(page.locator(".wx-lanes .wx-strip").first).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".wx-lanes b")).to_have_text("The 32 lanes of warp 4")
    expect(page.locator(".wx-steps li[aria-current] .wp-band")).to_have_count(2)


@pytest.mark.skipif(find_firefox() is None, reason="Firefox is not installed")
def test_firefox_plays_from_files_and_below_a_path(site, address, tmp_path):
    firefox = Firefox(tmp_path)
    try:
        firefox.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=7")
        firefox.wait_for(READY)
        assert firefox.evaluate(TIME) == 7
        firefox.wait_for("document.querySelectorAll('.bk-Figure').length > 0")
        firefox.goto((site / "story-a-chain.html").as_uri() + "?stop=2")
        firefox.wait_for(f"{READY} && {TIME} > 0")
        assert firefox.evaluate("document.querySelector('.wy-place').textContent")[:6] == "stop 2"
        base, root = address
        (root / "lecture.html").write_text(FRAME.format(f"week-3/runs/{NAMES[0]}.html?step=3"))
        firefox.goto(f"{base}lecture.html")
        firefox.wait_for("heard.some(({step}) => step === 3)")
        firefox.evaluate("frames[0].postMessage({type: 'warplens:seek', step: 5}, '*')")
        firefox.wait_for("heard.at(-1).step === 5 && heard.at(-1).text")
        firefox.goto(f"{base}week-3/runs/together-{NAMES[0]}.html?from=2&to=6&loop=1&play=1")
        firefox.wait_for(READY)
        firefox.wait_for("__warplens.together.clock.position > 2")
        assert firefox.errors == []
    finally:
        firefox.close()


def test_every_page_of_a_site_keeps_the_rules_of_axe(page, errors, site, address):
    server, root = address
    for path in sorted(set(site.glob("*.html")) - {site / "drop.html"}):
        page.goto(server + path.relative_to(root).as_posix())
        if path.name != "index.html":
            page.wait_for_function(READY)
        assert (path.name, violations(page)) == (path.name, [])
