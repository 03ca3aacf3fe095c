"""A matching as a marriage, in a real browser: both sides in step, with common highlights."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart, wait_until_ready
from support.watching import wait_for_value

pytestmark = pytest.mark.browser

LINKED = "window.__warplens?.together"
#: Whether each vertex has the suitor that its woman has.
ALIKE = f"""() => {{
  const [graph, people] = {LINKED}.views.map((view) => view.timeline.state);
  return graph.suitor.every((suitor, v) => suitor === people.mate[graph.suitor.length + v]);
}}"""
#: A pixel of vertex 4 on the left.
PLACE = f"""() => {{
  const {{ stage }} = {LINKED}.views[0];
  const box = stage.root.getBoundingClientRect();
  return [box.left + stage.view.X[4], box.top + stage.view.Y[4]];
}}"""
LIT = f"{LINKED}.views.map((view) => view.marks.differing)"


def test_both_sides_go_in_step_and_light_up_together(watched, server):
    page = watched
    page.emulate_media(reduced_motion="reduce")  # the runs wait
    page.goto(f"{server.url}equivalence")
    page.wait_for_function(f"{LINKED}?.ledger?.rows.length > 0")
    verdict = page.locator(".sbs-verdict")
    rows = page.evaluate(f"{LINKED}.ledger.rows.length")
    page.locator(".sbs-pane .wp").first.focus()
    for step in range(1, rows + 1):
        expect(verdict).to_be_hidden()  # until the end
        page.keyboard.press("ArrowRight")
        wait_for_value(page, f"{LINKED}.ledger.current", step - 1)
        assert page.evaluate(ALIKE)
    expect(verdict).to_be_visible()
    expect(verdict).to_contain_text("proposals alike")
    said = page.locator(".sbs-words")
    expect(said).to_contain_text(f"Step {rows} of {rows}, the same on both sides: each vertex")
    page.get_by_role("button", name="go to step 2", exact=True).click()
    wait_for_value(page, f"{LINKED}.ledger.current", 1)
    expect(page.locator(".lk-box [aria-current]")).to_have_count(1)

    page.evaluate(f"{LINKED}.views[0].stage.root.scrollIntoView({{block: 'center'}})")
    page.mouse.move(*page.evaluate(PLACE))
    wait_for_value(page, LIT, [[4], [4, 13]])
    page.mouse.down()
    page.mouse.up()
    page.mouse.move(1, 1)
    wait_for_value(page, f"{LINKED}.views.map((view) => view.explorer.pinned)", [4, 4])
    wait_for_value(page, LIT, [[4], [4, 13]])

    page.get_by_role("button", name="By rounds").click()
    page.wait_for_function(f"{LINKED}?.meta.ledger.mode === 'rounds'")
    expect(verdict).to_be_hidden()
    page.get_by_role("button", name="Show the result now").click()
    expect(verdict).to_contain_text("rounds of pointing")
    for width in (1440, 760):
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_value(page, "document.documentElement.scrollWidth <= innerWidth", True)


def test_pictures_of_both_sides_are_saved(watched, server):
    page = watched
    page.goto(f"{server.url}equivalence")
    page.wait_for_function(f"{LINKED}?.ledger?.rows.length > 0")
    place = page.get_by_role("region", name="Export")
    side = place.get_by_label("Run to export")
    for index in (0, 1):
        side.focus()
        side.select_option(index=index)
        with page.expect_download() as saved:
            place.get_by_role("button", name="SVG", exact=True).click()
        assert Path(saved.value.path()).read_text().startswith("<svg")
    with page.expect_download() as saved:
        place.get_by_role("button", name="Warps (CSV)").click()
    assert Path(saved.value.path()).read_text().startswith(("warp", "thread"))
    expect(place.get_by_role("group", name="Charts")).to_have_count(0)


def test_a_link_goes_to_the_step(watched, server):
    page = watched
    page.goto(f"{server.url}equivalence?graph=rising:n=8&linked=proposals&turn=light&position=5")
    wait_for_value(page, f"{LINKED}?.clock.position", 5)
    wait_for_value(page, f"{LINKED}.ledger.current", 4)
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_label("Link", exact=True)
    expect(link).to_have_value(
        f"{server.url}equivalence?graph=rising:n=8&linked=proposals&turn=light"
        "&how=proposal&position=5"
    )
    page.goto(f"{server.url}equivalence?graph=karate&linked=nothing")
    expect(page.locator(".ws-error")).to_contain_text("only proposals, rounds can be chosen")


def test_the_blocking_pair_is_found(watched, server):
    page = watched
    page.goto(f"{server.url}marriage?graph=gale_shapley_4")
    page.locator(".ws-verdict", has_text="Certified").wait_for(state="attached")
    wait_until_ready(page)
    show_chart(page, "Find the blocking pair")
    game, score = page.locator(".pg"), page.locator(".pg-score")
    expect(score).to_contain_text("tries: 0")
    rails = game.locator(".pg-rail")
    rails.nth(0).locator(".pg-card").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(game.locator(".pg-said")).to_contain_text("Choose a woman.")
    for rail in (0, 1):  # the man is named first
        game.get_by_role("button", name="Hint").click()
        one = rails.nth(rail).locator(".pg-hint")
        one.wait_for()
        if one.get_attribute("aria-pressed") == "false":
            one.click()
    expect(score).to_contain_text("rounds won: 1")
    expect(game.locator(".pg-card.pg-found")).to_have_count(2)
    game.get_by_role("button", name="New round").click()
    expect(score).to_contain_text("Round 2")
    assert page.evaluate("document.activeElement.dataset.act") == "round"
