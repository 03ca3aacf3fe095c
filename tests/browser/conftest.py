"""The browser that the tests of this folder drive, and the server that it visits."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

sys.path[:0] = [str(Path(__file__).parents[1] / "app"), str(Path(__file__).parent)]

from serving import Server  # noqa: E402
from visiting import run_button, wait_until_ready  # noqa: E402
from watching import watching  # noqa: E402

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: Milliseconds to wait for what a page shall show; busy machines are slow.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)

#: The browser shall not talk to its makers, and needs neither GPU nor sandbox.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: Any
) -> dict[str, Any]:
    """Take the system's Chromium; Playwright's own where there is none; else say what to do."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and not Path(browser_type.executable_path).exists():
        pytest.fail(
            "the browser tests need Chromium and found none; install it with "
            "'apt-get install chromium' or 'playwright install chromium'",
            pytrace=False,
        )
    own = {} if found is None else {"executable_path": found}
    return {**browser_type_launch_args, **own, "headless": True, "args": ARGUMENTS}


@pytest.fixture
def context(context: Any) -> Any:
    """Give every page of a test the same patience."""
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start the server that all tests visit; it soon gives up the pages of those that are over."""
    folder = tmp_path_factory.mktemp("elsewhere")
    running = Server(folder, "--pool", "1", "--upload-mb", "1", "--lost-minutes", "0.1")
    yield running
    assert running.stop() == 0, running.output


@pytest.fixture
def watched(page: Any, server: Any) -> Iterator[Any]:
    """Return a page; nothing it loads may come from elsewhere, and it may not complain."""
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
    """What the page complains about; nothing, one hopes."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda line: found.append(line.text) if line.type == "error" else None)
    yield found
    assert found == []
