"""What a visitor sees when the server refuses, queues, or ends something."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.serving import Server
from support.visiting import wait_until_ready
from support.visitor import Visitor

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def one_place(tmp_path_factory):
    """A server with one place and a token."""
    folder = tmp_path_factory.mktemp("site")
    options = ("--max-pages", "1", "--lost-minutes", "0.1", "--token", "sesame")
    running = Server(folder, "--pool", "0", *options)
    yield running
    assert running.stop() == 0, running.output


def test_a_missing_token_is_asked_for_and_leaves_the_address(page, one_place):
    address = one_place.url.partition("?")[0]
    page.goto(address)
    expect(page.get_by_role("heading")).to_have_text("A token is needed")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading")).to_have_text("The token is wrong")
    page.get_by_label("Token").fill("sesame")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="See how GPU graph algorithms work")).to_be_visible()
    assert page.url == address


def test_who_waits_sees_the_position_and_comes_in(page, one_place):
    holder = Visitor(one_place, "sesame")
    kernel = holder.open()
    socket = holder.connect(kernel)
    page.goto(one_place.url)
    page.goto(one_place.url.replace("?", "marriage?"))
    # One address has all places here, and the text says so.
    expect(page.get_by_role("heading", name="Your network has enough pages open")).to_be_visible()
    socket.close()
    assert holder.close(kernel) == 204
    wait_until_ready(page)
    expect(page.get_by_role("heading", name="Stable marriage")).to_be_visible()


def test_a_process_that_hangs_is_shown_and_so_is_its_recovery(page, one_place):
    page.goto(one_place.url.replace("?", "matching?"))
    wait_until_ready(page)
    (worker,) = one_place.page_processes()
    banner = page.locator("#ws-banner")
    worker.suspend()
    try:
        page.locator(".ws-run").click()
        expect(banner).to_have_text(re.compile("has not answered for 1[0-9] seconds"))
    finally:
        worker.resume()
    expect(banner).to_be_hidden()
    worker.kill()
    expect(banner).to_contain_text("has died")
    expect(banner.get_by_role("button", name="Open it again")).to_be_visible()
