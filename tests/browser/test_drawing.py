"""Drawing and memory of the player: partial and complete redraws agree; memory is bounded."""

from __future__ import annotations

import random

import numpy as np
import pytest

from support.replays import TIME, Run

pytestmark = pytest.mark.browser

#: The picture drawn from its changes, and then completely; returns by how many pixels they
#: differ visibly.
DIFFERENCE = """async (time) => {
  const player = __warplens.players[0];
  const view = player.stage.view;
  const picture = () => {
    const { active, hidden } = player.effects.at(performance.now());
    view.draw(player.marks, active, hidden);
    const { canvas, context } = view.above;
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  player.seek(time);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const partly = picture();
  view.stale = true;
  const whole = picture();
  // As seen on white: the colour of a pixel that is nearly clear says nothing.
  const seen = (data, i) => ((data[i] - 255) * data[i | 3]) / 255;
  let count = 0;
  for (let i = 0; i < whole.length; ++i) count += Math.abs(seen(whole, i) - seen(partly, i)) > 30;
  return count;
}"""


@pytest.mark.parametrize("by_warp", [False, True])
def test_what_has_changed_makes_the_whole_picture(page, tmp_path, errors, by_warp):
    run = Run("rgg:n=700,radius=0.055,seed=1", variant="sync_lb", vertices_per_warp=8)
    page.emulate_media(reduced_motion="reduce")
    run.open(page, tmp_path)
    if by_warp:
        page.get_by_label("colour of vertices").select_option("warp")
    end = len(run.timeline)
    near = random.Random(2)
    walk = [0, 5, 6, 7, 6, end // 2, *(end // 2 + near.randrange(40) for _ in range(8)), end, 0]
    for time in walk:
        assert page.evaluate(DIFFERENCE, time) < 20, time
    # A frame must draw some tiles only; else the test would show nothing.
    page.evaluate(DIFFERENCE, end // 2)
    page.evaluate(f"__warplens.players[0].seek({end // 2 + 1})")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("__warplens.players[0].stage.view.tiles.share") < 0.4


def test_fewer_pixels_while_frames_are_late(page, tmp_path, errors):
    Run("karate").open(page, tmp_path)
    ratios = page.evaluate("""() => {
      Object.defineProperty(window, 'devicePixelRatio', { value: 2 });
      const budget = new modules["widgets/player/budget.js"].Budget();
      const ratios = [];
      let now = 0;
      for (const [late, playing] of [[16, true], [40, true], [40, false]]) {
        for (let i = 0; i < 70; ++i) budget.frame((now += late), playing);
        ratios.push(budget.ratio);
      }
      return ratios;
    }""")
    assert ratios == [2, 1, 2]


#: Collects garbage first; strings and buffers outside of the heap count.
HELD = ("usedSize", "backingStorageSize", "embedderHeapUsedSize")


def test_memory_is_bounded(page, tmp_path, errors):
    """The bound is that of the notes of player_payload, with room for another browser's page."""
    run = Run("rgg:n=20000,radius=0.011,seed=1", drawn=False)
    run.open(page, tmp_path)
    end = len(run.timeline)
    vertex = int(run.record.events["a"][end // 2])
    for act in (
        f"view.seek({end})",
        "view.explorer.details.open = true",
        "view.explorer.filter.set({ kind: 1 })",
        f"view.explorer.pin({vertex})",
        f"view.seek({end // 2})",
    ):
        page.evaluate(f"() => {{ const view = __warplens.players[0]; {act}; }}")
    assert page.evaluate(TIME) == end // 2
    devtools = page.context.new_cdp_session(page)
    devtools.send("HeapProfiler.collectGarbage")
    usage = devtools.send("Runtime.getHeapUsage")
    held = sum(usage.get(part, 0) for part in HELD)
    assert held < len(run.payload) + 32 * end + 64 * run.graph.num_vertices + (24 << 20)


def test_a_pinned_vertex_has_its_events_and_neighbours(page, tmp_path, errors):
    run = Run("rgg:n=700,radius=0.055,seed=1")
    run.open(page, tmp_path)
    events = run.record.events
    for vertex in (3, 450):
        found = page.evaluate(
            "v => { const p = __warplens.players[0].explorer; p.pin(v);"
            " return [[...p.index.ofVertex(v)], p.inspector.neighbours]; }",
            vertex,
        )
        about = np.flatnonzero((events["a"] == vertex) | (events["b"] == vertex))
        assert set(about) <= set(found[0])
        lost = set(np.flatnonzero(events["c"] == vertex))
        assert set(found[0]) <= set(about) | lost
        others, weights = run.graph.neighbours(vertex)
        order = np.lexsort((others, -weights))
        assert [row[0] for row in found[1]] == list(others[order])
        assert [row[1] for row in found[1]] == list(weights[order])
