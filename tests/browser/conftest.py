"""The matching page, and the errors of a page without a server."""

from __future__ import annotations

from typing import Any

import pytest

from support.visiting import run_button, wait_until_ready


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
