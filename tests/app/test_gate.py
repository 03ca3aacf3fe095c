"""Forged messages of a browser: each is one error on the dashboard, and changes nothing."""

import logging
import math

import ipywidgets as w
import pytest

from support.driving import Visitor
from support.messages import Forger, widgets
from warplens.app.dashboard.page import Dashboard
from warplens.app.page.gate import Allowance, keep_output_private
from warplens.app.widgets.incoming import incoming_of
from warplens.app.widgets.present import Present


@pytest.fixture(scope="module")
def dashboard():
    """Return a page with a run, so that all its cards are there."""
    visitor = Visitor(Dashboard("matching"), None)
    visitor.page.start()
    visitor.wait()
    visitor._run = visitor.page.bar.run
    visitor.run()
    return visitor.page


@pytest.fixture
def forger(dashboard):
    dashboard.show_error = type(dashboard).show_error.__get__(dashboard)
    dashboard._errors.value = ""
    return Forger(dashboard)


def state_of(dashboard):
    fields = [dashboard.graphs.tabs, dashboard.graphs.collection, dashboard.graphs.family]
    fields += [
        *dashboard.graphs.sliders.children,
        dashboard.runs.algorithm,
        dashboard.runs.variant,
        dashboard.runs.seed,
    ]
    return [
        field.get_state() for field in (*fields, dashboard.graphs._upload, dashboard.export.widget)
    ]


