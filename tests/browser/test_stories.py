"""Stories in a real browser: walked by a clicker's keys, answered right and wrong, recorded."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from support.visiting import EVENTS, TIME
from warplens.app.stories.library import shipped

pytestmark = pytest.mark.browser

CAPTION = ".wy-caption"
AXIS = "__warplens.players[0].axis"
VIEW = "__warplens.players[0].stage.view"
PIXEL = """vertex => {
  const { view, root } = __warplens.players[0].stage;
  const box = root.getBoundingClientRect();
  return [box.left + view.X[vertex], box.top + view.Y[vertex]];
}"""


@pytest.fixture
def opened(watched, server):
    """Open a story by its link, and wait for its first stop."""

    def open_story(name):
        shown = shipped(name)
        watched.goto(f"{server.url}{shown.family}?story={name}")
        expect(watched.locator(CAPTION)).to_have_text(shown.story.stops[0].caption)
        return watched, shown.story

    return open_story


def at_stop(page, story, number):
    """Wait until a stop is shown, and the player stands at its step."""
    stop = story.stops[number]
    expect(page.locator(CAPTION)).to_have_text(stop.caption)
    place = page.locator(".wy-story .wy-place")
    expect(place).to_contain_text(f"stop {number + 1} of {len(story.stops)}")
    page.wait_for_function(f"{TIME} === {stop.step}")


def test_a_clicker_walks_the_long_tail_to_its_end(opened):
    page, story = opened("long-tail")
    results = page.locator(".ws-verdict")
    expect(results).to_be_hidden()
    page.evaluate("window.stops = []; window.addEventListener('warplens:stop', "
                  "(event) => window.stops.push(event.detail.notes))")  # fmt: skip
    for number, stop in enumerate(story.stops):
        at_stop(page, story, number)
        if stop.question:
            # The first press answers, the second goes on.
            page.keyboard.press("PageDown")
            expect(page.locator(".wy-verdict")).to_contain_text("The answer: ")
            at_stop(page, story, number)
        if stop.vertices:
            expect(page.locator(".wy-marks circle")).to_have_count(len(set(stop.vertices)))
            # Of a large graph the part is seen that the stop is about.
            page.wait_for_function(f"{VIEW}.camera.zoom > 3 && !{VIEW}.moving")
            for vertex in stop.vertices:
                x, y, width, height = page.evaluate(
                    f"(v => [{VIEW}.X[v], {VIEW}.Y[v], {VIEW}.camera.width, {VIEW}.camera.height])"
                    f"({vertex})"
                )
                assert 0 < x < width and 0 < y < height
        else:
            page.wait_for_function(f"{VIEW}.camera.zoom === 1")
        page.keyboard.press("PageDown")
    at_stop(page, story, len(story.stops) - 1)
    expect(results).to_be_visible()
    assert page.evaluate("window.stops") == [stop.notes for stop in story.stops[1:]]
    page.keyboard.press("PageUp")
    at_stop(page, story, len(story.stops) - 2)


def test_a_phone_shows_both_axes_above_the_caption(opened):
    page, story = opened("long-tail")
    page.set_viewport_size({"width": 390, "height": 844})
    compares = next(i for i, stop in enumerate(story.stops) if stop.beside)
    stage, axes = page.locator(".wp-stage"), page.locator(".wx-frame")
    page.get_by_label("Questions").uncheck()
    for number in range(compares):
        at_stop(page, story, number)
        page.keyboard.press("PageDown")
    at_stop(page, story, compares)
    expect(axes).to_have_count(2)
    page.wait_for_function("""() => {
      const caption = document.querySelector('.wy-story').getBoundingClientRect();
      return [...document.querySelectorAll('.wx-frame')]
        .map((one) => one.getBoundingClientRect())
        .every(({ top, bottom }) => top >= 0 && top < bottom && bottom <= caption.top);
    }""")
    page.keyboard.press("PageUp")
    expect(stage).to_be_visible()
    expect(axes).to_have_count(1)


#: One story of each family, with what its picture has been wrong at: names, rails, halves.
@pytest.mark.parametrize(
    "name",
    ["any-order", "first-sweep", "women-and-events", "any-neighbour", "too-late", "three-mates",
     "a-lock-that-waits"],
)  # fmt: skip
def test_what_a_stop_looks_at_is_on_the_screen(opened, name):
    page, story = opened(name)
    page.set_viewport_size({"width": 1440, "height": 900})
    for number, stop in enumerate(story.stops):
        at_stop(page, story, number)
        rings = page.locator(".wy-marks circle")
        expect(rings).to_have_count(len(set(stop.vertices)))
        for ring in range(len(set(stop.vertices))):
            expect(rings.nth(ring)).to_be_in_viewport(ratio=0.99)
        expect(page.locator(".wx-frame").first).to_be_in_viewport(ratio=0.99)
        page.wait_for_function(f"{AXIS}.camera.whole === {json.dumps(not stop.time)}")
        page.keyboard.press("PageDown")
        if stop.question:
            page.keyboard.press("PageDown")


def test_words_are_explained_where_a_story_uses_them_first(opened):
    page, story = opened("a-chain")
    words = page.locator(".wy-words li")
    expect(words).to_have_text([re.compile("^suitor: "), re.compile("^bid: ")])
    page.keyboard.press("PageDown")
    at_stop(page, story, 1)
    expect(words).to_have_count(0)


def test_a_question_is_answered_right_by_a_click_and_wrong_by_a_key(opened):
    page, story = opened("what-is-a-warp")
    asked = next(i for i, stop in enumerate(story.stops) if stop.question == "next")
    for _ in range(asked):
        page.keyboard.press("PageDown")
    at_stop(page, story, asked)
    verdict = page.locator(".wy-verdict")
    expect(page.locator(".wy-ask")).to_contain_text("Which vertex accepts 1 as its suitor")
    page.locator(".wp-stage").scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(PIXEL, 2))
    expect(verdict).to_have_text(re.compile(r"^Right\. Step 20: vertex 1 proposes to 2"))
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    at_stop(page, story, asked)
    wrong = page.locator(".wy-answers button").filter(has_not_text=re.compile("^2$")).first
    wrong.focus()
    page.keyboard.press("Enter")
    expect(verdict).to_have_text(re.compile(r"^Not \d+: it is 2\. Step 20: "))
    expect(page.locator(".wy-answers .wy-right")).to_have_text("2")
    page.get_by_label("Questions").uncheck()
    expect(page.locator(".wy-question")).to_be_hidden()


def test_a_story_of_a_run_opens_and_questions_are_off_without_a_story(opened):
    page, story = opened("alpha-courts-a")
    page.keyboard.press("PageDown")
    at_stop(page, story, 1)
    expect(page.locator(".wp-now")).to_contain_text("proposes to A")
    page.get_by_role("button", name="Leave the story").click()
    expect(page.locator(".wy-story")).to_be_hidden()
    expect(page.locator(".ws-verdict")).to_be_visible()
    switch = page.get_by_label("Questions")
    expect(switch).not_to_be_checked()
    switch.check()
    page.get_by_role("button", name="Ask me").click()
    expect(page.locator(".wy-ask")).not_to_be_empty()
    page.locator(".wy-answers button").first.click()
    expect(page.locator(".wy-verdict")).to_have_text(re.compile("^(Right|Not)"))


def test_a_story_is_recorded_saved_and_opened(watched, server, tmp_path):
    page = watched
    page.goto(f"{server.url}matching?record=karate_weighted-suitor-nosync&step=20")
    page.wait_for_function(f"({EVENTS}) > 0 && {TIME} === 20")
    expect(page.locator(".ws-look")).to_contain_text("seven displacements")
    page.get_by_role("button", name="Record a story").click()
    page.get_by_role("button", name="Save file").click()
    expect(page.locator(".wy-recorder [role=status]")).to_have_text("Give the story a title.")
    page.get_by_label("Title of the story").fill("Mine")
    page.get_by_role("button", name="Add a stop here").click()
    page.get_by_label("Caption of stop 1").fill("Here 8 falls out.")
    page.get_by_label("Speaker notes of stop 1").fill("Wait.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    saved = json.loads(path.read_text())
    assert path.name == "mine.json"
    assert saved == {
        "title": "Mine",
        "record": "karate_weighted-suitor-nosync",
        "stops": [{"step": 20, "caption": "Here 8 falls out.", "notes": "Wait."}],
    }
    page.reload()
    page.wait_for_function(f"({EVENTS}) > 0 && {TIME} === 20")
    page.locator(".wy-tools input[type=file]").set_input_files(path)
    expect(page.locator(CAPTION)).to_have_text("Here 8 falls out.")
    page.wait_for_function(f"{TIME} === 20")
    path.write_text(path.read_text().replace('"caption"', '"captoin"'))
    page.locator(".wy-tools input[type=file]").set_input_files(path)
    expect(page.locator(".ws-main")).to_contain_text("unknown entry 'captoin'")
