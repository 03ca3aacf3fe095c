"""Changes of widgets while a browser connects are resent."""

import ipywidgets as w

from warplens.app.page.resync import resend_on_connect
from warplens.app.widgets.browser import Browser


def test_changes_are_repeated_once_when_the_browser_is_there():
    browser, button, label = Browser(), w.Button(disabled=True), w.HTML("same")
    sent = []
    for widget in (button, label):
        widget.send_state = lambda key=None, widget=widget: sent.append((widget, key))
    resend_on_connect()
    button.disabled = False
    sent.clear()
    browser._handle_custom_msg({"kind": "something"}, [])
    assert sent == []
    browser._handle_custom_msg({"kind": "here"}, [])
    assert sent == [(button, {"disabled"})]
    browser._handle_custom_msg({"kind": "here"}, [])
    assert len(sent) == 1
