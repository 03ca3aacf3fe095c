"""The browser that the tests of this folder drive."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Take the system's Chromium; Playwright's own where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    own = {} if found is None else {"executable_path": found}
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    return {**browser_type_launch_args, **own, "headless": True, "args": arguments}
