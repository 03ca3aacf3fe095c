"""A lecturer and two students in real browsers; strangers at a server with a token."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from support.rules import COLOURS, violations
from support.serving import Server
from support.visiting import PLAYER, choose, run
from support.watching import wait_for_value
from warplens.app.widgets.classroom import code_of

pytestmark = pytest.mark.browser

CAPTION = ".wy-story .wy-caption"
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("school"), "--classroom", "--token", "chalk")
    yield running
    assert running.stop() == 0, running.output
    assert "Traceback" not in running.output, running.output


def base_of(school):
    return school.url.partition("?")[0]


def a_student(browser, address):
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(address)
    return page


FOLLOWS = "You see what the lecturer shows."
ALONE = "You look around by yourself."


def step(page, expected, said=FOLLOWS):
    """Wait until a student's picture shows a step, and the page says why."""
    found = (
        "[Number(document.body.dataset.step ?? 0), document.getElementById('state').textContent]"
    )
    wait_for_value(page, found, [expected, said])


def test_a_class(page, browser, school):
    page.goto(f"{base_of(school)}matching?story=long-tail&token=chalk")
    page.locator(".wy-story .wy-caption").wait_for()
    page.wait_for_function(f"{PLAYER}?.timeline.length > 0")
    page.get_by_role("button", name="Start a class").click()
    address = page.locator(".wk-join b").text_content(timeout=90_000)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/class/\w{6}", address)

    # The address as a picture, in present mode, too.
    picture = page.get_by_role("img", name="QR code")
    expect(picture).to_have_attribute("src", code_of(address))
    expect(picture).to_have_js_property("complete", True)
    page.keyboard.press("F2")
    expect(picture).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("Escape")
    page.locator(".wk-scan summary").click()
    expect(picture).to_be_hidden()

    # The story's question is one to the class.
    ann, bob = a_student(browser, address), a_student(browser, address)
    asked = page.locator(".wy-ask").text_content()
    assert asked.endswith("?")
    for student in (ann, bob):
        expect(student.locator("#ask")).to_have_text(asked)
        student.locator("#choices button").first.click()
    expect(page.locator(".wk-said")).to_have_text("2 students, 2 answered")
    expect(page.locator(".wk-bars")).to_be_hidden()
    page.locator(".wy-answers button").first.click()
    expect(page.locator(".wk-bars dd").nth(1)).to_have_text("2")
    expect(ann.locator("#verdict")).to_contain_text("The answer: ")
    assert ann.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for scheme in ("light", "dark"):
        for one in (page, ann):
            one.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(one, COLOURS if scheme == "dark" else ()) == [], scheme

    # Students read the caption and see the rings of each stop, late ones too, and what is pinned.
    rings = ann.frame_locator("#run").locator(".wy-marks circle")
    expect(ann.locator("#caption")).to_have_text(page.locator(CAPTION).text_content())
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".wy-marks circle")).to_have_count(1)
    expect(ann.locator("#caption")).to_have_text(page.locator(CAPTION).text_content())
    expect(rings).to_have_count(1)
    page.evaluate(f"{PLAYER}.explorer.pin(7)")
    expect(rings).to_have_count(2)
    page.evaluate(f"{PLAYER}.explorer.pin(-1)")
    expect(rings).to_have_count(1)

    page.evaluate(f"{PLAYER}.seek(12)")
    step(ann, 12)
    step(bob, 12)
    late = a_student(browser, address)
    step(late, 12)
    expect(late.frame_locator("#run").locator(".wy-marks circle")).to_have_count(1)
    expect(page.locator(".wk-said")).to_contain_text("3 students")

    # Bob looks around by himself, and comes back.
    bob.frame_locator("#run").get_by_role("button", name="To the start").click()
    step(bob, 0, ALONE)
    expect(bob.frame_locator("#run").locator(".wy-marks circle")).to_have_count(0)
    page.get_by_role("button", name="On one event").click()
    step(ann, 13)
    step(bob, 0, ALONE)
    bob.get_by_role("button", name="Follow the lecturer").click()
    step(bob, 13)

    # Another run replaces the first one; the class goes on where the lecturer is.
    page.get_by_role("button", name="Leave the story").click()
    expect(ann.locator("#ask")).to_be_hidden()
    expect(ann.locator("#caption")).to_be_empty()
    expect(rings).to_have_count(0)
    choose(page, "Variant", "Synchronised, levelled (SyncLB)")
    run(page)
    expect(ann.locator("#run")).to_have_attribute("src", re.compile(r"/run\?run=[1-9]"))
    page.evaluate(f"{PLAYER}.seek(9)")
    step(ann, 9)
    step(bob, 9)
    title = page.evaluate(f"{PLAYER}.root.getAttribute('aria-label')")
    expect(ann.frame_locator("#run").locator(".wp")).to_have_attribute("aria-label", title)
    page.get_by_role("button", name="End the class").click()
    expect(ann.locator("#state")).to_contain_text("The class is over.")


def test_strangers(school):
    def status(path, method="GET", body=None, headers=None):
        asked = urllib.request.Request(base_of(school) + path, body, headers or {}, method=method)
        try:
            with urllib.request.urlopen(asked) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    inside = {"Authorization": "token chalk", "X-Warplens": "1"}
    assert status("class", "POST", b"x", {"X-Warplens": "1"})[0] == 403  # without the token
    assert status("class", "POST", b"x", {"Authorization": "token chalk"})[0] == 403  # a form
    code, _, text = status("class", "POST", b"<b>run</b>", inside)
    assert code == 200
    room = json.loads(text)
    # Students need no token, and get no right but this class.
    assert status(f"class/{room['code']}")[0] == 200
    assert status("matching")[0] == 403
    _, headers, text = status(f"class/{room['code']}/run")
    assert text == b"<b>run</b>"
    assert headers["Content-Security-Policy"].startswith("sandbox allow-scripts; ")
    assert status("class/zzzzzz")[0] == 403
    for secret in ("", "wrong"):
        more = {"X-Warplens": secret}
        assert status(f"class/{room['code']}", "PUT", b"x", more)[0] == 403
        assert status(f"class/{room['code']}", "DELETE", None, more)[0] == 403
    mine = {"X-Warplens": room["secret"]}
    assert status(f"class/{room['code']}", "PUT", b"", mine)[0] == 409
    assert status(f"class/{room['code']}", "DELETE", None, mine)[0] == 200
    assert status(f"class/{room['code']}")[0] == 403
