"""A visit to the page of SGD synchronisation, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gpucore.loading import load
from support.visiting import show_chart
from support.watching import wait_for_value, watching

from .cases import factor, letters, schedule_of

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
QUERY = (
    "sgd?graph=sample_ratings&algorithm=sgd&variant=agm_e&threads=2&sweeps=1&k=16&test=0.0"
    "&rate=0.02&order_seed=7&device=host&policy=random&seed=1&step=0"
)
#: For each step of the first sweep the letters of its updates, as the picture has them.
STEPS = f"""(() => {{
  const {{ steps, events }} = {PLAYER}.marks;
  return Array.from({{ length: steps.columns }}, (_, column) =>
    Array.from(steps.of(column), (event) => events.c[event]).sort((a, b) => a - b));
}})()"""
#: The states of all ratings: 0 open, 1 done, 4 updated in this step.
RATINGS = f"Array.from({PLAYER}.marks.ratings)"
HEADINGS = (
    "Time steps of the first sweep",
    "Passes",
    "Hot addresses",
    "Error by sweep",
    "RMSE race",
    "Which schedule? The cost model",
)


def recorded_steps():
    """Return the ratings of each step of the same run, from its record."""
    ratings = load("sample_ratings", "ratings")
    more = {"threads": 2, "sweeps": 1, "test": 0.0, "order_seed": 7, "rate": 0.02}
    (events,) = schedule_of(factor(ratings, "agm_e", record="events", **more))
    found = {}
    for _, step, rating, _ in events:
        found.setdefault(step, []).append(rating)
    return [sorted(found[step]) for step in sorted(found)]


def test_a_sweep_from_its_first_step_to_its_last_and_back(page, server):
    expected = recorded_steps()
    assert len(expected) == 8  # as the paper's figure 4(b) has it
    with watching(page, server):
        page.goto(server.url + QUERY)
        page.locator(".ws-checks").wait_for(state="attached")
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) === 12")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        assert page.evaluate(STEPS) == expected
        # Two ratings of the first step, one after the other.
        page.evaluate(f"{PLAYER}.seek(2)")
        page.locator(".wp-measures", has_text="sweep 1 · step 1 · 2 of 12 done").wait_for()
        states = page.evaluate(RATINGS)
        assert [i for i, state in enumerate(states) if state == 4] == expected[0]
        assert sum(states) == 8
        page.locator(".wc-lines [aria-current]", has_text="update u and m").wait_for()
        # To the end: the last step has one rating, the others are done.
        page.evaluate(f"{PLAYER}.seek(12)")
        page.locator(".wp-measures", has_text="step 8 · 12 of 12 done").wait_for()
        (last,) = expected[-1]
        assert page.evaluate(RATINGS) == [4 if i == last else 1 for i in range(12)]
        # Users and items are found by their letters, their nouns, and the name alone.
        find = page.get_by_role("textbox", name="vertex to pin")
        for name in ("m0", "item 0"):
            find.fill(name)
            find.press("Enter")
            wait_for_value(page, f"{PLAYER}.explorer.pinned", 6)
        # The other pictures, and backwards.
        page.get_by_role("button", name="Matrix").click()
        page.locator(".wp-note", has_text="6 users × 4 items").wait_for()
        page.get_by_role("button", name="Threads and time steps").click()
        expect(page.get_by_role("button", name="Matrix")).to_have_attribute("aria-pressed", "false")
        page.get_by_role("button", name="Back one event").click()
        wait_for_value(page, f"{PLAYER}.timeline.time", 11)
        page.get_by_role("button", name="Threads and time steps").click()
        page.evaluate(f"{PLAYER}.seek(0)")
        wait_for_value(page, RATINGS, [0] * 12)
        for heading in HEADINGS:
            show_chart(page, heading)
        page.get_by_role("heading", name="A sweep of each schedule").wait_for()
    assert letters(expected[0]) == "bf"
