"""What a reader does on the playground's page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from support.playing import READY


def open_play(page: Any, address: str) -> None:
    """Open the page, and wait until it can be used."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(READY)).to_be_attached()


def write(page: Any, code: str) -> None:
    """Replace the text of the editor as a reader does, who selects all and types."""
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(code)


def run(page: Any) -> str:
    """Run, and return what the page says."""
    page.locator("#pl-run").click()
    said = page.locator("#pl-verdict.good, #pl-verdict.bad")
    said.wait_for()
    expect(page.locator("#pl-run")).to_be_enabled()
    return str(said.inner_text())


def choose(page: Any, puzzle: Any) -> None:
    """Choose a puzzle."""
    page.locator("#pl-puzzle").select_option(puzzle.name)


def open_tab(page: Any, name: str) -> None:
    """Open a tab of the reports."""
    page.get_by_role("tab", name=name).click()
