"""Forged messages to every widget of every page: each is handled, or is one error on the page."""

import threading
from random import Random

import pytest
from ipywidgets import Widget

from support.messages import Forger
from support.mutations import NAMES, change, value
from warplens.app.gallery import entries
from warplens.app.jobs import THREAD, Stop
from warplens.app.page.gate import Allowance
from warplens.app.page.registry import registry
from warplens.app.pages import find_pages
from warplens.app.widgets import incoming
from warplens.app.widgets.incoming import incoming_of

KINDS = (
    "click",
    "submit",
    "file",
    "gif",
    "frame",
    "record",
    "page",
    "profile",
    "here",
    "pick",
    "hint",
)


class Attacked:
    """A page whose widgets get forged messages; it shows a record, but loads and runs nothing."""

    def __init__(self, name):
        self.page = find_pages()[name].load()
        if saved := getattr(self.page, "saved_runs", None):
            own = (e for e in entries().values() if e.family == self.page.view.family)
            record = min(own, key=lambda entry: entry.events).record()
            saved._show(saved._outcome_of(record, None, lambda *_: None, Stop(60)), "")
            self.page.bar.run.disabled = False
            # Cards that are drawn in the background change widgets, too.
            for thread in threading.enumerate():
                if thread.name == THREAD:
                    thread.join()
        self.page.jobs.start = lambda *_, **__: None
        self.forger = Forger(self.page)
        self.forger.gate._allowance = Allowance(float("inf"))

    def widgets(self):
        """Return all widgets, those of their layout and style too."""
        found, left = {}, [self.page.widget]
        while left:
            widget = left.pop()
            if widget.model_id not in found:
                found[widget.model_id] = widget
                values = [
                    getattr(widget, name) for name in ("layout", "style") if name in widget.keys
                ]
                left += [*values, *getattr(widget, "children", ())]
        return list(found.values())

    def send(self, kind, content, buffers):
        before = {w: w.get_state() for w in self.widgets()}
        errors = self.forger.send(kind, content, buffers=buffers)
        assert self.forger.failures == []
        assert len(errors) <= 1
        if errors:
            assert "Something went wrong" not in errors[0], errors
            changed = {w for w, state in before.items() if w.get_state() != state}
            # A link that does not open stays in its own widget.
            assert changed - {self.page._errors} <= set(map(self.named, self.forger.comms.passed))
        self.forger.comms.passed.clear()

    @staticmethod
    def named(message):
        """Return the widget that a message is for."""
        return registry.get(message["content"]["comm_id"])


def a_message(random: Random, widgets):
    """Return the kind, content and buffers of a message."""
    widget = random.choice(widgets)
    fields = [w for w in widgets if incoming_of(w).values or incoming_of(w).messages]
    widget = random.choice(fields) if random.random() < 0.8 else widget
    buffers = [random.randbytes(20)] * random.choice((0, 0, 0, 1, 2))
    if random.random() < 0.6:
        own = [*incoming_of(widget).values]
        names = own * 2 if own and random.random() < 0.8 else [*widget.keys, "unknown"]
        state = {
            name: fitting(random, name, widget)
            if random.random() < 0.5
            else change(random, plain(getattr(widget, name, None)))
            for name in random.sample(names, random.choice((1, 1, 1, 2)))
        }
        data = {"method": "update", "state": state, "buffer_paths": []}
    else:
        known = incoming_of(widget)
        kind = random.choice((*known.messages, *known.messages, *KINDS, random.choice(NAMES)))
        if known.messages and random.random() < 0.7:
            kind = random.choice([*known.messages])
        parts = known.messages[kind].fields if kind in known.messages else ("name", "man")
        numbers = random.random() < 0.6
        content = {known.key: kind}
        content |= {n: random.randrange(40) if numbers else value(random) for n in parts}
        content = change(random, content) if random.random() < 0.2 else content
        if kind in known.messages and random.random() < 0.7:
            buffers = buffers[:1] * known.messages[kind].buffers
        data = {"method": "custom", "content": content}
    if random.random() < 0.1:
        data = change(random, data)
    content = {"comm_id": widget.model_id, "data": data}
    kind = random.choice(("comm_msg",) * 18 + ("comm_open", "comm_close"))
    if kind == "comm_open":
        content["target_name"] = random.choice(("jupyter.widget", "jupyter.widget.control", None))
    return kind, change(random, content) if random.random() < 0.05 else content, buffers


def fitting(random: Random, name, widget):
    """Return a value that a browser may send for a trait."""
    check = incoming_of(widget).values.get(name)
    if check is incoming.offered and len(widget.options):
        return random.randrange(len(widget.options))
    if check is incoming.in_range:
        whole = isinstance(widget.value, int)
        return random.choice((widget.min, widget.max, random.randint(0, 40) if whole else 0.3))
    values = (True, False, 7, 0, [3, -1], [10**9, 10**9], "?graph=karate", "x", "Eve")
    return random.choice([one for one in values if check and check(one, widget)] or [None])


def plain(given):
    """Return a trait's value as JSON has it."""
    if isinstance(given, Widget):
        return f"IPY_MODEL_{given.model_id}"
    if isinstance(given, (list, tuple)):
        return [plain(one) for one in given[:5]]
    return given if isinstance(given, (str, int, float, dict)) else None


@pytest.fixture(scope="module")
def pages():
    """Return every page of the site that runs something."""
    return [Attacked(name) for name, page in find_pages().items() if hasattr(page.load(), "jobs")]


def test_forged_messages_are_handled_or_refused(fuzz, pages):
    def make(random: Random):
        page = random.choice(pages)
        return page, *a_message(random, page.widgets())

    def check(case):
        page, *message = case
        page.send(*message)

    assert fuzz.run(make, check, most_bytes=64 << 20)
