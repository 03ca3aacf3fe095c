"""The code beside the replay, in a real browser: it follows the player, and is profiled."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from playwright.sync_api import expect

from support.visiting import PLAYER, choose, load, run, wait_until_ready
from support.watching import wait_for_charts
from warplens.app.pages import get_view
from warplens.app.widgets.bundle import LIB, esm

pytestmark = pytest.mark.browser


def test_code_follows_the_player_and_is_profiled(matching):
    page = matching
    load(page, "Zachary's karate club (34)", "34")
    choose(page, "Variant", "Synchronised, levelled (SyncLB)")
    choose(page, "Vertices per warp", "8")
    page.get_by_role("tab", name="Kernel source").click()
    profile = page.get_by_role("button", name="Profile these kernels")
    expect(profile).to_be_disabled()
    run(page)
    expect(profile).to_be_enabled()
    lit = page.locator(".wc-lines [aria-current]")
    expect(lit).to_have_count(0)
    kinds = page.evaluate(f"Array.from({PLAYER}.events.kind)")
    # The run is the same every time, and all of these happen in it.
    for kind, line in ((1, "v had no suitor"), (2, "u displaces x"), (4, "u stays alone")):
        page.evaluate(f"{PLAYER}.seek({kinds.index(kind) + 1})")
        expect(lit).to_contain_text(line)
        expect(page.locator(".wc-why")).to_have_text(re.compile(r"\.$"))
        place = page.locator(".wc-row[aria-current]")
        expect(place).to_have_attribute("data-line", re.compile(r"^\d+$"))
        expect(page.locator(".wc-happened")).to_have_text(page.locator(".wp-now").text_content())

    # Even while the charts of the run are still being made.
    profile.click()
    page.locator(".wc-profiled").wait_for()
    expect(page.locator(".wc-summary")).to_contain_text("no data race")
    wait_until_ready(page)
    wait_for_charts(page, 4)
    notes = page.locator(".wc-notes")
    row = page.locator(".wc-row", has_text="if (edge >= floor")
    row.hover()
    why = page.locator(".wc-notes .wc-first", has_text="un-coalesced, because each lane")
    expect(why).to_be_visible()
    expect(notes).to_have_text(re.compile(r"touched [\d.]+ sectors"))
    page.get_by_role("button", name="Active lanes").click()
    expect(row.locator(".wc-bar")).to_have_text(re.compile(r"^[\d.]+ of 32$"))

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


def test_the_kernels_of_a_run_open_in_the_playground(matching):
    page = matching
    # The page itself is tested elsewhere; here it would have the server prepare the compiler.
    page.context.route("**/play.html*", lambda route: route.fulfill(body="<title>play</title>"))
    load(page, "Zachary's karate club (34)", "34")
    choose(page, "Variant", "No synchronisation (NoSync)")
    run(page)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Edit this kernel").click()
    opened.value.wait_for_url("**/play.html#play=*")
    fragment = opened.value.url.partition("#play=")[2]
    state = json.loads(zlib.decompress(base64.urlsafe_b64decode(fragment + "=="), -15))
    row = page.locator(".wc-edit")
    assert state["kernel"] == row.get_by_label("Kernel to edit").input_value()
    assert f" {state['kernel']}\n" in state["code"]
    assert "34" in state["args"]
    expect(row).to_contain_text("opens its first launch")
    opened.value.close()


PANES = """async ([source, values, others]) => {
  const { default: widget } = await import('data:text/javascript;base64,' + source);
  const heard = {};
  const model = {
    get: (name) => values[name],
    on: (name, act) => { heard[name] = act; },
    off: () => {},
  };
  const el = document.createElement('div');
  document.body.append(el);
  widget.render({ model, el });
  const detail = { kind: 2, text: 'it happened' };
  window.dispatchEvent(new CustomEvent('warplens:moved', { detail }));
  Object.assign(values, others);
  heard['change:listing']();
}"""


def test_code_that_comes_after_an_event_shows_it(page, errors):
    book = get_view("matching").code
    before, after = (
        {"listing": book.listing(*chosen), "sources": book.sources(*chosen)}
        for chosen in (("ld", "ld"), ("suitor", "sync_lb"))
    )
    offer = {"offer": {"ready": False, "busy": False, "text": ""}, "profile": {}}
    page.goto("about:blank")
    source = base64.b64encode(esm(LIB.parent / "code" / "code.js").encode()).decode()
    page.evaluate(PANES, [source, before | offer, after])
    expect(page.locator(".wc-lines [aria-current]")).to_have_text(re.compile("u displaces x"))
    expect(page.locator(".wc-happened")).to_have_text("it happened")
    expect(page.locator(".wc-row[aria-current]")).to_have_count(1)
