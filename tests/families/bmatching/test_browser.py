"""A visit to the page of b-matching, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart
from support.watching import watching

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
QUERY = (
    "bmatching?graph=karate_weighted&algorithm=bmatching&variant=eager&b=3&worker=warp"
    "&lists=partial&device=host&policy=random&seed=1&step=0"
)
#: Go to the first event of a kind; returns its vertices, or null.
TO_FIRST = f"""kind => {{
  const player = {PLAYER};
  const i = player.events.kind.indexOf(kind);
  if (i < 0) return null;
  player.seek(i + 1);
  return [player.events.a[i], player.events.b[i], player.events.c[i]];
}}"""
#: The offers that a vertex holds in the state that is shown.
HOLDS = f"""vertex => {{
  const {{ marks, timeline }} = {PLAYER};
  return marks.offers.stack(timeline.state, vertex).map(({{ from }}) => from);
}}"""
#: How many pixels of the picture have other colours than the ground.
PAINTED = f"""() => {{
  const {{ canvas, context }} = {PLAYER}.stage.view.above;
  const {{ data }} = context.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
  return count;
}}"""
PROPOSE, DROP = 1, 2


def test_an_offer_falls_out_of_a_stack(page, server):
    with watching(page, server):
        page.goto(server.url + QUERY)
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        slider = page.locator(".ws-slider", has_text="Mates, b")
        expect(slider.locator(".widget-readout")).to_have_text("3")
        proposer, holder, _ = page.evaluate(TO_FIRST, PROPOSE)
        assert page.evaluate(HOLDS, holder) == [proposer]
        pusher, holder, lost = page.evaluate(TO_FIRST, DROP)
        page.locator(".wp-now", has_text="falls out").wait_for()
        held = page.evaluate(HOLDS, holder)
        assert len(held) == 3
        assert pusher in held
        assert lost not in held
        page.get_by_role("button", name="Back one event").click()
        page.wait_for_function(f"{PLAYER}.timeline.time === {PLAYER}.events.kind.indexOf({DROP})")
        assert lost in page.evaluate(HOLDS, holder)
        page.locator(".wc-lines [aria-current]", has_text="it has room, or a worse").wait_for()
        assert page.evaluate(f"{PLAYER}.stage.view.mode") == "stack"
        assert page.evaluate(PAINTED) > 5000
        page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
        page.locator(".wp-measures", has_text="28 edges matched").wait_for()
        assert page.evaluate(f"{PLAYER}.marks.arrows.length") == 0
        page.set_viewport_size({"width": 390, "height": 800})
        page.wait_for_function(f"{PLAYER}.stage.view.mode === 'pie'")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        show_chart(page, "Other roads to the same b-matching")
        page.get_by_text("34 of 34").first.wait_for()


RANKS = (
    "bmatching?graph=karate_weighted&algorithm=bmatching&b=3&ranks=3&device=host&policy=random"
    "&seed=1&step=0"
)
#: How many of the arrows and links that are drawn go from one panel to another.
BETWEEN = f"""() => {{
  const {{ marks, meta, stage }} = {PLAYER};
  const panel = (v) => meta.ranks.bounds.findLastIndex((first) => first <= v);
  const inside = (v) => {{
    const {{ left, right, bottom, top }} = stage.view.frames[panel(v)];
    const [x, y] = [stage.view.x[v], stage.view.y[v]];
    return left < x && x < right && bottom < y && y < top;
  }};
  const pairs = [...marks.links, ...marks.arrows];
  let between = 0;
  for (let i = 0; i < pairs.length; i += 2) between += panel(pairs[i]) !== panel(pairs[i + 1]);
  return [between, Array.from({{ length: meta.n }}, (_, v) => v).every(inside)];
}}"""


def test_a_run_on_three_ranks_has_three_panels(page, server):
    with watching(page, server):
        page.goto(server.url + RANKS)
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
        page.locator(".wp-measures", has_text="28 edges matched").wait_for()
        between, inside = page.evaluate(BETWEEN)
        assert between > 0
        assert inside
        page.locator(".wp-counter", has_text="rank").wait_for()
        show_chart(page, "Ranks over time")
        page.get_by_role("button", name="The whole graph in one picture").click()
        assert page.evaluate(f"{PLAYER}.stage.view.frames") is None
