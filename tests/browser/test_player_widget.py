"""The player as a widget: what the kernel hears, and charts that follow."""

from __future__ import annotations

import base64

import pytest

from support.replays import TIME, colour_pixels
from warplens.app.widgets.bundle import esm
from warplens.app.widgets.player import ENTRY

pytestmark = pytest.mark.browser


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
