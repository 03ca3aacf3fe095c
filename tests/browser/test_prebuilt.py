"""Kernels that are compiled beforehand run without the compiler, and without a network."""

import json

import pytest
from playwright.sync_api import expect

from support.engines import Site
from support.playing import READY, answer, request_of
from warplens.app.play import offered, prebuilt
from warplens.app.play.engine import write_engine
from warplens.app.play.play import play_page
from warplens.app.play.policy import ENGINE, PAGE
from warplens.app.play.puzzles import PUZZLES

REDUCTION = PUZZLES[3]


def test_what_is_compiled_is_what_is_offered_now():
    digest = prebuilt.ARCHIVE.with_suffix(".txt").read_text().strip()
    assert digest == offered.compiler_digest(), "run python tools/playground.py"
    missing = [name for code, name in offered.offered() if not prebuilt.find(code, name)]
    assert missing == [], "run python tools/playground.py"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The page and its engine on a plain web server, but for the compiler."""
    folder = tmp_path_factory.mktemp("play")
    sizes, missing = write_engine(folder / ENGINE, ["Python"])
    if missing:
        pytest.skip(missing[0])
    engine = f"entry.engineFrom('{ENGINE}/', {json.dumps(sizes)})"
    (folder / PAGE).write_text(play_page(engine), encoding="utf-8")
    site = Site(folder)
    yield site
    site.close()


def said(page):
    """What the page says of a run."""
    page.locator("#pl-run").click()
    expect(page.locator("#pl-verdict.good, #pl-verdict.bad")).to_be_attached(timeout=240_000)
    return page.locator("#pl-verdict")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_it_runs_without_the_compiler_and_without_a_network(page, errors, site, lab_compiler):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.address + PAGE)
    expect(page.locator(READY)).to_be_attached()
    expect(page.locator("#pl-size")).to_contain_text("The compiler is not on this site")
    expect(said(page)).to_have_text("map: no data race, one result in 20 schedules")
    site.cut = True
    page.locator("#pl-puzzle").select_option(REDUCTION.name)
    page.get_by_text("Solution", exact=True).click()
    page.get_by_role("button", name="Put the solution into the editor").click()
    report = answer({**request_of(REDUCTION, REDUCTION.solution), "schedules": 3})
    page.get_by_label("Schedules").fill("3")
    expect(said(page)).to_have_text(f"{report['name']}: no data race, one result in 3 schedules")
    page.locator(".cm-content").click()
    page.keyboard.type(" ")
    expect(said(page)).to_have_text("the compiler cannot start: it is not on this site")
    site.cut = False
    assert not [url for url in asked if not url.startswith((site.address, "blob:", "data:"))]
