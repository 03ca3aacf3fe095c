"""The player in a real browser: the same states as Python's, moved by buttons, keys and charts."""

from __future__ import annotations

import base64
import random

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.record.words import describe
from support.replays import STATE, TIME
from warplens.app.widgets.bundle import esm

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["karate", "lesmis"])
def test_states_are_those_of_python(page, tmp_path, errors, name, request):
    run = request.getfixturevalue(name)
    assert run.timeline.exact
    run.open(page, tmp_path)
    end = len(run.timeline)
    walk = [end, 0, *(random.Random(1).randrange(end + 1) for _ in range(25)), 1, end - 1, end]
    for time in walk:
        state = page.evaluate(STATE, time)
        for field, values in run.timeline.state(time).items():
            assert np.array_equal(np.array(state[field], values.dtype), values), (time, field)


@pytest.mark.parametrize("name", ["karate", "lesmis"])
def test_sentences_are_those_of_python(page, tmp_path, errors, name, request):
    run = request.getfixturevalue(name)
    run.open(page, tmp_path)
    now = page.locator(".wp-now")
    for event in range(0, run.record.num_events, 5):
        page.evaluate(f"__warplens.players[0].seek({event + 1})")
        expected = describe(run.record, event, run.graph.names)
        if run.graph.names is None:  # a sentence of our own words; a name stays as it is
            expected = expected[0].upper() + expected[1:]
        expect(now).to_have_text(expected)
        expect(page.locator(".wp-spoken")).to_have_text(expected)


CAPTION = """async ([source, meta, events]) => {
  const made = await import('data:text/javascript;base64,' + source);
  return made.default.render(meta, events);
}"""


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"names": ["α", "A"]}, "α proposes to A"),
        ({"names": None}, "Vertex 0 proposes to 1"),
        ({"names": None, "noun": "person"}, "Person 0 proposes to 1"),
        ({"names": None, "rows": 1, "sides": ["r", "c"]}, "r0 proposes to c0"),
        ({"names": None, "rows": 1, "sides": ["man ", "woman "]}, "Man 0 proposes to woman 0"),
    ],
)
def test_captions_keep_names_as_they_are(page, tmp_path, meta, expected):
    words = tmp_path / "caption.js"
    words.write_text(
        'import { caption } from "warplens/words.js";\n'
        "export function render(meta, events) {\n  return caption(meta, events, 0);\n}\n"
    )
    source = base64.b64encode(esm(words).encode()).decode()
    meta = {"sentences": {"1": "{a} proposes to {b}"}, **meta}
    page.goto("about:blank")
    events = {"kind": [1], "a": [0], "b": [1]}
    assert page.evaluate(CAPTION, [source, meta, events]) == expected


def test_keys_of_the_page_move_the_replay(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    page.evaluate("document.body.className = 'ws-page'; document.activeElement?.blur()")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(TIME) == 1
    page.keyboard.press("n")  # letters belong to the player alone
    assert page.evaluate(TIME) == 1
    page.keyboard.press("Space")
    assert page.evaluate("__warplens.players[0].playback.playing")
    page.keyboard.press("Space")
    rest = page.evaluate(TIME)
    page.get_by_label("vertex to pin").focus()
    page.keyboard.press("ArrowRight")  # moves the field's cursor
    assert page.evaluate(TIME) == rest


def test_the_run_is_saved_as_text(page, tmp_path, errors, karate):
    karate.open(page, tmp_path, first=3)
    page.locator(".wp-details summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the run as text").click()
    text = download.value.path().read_text()
    for event in range(karate.record.num_events):
        assert describe(karate.record, event, karate.graph.names)[1:] in text
    assert text.count("(warp ") == karate.record.num_events
    assert f"At the end: {karate.result.cardinality} pairs matched" in text
    assert page.evaluate(TIME) == 3


def test_buttons_and_slider(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    button = lambda label: page.get_by_role("button", name=label)  # noqa: E731
    button("On one event").click()
    button("On one event").click()
    assert page.evaluate(TIME) == 2
    button("Back one event").click()
    assert page.evaluate(TIME) == 1
    button("On one iteration").click()
    stop = page.evaluate(TIME)
    reached = np.maximum.accumulate(karate.record.events["iteration"])
    assert stop == np.flatnonzero(reached > reached[0])[0]
    button("Back one iteration").click()
    assert page.evaluate(TIME) == 0
    page.get_by_role("slider").fill("17")
    assert page.evaluate(TIME) == 17
    expect(page.locator(".wp-counter")).to_contain_text("event 17 of")
    button("To the start").click()
    assert page.evaluate(TIME) == 0


def test_keys(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    page.locator(".wp").focus()
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", len(karate.timeline)),
        ("ArrowRight", len(karate.timeline)),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(TIME) == expected, key
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate(TIME) > 1
    speed = page.evaluate("__warplens.players[0].playback.speed")
    page.keyboard.press("+")
    assert page.evaluate("__warplens.players[0].playback.speed") > speed


def test_plays_to_the_end_and_again(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    page.get_by_label("speed").select_option("300")
    page.locator(".wp").focus()
    page.keyboard.press("Space")
    page.wait_for_function(f"{TIME} === {len(karate.timeline)}")
    page.wait_for_function("!__warplens.players[0].playback.playing")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    figures = page.locator(".wp-measures")
    expect(figures).to_contain_text(f"{karate.result.cardinality} pairs matched")
    assert float(figures.text_content().rsplit(" ", 1)[1]) == pytest.approx(
        karate.result.weight, rel=1e-4
    )
    page.get_by_label("speed").select_option("0.5")
    page.get_by_role("button", name="Play").click()
    assert page.evaluate(TIME) < len(karate.timeline)
    page.get_by_role("button", name="Pause").click()
    assert not page.evaluate("__warplens.players[0].playback.playing")


def test_the_page_needs_no_network(page, tmp_path, karate):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    karate.open(page, tmp_path)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
