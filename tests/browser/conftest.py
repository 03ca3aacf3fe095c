"""The browser that the tests of this folder drive, and the server that it visits."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / "app"), str(Path(__file__).parent)]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

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
def errors(page):
    """What the page complains about; nothing, one hopes."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda line: found.append(line.text) if line.type == "error" else None)
    yield found
    assert found == []
