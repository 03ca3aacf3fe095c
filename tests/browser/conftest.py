"""Pages that several files of tests open, and the errors of a page without a server."""

from __future__ import annotations

from typing import Any

import pytest

from gpucore.errors import MissingDependency
from support.play_page import open_play
from support.playing import ENGINE, answer
from support.published import NAMES
from support.replays import Run
from support.visiting import run_button, wait_until_ready
from warplens.app.limits import PageLimits
from warplens.app.play.play import play_page
from warplens.app.published.folder import write_site


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


@pytest.fixture(scope="module")
def karate():
    """A run whose suitors wait for nothing."""
    return Run("karate", variant="nosync", vertices_per_warp=8)


@pytest.fixture(scope="module")
def lesmis():
    """A run of a graph with names, whose warps share their work."""
    return Run("lesmis", variant="sync_lb", vertices_per_warp=8)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of static pages, two of which play a run of the same graph."""
    folder = tmp_path_factory.mktemp("course") / "week-3" / "runs"
    write_site(folder, PageLimits(), NAMES)
    return folder


@pytest.fixture(scope="module")
def play_address(tmp_path_factory, lab_compiler):
    """The playground as a file, whose runs are answered by this process."""
    path = tmp_path_factory.mktemp("play") / "play.html"
    try:
        path.write_text(play_page(ENGINE), encoding="utf-8")
    except MissingDependency as error:
        pytest.skip(str(error))
    return path.as_uri()


@pytest.fixture
def play(page, errors, play_address):
    """The playground's page; no other address is asked for anything."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.expose_function("answerNatively", answer)
    open_play(page, play_address)
    yield page
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
