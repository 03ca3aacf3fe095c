"""The picture of a run in a real browser: vertices, weights, colours and size."""

from __future__ import annotations

import json

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.families.matching.record import Kind
from support.replays import STATE, Run, colour_pixels

pytestmark = pytest.mark.browser


def test_bands_differ_without_colours(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    marked = page.evaluate("""() => {
      const { scrubber, theme } = __warplens.players[0];
      const canvas = scrubber.canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = theme.ground;
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        count += data[i + 3] === 255 && data[i] === r && data[i + 1] === g && data[i + 2] === b;
      return count;
    }""")
    assert marked > 50
    key = page.locator(".wp-key li")
    expect(key.first).to_be_visible()
    assert key.locator(".wp-band-undone").count() == 1


def test_weights_stand_beside_few_edges(page, tmp_path, errors):
    run = Run("rgg:n=9,radius=0.5,seed=3")
    assert 0 < run.graph.num_edges <= 40
    run.open(page, tmp_path)
    placed = page.evaluate("__warplens.players[0].stage.view.weights?.placed.length ?? 0")
    assert 0 < placed <= run.graph.num_edges


#: Of the picture: the smallest distance of two vertices less their two radii; how many vertices lie
#: on edges of others, and how many do where the layout put them; and the radius.
ROOM = """() => {
  const { X, Y, x, y, u, v, radius, camera } = __warplens.players[0].stage.view;
  const { coveredBy } = modules["widgets/lib/apart.js"];
  let least = Infinity;
  for (let i = 0; i < X.length; ++i)
    for (let j = 0; j < i; ++j) least = Math.min(least, Math.hypot(X[i] - X[j], Y[i] - Y[j]));
  const [laidX, laidY] = [new Float32Array(X.length), new Float32Array(X.length)];
  camera.project(x, y, laidX, laidY);
  const covered = [coveredBy(X, Y, u, v, radius), coveredBy(laidX, laidY, u, v, radius)];
  return [least - 2 * radius, ...covered, radius];
}"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("spec", ["karate", "lesmis", "gnp:n=60,p=0.15,seed=1"])
def test_no_vertex_covers_another_one(page, tmp_path, errors, spec, width):
    page.set_viewport_size({"width": width, "height": 844})
    Run(spec).open(page, tmp_path)
    room, covered, laid, radius = page.evaluate(ROOM)
    assert room > -0.01
    assert covered <= laid
    assert radius > 2.5


def test_vertices_at_one_place_get_apart(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    room, *_ = page.evaluate(f"""() => {{
      const {{ view }} = __warplens.players[0].stage;
      view.x = view.x.map((x, i) => (i % 4 ? x : 0));
      view.y = view.y.map((y, i) => (i % 4 ? y : 0));
      view.refresh();
      return ({ROOM})();
    }}""")
    assert room > -0.01


ACTIVE = "__warplens.players[0].stage.view.weights.active.map(({ text }) => text)"


def test_active_edges_have_their_weight_however_many_edges_there_are(
    page, tmp_path, errors, lesmis
):
    page.emulate_media(reduced_motion="reduce")
    lesmis.open(page, tmp_path)
    assert page.evaluate("__warplens.players[0].stage.view.weights.placed.length") == 0
    event = int(np.flatnonzero(lesmis.record.events["kind"] == Kind.PROPOSE_FREE)[3])
    one, other = (int(lesmis.record.events[end][event]) for end in "ab")
    page.evaluate(f"__warplens.players[0].seek({event + 1})")
    others, weights = lesmis.graph.neighbours(one)
    weight = weights[list(others).index(other)]
    page.wait_for_function(f"{ACTIVE}.length === 1 && Math.abs({ACTIVE}[0] - {weight}) < 0.01")
    page.evaluate(f"__warplens.players[0].explorer.pin({one})")
    page.wait_for_function(f"{ACTIVE}.length === {len(others)}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_shows_the_state(page, tmp_path, errors, karate, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    karate.open(page, tmp_path)
    assert colour_pixels(page, "done") == 0
    page.evaluate("__warplens.players[0].seek(1)")
    assert colour_pixels(page, "tried") > 50
    page.evaluate(f"__warplens.players[0].seek({len(karate.timeline)})")
    assert colour_pixels(page, "done") > 1000
    kinds = karate.record.events["kind"]
    page.evaluate(f"__warplens.players[0].seek({np.flatnonzero(kinds == 2)[0] + 1})")
    assert colour_pixels(page, "undone") > 20


def test_the_canvas_follows_its_frame(page, tmp_path, errors, karate):
    karate.open(page, tmp_path)
    width = "document.querySelector('.wp-layer').width"
    page.set_viewport_size({"width": 1000, "height": 800})
    wide = page.wait_for_function(f"{width} > 800 && {width}").json_value()
    page.set_viewport_size({"width": 420, "height": 800})
    page.wait_for_function(f"{width} < 420")
    assert wide > 800
    page.wait_for_function("document.documentElement.scrollWidth <= 420")


def test_a_vertex_tells_about_itself(page, tmp_path, errors, lesmis):
    lesmis.open(page, tmp_path, first=len(lesmis.timeline))
    mate = lesmis.result.mate
    vertex = int(np.flatnonzero(mate >= 0)[0])
    x, y = page.evaluate(
        f"(() => {{ const v = __warplens.players[0].stage.view; "
        f"return [v.X[{vertex}], v.Y[{vertex}]]; }})()"
    )
    page.locator(".wp-stage").hover(position={"x": x, "y": y})
    tip = page.locator(".wp-tip")
    names = lesmis.graph.names
    expect(tip).to_contain_text(names[vertex])
    expect(tip).to_contain_text(f"matched with {names[mate[vertex]]}")


@pytest.mark.parametrize("width", [1000, 600, 390])
def test_the_picture_cuts_no_name(page, tmp_path, errors, lesmis, width):
    page.set_viewport_size({"width": width, "height": 800})
    lesmis.open(page, tmp_path, first=len(lesmis.timeline))
    view = "__warplens.players[0].stage.view"
    page.wait_for_function(f"{view}.names.placed.length > 5")
    assert page.evaluate(
        f"{view}.names.placed.every(({{ box }}) => "
        f"box.left >= 0 && box.right <= {view}.camera.width)"
    )


def test_large_graphs_are_cells(page, tmp_path, errors):
    run = Run("rmat:scale=11,edge_factor=4,seed=1", drawn=False)
    run.open(page, tmp_path)
    expect(page.get_by_text("each cell is a vertex")).to_be_visible()
    state = page.evaluate(STATE, len(run.timeline))
    assert np.array_equal(state["suitor"], run.result.mate)


def test_frames_a_second(page, tmp_path, errors, record_property):
    """Reports the rate for 500 vertices and about 1,500 edges; machines differ, so no limit."""
    run = Run("rgg:n=500,radius=0.064,seed=1", variant="nosync")
    run.open(page, tmp_path)
    rate = page.evaluate("""async () => {
      const view = __warplens.players[0];
      view.playback.speed = 50;
      view.playback.play();
      view.requestFrame();
      await new Promise((done) => setTimeout(done, 300));
      const [frames, begin] = [view.frames, performance.now()];
      await new Promise((done) => setTimeout(done, 1000));
      return (1000 * (view.frames - frames)) / (performance.now() - begin);
    }""")
    summary = {"vertices": 500, "edges": run.graph.num_edges, "frames_per_second": round(rate, 1)}
    record_property("player", json.dumps(summary))
    print(summary)
    assert rate > 0
