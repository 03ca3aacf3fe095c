"""Every page: its arrangement on a laptop, the rules of axe, and a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.rules import COLOURS, violations
from support.visiting import EVENTS, PLAYER, run_button, wait_until_ready
from support.watching import wait_for_charts, wait_for_value
from warplens.app.pages import find_pages, get_view, shown_families

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAPTOP = {"width": 1440, "height": 900}
NARROW = {"width": 1280, "height": 800}
TABLET = {"width": 900, "height": 900}
LOW = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}

#: Pages of the server without a process behind them.
PLAIN = ("", "glossary", "there-is-no-such-page")

#: Pages of families: one screen.
SCREENS = {name for name in shown_families() if get_view(name).code}

READY = """() => document.querySelector('.ws-run')?.disabled === false
  || document.querySelector('.ws-app .ws-paper h3') !== null"""
PLAYING = """() => {
  const hook = globalThis.__warplens;
  return Boolean(hook?.together || hook?.players[0]?.timeline.length);
}"""
#: Whether runs stand side by side, or a run plays that is another one than before.
NEXT = f"""() => {{
  const titles = globalThis.__warplens?.together?.meta.titles;
  if (titles) return titles.length > 1;
  return ({EVENTS}) > 0 && {PLAYER}.timeline !== window.shownBefore;
}}"""

#: Where the parts of the screen are: left, top, right, bottom.
BOXES = """names => names.map((name) => {
  const found = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
  const { left, top, right, bottom } = found?.getBoundingClientRect() ?? {};
  return found ? [left, top, right, bottom] : null;
})"""
#: What is wider than the page, or scrolls sideways. A chain of events is one line of any length.
SIDEWAYS = """() => {
  const seen = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility());
  const shown = (one) => `${one.tagName}.${one.className}`;
  const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX)
    && one.scrollWidth > one.clientWidth + 1 && !one.closest('.wp-chain');
  const cut = (one) => {
    for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    }
    return false;
  };
  const outside = (one) => one.getBoundingClientRect().right > innerWidth + 1 && !cut(one);
  return seen.filter((one) => scrolls(one) || outside(one)).map(shown);
}"""

#: Parts of the header that are cut, that cover another one, or that are outside of the window. The
#: navigation scrolls where even a narrow menu beside it leaves too little room.
SQUEEZED = """() => {
  const whole = document.querySelector('.ws-top').getBoundingClientRect();
  const parts = [...document.querySelectorAll('.ws-top > :not(.ws-title)')]
    .filter((one) => one.checkVisibility())
    .filter((one) => !/fixed|absolute/.test(getComputedStyle(one).position));
  const texts = parts.flatMap((one) => [one, ...one.querySelectorAll('summary, summary span')])
    .filter((one) => innerWidth >= 1280 || !one.matches('.ws-nav'));
  const cut = texts.filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return one.scrollWidth > one.clientWidth + 1 || top < whole.top || bottom > whole.bottom;
  });
  const boxes = parts.map((one) => one.getBoundingClientRect());
  const pushed = parts.filter((_, k) =>
    boxes[k].left < (boxes[k - 1]?.right ?? 0) || boxes[k].right > innerWidth);
  return [...cut, ...pushed].map((one) => `${one.tagName}.${one.className}`);
}"""

#: Options of menus that would be cut if they were chosen.
CUT = """() => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'selectedIndex');
  const cut = [];
  const probe = document.createElement('div');
  document.body.append(probe);
  const shown = [...document.querySelectorAll('select')].filter((one) => one.checkVisibility());
  for (const menu of shown) {
    const style = getComputedStyle(menu);
    const { font, lineHeight } = style;
    const padding = (side) => parseFloat(style[`padding${side}`]);
    const now = menu.selectedIndex;
    [...menu.options].forEach(({ text }, index) => {
      set.call(menu, index);
      const width = menu.clientWidth - padding('Left') - padding('Right') + 1;
      const high = menu.clientHeight - padding('Top') - padding('Bottom') + 1;
      Object.assign(probe.style, { font, lineHeight, position: 'absolute', width: `${width}px` });
      probe.textContent = text;
      if (probe.offsetHeight > high || probe.scrollWidth > width) cut.push(text);
    });
    set.call(menu, now);
  }
  probe.remove();
  return cut;
}"""

#: The picture is wholly on the screen.
SHOWN = """() => {
  const { top, bottom } = document.querySelector('.wp-stage').getBoundingClientRect();
  return 0 <= top && bottom <= innerHeight;
}"""


@pytest.mark.parametrize("name", [*PLAIN, *find_pages()])
def test_every_page(watched, server, name):
    page = watched
    page.set_viewport_size(LAPTOP)
    page.goto(f"{server.url}{name}")
    if name not in PLAIN:
        page.wait_for_function(READY)
        run_what_is_offered(page)
    if name in SCREENS:
        picture_caption_and_code_are_beside_each_other(page)
        a_low_screen_keeps_the_buttons(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page, COLOURS if scheme == "dark" else ()) == [], scheme
    page.set_viewport_size(PHONE)
    wait_for_value(page, "document.documentElement.scrollWidth", PHONE["width"])
    if name in SCREENS:
        a_phone_shows_the_player_after_run_and_scrolls_only_down(page)
    menus_show_what_is_chosen_in_full(page)
    the_header_is_whole(page)
    if name == "there-is-no-such-page":
        page.complaints.clear()  # that the page was not found


def run_what_is_offered(page):
    button = page.locator(".ws-run")
    if not button.count() or not button.first.is_visible():
        return
    page.wait_for_function(PLAYING)  # pages open on a run, which is not this one
    page.evaluate(f"() => {{ window.shownBefore = {PLAYER}?.timeline; }}")
    button.first.click()
    page.wait_for_function(NEXT)
    page.wait_for_function(READY)


def to_the_middle(page):
    page.wait_for_function(f"{EVENTS} > 0")
    page.evaluate(f"{PLAYER}.seek(Math.round({PLAYER}.timeline.length * 0.4))")
    page.locator(".wc-lines [aria-current]").wait_for()


def a_low_screen_keeps_the_buttons(page):
    page.set_viewport_size(LOW)
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".wp-controls")).to_be_in_viewport(ratio=1)
    page.set_viewport_size(LAPTOP)


def picture_caption_and_code_are_beside_each_other(page):
    to_the_middle(page)
    picture, caption, line = page.evaluate(
        BOXES, [".wp-stage", ".wp-now", ".wc-lines [aria-current]"]
    )
    for _, top, _, bottom in (picture, caption, line):
        assert 0 <= top < bottom <= LAPTOP["height"]
    assert picture[3] - picture[1] >= 280
    assert line[0] > picture[2]
    assert page.evaluate("scrollY") == 0


def a_phone_shows_the_player_after_run_and_scrolls_only_down(page):
    wait_for_value(page, SIDEWAYS, [])
    run_button(page).click()
    page.wait_for_function(SHOWN)
    wait_until_ready(page)
    wait_for_charts(page)
    for tab in page.locator(".wv-tabbed [role=tab]:not([hidden])").all():
        tab.click()
        wait_for_value(page, SIDEWAYS, [])


def menus_show_what_is_chosen_in_full(page):
    fold = page.locator(".ws-fold[aria-expanded=false]")
    if fold.count():
        fold.click()
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        wait_for_value(page, CUT, [])


def the_header_is_whole(page):
    for size in (LAPTOP, NARROW, TABLET, PHONE):
        page.set_viewport_size(size)
        wait_for_value(page, SQUEEZED, [])


def test_a_link_skips_the_navigation(page, server):
    page.goto(f"{server.url}glossary")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.locator(".ws-skip").bounding_box()["width"] > 100
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
