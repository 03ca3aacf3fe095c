"""The site around the dashboards: themes, gallery, links, progress, many pages at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from replays import Run
from serving import Server
from watching import wait_for_value

pytestmark = pytest.mark.browser

PLAYER = "window.__warpscope?.players[0]"
TOGETHER = "window.__warpscope?.together"
READY = "document.querySelector('.ws-run')?.disabled === false"

#: What the page looks like: its ground, the player's picture, its colours for the canvas, the code.
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

#: Notes what the page says while it loads.
STEPS = """
window.steps = [];
new MutationObserver(() => {
  const text = document.getElementById("ws-skeleton-text")?.textContent;
  if (text && window.steps.at(-1) !== text) window.steps.push(text);
}).observe(document, { childList: true, characterData: true, subtree: true });
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a server that keeps no kernel waiting, and gives lost pages up soon."""
    running = Server(tmp_path_factory.mktemp("site"), "--pool", "0", "--lost-minutes", "0.1")
    yield running.url
    assert running.stop() == 0, running.output


@pytest.fixture
def visitor(page, errors):
    """A page with patience that may not complain."""
    page.emulate_media(color_scheme="light")
    return page


def choose_theme(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_the_theme_is_the_visitors_on_every_page_without_a_reload(visitor, site, context):
    page = visitor
    page.goto(site)
    page.evaluate("window.same = true")
    choose_theme(page, "Dark")
    page.wait_for_function(
        f"getComputedStyle(document.body).backgroundColor === '{DARK['ground']}'"
    )
    assert page.evaluate("window.same")

    page.get_by_role("link", name="Weighted matching").click()
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.wait_for_function(READY)
    page.locator(".ws-run").click()
    page.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    page.wait_for_function(CHARTS, arg="#9aa5b5")
    wait_for_value(page, LOOK, DARK)
    page.evaluate("window.same = true")
    choose_theme(page, "Light")
    page.wait_for_function(CHARTS, arg="#5b6675")
    wait_for_value(page, LOOK, LIGHT)
    pressed = page.locator(".ws-theme [aria-pressed=true]")
    expect(pressed).to_have_attribute("aria-label", "Light")

    # What is chosen elsewhere holds here too, and the system decides where nothing is chosen.
    other = context.new_page()
    other.goto(site)
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


def test_the_landing_page_leads_to_an_opened_record(visitor, site):
    page = visitor
    page.goto(site)
    page.get_by_role("link", name="Les Misérables: a hub everybody wants").click()
    page.wait_for_function(f"{PLAYER}?.timeline.length === 136")
    page.locator(".ws-verdict", has_text="Certified").wait_for()
    page.locator(".ws-main .ws-card", has_text="H100").first.wait_for()
    expect(page.locator(".ws-side")).to_contain_text("Valjean")
    expect(page.locator(".ws-error")).to_have_count(0)


def test_loading_is_told_and_so_is_a_wrong_link(visitor, site):
    page = visitor
    page.add_init_script(STEPS)
    page.goto(f"{site}matching?graph=nonsense&step=3")
    error = page.locator(".ws-error")
    expect(error).to_contain_text("neither in the collection")
    assert "Traceback" not in page.locator("body").text_content()
    page.wait_for_function(READY)
    expect(error).to_have_count(1)
    steps = page.evaluate("window.steps")
    assert steps[0] == "Starting the process behind this page"
    assert len(steps) >= 3
    expect(page.locator("#ws-skeleton")).to_have_count(0)


def test_a_link_restores_a_comparison(visitor, site, context):
    page = visitor
    page.goto(f"{site}compare?graph=karate&mode=two&first.method=suitor&first.variant=sync_lb"
              "&first.seed=5&second.method=ld&how=step&position=20")  # fmt: skip
    page.wait_for_function(f"{TOGETHER}?.clock.position === 20")
    seen = """() => ({
      how: window.__warpscope.together.transport.way.value,
      times: window.__warpscope.together.views.map((view) => view.time),
      states: window.__warpscope.together.views.map((view) => [...view.timeline.state.suitor]),
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


def places(page, site):
    page.goto(site)
    return int(re.search(r"(\d+) of \d+ places", page.locator(".ws-foot").text_content())[1])


def wait_for_places(page, site, wanted):
    for _ in range(300):
        if places(page, site) == wanted:
            return
        page.wait_for_timeout(200)
    assert places(page, site) == wanted


def test_pages_at_once_and_closing_them_frees_their_kernels(visitor, site, context):
    wait_for_places(visitor, site, 0)
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        page.goto(f"{site}matching", wait_until="commit")
    for page in pages:
        page.wait_for_function(READY)
        page.locator(".ws-run").click()
    for page in pages:
        page.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    assert places(visitor, site) == 3
    for page in pages[:2]:
        page.close(run_before_unload=True)
    wait_for_places(visitor, site, 1)
    # The farewell of a tab without the cookie is refused: its kernel is missed some time later.
    context.clear_cookies()
    pages[2].close(run_before_unload=True)
    wait_for_places(visitor, site, 0)
