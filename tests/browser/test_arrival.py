"""A dashboard that is opened for the first time: a run that plays, and little else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.rules import violations
from support.visiting import EVENTS, PLAYER, TIME, run_button, wait_until_ready
from support.watching import wait_for_value, watching

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
ZOOMED = 640  # what 1280 pixels are at a zoom of 200 %

#: Elements that are not wholly in the window.
OUTSIDE = """names => names.filter((name) => {
  const { top, bottom, height } = document.querySelector(name).getBoundingClientRect();
  return !height || top < 0 || bottom > innerHeight;
})"""
#: What can have the focus, and is covered by the bars at the bottom once it has it.
COVERED = """() => {
  const bars = [...document.querySelectorAll('.wp-buttons, .wy-move, .wy-on')]
    .filter((one) => one.checkVisibility());
  const top = Math.min(...bars.map((one) => one.getBoundingClientRect().top));
  const all = document.querySelectorAll('main :is(a, button, input, select, summary)');
  return [...all].filter((one) => one.checkVisibility() && !one.disabled)
    .filter((one) => !bars.some((bar) => bar.contains(one)))
    .filter((one) => {
      one.focus();
      return document.activeElement === one && one.getBoundingClientRect().bottom > top;
    }).map((one) => one.outerHTML.slice(0, 80));
}"""


@pytest.fixture
def arrive(browser, server):
    """Return a function that opens a page in a browser that was never here."""
    opened = []

    def open_page(path="matching", **options):
        context = browser.new_context(first_visit=True, **{"viewport": LAPTOP, **options})
        page = context.new_page()
        watched = watching(page, server)
        watched.__enter__()
        opened.append((context, watched))
        page.goto(f"{server.url}{path}")
        page.wait_for_function(f"({EVENTS}) > 0")
        wait_until_ready(page)
        return page

    yield open_page
    for context, watched in opened:
        watched.__exit__(None, None, None)
        context.close()


def test_a_dashboard_opens_on_a_run_that_plays_on_one_screen(arrive):
    page = arrive()
    page.wait_for_function(f"{TIME} > 0")
    expect(page.locator(".ws-side")).to_be_hidden()
    for width in (ZOOMED, PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 800})
        form, caption = (page.locator(name).bounding_box() for name in (".ws-fold", ".ws-look"))
        assert form["y"] + form["height"] <= caption["y"]
    page.set_viewport_size(LAPTOP)
    expect(page.get_by_role("button", name="Present")).to_be_hidden()
    expect(page.get_by_role("button", name="Record a story")).to_be_hidden()
    parts = [".wp-stage", ".wp-now", ".wx-frame", ".wp-buttons", ".wp-choices", ".wc-lines"]
    page.wait_for_function(f"!({OUTSIDE})({parts}).length")
    assert page.locator(".wp-stage").bounding_box()["height"] > 380
    assert violations(page) == []

    page.get_by_role("button", name="Graph, algorithm, device").click()
    expect(run_button(page)).to_be_visible()
    graph = re.compile("karate club, weighted")
    expect(page.get_by_label("Graph", exact=True)).to_have_value(graph)
    page.get_by_role("button", name="Lecturer's view").click()
    expect(page.get_by_role("button", name="Present")).to_be_visible()
    page.reload()
    wait_until_ready(page)
    expect(run_button(page)).to_be_visible()
    expect(page.get_by_role("button", name="Record a story")).to_be_visible()


def test_nothing_moves_for_those_who_want_less_motion(arrive):
    page = arrive(reduced_motion="reduce")
    assert page.evaluate(f"{PLAYER}.playback.playing") is False
    assert page.evaluate(TIME) == 0
    expect(page.locator(".wp-now")).to_have_text(
        "Next: Vertex 32 proposes to 33 with 5, and 33 had no suitor"
    )


@pytest.mark.parametrize("step", [0, 7])
def test_a_link_shows_what_it_says(arrive, step):
    page = arrive(f"matching?record=lesmis-ld&step={step}")
    page.wait_for_function(f"{PLAYER}.meta.n === 77 && {TIME} === {step}")
    assert page.evaluate(f"{PLAYER}.playback.playing") is False
    expect(page.locator(".ws-look")).to_contain_text("Les Mis")


def test_a_link_that_is_wrong_leaves_the_run_of_the_page(arrive):
    page = arrive("matching?graph=no-such-graph")
    expect(page.locator(".ws-error")).to_contain_text("no-such-graph")
    expect(page.locator(".wp-now")).to_have_text(
        "Next: Vertex 32 proposes to 33 with 5, and 33 had no suitor"
    )


def test_a_phone_has_its_controls_at_the_bottom(arrive):
    page = arrive("matching?story=any-order", viewport=PHONE, has_touch=True, is_mobile=True)
    following = page.get_by_role("button", name="Next", exact=True)
    place = following.bounding_box()
    assert place["y"] + place["height"] < PHONE["height"]
    page.evaluate("document.querySelector('.wy-switch input').click()")  # no questions
    for stop in (2, 3):
        following.tap()
        expect(page.locator(".wy-place")).to_contain_text(f"stop {stop} of")
        assert following.bounding_box() == place
    expect(page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED) == []
    assert violations(page) == []


@pytest.mark.parametrize("window", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_run_of_the_landing_page_fits_into_its_frame(page, server, window):
    page.set_viewport_size(window)
    page.goto(server.url)
    page.frame_locator(".ws-first").locator(".wp-now").wait_for()
    frame = page.frames[1]
    wait_for_value(frame, "document.documentElement.scrollHeight <= innerHeight", True)
    assert frame.locator(".wp-stage").bounding_box()["height"] >= 200


def test_a_phone_has_picture_and_caption_on_one_screen(arrive):
    page = arrive("matching?story=what-is-a-warp", viewport=PHONE, has_touch=True, is_mobile=True)
    page.evaluate("document.querySelector('.wy-switch input').click()")  # no questions
    following = page.get_by_role("button", name="Next", exact=True)
    expect(page.locator(".wy-place")).to_contain_text("stop 1 of")
    place = page.locator(".wy-place").text_content()
    stops = int(re.search(r"of (\d+)", place)[1])
    for stop in range(1, stops + 1):
        expect(page.locator(".wy-place")).to_contain_text(f"stop {stop} of")
        page.wait_for_function(f"!({OUTSIDE})(['.wp-stage', '.wy-caption']).length")
        page.wait_for_function("""() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          return box('.wp-stage').bottom <= box('.wy-on').top;
        }""")
        if stop < stops:
            following.tap()


def test_a_phone_shows_the_lanes_that_a_stop_is_about(arrive):
    page = arrive("matching?story=what-is-a-warp", viewport=PHONE, has_touch=True, is_mobile=True)
    page.evaluate("document.querySelector('.wy-switch input').click()")  # no questions
    expect(page.locator(".wy-place")).to_contain_text("stop 1 of")
    page.wait_for_function("""() => {
      const box = (name) => document.querySelector(name)?.getBoundingClientRect();
      return box('.wx-steps li .wx-strip')?.bottom <= box('.wy-on').top;
    }""")
    expect(page.locator(".ws-runbar")).to_be_hidden()
