"""The player in a real browser: the same states as Python's, moved by buttons, keys and charts."""

from __future__ import annotations

import base64
import json
import random

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.record.words import describe
from support.replays import STATE, TIME, Run
from warplens.app.widgets.bundle import esm
from warplens.app.widgets.player import ENTRY

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def karate():
    return Run("karate", variant="nosync", vertices_per_warp=8)


@pytest.fixture(scope="module")
def lesmis():
    return Run("lesmis", variant="sync_lb", vertices_per_warp=8)


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


def test_many_weights_are_not_written(page, tmp_path, errors, lesmis):
    lesmis.open(page, tmp_path)
    assert page.evaluate("__warplens.players[0].stage.view.weights") is None


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


COUNT = """(name) => {
  const canvas = document.querySelectorAll('.wp-layer')[1];
  const probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = __warplens.players[0].theme[name];
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    count += data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255;
  return count;
}"""


def colour_pixels(page, name):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(COUNT, name)


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


def test_large_graphs_are_cells(page, tmp_path, errors):
    run = Run("rmat:scale=11,edge_factor=4,seed=1", drawn=False)
    run.open(page, tmp_path)
    expect(page.get_by_text("each cell is a vertex")).to_be_visible()
    state = page.evaluate(STATE, len(run.timeline))
    assert np.array_equal(state["suitor"], run.result.mate)


def test_the_page_needs_no_network(page, tmp_path, karate):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    karate.open(page, tmp_path)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


WIDGET = """async ([source, payload, cursors]) => {
  const { default: widget } = await import('data:text/javascript;base64,' + source);
  const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
  const odd = new Uint8Array(bytes.length + 3);
  odd.set(bytes, 3);
  const view = new DataView(odd.buffer, 3);
  const values = { payload: view, position: 0, cursors, placeholder: 'none' };
  const heard = {};
  window.sent = [];
  window.model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    save_changes: () => window.sent.push(values.position),
    on: (name, act) => { heard[name] = act; },
    off: (name) => { delete heard[name]; },
    change: (name, value) => { values[name] = value; heard['change:' + name](); },
    heard,
  };
  const el = document.createElement('div');
  document.body.append(el);
  window.host = el;
  window.forget = widget.render({ model: window.model, el });
}"""


def start_widget(page, payload, cursors=()):
    page.goto("about:blank")
    source = base64.b64encode(esm(ENTRY, ("matching",)).encode()).decode()
    page.evaluate(WIDGET, [source, base64.b64encode(payload).decode(), list(cursors)])


def test_the_kernel_hears_only_where_the_replay_rests(page, errors, karate):
    start_widget(page, karate.payload)
    page.evaluate("__warplens.players[0].playback.speed = 300")
    page.evaluate("__warplens.players[0].controls.toggle.click()")
    page.wait_for_function(f"{TIME} === {len(karate.timeline)}")
    page.wait_for_function("window.sent.length > 0")
    assert page.evaluate("window.sent") == [len(karate.timeline)]
    page.evaluate("model.change('position', 7)")
    assert page.evaluate(TIME) == 7
    page.evaluate("window.dispatchEvent(new CustomEvent('warplens:seek', {detail: {event: 9}}))")
    assert page.evaluate(TIME) == 9
    page.evaluate("model.change('payload', new DataView(new ArrayBuffer(0)))")
    assert page.evaluate("host.textContent") == "none"
    page.evaluate("forget()")
    assert page.evaluate("Object.keys(model.heard).length + __warplens.players.length") == 0


def test_a_player_that_is_attached_later_has_its_colours(page, errors, karate):
    page.goto("about:blank")
    page.add_style_tag(path=ENTRY.with_name("player.css"))
    source = base64.b64encode(esm(ENTRY, ("matching",)).encode()).decode()
    later = WIDGET.replace("document.body.append(el);", "")
    page.evaluate(later, [source, base64.b64encode(karate.payload).decode(), []])
    page.evaluate("document.body.append(host)")
    page.wait_for_function("__warplens.players[0].theme?.done?.startsWith('rgb')")
    page.wait_for_function("__warplens.players[0].frames > 0")
    assert colour_pixels(page, "vertex") > 50


def test_chart_cursors_follow_in_the_browser(page, errors, karate):
    cursors = [{"name": "map", "columns": {"x": "iteration", "y": "warp", "t": "event"}}]
    start_widget(page, karate.payload, cursors)
    page.evaluate("""() => {
      const source = { data: { x: [-1], y: [-1], t: [-1, -1] }, emitted: 0 };
      source.change = { emit: () => { source.emitted += 1; } };
      window.source = source;
      const get_model_by_name = (name) => (name === 'map' ? source : null);
      window.Bokeh = { documents: [{ get_model_by_name }] };
    }""")
    page.wait_for_function("window.source.emitted > 0")  # though the replay rests
    page.evaluate("__warplens.players[0].seek(12)")
    page.wait_for_function("window.source.data.t[1] === 12")
    data = page.evaluate("window.source.data")
    events = karate.record.events
    assert data == {"x": [events["iteration"][11]], "y": [events["warp"][11]], "t": [12, 12]}
    emitted = page.evaluate("window.source.emitted")
    page.wait_for_timeout(700)  # more than one look at the charts
    assert page.evaluate("window.source.emitted") == emitted  # nothing changed, nothing said


def test_a_damaged_message_says_so(page, karate):
    page.goto("about:blank")
    source = base64.b64encode(esm(ENTRY, ("matching",)).encode()).decode()
    broken = base64.b64encode(b"JUNK" + karate.payload[4:]).decode()
    with pytest.raises(Exception, match="no Warplens message"):
        page.evaluate(WIDGET, [source, broken, []])
    assert "reload the page" in page.evaluate("host.textContent")


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
