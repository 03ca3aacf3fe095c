"""Pages that may neither complain nor ask anybody but their own server."""

from __future__ import annotations

from contextlib import contextmanager
from urllib.parse import urlsplit


@contextmanager
def watching(page, server, patience):
    """Note what a page complains of and what it loads from elsewhere; in the end, that is nothing.

    Yields the list of complaints, so that a test can take out those it causes on purpose.
    """
    complaints, foreign = [], []
    home = urlsplit(server.url).netloc

    def on_request(request):
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != home:
            foreign.append(request.url)

    page.on("request", on_request)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.set_default_timeout(patience)
    yield complaints
    assert foreign == []
    assert complaints == []
