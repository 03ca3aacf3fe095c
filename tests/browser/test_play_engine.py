"""The playground with its engine: the visitor's kernel is compiled and watched in the browser."""

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from support.playing import READY, answer, request_of
from support.published import READY as PUBLISHED
from warplens.app.limits import PageLimits
from warplens.app.play.play import write_play
from warplens.app.play.policy import PAGE
from warplens.app.play.puzzles import PUZZLES
from warplens.app.published.folder import write_site

STENCIL = PUZZLES[2]
#: The whole text of the editor, of which the page shows the visible lines.
CODE = "document.querySelector('.cm-content').cmTile.view.state.doc.toString()"
#: Milliseconds that a first run may take on a busy machine: the compiler is unpacked and started.
FIRST = 400_000


@pytest.fixture(scope="module")
def folder(request, tmp_path_factory):
    if not request.config.getoption("--engine"):
        pytest.skip("with --engine only")
    folder = tmp_path_factory.mktemp("course") / "week-3"
    write_site(folder, PageLimits(), ["karate_weighted-suitor-nosync"], playground=PAGE)
    if missing := write_play(folder, "index.html"):
        pytest.skip(" ".join(missing))
    return folder


@pytest.fixture
def address(folder):
    """The page below a path of a plain web server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def run(page):
    page.locator("#pl-run").click()
    said = page.locator("#pl-verdict.good, #pl-verdict.bad")
    said.wait_for(timeout=FIRST)
    return said.inner_text()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_visitor_finds_a_race_and_mends_it(page, errors, address, lab_compiler):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}week-3/play.html")
    expect(page.locator(READY)).to_be_attached()
    expect(page.locator("#pl-size")).to_contain_text("changed code downloads the compiler")
    assert not [url for url in asked if url.endswith(".xz")]  # nothing large before the first run
    page.locator("#pl-puzzle").select_option(STENCIL.name)
    report = answer(request_of(STENCIL, STENCIL.start))
    assert run(page).startswith("stencil: 1 data race, ")
    (race,) = report["races"]
    lines = [f"line {race[side]['line']}" for side in ("first", "second")]
    expect(page.locator(".pl-sides .pl-line")).to_have_text(lines)
    page.get_by_role("tab", name="Threads").click()
    expect(page.locator(".wl-now")).to_contain_text("of the lanes are active on average")
    page.get_by_text("Solution", exact=True).click()
    page.get_by_role("button", name="Put the solution into the editor").click()
    assert run(page) == "stencil: no data race, one result in 20 schedules"
    expect(page.locator(".pl-goals")).to_contain_text("Solved.")
    assert not [url for url in asked if not url.startswith((address, "blob:", "data:"))]


def test_without_a_server_the_page_says_what_is_missing(page, folder):
    page.goto((folder / "play.html").as_uri())
    expect(page.locator(READY)).to_be_attached()
    assert run(page).startswith("The compiler cannot be loaded: the page needs a web server")
    page.get_by_text("Hint", exact=True).click()
    expect(page.get_by_text(PUZZLES[0].hint)).to_be_visible()


ATOMIC = "const Bid previous = atomicMax(bids + vertex_of(choice), bid);"
PLAIN = (
    "const Bid previous = bids[vertex_of(choice)];\n"
    "    if (previous < bid) bids[vertex_of(choice)] = bid;"
)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_suitor_kernel_is_changed_broken_and_shown_to_a_colleague(
    page, errors, folder, address
):
    page.goto(f"{address}week-3/karate_weighted-suitor-nosync.html")
    page.wait_for_function(PUBLISHED)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Edit this kernel").click()
    play = opened.value
    expect(play.locator(READY)).to_be_attached()
    assert run(play) == "suitor_nosync: no data race, one result in 20 schedules"
    code = play.evaluate(CODE)
    assert ATOMIC in code
    play.locator(".cm-content").click()
    play.keyboard.press("ControlOrMeta+A")
    play.keyboard.insert_text(code.replace(ATOMIC, PLAIN))
    found = run(play)
    assert re.match(r"suitor_nosync: [1-9]\d* data race", found)
    sides = play.locator(".pl-sides").first.locator(".pl-line")
    expect(sides).to_have_count(2)
    marked = play.locator(".cm-lint-marker-error")
    expect(marked.first).to_be_attached()
    lines = sides.all_inner_texts()
    play.locator("#pl-link").click()
    expect(play.locator("#pl-said")).to_contain_text("Link")
    link = play.locator("#pl-copied").input_value()
    colleague = page.context.browser.new_context().new_page()
    colleague.goto(link)
    expect(colleague.locator(READY)).to_be_attached()
    assert run(colleague) == found
    expect(colleague.locator(".pl-sides").first.locator(".pl-line")).to_have_text(lines)
    colleague.locator(".pl-sides .pl-line").first.click()
    expect(colleague.locator(".cm-lint-marker-error").first).to_be_attached()
    colleague.context.close()
