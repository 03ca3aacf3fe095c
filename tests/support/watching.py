"""Pages that may neither report errors nor load from other servers."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic
from urllib.parse import urlsplit

from support.waiting import PATIENCE

#: What ipywidgets reports of a widget that came late; the page is then loaded again.
LATE = "Error: widget model not found"
#: What ipywidgets reports of a change in a page that is just being left, as by a reload.
LEFT = "Could not send widget sync message Error: Cannot send"


def wait_for_value(page, expression, expected, arg=None):
    """Wait until an expression has a value on the page, which may follow a moment later."""
    end = monotonic() + PATIENCE
    while (found := page.evaluate(expression, arg)) != expected and monotonic() < end:
        page.wait_for_timeout(50)
    assert found == expected, f"{found!r} is not {expected!r}"


def wait_for_charts(page, count=1):
    """Wait until this many charts are drawn; earlier clicks may be lost."""
    drawn = """count => {
      const shown = globalThis.Bokeh?.documents ?? [];
      return shown.length >= count && shown.every((chart) => chart.is_idle);
    }"""
    page.wait_for_function(drawn, arg=count)


@contextmanager
def watching(page, server):
    """Collect errors of a page and its requests to other servers; at the end there must be none.

    A page that loads again because of a late widget may report it; one that is left may report that
    it can send no more.

    Yields the list of errors; a test can remove those that it causes on purpose.
    """
    complaints, foreign, frames = [], [], []
    home = urlsplit(server.url).netloc

    def on_request(request):
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != home:
            foreign.append(request.url)

    page.on("request", on_request)
    page.on("framenavigated", lambda frame: frames.append(frame))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    yield complaints
    usual = (LATE, LEFT) if frames.count(page.main_frame) > 1 else (LATE,)
    complaints[:] = [text for text in complaints if not text.startswith(usual)]
    assert foreign == []
    assert complaints == []
