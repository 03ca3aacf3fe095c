"""A visit to the page of stable roommates, in a real browser, from a real server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.visiting import EVENTS, PLAYER
from support.watching import watching

pytestmark = pytest.mark.browser

#: What the picture draws: proposals that one holds, and pairs who propose to each other.
DRAWN = f"[{PLAYER}.marks.arrows.length / 2, {PLAYER}.marks.links.length / 2]"


def at(page, step):
    page.evaluate(f"{PLAYER}.seek({step} < 0 ? {PLAYER}.timeline.length : {step})")


def test_proposals_then_a_rotation_then_pairs(page, server):
    with watching(page, server):
        page.goto(server.url + "roommates?graph=irving_6&algorithm=irving&device=host&step=0")
        page.wait_for_function(f"({EVENTS}) === 24")
        expect(page.get_by_role("heading", name="Device")).to_be_hidden()
        at(page, 18)
        expect(page.locator(".wp-measures")).to_have_text("phase 1 · 8 proposals · 1 pair")
        page.wait_for_function(f"JSON.stringify({DRAWN}) === '[4,1]'")
        expect(page.locator(".wc-lines [aria-current]")).to_contain_text("deletes all who stand")
        at(page, 20)
        expect(page.locator(".wp-now")).to_contain_text("4 is in rotation 1: the next choice is 5")
        page.evaluate(f"{PLAYER}.explorer.pin(2)")
        facts = page.locator(".wp-facts")
        expect(facts).to_have_text(
            "proposes to 5 (choice 2) · holds the proposal of 2 (choice 5) · in rotation 1"
        )
        page.get_by_role("button", name="Circle").click()
        at(page, -1)
        expect(page.locator(".wp-measures")).to_contain_text("3 pairs")
        expect(facts).to_have_text("pair with 2 (choice 5) · in rotation 1")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")


def test_an_odd_party_is_said(page, server):
    with watching(page, server):
        address = "roommates?graph=gale_shapley_roommates&algorithm=irving_scott&b=1&device=host"
        page.goto(server.url + address)
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        page.wait_for_function(f"({EVENTS}) > 0")
        at(page, -1)
        expect(page.locator(".wp-measures")).to_contain_text("no matching is stable")
        expect(page.locator(".ws-measures").first).to_contain_text("no matching is")
