"""Present mode: what a lecture hall sees, and what the lecturer presses."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.visiting import PLAYER, TIME, run, run_button, wait_until_ready
from support.watching import wait_for_value, watching

pytestmark = pytest.mark.browser

HALL = {"width": 1920, "height": 1080}
TOGETHER = "window.__warplens?.together"

#: Sizes of the type of all visible elements with text of their own, in pixels, by class.
SIZES = """() => {
  const texts = [...document.querySelectorAll('.ws-app *')].filter((one) => one.checkVisibility()
    && one.getClientRects().length && !one.closest('.wp-spoken, [aria-hidden]')
    && [...one.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim()));
  return texts.map((one) => [`${one.tagName} ${one.className} ${one.textContent}`,
    parseFloat(getComputedStyle(one).fontSize)]);
}"""
#: Height of the smallest name that a picture writes: 11.5 of its own pixels.
NAMES = "(view) => 11.5 * view.stage.scale"
INSIDE = """names => names.map((name) => [...document.querySelectorAll(name)]
  .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
  .map(({ left, top, right, bottom }) =>
    left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && bottom > top))"""


@pytest.fixture(scope="module")
def hall(shared_page, server):
    """Return the matching page with a run, for all lectures."""
    page = shared_page
    page.set_viewport_size(HALL)
    page.goto(f"{server.url}matching")
    run_button(page).wait_for()
    wait_until_ready(page)
    run(page)
    return page


@pytest.fixture
def lecture(hall):
    """Return the page in present mode, at the start of its run."""
    if hall.evaluate(f"{PLAYER}.stage.scale") > 1:  # from the test before
        hall.keyboard.press("Escape")
    hall.wait_for_function(f"{PLAYER}.stage.scale === 1")
    hall.mouse.move(0, 0)
    hall.evaluate(f"{PLAYER}.seek(0)")
    hall.get_by_role("button", name="Present (F2)").click()
    hall.wait_for_function(f"{PLAYER}.stage.scale > 1")
    return hall


def test_type_is_read_from_the_last_row(lecture):
    page = lecture
    page.evaluate(f"{PLAYER}.seek(40)")
    page.locator(".wc-lines [aria-current]").wait_for()
    sizes = page.evaluate(SIZES)
    assert {name for name, size in sizes if size < 20} == set()
    assert {size for name, size in sizes if "wp-now" in name} == {30}
    assert page.evaluate(f"({NAMES})({PLAYER})") >= 20
    parts = [".wp-stage", ".wp-now", ".wc-listing", ".wc-lines [aria-current]", ".wp-scrub"]
    assert page.evaluate(INSIDE, parts) == [[True]] * len(parts)
    canvas = page.locator(".wp-stage canvas").first
    box = page.locator(".wp-stage").bounding_box()
    assert canvas.evaluate("({ width }) => width") == pytest.approx(box["width"], abs=4)


def test_only_picture_and_pseudo_code_are_shown(lecture):
    page = lecture
    for name in (
        ".ws-top",
        ".ws-side",
        ".wp-controls",
        ".wc-kernels",
        ".wv-tabbed",
        ".wt",
        ".wy-tools",
    ):
        expect(page.locator(name).first).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".ws-side")).to_be_visible()
    page.wait_for_function(f"{PLAYER}.stage.scale === 1")
    page.keyboard.press("F2")
    expect(page.locator(".ws-side")).to_be_hidden()
    page.keyboard.press("F2")
    expect(page.locator(".ws-side")).to_be_visible()


def test_a_clicker_steps_event_by_event(lecture):
    page = lecture
    for expected in (1, 2, 3):
        page.keyboard.press("PageDown")
        page.wait_for_function(f"{TIME} === {expected}")
    page.keyboard.press("PageUp")
    page.wait_for_function(f"{TIME} === 2")
    page.keyboard.press("F5")  # a clicker's start button: the run stays
    page.keyboard.press("PageDown")
    page.wait_for_function(f"{TIME} === 3")
    page.keyboard.press("Escape")
    page.locator(".ws-stage .wp").focus()
    page.keyboard.press("PageDown")  # by iteration, as the list of keys says
    page.wait_for_function(f"{TIME} > 4")


def test_the_pointer_has_a_halo_and_finds_vertices(lecture):
    page = lecture
    halo = page.locator(".wo-halo")
    expect(halo).to_be_hidden()
    x, y = page.evaluate(f"""() => {{
      const {{ stage }} = {PLAYER};
      const {{ left, top }} = stage.root.getBoundingClientRect();
      return [left + stage.view.X[11] * stage.scale, top + stage.view.Y[11] * stage.scale];
    }}""")
    page.mouse.move(x, y)
    expect(halo).to_be_visible()
    box = halo.bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(x, abs=2)
    assert box["y"] + box["height"] / 2 == pytest.approx(y, abs=2)
    wait_for_value(page, f"{PLAYER}.stage.hovered", 11)
    tip = page.locator(".wp-tip").bounding_box()
    assert abs(tip["x"] - x) < 450 and abs(tip["y"] - y) < 200


def test_a_second_window_has_the_speaker_notes(lecture):
    page = lecture
    page.keyboard.press("Escape")
    with page.expect_popup() as opening:
        page.get_by_role("button", name="Speaker notes").click()
    notes = opening.value
    page.keyboard.press("F2")
    page.keyboard.press("PageDown")
    page.wait_for_function(f"{TIME} === 1")
    now = page.locator(".wp-now")
    expect(now).not_to_contain_text("Next:")  # at the start it announces the first event
    expect(notes.locator(".now p")).to_have_text(now.text_content())
    assert "proposes" in now.text_content()
    expect(page.locator(".wc-why")).to_have_text(re.compile(r"\.$"))
    expect(notes.locator(".why p")).to_have_text(page.locator(".wc-why").text_content())
    notes.keyboard.press("PageDown")
    page.wait_for_function(f"{TIME} === 2")
    expect(notes.locator("header")).to_contain_text("event 2")
    notes.close()
    page.keyboard.press("PageDown")
    page.wait_for_function(f"{TIME} === 3")


def test_a_story_is_presented_with_its_notes(watched, server):
    page = watched
    page.set_viewport_size(HALL)
    page.goto(f"{server.url}matching?story=long-tail")
    page.locator(".wy-story .wy-caption").wait_for()
    page.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    with page.expect_popup() as opening:
        page.locator(".wo").get_by_role("button", name="Speaker notes").click()
    notes = opening.value
    page.keyboard.press("F2")
    place = page.locator(".wy-story .wy-place")
    page.keyboard.press("PageDown")  # the answer, then the next stop
    page.keyboard.press("PageDown")
    expect(place).to_contain_text("stop 2 of")
    expect(notes.locator("header")).to_contain_text("stop 2 of")
    expect(notes.locator(".caption p")).to_have_text(page.locator(".wy-caption").text_content())
    said = page.locator(".wy-notes p").text_content()
    assert said
    expect(notes.locator(".say p")).to_have_text(said)
    assert {name for name, size in page.evaluate(SIZES) if size < 20} == set()
    shown = [".wy-caption", ".wp-stage", ".wp-now", ".wc-lines"]
    assert page.evaluate(INSIDE, shown) == [[True]] * len(shown)
    notes.keyboard.press("PageDown")
    expect(place).to_contain_text("stop 3 of")

    notes.reload()  # as the start button of a clicker does
    expect(notes.locator("header")).to_contain_text("stop 3 of")
    page.reload()
    expect(place).to_contain_text("stop 1 of")
    expect(notes.locator("header")).to_contain_text("stop 1 of")
    notes.keyboard.press("PageDown")
    notes.keyboard.press("PageDown")
    expect(place).to_contain_text("stop 2 of")
    assert page.context.pages == [page, notes]
    notes.close()
    wait_for_value(page, "sessionStorage['warplens-notes']", "")


def test_four_schedules_fit(page, server):
    with watching(page, server):
        page.set_viewport_size(HALL)
        page.emulate_media(reduced_motion="reduce")  # else the runs play on arrival
        page.goto(f"{server.url}compare")
        page.wait_for_function("document.querySelector('.ws-run')?.disabled === false")
        page.locator(".ws-run").click()
        page.wait_for_function(f"{TOGETHER}?.views.length === 4")
        page.keyboard.press("F2")
        page.wait_for_function(f"{TOGETHER}.views.every((view) => view.stage.scale > 1)")
        for expected in (1, 2):
            page.keyboard.press("PageDown")
            wait_for_value(page, f"{TOGETHER}.clock.position", expected)
        parts = [".sbs-pane", ".sbs-pane .wp-stage", ".sbs-pane .wp-now", ".sbs-pane h3"]
        assert page.evaluate(INSIDE, parts) == [[True] * 4] * len(parts)
        sizes = page.evaluate(SIZES)
        assert {name for name, size in sizes if size < 20} == set()
        assert {size for name, size in sizes if "wp-now" in name} == {28}
        assert page.evaluate(f"{TOGETHER}.views.map({NAMES})") == [pytest.approx(20.24)] * 4
