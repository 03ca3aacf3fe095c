"""Pictures of a phone: every vertex keeps its number, and no text is cut or covered."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.published import READY
from support.watching import wait_for_value
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.page import page_of
from warplens.app.published.replays import comparison_of, replay_of

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1440, "height": 900}
PLAYER = "__warplens.players[0]"
VIEW = f"{PLAYER}.stage.view"
#: Vertices whose number stands somewhere in the picture.
NUMBERED = f"{VIEW}.numbers.placed.map(({{ v }}) => v).sort((one, other) => one - other)"
#: How many pixels at the place of an active weight have the colour of text.
WRITTEN = f"""() => {{
  const {{ above: {{ canvas, context }}, weights, theme, ratio }} = {VIEW};
  const [box] = weights.active;
  if (!box) return 0;
  const paint = document.createElement('canvas').getContext('2d');
  paint.fillStyle = theme.text;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
  const {{ data }} = context.getImageData(
    box.left * ratio, box.top * ratio, (box.right - box.left) * ratio, 14 * ratio);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {{
    const same = data[i] === red && data[i + 1] === green && data[i + 2] === blue;
    count += same && data[i + 3] === 255;
  }}
  return count;
}}"""
#: How many pixels of a vertex have the colour of text.
INKED = f"""(v) => {{
  const {{ above: {{ context }}, X, Y, radius, theme, ratio }} = {VIEW};
  const paint = document.createElement('canvas').getContext('2d');
  paint.fillStyle = theme.text;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
  const [left, top, side] = [X[v] - radius / 2, Y[v] - radius / 2, radius].map((x) => x * ratio);
  const {{ data }} = context.getImageData(left, top, side, side);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {{
    count += data[i] === red && data[i + 1] === green && data[i + 2] === blue;
  }}
  return count;
}}"""
#: In all pictures of the page: numbers that cover the weight of an active edge, ends of active
#: edges without a number, and how many pictures have active edges.
COVERED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const found = { covered: [], missing: [], pictures: 0 };
  for (const { stage: { view } } of __warplens.together.views) {
    const { numbers: { shown }, weights: { active }, u, v: other } = view;
    found.pictures += active.length > 0;
    for (const { v, box } of shown) {
      const under = active.filter((one) => box.left < one.right && one.left < box.right
        && box.top < one.bottom && one.top < box.bottom);
      found.covered.push(...under.map(({ text }) => `${v} covers ${text}`));
    }
    const ends = active.flatMap(({ edge }) => [u[edge], other[edge]]);
    found.missing.push(...ends.filter((end) => !shown.some(({ v }) => v === end)));
  }
  return found;
}"""


def opened(page, tmp_path, name, window, *others):
    path = tmp_path / "run.html"
    records = [entry(one).record() for one in (name, *others)]
    whole = comparison_of(records, PageLimits()) if others else replay_of(*records, PageLimits())
    path.write_text(page_of(whole))
    page.set_viewport_size(window)
    page.goto(path.as_uri())
    page.wait_for_function(READY)


@pytest.mark.parametrize(
    "name",
    [
        "karate_weighted-suitor-nosync",
        "karate-louvain-buckets",
        "karate_weighted-bmatching-eager-b3",
    ],
)
def test_every_vertex_of_karate_has_its_number(page, errors, tmp_path, name):
    opened(page, tmp_path, name, PHONE)
    page.evaluate(f"{PLAYER}.seek(20)")
    wait_for_value(page, NUMBERED, list(range(34)))


@pytest.mark.parametrize(
    ("name", "step", "words"),
    [
        ("karate_weighted-bmatching-eager-b3", 20, "one-way"),
        ("classic40-marriage-gs", 114, "mean rank"),
    ],
)
@pytest.mark.parametrize("width", [360, 520, 820])
def test_the_measures_are_not_cut_and_leave_room_for_the_buttons(
    page, errors, tmp_path, name, step, words, width
):
    opened(page, tmp_path, name, {"width": width, "height": 844})
    page.evaluate(f"{PLAYER}.seek({step})")
    measures = page.locator(".wp-measures")
    expect(measures).to_contain_text(words)
    page.wait_for_function("""() => {
      const measures = document.querySelector('.wp-measures');
      const [shown, buttons, stage] = ['.wp-measures', '.wp-zoom', '.wp-stage']
        .map((name) => document.querySelector(name).getBoundingClientRect());
      const apart = shown.bottom <= buttons.top || shown.right <= buttons.left;
      const whole = measures.scrollWidth <= measures.clientWidth;
      return whole && apart && buttons.bottom <= stage.bottom;
    }""")


def test_a_number_on_a_pale_vertex_is_dark(page, errors, tmp_path):
    opened(page, tmp_path, "karate-louvain-buckets", {"width": 1920, "height": 1080})
    page.evaluate(f"{PLAYER}.seek(60)")
    wait_for_value(page, f"{VIEW}.styles[{PLAYER}.marks.classes[11]].colour", "category-1")
    page.wait_for_function(f"({INKED})(11) > 4 && ({INKED})(15) === 0")


def test_the_weight_of_an_active_edge_lies_over_the_stacks(page, errors, tmp_path):
    opened(page, tmp_path, "karate_weighted-bmatching-eager-b3", LAPTOP)
    for step in (20, 60):
        page.evaluate(f"{PLAYER}.seek({step})")
        page.wait_for_function(f"({WRITTEN})() > 4")
    # Also where a stack is put over its place.
    page.evaluate(f"""async () => {{
      const {{ X, Y, weights }} = {VIEW};
      const [box] = weights.active;
      const far = [...X.keys()].find((v) => v !== {VIEW}.u[box.edge] && v !== {VIEW}.v[box.edge]);
      [X[far], Y[far]] = [box.x, box.y];
      {VIEW}.stale = true;
      {PLAYER}.requestFrame();
      const frame = () => new Promise(requestAnimationFrame);
      await frame();
      await frame();
    }}""")
    page.wait_for_function(f"({WRITTEN})() > 4")


@pytest.mark.parametrize(
    "name", ["karate_weighted-suitor-sync_lb", "karate_weighted-bmatching-eager-b3"]
)
def test_no_number_covers_a_weight_of_compared_runs(page, errors, tmp_path, name):
    opened(page, tmp_path, name, PHONE, name)
    page.emulate_media(reduced_motion="reduce")
    clock = "__warplens.together.clock"
    pictures = 0
    for step in range(3, page.evaluate(f"{clock}.length"), 3):
        page.evaluate(f"{clock}.moveTo({step})")
        found = page.evaluate(COVERED)
        assert (found["covered"], found["missing"]) == ([], []), step
        pictures += found["pictures"]
    assert pictures > 20


def test_measures_of_two_lines_leave_the_title_of_the_rail_free(page, tmp_path):
    opened(page, tmp_path, "classic40-marriage-gs", {"width": 640, "height": 450})
    page.evaluate(f"{PLAYER}.seek(150)")
    measures = f"{PLAYER}.stage.measures"
    page.wait_for_function(f"{measures}.offsetHeight > 30")  # two lines
    bottom = page.evaluate(f"{measures}.offsetTop + {measures}.offsetHeight")
    # The title's letters of 12 pixels have their middle 12 pixels above the rail's lists.
    title = page.evaluate(f"{VIEW}.camera.tracks.men - {VIEW}.camera.depth - 12 - 6")
    assert title >= bottom + 2