def parts_of(widget):
    """Yield a widget and all widgets in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)


def fields(dashboard):
    return {
        "dropdown": dashboard.graphs.collection,
        "tabs": dashboard.graphs.tabs,
        "slider": dashboard.graphs.sliders.children[0],
        "number": dashboard.runs.seed,
        "button": dashboard.bar.run,
        "text": dashboard.graphs.facts,
        "upload": dashboard.graphs._upload,
        "export": dashboard.export.widget,
        "player": dashboard.player,
        "browser": dashboard.browser,
        "code": dashboard.code.widget,
        "layout": dashboard.bar.run.layout,
    }


VALUES = [
    ("dropdown", {"index": 99}),
    ("dropdown", {"index": -1}),
    ("dropdown", {"index": None}),
    ("dropdown", {"index": True}),
    ("dropdown", {"index": "1"}),
    ("dropdown", {"index": math.nan}),
    ("dropdown", {"_options_labels": ["x"] * 10}),
    ("dropdown", {"options": ["x"]}),
    ("dropdown", {"index": 1, "disabled": True}),
    ("tabs", {"index": 4}),
    ("slider", {"value": "x"}),
    ("slider", {"value": 10**30}),
    ("slider", {"value": math.nan}),
    ("slider", {"value": 3}),  # below its end
    ("slider", {"max": 10**9, "value": 10**9}),
    ("slider", {"min": -5}),
    ("number", {"value": 2**31}),
    ("number", {"value": 1.5}),
    ("button", {"description": "<script>"}),
    ("button", {"disabled": False}),
    ("text", {"value": "<img onerror=x>"}),
    ("upload", {"limit": 10**12}),
    ("export", {"name": "../../x"}),
    ("export", {"search": 7}),
    ("export", {"search": "x" * 20_000}),
    ("player", {"payload": "x"}),
    ("player", {"position": -1}),
    ("player", {"position": 10**30}),
    ("player", {"unknown": 1}),
    ("browser", {"dark": 1}),
    ("layout", {"display": "none"}),
    ("slider", [1, 2]),
    ("slider", None),
]


@pytest.mark.parametrize(("name", "state"), VALUES, ids=str)
def test_a_forged_value_is_one_error_and_changes_nothing(dashboard, forger, name, state):
    widget, before = fields(dashboard)[name], state_of(dashboard)
    data = {"method": "update", "state": state, "buffer_paths": []}
    (error,) = forger.message(widget, data)
    assert error.startswith("A parameter does not fit: The browser sent ")
    assert "Something went wrong" not in error
    assert "ws-error" in dashboard._errors.value
    assert forger.comms.passed == []
    assert state_of(dashboard) == before


MESSAGES = [
    ("upload", {"kind": "file"}, []),
    ("upload", {"kind": "file", "name": 7}, [b"x"]),
    ("upload", {"kind": "file", "name": "a.mtx"}, []),
    ("upload", {"kind": "file", "name": "a.mtx"}, [b"x", b"y"]),
    ("upload", {"kind": ["file"], "name": "a.mtx"}, [b"x"]),
    ("upload", {"kind": "nonsense"}, []),
    ("upload", [1, 2], []),
    ("upload", "file", []),
    ("upload", None, []),
    ("export", {"kind": "gif", "count": 10**30, "milliseconds": 100}, []),
    ("export", {"kind": "gif", "count": "x", "milliseconds": 100}, []),
    ("export", {"kind": "page", "position": math.nan}, []),
    ("export", {"kind": "page", "position": -1}, []),
    ("export", {"kind": "frame"}, []),
    ("export", {"kind": "deliver"}, []),
    ("browser", {"kind": "there"}, []),
    ("code", {"kind": "profile", "more": 1}, []),
    ("player", {"kind": "profile"}, []),
    ("button", {"event": "jump"}, []),
    ("dropdown", {"event": "click"}, []),
    ("text", {"event": "click"}, []),
]


@pytest.mark.parametrize(("name", "content", "buffers"), MESSAGES, ids=str)
def test_a_message_of_the_wrong_shape_is_one_error(dashboard, forger, name, content, buffers):
    before = state_of(dashboard)
    (error,) = forger.custom(fields(dashboard)[name], content, *buffers)
    assert error.startswith("A parameter does not fit: The browser sent ")
    assert forger.comms.passed == []
    assert state_of(dashboard) == before


@pytest.mark.parametrize(
    "data", [None, [], "x", {}, {"method": "execute"}, {"method": ["update"]}, {"method": None}]
)
def test_a_message_that_is_none_is_one_error(dashboard, forger, data):
    (error,) = forger.message(dashboard.runs.seed, data)
    assert "unknown request" in error


def test_binary_values_are_refused(dashboard, forger):
    data = {"method": "update", "state": {"payload": None}, "buffer_paths": [["payload"]]}
    (error,) = forger.message(dashboard.player, data, buffers=[b"x"])
    assert "binary values" in error


def test_the_browser_gets_the_true_values_of_a_field_that_it_forged(dashboard, forger, monkeypatch):
    sent = []
    field = dashboard.runs.seed
    monkeypatch.setattr(type(field), "send_state", lambda self, key=None: sent.append((self, key)))
    forger.set(field, value=-1)
    assert sent == [(field, ["value"])]


def test_widgets_are_neither_made_nor_replaced_nor_closed(dashboard, forger):
    state = {"_model_module": "@jupyter-widgets/controls", "_model_name": "TextModel"}
    opened = {"comm_id": "new", "target_name": "jupyter.widget", "data": {"state": state}}
    (error,) = forger.send("comm_open", opened)
    assert "cannot make a widget" in error
    assert forger.send("comm_close", {"comm_id": dashboard.bar.run.model_id}) == []
    for content in ({}, {"comm_id": None}, {"comm_id": ["x"]}, {"comm_id": "gone"}, None, [1]):
        assert forger.send("comm_msg", content) == []
        assert forger.send("comm_close", content) == []
        assert forger.send("comm_open", content)
    assert forger.comms.passed == []
    assert dashboard.bar.run in widgets()


def test_a_browser_keeps_one_comm_for_all_states(forger):
    forger.gate._allowance = Allowance(math.inf)
    for name in ("one", "two", "three"):
        forger.ask_for_states(name)
    assert list(forger.comms.comms) == ["three"]
    assert [m["content"]["data"] for m in forger.comms.passed][1] == {"method": "request_states"}
    for _ in range(2):
        assert forger.send("comm_close", {"comm_id": "three"}) == []
    assert forger.comms.comms == {}


def test_what_the_widgets_scripts_send_passes(dashboard, forger):
    assert forger.set(dashboard.runs.seed, value=7) == []
    assert dashboard.runs.seed.value == 7
    assert forger.set(dashboard.player, position=3) == []
    assert forger.set(dashboard.browser, dark=False) == []
    assert forger.custom(dashboard.graphs.tabs, {"event": "click"}) == []
    assert forger.custom(dashboard.browser, {"kind": "here"}) == []
    assert forger.message(dashboard.player, {"method": "request_state"}) == []


def test_a_click_on_a_disabled_button_is_dropped(dashboard, forger):
    dashboard.bar.cancel.disabled = True
    assert forger.custom(dashboard.bar.cancel, {"event": "click"}) == []
    assert forger.comms.passed == []


def test_charts_keep_their_changes_in_the_browser(dashboard, forger):
    (chart,) = dashboard.charts.panel._active.children
    event = {"event": "jsevent", "kind": "ModelChanged", "model": {"id": "x"}, "attr": "a"}
    assert forger.custom(chart, event) == []
    assert forger.comms.passed == []
    assert forger.set(chart, combine_events=True)


def test_every_field_of_a_page_has_a_declaration(dashboard):
    """Widgets that a visitor can use; a new kind of field must say what its script sends."""
    silent = (w.HTML, w.Box, w.FloatProgress, Present)
    for widget in parts_of(dashboard.widget):
        if not isinstance(widget, silent):
            own = incoming_of(widget)
            assert own.values or own.messages or own.ignores, type(widget)


def test_a_flood_is_dropped_with_one_error(dashboard, forger, monkeypatch):
    monkeypatch.setattr("warplens.app.page.gate.monotonic", lambda: 0.0)
    forger.gate._allowance = Allowance()
    shown = []
    for number in range(10_000):
        shown += forger.set(dashboard.runs.seed, value=number)
    assert len(shown) == 1
    assert "more messages than a page takes" in shown[0]
    assert len(forger.comms.passed) < 2_000


def test_an_empty_store_gives_again_when_it_is_half_full(monkeypatch):
    now = 0.0
    monkeypatch.setattr("warplens.app.page.gate.monotonic", lambda: now)
    store = Allowance(10, 1)
    assert store.take(25)
    assert store.closed
    now = 19.0
    assert not store.take(1)
    now = 21.0
    assert store.take(1)
    assert not store.closed


class Session:
    def __init__(self):
        self.sent = []

    def send(self, stream, message, content=None, **more):
        self.sent.append(message)


def test_no_printed_text_and_no_traceback_leaves_the_process(caplog):
    session = Session()
    keep_output_private(session)
    handler = logging.NullHandler()
    logging.getLogger("warplens.app").addHandler(handler)
    try:
        session.send(None, "stream", {"name": "stderr", "text": "/secret/place"})
        session.send(None, {"header": {"msg_type": "stream"}, "content": {"text": "second"}})
        session.send(None, "error", {"traceback": ["File /third"]}, parent={})
        session.send(None, "status", {})
    finally:
        logging.getLogger("warplens.app").removeHandler(handler)
    assert session.sent == ["status"]
    for text in ("/secret/place", "second", "File /third"):
        assert text in caplog.text


def test_a_widget_that_is_made_meanwhile_does_not_spoil_the_answer(forger, monkeypatch):
    embedded, made = w.Widget._get_embed_state, []

    def slowly(widget, **options):
        made.append(w.Label())
        return embedded(widget, **options)

    monkeypatch.setattr(w.Widget, "_get_embed_state", slowly)
    states = w.Widget.get_manager_state()["state"]
    assert len(made) == len(states)
    assert not states.keys() & {label.model_id for label in made}
    for label in made:
        label.close()
