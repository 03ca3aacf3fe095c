"""The axis of warps in a browser: on static pages, with the player's cursor, zoom and lanes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from support.published import READY
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.page import page_of
from warplens.app.published.replays import comparison_of, replay_of

pytestmark = pytest.mark.browser

TAIL = "netscience-suitor-nosync"
#: Most of its time is between launches.
LAUNCHES = "football-bipartite-apfb"
#: One record of each family.
FAMILIES = (
    TAIL,
    "football-bipartite-apfb",
    "karate_weighted-bmatching-delayed-b3",
    "karate-louvain-buckets",
    "classic40-marriage-gs",
    "karate_weighted-redblue-paper",
    "sample-sgd-el",
)
AXIS = "__warplens.players[0].axis"
#: How many pixels of the canvas are not of the ground.
DRAWN = f"""() => {{
  const {{ pixels }} = {AXIS}.canvas;
  return pixels.reduce((sum, pixel) => sum + (pixel !== 0), 0);
}}"""


def opened(page, tmp_path, *names, query=""):
    records = [entry(name).record() for name in names]
    limits = PageLimits()
    whole = replay_of(records[0], limits) if len(records) == 1 else comparison_of(records, limits)
    path = tmp_path / "run.html"
    path.write_text(page_of(whole))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(path.as_uri() + query)
    page.wait_for_function(READY)
    return records


def seek(page, time):
    page.evaluate(f"__warplens.players[0].seek({time})")
    page.wait_for_function(f"{AXIS}.count === {time}")


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_its_warps_below_the_picture_before_the_first_event(
    page, errors, tmp_path, name
):
    opened(page, tmp_path, name)
    frame = page.locator(".wx-frame")
    expect(frame).to_be_visible()
    page.wait_for_function(f"({DRAWN})() > 100")
    box = frame.bounding_box()
    assert box["y"] + box["height"] <= 900
    assert page.evaluate("__warplens.players[0].time") == 0
    expect(page.locator(".wx-key li").first).to_be_visible()


def test_the_numbers_are_text_and_describe_the_axis(page, errors, tmp_path):
    opened(page, tmp_path, TAIL)
    expect(page.locator(".wx-facts li").first).to_have_text(
        "Warp 179 works alone for 46% of the run, with 23 of 2,270 events."
    )
    about = page.locator(".wx-frame").get_attribute("aria-describedby")
    expect(page.locator(f"#{about}")).to_contain_text("Warp 179")


def test_the_cursor_is_the_players(page, errors, tmp_path):
    (record,) = opened(page, tmp_path, TAIL)
    end = record.events["time"][-1]
    for time in (1, 1500, 2250, record.num_events):
        seek(page, time)
        moved = page.evaluate(f"""() => {{
          const box = document.querySelector(".wx-cursor").getBoundingClientRect();
          const canvas = document.querySelector(".wx-frame canvas").getBoundingClientRect();
          return (box.left + 1 - canvas.left - 40) / {AXIS}.canvas.width;
        }}""")
        assert moved == pytest.approx(record.events["time"][time - 1] / end, abs=2e-3)


def test_a_click_goes_to_the_event_and_shows_the_lanes_of_its_warp(page, errors, tmp_path):
    (record,) = opened(page, tmp_path, TAIL)
    frame = page.locator(".wx-frame")
    box = frame.bounding_box()
    # Late in the run only warp 179 is at work.
    row = 40 + (box["width"] - 40) * 0.75
    place = page.evaluate(f"(() => {AXIS}.canvas.high * (179 + 0.5) / 200)()")
    frame.click(position={"x": row, "y": place})
    expect(page.locator(".wx-lanes b")).to_have_text("The 32 lanes of warp 179")
    page.wait_for_function(f"{AXIS}.count > 2247")
    now = page.evaluate(f"{AXIS}.count") - 1
    assert record.events["warp"][now] == 179
    shown = page.locator(".wx-steps li[aria-current] .wp-band").count()
    same = (record.events["warp"] == 179) & (record.events["batch"] == record.events["batch"][now])
    same &= record.events["iteration"] == record.events["iteration"][now]
    assert shown == len(set(record.events["lane"][same].tolist()))
    assert page.locator(".wx-steps li[aria-current] .wx-strip i").count() == 32
    page.get_by_role("button", name="Close the lanes").click()
    expect(page.locator(".wx-lanes")).to_be_hidden()


def test_keys_zoom_move_and_choose_warps_and_do_not_reach_the_player(page, errors, tmp_path):
    opened(page, tmp_path, TAIL)
    seek(page, 2250)
    page.locator(".wx-frame").focus()
    whole = page.evaluate(f"{AXIS}.camera.to")
    page.keyboard.press("w")
    page.keyboard.press("w")
    assert page.evaluate(f"{AXIS}.camera.to - {AXIS}.camera.from") == pytest.approx(whole / 2.25)
    before = page.evaluate(f"{AXIS}.camera.from")
    page.keyboard.press("d")
    assert page.evaluate(f"{AXIS}.camera.from") > before
    page.keyboard.press("f")
    assert page.evaluate(f"{AXIS}.camera.whole")
    page.keyboard.press("Enter")
    expect(page.locator(".wx-lanes b")).to_have_text("The 32 lanes of warp 179")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".wx-lanes b")).to_have_text("The 32 lanes of warp 178")
    assert page.evaluate("__warplens.players[0].time") == 2250
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("__warplens.players[0].time === 2249")


def test_the_wheel_scrolls_the_page_until_the_axis_has_the_focus(page, errors, tmp_path):
    opened(page, tmp_path, TAIL)
    box = page.locator(".wx-frame").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.wheel(0, 120)
    page.wait_for_function("scrollY > 0")
    assert page.evaluate(f"{AXIS}.camera.whole")
    page.evaluate("scrollTo(0, 0)")
    page.locator(".wx-frame").focus()
    box = page.locator(".wx-frame").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.wheel(0, -240)
    page.wait_for_function(f"!{AXIS}.camera.whole")


def test_the_ruler_scrubs(page, errors, tmp_path):
    (record,) = opened(page, tmp_path, TAIL)
    box = page.locator(".wx-frame").bounding_box()
    page.mouse.click(box["x"] + 40 + (box["width"] - 40) / 2, box["y"] + box["height"] - 6)
    times = record.events["time"]
    page.wait_for_function(f"Math.abs({AXIS}.count - {int((times <= times[-1] / 2).sum())}) < 10")
    expect(page.locator(".wx-lanes")).to_be_hidden()


def test_fewer_warps_have_higher_rows(page, errors, tmp_path):
    opened(page, tmp_path, TAIL)
    fold = f"{AXIS}.canvas.raster.fold({AXIS}.camera)"
    assert page.evaluate(fold) == 4  # 199 warps in at most 64 rows, whole blocks of 4
    page.get_by_role("button", name="Fewer warps").click(click_count=2)
    page.wait_for_function(f"{fold} === 1")
    assert page.evaluate(f"{AXIS}.camera.last - {AXIS}.camera.first") == 50


def test_compared_runs_have_one_scale_and_their_times(page, errors, tmp_path):
    names = (TAIL, "netscience-suitor-sync_lb")
    records = opened(page, tmp_path, *names)
    spans = page.evaluate("__warplens.together.views.map(({ axis }) => axis.camera.to)")
    longest = max(float(record.events["time"][-1]) for record in records) / 1000
    assert spans == [pytest.approx(longest)] * 2
    expect(page.locator(".sbs-time")).to_have_text(["31.1 µs", "24.6 µs"])
    rows = page.locator(".sbs-table tbody tr")
    expect(rows.nth(0)).to_contain_text("31.1 µs")
    expect(rows.nth(1)).to_contain_text("24.6 µs")
    expect(page.locator(".wx-frame")).to_have_count(2)


def test_long_gaps_are_folded_and_can_be_drawn_to_scale(page, errors, tmp_path):
    (record,) = opened(page, tmp_path, LAUNCHES)
    times = record.events["time"] / 1000
    span = float(times[-1] - times[0])
    assert 0 < page.evaluate(f"{AXIS}.camera.to") < span / 3
    places = page.evaluate(f"[...{AXIS}.folds.places]")
    assert (np.diff(places) >= 0).all()
    back = page.evaluate(f"[...{AXIS}.folds.places].map((place) => {AXIS}.folds.timeAt(place))")
    assert np.allclose(back, times)
    gaps = np.array(page.evaluate(f"{AXIS}.folds.gaps.map(({{ from, to }}) => [from, to])"))
    lost = float((gaps[:, 1] - gaps[:, 0]).sum())
    assert lost > span / 2
    inside = [((times > begin + 0.01) & (times < end - 0.01)).any() for begin, end in gaps]
    assert not any(inside)
    said = page.locator(".wx-facts li", has_text="Folded on the axis")
    expect(said).to_contain_text(f"{len(gaps)} gaps without an event, {lost / 1000:.2f} ms of")
    table = page.evaluate(f"{AXIS}.table()")

    seek(page, 421)
    part = page.evaluate(f"{AXIS}.folds.places[420] / {AXIS}.camera.to")
    box = page.locator(".wx-frame").bounding_box()
    where = box["x"] + 40 + (box["width"] - 40) * part
    moved = page.locator(".wx-cursor").bounding_box()
    assert moved["x"] + 1 == pytest.approx(where, abs=1)
    seek(page, 1)
    page.mouse.click(where + 1, box["y"] + box["height"] - 6)
    page.wait_for_function(f"Math.abs({AXIS}.count - 421) <= 5")

    page.get_by_label("gaps to scale").check()
    page.wait_for_function(f"Math.abs({AXIS}.camera.to - {span}) < 0.01")
    expect(page.locator(".wx-facts li", has_text="Drawn to scale")).to_be_visible()
    assert page.evaluate(f"{AXIS}.table()") == table


def test_what_a_warp_works_for_is_never_folded(page, errors, tmp_path):
    opened(page, tmp_path, TAIL)
    expect(page.locator(".wx-frame")).to_be_visible()
    expect(page.get_by_label("gaps to scale")).to_have_count(0)


def test_compared_axes_fold_together_and_keep_one_scale(page, errors, tmp_path):
    opened(page, tmp_path, LAUNCHES, "football-bipartite-apsb")
    axes = "__warplens.together.views.map(({ axis }) => axis)"
    ends = f"new Set({axes}.map(({{ camera }}) => camera.to))"
    longest = f"Math.max(...{axes}.map(({{ folds }}) => folds.span))"
    page.wait_for_function(f"{ends}.size === 1 && {ends}.has({longest})")
    page.get_by_label("gaps to scale").first.check()
    expect(page.get_by_label("gaps to scale").nth(1)).to_be_checked()
    whole = f"Math.max(...{axes}.map(({{ rows }}) => rows.span))"
    page.wait_for_function(f"{ends}.size === 1 && {ends}.has({whole})")


def test_a_frame_without_controls_keeps_the_axis(page, errors, tmp_path):
    opened(page, tmp_path, TAIL, query="?controls=0")
    expect(page.locator(".wx-frame")).to_be_visible()
    expect(page.locator(".wx-zoom")).to_be_hidden()


def test_lanes_on_a_phone_leave_the_axis_its_width(page, errors, tmp_path):
    opened(page, tmp_path, "karate_weighted-suitor-nosync")
    page.set_viewport_size({"width": 390, "height": 844})
    seek(page, 20)
    page.evaluate(f"{AXIS}.choose(0)")
    lanes = page.locator(".wx-strip i")
    expect(lanes.nth(31)).to_be_visible()
    parts = ".wx-frame, .wx-zoom, .wx-lanes, .wx-strip i"
    page.wait_for_function(
        """(parts) => [...document.querySelectorAll(parts)].every((part) => {
          const { right, width } = part.getBoundingClientRect();
          return right <= 390 && width > 5;
        })""",
        arg=parts,
    )


def test_the_buttons_of_a_phone_have_room(page, errors, tmp_path):
    """With folded gaps the axis has a switch more, and contracted communities a button more."""
    opened(page, tmp_path, "karate-louvain-buckets")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".wp-stage")).to_have_class(re.compile("wp-two-lines"))
    edge = page.locator(".wx-frame").bounding_box()
    head = page.locator(".wx-zoom").bounding_box()
    assert head["x"] + head["width"] <= edge["x"] + edge["width"] + 1
    page.evaluate("__warplens.players[0].seek(__warplens.players[0].timeline.length)")
    contract = page.locator(".wp-contract").bounding_box()
    zoom = page.locator(".wp-zoom").bounding_box()
    assert zoom["y"] + zoom["height"] <= contract["y"]
