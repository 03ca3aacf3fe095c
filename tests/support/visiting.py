"""Actions of a visitor on a dashboard."""

from __future__ import annotations

import re
from contextlib import contextmanager

PLAYER = "window.__warplens?.players[0]"
EVENTS = f"{PLAYER}?.timeline.length ?? 0"
TIME = f"{PLAYER}.time"


def run_button(page):
    return page.get_by_role("button", name="Run", exact=True)


def wait_until_ready(page):
    ready = "document.querySelector('.ws-run')?.disabled === false"
    page.wait_for_function(ready)


def choose(page, label, option):
    page.get_by_label(label, exact=True).select_option(option)


def load(page, title, vertices):
    """Choose a graph of the collection and wait until it is there, without a run."""
    field = page.get_by_label("Graph", exact=True)
    if field.evaluate("field => field.selectedOptions[0].textContent") != title:
        page.evaluate(f"() => {{ window.playerBefore = {PLAYER}; }}")
        field.select_option(title)
        page.wait_for_function(f"{PLAYER} && {PLAYER} !== window.playerBefore")
    wait_for_graph(page, vertices)


def wait_for_graph(page, vertices):
    facts = f"document.querySelector('.ws-facts')?.textContent.startsWith('{vertices}vertices')"
    page.wait_for_function(facts)
    wait_until_ready(page)


@contextmanager
def another_run(page):
    """Wait at the end until the player shows a run, not the one of the beginning."""
    page.evaluate(f"() => {{ window.shownBefore = {PLAYER}?.timeline; }}")
    yield
    page.wait_for_function(f"({EVENTS}) > 0 && {PLAYER}.timeline !== window.shownBefore")
    wait_until_ready(page)


def run(page):
    with another_run(page):
        run_button(page).click()
        page.locator(".ws-verdict").wait_for(state="attached")


def show_chart(page, heading):
    """Open the tab of the chart or card with this heading; wait until it is visible."""
    title = page.locator("h3", has_text=re.compile(f"^{re.escape(heading)}$"))
    panel = page.locator(".wv-panel", has=title)
    panel.wait_for(state="attached")
    page.locator(f"[id='{panel.get_attribute('aria-labelledby')}']").click()
    page.get_by_role("heading", name=heading, exact=True).wait_for()
