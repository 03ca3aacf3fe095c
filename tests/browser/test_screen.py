"""The arrangement of a page: one screen, tabs, folding controls. See also test_every_page.py."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.visiting import EVENTS, PLAYER, TIME, run, run_button, wait_until_ready
from support.watching import wait_for_charts, wait_for_value

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1440, "height": 900}
LOW = {"width": 1000, "height": 640}
PHONE = {"width": 390, "height": 844}
WIDE = re.compile(r"^([3-9]\d\d|\d{4})(\.\d+)?px$")

#: Where the parts of the screen are: left, top, right, bottom.
BOXES = """names => names.map((name) => {
  const found = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
  const { left, top, right, bottom } = found?.getBoundingClientRect() ?? {};
  return found ? [left, top, right, bottom] : null;
})"""
#: The controls that a part of the page covers, by their words.
COVERED = """name => {
  const part = document.querySelector(name);
  const of = part.getBoundingClientRect();
  const controls = [...document.querySelectorAll("a, button, input, select")];
  return controls.filter((one) => {
    const box = one.getBoundingClientRect();
    const apart = box.right <= of.left || box.left >= of.right || box.bottom <= of.top
      || box.top >= of.bottom;
    return !apart && one.checkVisibility() && !part.contains(one);
  }).map((one) => one.ariaLabel ?? one.textContent);
}"""
LINE = ".wc-lines [aria-current]"


#: What does not show that it has the focus, or is then behind the form's last bar.
UNSEEN = """() => {
  const all = document.querySelectorAll('main :is(a, button, input, select, [tabindex="0"])');
  const bar = document.querySelector('.ws-runbar');
  return [...all].filter((one) => one.checkVisibility() && !one.disabled).filter((one) => {
    scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 20);
    one.focus({ focusVisible: true });
    if (document.activeElement !== one) return false;
    const near = [one, one.parentElement, one.parentElement.parentElement];
    if (near.every((each) => getComputedStyle(each).outlineStyle === 'none')) return true;
    const [has, over] = [one, bar].map((each) => each.getBoundingClientRect());
    const side = one.closest('.ws-side') && !bar.contains(one);
    return side && has.bottom > over.top + 1 && has.top < over.bottom - 1;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""


@pytest.fixture(scope="module")
def after_run(shared_page, server):
    """Return the matching page after a run, for all tests; the charts came with the run."""
    page = shared_page
    page.set_viewport_size(LAPTOP)
    page.goto(f"{server.url}matching")
    run_button(page).wait_for()
    wait_until_ready(page)
    run(page)
    return page


@pytest.fixture
def opened(after_run):
    """Return that page from its top."""
    after_run.evaluate("scrollTo(0, 0)")
    return after_run


def to_the_middle(page):
    page.wait_for_function(f"{EVENTS} > 0")
    page.evaluate(f"{PLAYER}.seek(Math.round({PLAYER}.timeline.length * 0.4))")
    page.locator(LINE).wait_for()


def test_the_warp_map_can_stand_beside_the_picture(opened):
    page = opened
    wait_for_charts(page, 4)
    page.get_by_role("button", name="Beside the picture").click()
    page.locator(".ws-aside .bk-Canvas").wait_for()
    page.evaluate("scrollTo(0, 0)")
    to_the_middle(page)
    for shown in (page.locator(LINE), page.locator(".ws-aside .bk-Canvas")):
        expect(shown).to_be_in_viewport(ratio=1)
    cursor = """(name) => Bokeh.documents.map((d) => d.get_model_by_name(name)).filter(Boolean)
      .at(-1)?.data.y[0]"""
    warp = page.evaluate(f"{PLAYER}.events.warp[{TIME} - 1]")
    wait_for_value(page, cursor, warp, "warp-map-cursor")
    page.get_by_role("button", name="Beside the picture").click()
    expect(page.locator(".ws-aside .bk-Canvas")).to_have_count(0)
    expect(page.locator(".wv-panel .bk-Canvas").first).to_be_visible()


def test_the_kernel_is_one_click_away_in_the_same_place(opened):
    page = opened
    to_the_middle(page)
    (pseudo,) = page.evaluate(BOXES, [".wc-listing"])
    page.get_by_role("tab", name="Kernel source").click()
    expect(page.locator(".wc-listing")).to_be_hidden()
    source, row = page.evaluate(BOXES, [".wc-kernels", ".wc-row[aria-current]"])
    assert source[:2] == pytest.approx(pseudo[:2], abs=1)
    assert source[1] < row[1] < row[3] < LAPTOP["height"]
    page.get_by_role("tab", name="Kernel source").press("ArrowLeft")
    expect(page.locator(".wc-listing")).to_be_visible()


def test_the_result_is_shown_after_the_end_or_on_demand(opened):
    page = opened
    verdict = page.locator(".ws-verdict")
    expect(verdict).to_be_hidden()
    page.evaluate(f"{PLAYER}.seek({EVENTS} - 1)")
    page.wait_for_function(f"{TIME} === {EVENTS} - 1")
    expect(verdict).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(verdict).to_be_visible()

    page.get_by_role("spinbutton", name="Seed").fill("2")
    page.get_by_role("spinbutton", name="Seed").press("Enter")
    run(page)
    expect(verdict).to_be_hidden()
    page.get_by_role("button", name="Show the result now").click()
    expect(verdict).to_be_visible()


def test_charts_are_behind_tabs(opened):
    page = opened
    wait_for_charts(page, 4)
    headings = {"Warps": "Warps", "Progress": "Active warps", "Counts": "Chains of displacements"}
    for tab, heading in headings.items():
        page.get_by_role("tab", name=tab).click()
        plot = page.locator(".ws-card", has=page.get_by_role("heading", name=heading, exact=True))
        # Bokeh may draw once more when the tab gives it a width: looked at until it has it.
        expect(plot.locator(".bk-Canvas")).to_have_css("width", WIDE)
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
    expect(page.get_by_role("heading", name="Warps", exact=True)).to_be_hidden()
    expect(page.get_by_role("tab", name="Ranks")).to_be_hidden()


def test_the_focus_is_seen(opened):
    assert opened.evaluate(UNSEEN) == []


def test_the_controls_fold(opened):
    """The last test of this page: it loads the page again."""
    page = opened
    before = page.locator(".wp-stage").bounding_box()["width"]
    fold = page.get_by_role("button", name="Graph, algorithm, device")
    fold.click()
    expect(page.locator(".ws-side")).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    assert page.locator(".wp-stage").bounding_box()["width"] > before + 150
    # Work and Cancel are shown without the form, and cover no control.
    page.evaluate("document.querySelector('.ws-progress').style.display = ''")
    cancel = page.get_by_role("button", name="Cancel")
    for size in (LAPTOP, LOW):
        page.set_viewport_size(size)
        expect(cancel).to_be_in_viewport(ratio=1)
        assert page.evaluate(COVERED, ".ws-runbar") == []
    page.set_viewport_size(PHONE)
    expect(cancel).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED, ".ws-fold") == []
    page.set_viewport_size(LAPTOP)
    page.reload()
    page.wait_for_function("document.body.classList.contains('ws-ready')")
    expect(page.locator(".ws-side")).to_be_hidden()
    fold.click()
    expect(run_button(page)).to_be_visible()
