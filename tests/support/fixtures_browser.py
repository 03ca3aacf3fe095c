"""The browser that tests with the marker ``browser`` drive, and the server that it visits."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.serving import Server
from support.watching import watching

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: Timeout for page content in milliseconds; busy machines are slow.
PATIENCE = 90_000

#: What the browser does without. The switch replaces Playwright's, whose names come first. The
#: last two are pages of the address bar, which are hidden: they take as long as a page of ours.
FEATURES = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)

#: No background traffic of the browser; neither GPU nor sandbox.
ARGUMENTS = [
    f"--disable-features={','.join(FEATURES)}",
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
    """Give every page of a test the same timeout."""
    from playwright.sync_api import expect  # not before a test needs a browser

    expect.set_options(timeout=PATIENCE)
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start the server that all tests visit; it soon ends the page processes of finished tests."""
    folder = tmp_path_factory.mktemp("elsewhere")
    running = Server(folder, "--pool", "1", "--upload-mb", "1", "--lost-minutes", "0.1")
    yield running
    assert running.stop() == 0, running.output
    # What the widgets' scripts send is what the pages take.
    assert "The browser sen" not in running.output


@pytest.fixture
def watched(page: Any, server: Any) -> Iterator[Any]:
    """Return a page that loads only from this server and reports no error."""
    with watching(page, server) as complaints:
        page.complaints = complaints
        yield page


@pytest.fixture(scope="module")
def shared_page(browser: Any, browser_context_args: dict[str, Any], server: Any) -> Iterator[Any]:
    """Return a page for tests of a module that look at the same one; like `watched` else."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    context = browser.new_context(**browser_context_args)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    with watching(page, server):
        yield page
    context.close()
