"""A visitor's way through the page of Louvain, in a real browser, from a real server."""

from __future__ import annotations

import re

import pytest
from serving import Server
from watching import watching

pytestmark = pytest.mark.browser

PATIENCE = 60_000  # milliseconds; machines with many tests at once are slow

PLAYER = "window.__warpscope?.players[0]"
READY = "document.querySelector('.ws-run')?.disabled === false"
HEADINGS = ("Hierarchy", "Modularity by sweep", "Stages", "Buckets", "Sizes of communities")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("communities"), "--pool", "1")
    yield running
    assert running.stop() == 0, running.output


@pytest.fixture
def louvain(page, server):
    """Return the page after its first run; it may not complain."""
    with watching(page, server, PATIENCE):
        page.goto(f"{server.url}communities")
        page.wait_for_function(READY, timeout=PATIENCE)
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".ws-checks").wait_for()
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0", timeout=PATIENCE)
        yield page


def test_run_play_contract_and_chart(louvain):
    page = louvain
    assert page.locator(".ws-verdict").text_content() == "Certified"
    figures = page.locator(".ws-figures", has_text="Modularity").first.text_content()
    modularity = float(re.search(r"Modularity([\d.]+)", figures)[1])
    communities = int(re.search(r"Communities(\d+)", figures)[1])
    shown = page.locator(".wp-figures")
    assert "77 communities" in shown.text_content()

    page.get_by_role("button", name="On one event").click()
    page.locator(".wp-now", has_text="community of").wait_for()
    page.get_by_label("speed", exact=True).select_option("5 events/s")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{PLAYER}.time > 3", timeout=PATIENCE)
    page.get_by_role("button", name="Pause").click()

    merge = page.evaluate(f"Array.from({PLAYER}.events.kind).indexOf(4) + 1")
    contract = page.get_by_role("button", name="Draw contracted vertices together")
    assert not contract.is_visible()
    page.evaluate(f"{PLAYER}.seek({merge})")
    page.locator(".wp-now", has_text="becomes one vertex").wait_for()
    page.locator(".wc-lines [aria-current]", has_text="contract: each community").wait_for()
    contract.wait_for()
    page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
    settled = f"{PLAYER}.stage.view.discs.length === {communities} && !{PLAYER}.stage.view.moving"
    page.wait_for_function(settled, timeout=PATIENCE)
    assert f"{communities} communities" in shown.text_content()
    assert float(shown.text_content().rsplit(" ", 1)[1]) == pytest.approx(modularity, abs=1e-4)
    at_home = f"{PLAYER}.stage.view.x[0] - {PLAYER}.stage.view.home.x[0]"
    assert page.evaluate(at_home) != 0
    contract.click()
    page.wait_for_function(f"{at_home} === 0 && !{PLAYER}.stage.view.moving", timeout=PATIENCE)

    for heading in HEADINGS:
        page.get_by_role("heading", name=heading, exact=True).wait_for()
    page.wait_for_function("Bokeh.documents.length >= 8", timeout=PATIENCE)
    for name in ("Idle lanes", "Collisions", "Filled", "Communities"):
        page.get_by_role("button", name=name, exact=True).click()


def test_the_lens_shows_a_hash_table(louvain):
    page = louvain
    page.get_by_role("button", name="Show its hash table").click()
    lens = page.locator(".wh")
    lens.wait_for()
    assert "bucket 5, 32 lanes for it" in lens.text_content()
    page.get_by_label("step of the lens").fill("0")
    lens.get_by_text("The table is empty").wait_for()
    page.get_by_role("button", name="One edge on").click()
    lens.get_by_text("at the first probe").wait_for()
    assert lens.locator(".wh-table .wh-full").count() == 1
    page.get_by_role("button", name="Play the lens").click()
    page.wait_for_function(
        "document.querySelectorAll('.wh-table .wh-full').length > 2", timeout=PATIENCE
    )
    page.get_by_label("Vertex", exact=True).fill("nobody")
    page.get_by_role("button", name="Show its hash table").click()
    page.locator(".ws-error", has_text="no vertex 'nobody'").wait_for()
