"""Changes of widgets while a browser connects are resent."""

import threading
import time

import ipywidgets as w
import pytest

from warplens.app.jobs import Jobs, settle
from warplens.app.page.resync import resend_on_connect
from warplens.app.widgets.browser import Browser


def test_changes_are_repeated_once_when_the_browser_is_there():
    browser, button, label = Browser(), w.Button(disabled=True), w.HTML("same")
    sent = []
    for widget in (button, label):
        widget.send_state = lambda key=None, widget=widget: sent.append((widget, key))
    resend_on_connect(lambda act: act())
    button.disabled = False
    sent.clear()
    browser._handle_custom_msg({"kind": "something"}, [])
    assert sent == []
    browser._handle_custom_msg({"kind": "here"}, [])
    assert sent == [(button, {"disabled"})]
    browser._handle_custom_msg({"kind": "here"}, [])
    assert len(sent) == 1


def test_what_is_resent_is_not_older_than_what_was_sent():
    """A job that ends just then waits; else the browser had the older value in the end."""
    jobs = Jobs(on_error=pytest.fail, on_idle=lambda: None)
    browser, label = Browser(), w.HTML("before")
    resend_on_connect(jobs.between)
    label.value = "loaded"
    sent, begun = [], threading.Event()

    def send(key=None):
        value = label.value
        if key is not None and not begun.is_set():  # resent: a job ends between reading and sending
            begun.set()
            jobs.start(
                lambda *_: "result",
                lambda result: label.set_trait("value", result),
                begin=lambda: None,
                progress=lambda *_: None,
                seconds=60,
            )
            time.sleep(0.3)
        sent.append(value)

    label.send_state = send
    browser._handle_custom_msg({"kind": "here"}, [])
    settle(60)
    assert sent == ["loaded", "result"]
