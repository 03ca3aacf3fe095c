"""A visit to the page of red/blue matching, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart
from support.watching import watching

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
QUERY = (
    "redblue?graph=karate&algorithm=redblue&variant=paper&select=weighted&device=host"
    "&policy=random&seed=1&step=0"
)
#: The texts of the page after each of the first sub-steps.
FRAMES = {
    "colour": "is coloured",
    "propose": "proposes to",
    "respond": "chooses the proposal of",
    "match": "is matched with",
}
HEADINGS = ("Matched after each round", "Fates of the live vertices", "From colour to match")
#: What is drawn now: how many arrows there are, and how many pairs.
DRAWN = f"""(() => {{
  const {{ arrows, links }} = {PLAYER}.marks;
  return [arrows.length / 2, links.length / 2];
}})()"""


def test_a_round_frame_by_frame(page, server):
    with watching(page, server):
        page.goto(server.url + QUERY)
        page.locator(".ws-checks").wait_for(state="attached")
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        page.get_by_role("button", name="To the start").click()
        drawn = {}
        for name, sentence in FRAMES.items():
            page.get_by_role("button", name="On one launch").click()
            page.locator(".wp-measures", has_text=f"round 1: {name}").wait_for()
            page.locator(".wp-now", has_text=sentence).wait_for()
            drawn[name] = page.evaluate(DRAWN)
        assert drawn["colour"] == [0, 0]
        proposals = drawn["propose"][0]
        answers = drawn["respond"][0] - proposals
        assert 0 < answers <= proposals
        # Every response makes a pair, and removes both arrows.
        assert drawn["match"] == [proposals - answers, answers]
        page.locator(".wc-lines [aria-current]", has_text="match the two").wait_for()
        page.locator(".wp-legend", has_text="blue: proposes").wait_for()
        page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
        page.locator(".wp-measures", has_text="dead").wait_for()
        for heading in HEADINGS:
            show_chart(page, heading)
