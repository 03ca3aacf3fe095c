"""A visit to the page of bipartite matching, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart
from support.watching import wait_for_value, watching

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
READY = "document.querySelector('.ws-run')?.disabled === false"
QUERY = (
    "bipartite?graph=southern_women&algorithm=bipartite&variant=apfb_gpubfs_ct&initial=none"
    "&predecessor_check=True&device=host&policy=random&seed=1&step=0"
)
HEADINGS = ("Levels of each phase", "Pairs won in each phase", "Looked at, and expanded")
REACH, PATH, FLIP, FIX, END = 2, 3, 4, 6, -1
#: Moves behind the first event of a kind, or to the end, until the page shows the expected text.
SAYS = f"""([kind, text]) => {{
  const player = {PLAYER};
  const {{ kind: kinds }} = player.events;
  player.seek(kind < 0 ? kinds.length : kinds.indexOf(kind) + 1);
  return document.querySelector('.wp').textContent.includes(text);
}}"""


#: Draws the picture from its changes and then completely, as tests of other drawings do.
SAME = """async (time) => {
  const player = __warplens.players[0];
  const view = player.stage.view;
  const pixels = () => {
    view.draw(player.marks, [], new Set());
    const { canvas, context } = view.above;
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  player.seek(time);
  player.effects.running = [];
  pixels();
  const partly = pixels();
  view.stale = true;
  const whole = pixels();
  let count = 0;
  for (let i = 3; i < whole.length; i += 4) {
    let far = 0;
    for (let k = 1; k < 4; ++k) far += Math.abs(whole[i - k] - partly[i - k]) * whole[i] / 255;
    count += far > 60;
  }
  return count;
}"""


@pytest.fixture
def women(page, server):
    """Return the page after its first run; it must report no error."""
    with watching(page, server):
        page.goto(server.url + QUERY)
        page.locator(".ws-checks").wait_for(state="attached")
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        yield page


def test_search_flip_repair_and_certify(women):
    page = women
    expect(page.locator(".ws-verdict")).to_have_text("Certified")
    expect(page.locator(".ws-measures", has_text="Matched").first).to_contain_text(
        "Matched pairs14"
    )

    def says(kind, text):
        page.wait_for_function(SAYS, arg=[kind, text])

    says(REACH, "joins level 1")
    says(REACH, "wave 2")
    page.locator(".wc-lines [aria-current]", has_text="by way of r").wait_for()
    says(PATH, "an augmenting path")
    says(FLIP, "takes row")
    says(FIX, "is unmatched again")
    says(FIX, "1 repair")
    page.get_by_role("button", name="On one event").click()
    says(END, "14 matched · 0 columns free")

    end = page.evaluate(f"{PLAYER}.timeline.length")
    for time in (0, 20, 21, 40, 41, 80, 60, end, 3, 0):
        assert page.evaluate(SAME, time) < 20, time

    page.get_by_role("button", name="Matrix", exact=True).click()
    wait_for_value(page, f"{PLAYER}.stage.view.constructor.TITLE", "Matrix")
    page.locator(".wp-note", has_text="18 × 14 matrix").wait_for()
    page.get_by_label("vertex to pin").fill("c3")
    page.get_by_label("vertex to pin").press("Enter")
    page.locator(".wp-pinned", has_text="E4 (column 3)").wait_for()
    page.get_by_role("button", name="Zoom in").click()
    wait_for_value(page, f"{PLAYER}.stage.view.camera.zoom", pytest.approx(1.5))
    for heading in HEADINGS:
        show_chart(page, heading)
