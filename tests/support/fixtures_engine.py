"""The playground's engine in Chromium, and in Firefox as distributions have it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.engines import PAGE, Engine, Listener, Site
from support.firefox import Firefox, find_firefox

#: Seconds that the engine may take to start, or to run, on a busy machine.
PATIENCE = 240


@pytest.fixture(scope="session")
def engine_site(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Site]:
    """The engine's files and a page on a plain web server."""
    if not request.config.getoption("--engine"):
        pytest.skip("with --engine only")
    from warplens.app.play.engine import write_engine

    folder = tmp_path_factory.mktemp("engine")
    if missing := write_engine(folder)[1]:
        pytest.skip(" ".join(missing))
    (folder / "index.html").write_text(PAGE)
    site = Site(folder)
    yield site
    site.close()


@pytest.fixture(scope="session")
def engine_in_chromium(browser: Any, engine_site: Site) -> Iterator[Engine]:
    """The engine in Chromium."""
    listener = Listener()
    proxy = {"server": f"http://127.0.0.1:{listener.port}", "bypass": "127.0.0.1"}
    context = browser.new_context(proxy=proxy)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(engine_site.address)
    page.wait_for_function("window.engine")
    page.evaluate("engine.load()")
    yield Engine("chromium", page.evaluate, engine_site, listener)
    context.close()
    listener.close()


@pytest.fixture(scope="session")
def engine_in_firefox(tmp_path_factory: Any, engine_site: Site) -> Iterator[Engine]:
    """The engine in Firefox."""
    if find_firefox() is None:
        pytest.skip("Firefox is not installed")
    listener = Listener()
    proxy = {"network.proxy.type": 1}
    for name in ("http", "ssl"):
        proxy |= {f"network.proxy.{name}": "127.0.0.1", f"network.proxy.{name}_port": listener.port}
    folder: Path = tmp_path_factory.mktemp("firefox")
    firefox = Firefox(folder, settings=proxy, timeout=PATIENCE)
    try:
        firefox.goto(engine_site.address)
        firefox.wait_for("window.engine")
        firefox.evaluate("engine.load()")
        yield Engine("firefox", firefox.evaluate, engine_site, listener)
    finally:
        firefox.close()
        listener.close()


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def engine(request: pytest.FixtureRequest) -> Any:
    """The engine in one browser after the other."""
    return request.getfixturevalue(f"engine_in_{request.param}")
