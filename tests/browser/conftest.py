"""The server that the browser of this folder's tests visits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.serving import Server
from support.visiting import run_button, wait_until_ready
from support.watching import watching


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start the server that all tests visit; it soon ends the page processes of finished tests."""
    folder = tmp_path_factory.mktemp("elsewhere")
    running = Server(folder, "--pool", "1", "--upload-mb", "1", "--lost-minutes", "0.1")
    yield running
    assert running.stop() == 0, running.output


@pytest.fixture
def watched(page: Any, server: Any) -> Iterator[Any]:
    """Return a page that loads only from this server and reports no error."""
    with watching(page, server) as complaints:
        page.complaints = complaints
        yield page


@pytest.fixture
def matching(watched: Any, server: Any) -> Any:
    """Return the matching page, ready to run."""
    watched.goto(f"{server.url}matching")
    run_button(watched).wait_for()
    wait_until_ready(watched)
    return watched


@pytest.fixture
def errors(page):
    """The errors of the page; the tests expect none."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda line: found.append(line.text) if line.type == "error" else None)
    yield found
    assert found == []
