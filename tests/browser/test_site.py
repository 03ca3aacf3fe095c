"""The site around the dashboards: themes, gallery, links."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.replays import Run
from support.watching import wait_for_value

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
TOGETHER = "window.__warplens?.together"
READY = "document.querySelector('.ws-run')?.disabled === false"

#: The colours of the page: background, the player's picture, its canvas, the code.
LOOK = f"""() => ({{
  ground: getComputedStyle(document.body).backgroundColor,
  canvas: {PLAYER}.theme.ground,
  words: getComputedStyle(document.querySelector('.wc')).color,
}})"""
LIGHT = {"ground": "rgb(242, 244, 247)", "canvas": "rgb(255, 255, 255)", "words": "rgb(24, 32, 44)"}
DARK = {"ground": "rgb(14, 17, 22)", "canvas": "rgb(23, 27, 34)", "words": "rgb(231, 235, 241)"}

#: Whether the four charts write their labels in a colour. Documents of earlier ones stay in Bokeh.
CHARTS = """colour => {
  const axes = Bokeh.documents.slice(-4).flatMap((shown) => shown.roots())
    .flatMap((root) => [...root.left, ...root.below]);
  return axes.length === 8 && axes.every((axis) => axis.major_label_text_color === colour);
}"""


@pytest.fixture
def visitor(page, errors):
    """A page with long timeouts that must report no error."""
    page.emulate_media(color_scheme="light")
    return page


def choose_theme(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_the_theme_is_the_visitors_on_every_page_without_a_reload(visitor, server, context):
    page = visitor
    page.goto(server.url)
    page.evaluate("window.same = true")
    choose_theme(page, "Dark")
    page.wait_for_function(
        f"getComputedStyle(document.body).backgroundColor === '{DARK['ground']}'"
    )
    assert page.evaluate("window.same")

    page.get_by_role("link", name="Weighted matching").click()
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.wait_for_function(READY)
    page.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    page.wait_for_function(CHARTS, arg="#9aa5b5")
    wait_for_value(page, LOOK, DARK)
    page.evaluate("window.same = true")
    choose_theme(page, "Light")
    page.wait_for_function(CHARTS, arg="#5b6675")
    wait_for_value(page, LOOK, LIGHT)
    pressed = page.locator(".ws-theme [aria-pressed=true]")
    expect(pressed).to_have_attribute("aria-label", "Light")

    # A choice on another page applies here, too; without a choice the system decides.
    other = context.new_page()
    other.goto(server.url)
    choose_theme(other, "As the system")
    page.wait_for_function("!document.documentElement.dataset.theme")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(CHARTS, arg="#9aa5b5")
    wait_for_value(page, LOOK, DARK)
    assert page.evaluate("window.same")


def test_a_saved_page_has_the_theme_switch(visitor, tmp_path):
    page = Run("karate", variant="nosync").open(visitor, tmp_path)
    ground = f"{PLAYER}.theme.ground"
    before = page.evaluate(ground)
    choose_theme(page, "Dark")
    page.wait_for_function(f"{ground} === '{DARK['canvas']}'")
    assert before == LIGHT["canvas"]
    choose_theme(page, "Light")
    page.wait_for_function(f"{ground} === '{before}'")


def test_the_landing_page_leads_to_an_opened_record(visitor, server):
    page = visitor
    page.goto(server.url)
    runs = page.get_by_role("region", name="Recorded runs")
    runs.get_by_text("Weighted matching", exact=False).click()
    page.get_by_role("link", name="Les Misérables: one hub, many proposals").click()
    page.wait_for_function(f"{PLAYER}?.timeline.length === 136")
    page.locator(".ws-verdict", has_text="Certified").wait_for(state="attached")
    page.locator(".ws-main .ws-card", has_text="H100").first.wait_for(state="attached")
    expect(page.locator(".ws-main")).to_contain_text("Valjean")
    expect(page.locator(".ws-error")).to_have_count(0)


def test_a_link_restores_a_comparison(visitor, server, context):
    page = visitor
    page.goto(f"{server.url}compare?graph=karate&mode=two&first.method=suitor&first.variant=sync_lb"
              "&first.seed=5&second.method=ld&how=step&position=20")  # fmt: skip
    page.wait_for_function(f"{TOGETHER}?.clock.position === 20")
    seen = """() => ({
      how: window.__warplens.together.transport.way.value,
      times: window.__warplens.together.views.map((view) => view.time),
      states: window.__warplens.together.views.map((view) => [...view.timeline.state.suitor]),
      titles: [...document.querySelectorAll('.sbs-pane h3')].map((title) => title.textContent),
    })"""
    wait_for_value(page, f"{TOGETHER}.transport.way.value", "step")
    wait_for_value(page, f"{TOGETHER}.views.map((view) => view.time)", [20, 20])
    page.get_by_label("position of all runs").fill("31")
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_label("Link", exact=True)
    expect(field).to_have_value(re.compile("&how=step&position=31$"))
    link = field.input_value()
    before = page.evaluate(seen)

    other = context.new_page()
    other.goto(link)
    other.wait_for_function(f"{TOGETHER}?.clock.position === 31")
    wait_for_value(other, seen, before)
