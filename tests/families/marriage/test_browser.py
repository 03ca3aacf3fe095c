"""A visit to the page of stable marriage, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart
from support.watching import wait_for_value, watching

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
QUERY = (
    "marriage?graph=gale_shapley_4&algorithm=marriage&variant=gs&proposers=men&device=host"
    "&policy=random&seed=1&step=0"
)
HEADINGS = ("Happiness", "Proposals against n ln n", "Chains of displacements")
ENGAGE, REFUSE, PROPOSE = 1, 2, 6
#: Moves the replay behind the first event of a kind.
SEEK = f"kind => {PLAYER}.seek({PLAYER}.events.kind.indexOf(kind) + 1)"
#: How many lines of engagements, and of proposals that wait, are drawn now.
DRAWN = f"[{PLAYER}.marks.links.length / 2, {PLAYER}.marks.arrows.length / 2]"
#: The states of the places in the list of person 0: open 0, partner 1, refused 2, left 4.
PLACES = f"[...{PLAYER}.stage.view.placesOf(0, {PLAYER}.marks)]"

#: Script: seek, and count the pixels that change if all cards are drawn again.
SAME = f"""async (time) => {{
  const player = {PLAYER};
  const {{ view }} = player.stage;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  player.seek(time);
  await frame();
  await frame();
  const pixels = () => {{
    view.draw(player.marks, [], new Set());
    const {{ canvas, context }} = view.now;
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  }};
  const partly = pixels();
  view.stale = true;
  const whole = pixels();
  return whole.filter((value, i) => value !== partly[i]).length;
}}"""


def test_propose_answer_and_marry(page, server):
    with watching(page, server):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(server.url + QUERY)
        page.locator(".ws-checks", has_text="none of the 16 listed pairs").wait_for(
            state="attached"
        )
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        for kind, sentence, step in (
            (PROPOSE, "answers when all have proposed", "else u proposes to w"),
            (ENGAGE, "was alone", "the best of the proposals"),
            (REFUSE, "stays with", "go to the next Q"),
        ):
            page.evaluate(SEEK, kind)
            page.locator(".wp-now", has_text=sentence).wait_for()
            page.locator(".wc-lines [aria-current]", has_text=step).wait_for()
        page.evaluate(f"{PLAYER}.seek(4)")
        wait_for_value(page, DRAWN, [0, 4])
        expect(page.locator(".wp-measures")).to_have_text("0 of 4 engaged · 4 proposals")
        page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
        wait_for_value(page, DRAWN, [4, 0])
        page.locator(".wp-measures", has_text="men 2.3, women 2.0 · 8 proposals").wait_for()
        # α has been left by A, and has B, C or D now: no one gets the first choice.
        page.wait_for_function(f"{PLACES}.indexOf(1) > 0")
        page.get_by_label("person to pin").fill("woman 2")
        page.get_by_label("person to pin").press("Enter")
        page.locator(".wp-pinned", has_text="C (woman 2)").wait_for()
        page.locator(".wp-facts", has_text="of 4 on the list").wait_for()
        for heading in HEADINGS:
            show_chart(page, heading)
        for time in (0, 5, 6, 9, 3):
            assert page.evaluate(SAME, time) == 0, time
        # Cards need room: in a narrow picture they become strips, until one zooms in.
        cards = f"{PLAYER}.stage.view.camera.cards"
        for width, readable in ((700, True), (180, False)):
            page.locator(".wp-stage").evaluate(
                "(stage, width) => (stage.style.cssText = `width: ${width}px; height: 400px`)",
                width,
            )
            wait_for_value(page, cards, readable)
        for _ in range(3):
            page.get_by_role("button", name="Zoom in").click()
        wait_for_value(page, cards, True)
