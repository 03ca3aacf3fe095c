"""The page "Papers" in a real browser: figures are chosen, charts are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.rules import violations

pytestmark = pytest.mark.browser

#: The number of charts that are drawn.
DRAWN = "Bokeh.documents.flatMap((shown) => shown.roots()).length"


def test_a_figure_is_chosen_and_drawn(watched, server):
    page = watched
    page.goto(server.url)
    page.get_by_role("link", name="Papers").first.click()
    # It opens on a figure with a statement that agrees and one that does not.
    expect(page.locator(".ws-paper h3").first).to_contain_text("Figure 5")
    expect(page.locator(".ws-verdict.good")).to_have_text("agrees")
    expect(page.locator(".ws-verdict.bad")).to_have_text("differs")
    page.locator("select").nth(1).select_option(index=0)
    expect(page.locator(".ws-paper h3").first).to_contain_text("Figure 1")
    page.locator("select").nth(1).select_option(index=1)
    expect(page.locator(".ws-paper h3").first).to_contain_text("Figures 2 and 3")
    expect(page.locator(".ws-paper-table")).to_contain_text("up to 40 ×")
    expect(page.locator("h4", has_text="GPU-Suitor relative to the others")).to_be_visible()
    page.wait_for_function(f"{DRAWN} > 0 && document.querySelectorAll('.bk-Figure').length > 0")
    page.locator("select").nth(0).select_option(index=2)
    expect(page.locator(".ws-paper h3").first).to_contain_text("Table 1")
    expect(page.locator(".ws-verdict.good")).to_have_text(["agrees"] * 2)
    expect(page.locator(".ws-verdict.bad")).to_have_text("differs")
    expect(page.locator(".ws-paper-table")).to_contain_text("Why: 256 x 256")
    page.locator("select").nth(0).select_option(index=0)
    expect(page.locator(".ws-paper h3").first).to_contain_text("Figure 5")


def test_charts_of_a_figure_are_saved(watched, server):
    page = watched
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.url}papers")
    # The navigation scrolls in this window: to the page that is open.
    expect(page.locator(".ws-nav [aria-current]")).to_be_in_viewport(ratio=1)
    chart = page.get_by_label("Chart", exact=True)
    expect(chart.locator("option")).to_have_text("NoSync by block and chunk")
    page.locator("select").nth(1).select_option(index=1)
    expect(page.locator("h4", has_text="GPU-Suitor relative to the others")).to_be_visible()
    page.wait_for_function("document.querySelectorAll('.bk-Figure').length > 0")
    # The menu has the charts that are shown before anybody comes to it.
    charts = ["Run times", "GPU-Suitor relative to the others"]
    expect(chart.locator("option")).to_have_text(charts)
    for kind, begin in (("Chart (CSV)", "x,y"), ("Chart (SVG)", "<svg")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=kind).click()
        assert begin in Path(saved.value.path()).read_text()
    assert violations(page) == []
