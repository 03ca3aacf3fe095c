"""Runs side by side, in a real browser: they stay in step, and the right vertices have halos."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.loading import load
from support.watching import wait_for_value
from warplens.app.clock import Track, align, offered
from warplens.app.comparison.contenders import Contender
from warplens.app.comparison.results import run_all
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view

pytestmark = pytest.mark.browser

TOGETHER = "window.__warplens?.together"
TIMES = f"{TOGETHER}.views.map((view) => view.time)"
VIEW = get_view("matching")


#: Buttons of the pictures that stay below the clock's bar when the focus comes to them from below.
BELOW_THE_BAR = """() => {
const all = document.querySelectorAll('.sbs-pane .wp-zoom button');
return [...all].filter((one) => {
  document.activeElement.blur();
  scrollBy(0, one.getBoundingClientRect().top - 5);
  one.focus();
  const bar = document.querySelector('.sbs-transport').getBoundingClientRect();
  return one.getBoundingClientRect().top < bar.bottom;
}).map((one) => one.ariaLabel);
}"""


@pytest.fixture(scope="module")
def schedules(shared_page, server):
    """Return the page with four finished schedules, on which it opens."""
    page = shared_page
    page.emulate_media(reduced_motion="reduce")  # the runs wait
    page.goto(f"{server.url}compare")
    page.locator(".sbs-verdict").wait_for(state="attached")
    page.wait_for_function(f"{TOGETHER}?.views.length === 4")
    page.wait_for_function("document.querySelector('.ws-run')?.disabled === false")
    return page


@pytest.fixture
def comparison(schedules):
    """Return the page as it is after the runs: aligned by fractions, all at the start."""
    schedules.get_by_label("aligned by").select_option("fraction")
    schedules.get_by_role("button", name="All to the start").click()
    wait_for_value(schedules, TIMES, [0, 0, 0, 0])
    return schedules


@pytest.fixture(scope="module")
def sides():
    """Return the same four runs, made here: a schedule with a seed is always the same."""
    run = VIEW.installed_comparisons()[0].runs[0]
    params = {"variant": run["variant"], "threads_per_block": 128}
    params["vertices_per_warp"] = run["vertices_per_warp"]
    options = {"policy": "random", "yield_atomic": 0.25}
    contenders = [
        Contender(run["name"], "host", params, {**options, "seed": seed}) for seed in (1, 2, 3, 4)
    ]
    graph = VIEW.prepare(load(VIEW.graph))
    return run_all(
        contenders, graph, get_view("matching"), PageLimits(), lambda *_: None, threading.Event()
    )


def differing(sides, times):
    """Return the vertices that are not in the same state in all runs."""
    states = [side.timeline.state(int(t)) for side, t in zip(sides, times, strict=True)]
    differs = [other[name] != states[0][name] for other in states[1:] for name in VIEW.compared]
    return np.flatnonzero(np.any(differs, axis=0)).tolist()


def test_runs_wait_for_those_who_want_less_motion(schedules):
    assert schedules.evaluate(f"{TOGETHER}.clock.playing || {TOGETHER}.clock.position > 0") is False


def test_in_step_for_a_whole_run(comparison, sides):
    page = comparison
    verdict = page.locator(".sbs-verdict")
    expect(verdict).to_be_hidden()
    expect(verdict).to_have_text("All 4 runs end in the same matching: 34 of 34 vertices equal.")
    expect(page.locator(".sbs-table tbody tr")).to_have_count(4)

    tracks = [Track.of(side.result.record) for side in sides]
    most = 0
    for how in offered(tracks):
        page.get_by_label("aligned by").select_option(how)
        tables = align(tracks, how)
        wait_for_value(page, f"{TOGETHER}.clock.length", len(tables[0]) - 1)
        for position in (len(tables[0]) // 3, len(tables[0]) // 2, len(tables[0]) - 1):
            page.get_by_label("position of all runs").fill(str(position))
            times = [int(table[position]) for table in tables]
            wait_for_value(page, TIMES, times)
            expected = differing(sides, times)
            wait_for_value(page, f"{TOGETHER}.differing", expected)
            most = max(most, len(expected))
        assert expected == []
        expect(page.locator(".sbs-words")).to_contain_text("At the end all 34 vertices")
    assert most > 0
    expect(verdict).to_be_visible()

    page.get_by_role("button", name="All to the start").click()
    page.get_by_label("speed of all runs").select_option("50")
    # Checked at every frame that the browser draws; a busy machine draws few, so steps are bounded.
    page.evaluate(f"""() => {{
      const together = {TOGETHER};
      const advance = together.clock.advance.bind(together.clock);
      together.clock.advance = (seconds) => advance(Math.min(seconds, 0.04));
      window.watched = {{ frames: 0, apart: 0, positions: new Set() }};
      const watch = () => {{
        const {{ clock, views }} = together;
        watched.frames += 1;
        watched.positions.add(clock.position);
        if (views.some((view, k) => view.time !== clock.time(k))) watched.apart += 1;
        if (clock.position < clock.length) requestAnimationFrame(watch);
        else watched.done = true;
      }};
      watch();
    }}""")
    page.get_by_role("button", name="Play all").click()
    page.wait_for_function("window.watched.done")
    watched = page.evaluate("({...watched, positions: watched.positions.size})")
    assert watched["apart"] == 0
    assert watched["positions"] > 10
    wait_for_value(page, TIMES, [len(side.timeline) for side in sides])
    page.get_by_role("button", name="Play all").wait_for()


def test_one_run_moved_by_itself_takes_the_others_along(comparison, sides):
    page = comparison
    third = page.locator(".sbs-pane").nth(2)
    third.get_by_role("slider", name="event").fill("40")
    page.wait_for_function(f"{TOGETHER}.clock.time(2) === 40")
    tables = align([Track.of(side.result.record) for side in sides], "fraction")
    position = int(np.searchsorted(tables[2], 40))
    wait_for_value(page, TIMES, [int(table[position]) for table in tables])
    third.locator(".wp").focus()
    page.keyboard.press("ArrowRight")
    wait_for_value(page, TIMES, [int(table[position + 1]) for table in tables])
    page.keyboard.press("Home")
    wait_for_value(page, TIMES, [0, 0, 0, 0])


@pytest.mark.parametrize("name", ["compare", "equivalence"])
def test_runs_play_on_arrival(watched, server, name):
    page = watched
    page.goto(f"{server.url}{name}")
    page.wait_for_function(f"{TOGETHER}?.clock.position > 0")


#: Whether the page and all panes are within a width, and how many are below the first.
FITS = """width => {
  const panes = [...document.querySelectorAll('.sbs-pane')];
  const boxes = panes.map((pane) => pane.getBoundingClientRect());
  const inside = boxes.every(({ left, right }) => left >= 0 && right <= width);
  const below = boxes.filter(({ left }) => left === boxes[0].left).length;
  return [document.documentElement.scrollWidth <= width && inside, below];
}"""


def test_the_page_fits(comparison):
    page = comparison
    for width, below in ((1440, 2), (760, 4), (390, 4)):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_value(page, FITS, [True, below], width)


def test_what_has_the_focus_is_not_below_the_bar(comparison):
    for width in (1440, 320):
        comparison.set_viewport_size({"width": width, "height": 800})
        wait_for_value(comparison, BELOW_THE_BAR, [])


def test_the_chosen_run_is_saved(comparison):
    page = comparison
    run = page.get_by_label("Run to export")
    run.focus()
    expect(run.locator("option")).to_have_count(4)
    run.select_option(index=1)
    place = page.get_by_role("region", name="Export")
    for name, begin in (("SVG", "<svg"), ("Warps (CSV)", "warp")):
        with page.expect_download() as saved:
            place.get_by_role("button", name=name, exact=True).click()
        assert begin in Path(saved.value.path()).read_text()
