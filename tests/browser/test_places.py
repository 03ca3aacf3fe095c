"""A server without a process pool: pages load slowly, and closed pages free their place."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.serving import Server
from support.visiting import PLAYER, run_button, wait_until_ready

pytestmark = pytest.mark.browser

#: Records the texts of the page while it loads.
STEPS = """
window.steps = [];
new MutationObserver(() => {
  const text = document.getElementById("ws-skeleton-text")?.textContent;
  if (text && window.steps.at(-1) !== text) window.steps.push(text);
}).observe(document, { childList: true, characterData: true, subtree: true });
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a server without a process pool that soon ends lost pages."""
    running = Server(tmp_path_factory.mktemp("site"), "--pool", "0", "--lost-minutes", "0.1")
    yield running.url
    assert running.stop() == 0, running.output


def places(page, site):
    page.goto(site)
    return int(re.search(r"(\d+) of \d+ places", page.locator(".ws-foot").text_content())[1])


def wait_for_places(page, site, wanted):
    for _ in range(300):
        if places(page, site) == wanted:
            return
        page.wait_for_timeout(200)
    assert places(page, site) == wanted


def test_pages_at_once_and_closing_them_frees_their_kernels(page, errors, site, context):
    pages = [context.new_page() for _ in range(2)]
    for each in pages:
        each.goto(f"{site}matching", wait_until="commit")
    for each in pages:
        wait_until_ready(each)
        run_button(each).click()
    for each in pages:
        each.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    assert places(page, site) == 2
    pages[0].close(run_before_unload=True)
    wait_for_places(page, site, 1)
    # The closing message of a tab without the cookie is refused: its process ends some time later.
    context.clear_cookies()
    pages[1].close(run_before_unload=True)
    wait_for_places(page, site, 0)


#: Properties that move while a page loads.
MOVING = """() => document.getAnimations().filter((one) => one instanceof CSSAnimation)
  .flatMap((one) => one.effect.getKeyframes()).flatMap((frame) => Object.keys(frame))"""
#: Of a keyframe, no property.
TIMING = {"offset", "computedOffset", "easing", "composite"}


def test_loading_is_told_and_so_is_a_wrong_link(page, errors, site):
    page.add_init_script(STEPS)
    page.goto(f"{site}matching?graph=nonsense&step=3", wait_until="commit")
    # Nothing is drawn again for each frame: the page's process needs the processor; transforms and
    # opacity are the compositor's.
    page.locator("#ws-skeleton b").first.wait_for()
    assert set(page.evaluate(MOVING)) - TIMING == {"transform", "opacity"}
    error = page.locator(".ws-error")
    expect(error).to_contain_text("neither in the collection")
    assert "Traceback" not in page.locator("body").text_content()
    wait_until_ready(page)
    expect(error).to_have_count(1)
    steps = page.evaluate("window.steps")
    assert steps[0] == "Starting the process behind this page"
    assert len(steps) >= 3
    expect(page.locator("#ws-skeleton")).to_have_count(0)
