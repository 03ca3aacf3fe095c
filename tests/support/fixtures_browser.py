"""The browser that tests with the marker ``browser`` drive, and the server that it visits."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from support.serving import Server
from support.waiting import PATIENCE
from support.watching import watching

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

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

#: How often a condition is looked at, in milliseconds; Playwright would do it at each frame.
POLLING = 100

#: Script: hold the two animations of pages that wait. Without a GPU each frame of them takes all
#: processes of the browser. Animations that show something run as for a visitor.
STILL = """
const still = new CSSStyleSheet();
still.replaceSync(`.ws-skeleton b, .ws-endless .progress-bar
  { animation-play-state: paused !important; }`);
document.adoptedStyleSheets.push(still);
"""


#: Script: show the form and the lecturer's tools, as for a visitor who has chosen them.
SHOWN = """
try {
  localStorage["warplens-folded"] ??= "0";
  localStorage["warplens-lecturer"] ??= "1";
} catch { /* a page without a store */ }
"""


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


@pytest.fixture(scope="session")
def browser(browser: Any) -> Any:
    """Let waiting take little: on tests' machines many processes share few cores."""
    from playwright.sync_api import BrowserContext, Frame, Page, expect  # not without need

    expect.set_options(timeout=1000 * PATIENCE)
    for one in (Page, Frame):
        one.wait_for_function = partialmethod(one.wait_for_function, polling=POLLING)
    open_context = browser.new_context

    def new_context(first_visit: bool = False, **options: Any) -> BrowserContext:
        context = open_context(**options)
        if not first_visit:
            context.add_init_script(SHOWN)
        context.set_default_timeout(1000 * PATIENCE)
        context.add_init_script(STILL)
        return context

    browser.new_context = new_context
    return browser


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
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    with watching(page, server):
        yield page
    context.close()
