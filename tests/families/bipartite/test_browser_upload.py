"""A visitor's own matrix: matching, certificate and decomposition, in a real browser."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.visiting import show_chart
from support.watching import wait_for_charts, watching

pytestmark = pytest.mark.browser

READY = "document.querySelector('.ws-run')?.disabled === false"

HEAD = "%%MatrixMarket matrix coordinate real general\n"
#: Two rows of three unknowns, a block of one, one of two, three rows of one unknown.
MATRIX = """
xx....x
.xx.x..
...xx..
....xxx
....xx.
......x
......x
......x
"""
BROKEN = HEAD + "2 2 1\n9 1 1.0\n"


def matrix_market(drawing):
    """Return a drawing of crosses as a file with arbitrary values."""
    lines = drawing.split()
    entries = [
        f"{i} {j} {i - 3 * j}.5"
        for i, line in enumerate(lines, 1)
        for j, mark in enumerate(line, 1)
        if mark == "x"
    ]
    return HEAD + f"{len(lines)} {len(lines[0])} {len(entries)}\n" + "\n".join(entries) + "\n"


@pytest.fixture
def matrices(page, server):
    """Return the page with its first matrix; it must report no error."""
    with watching(page, server):
        page.goto(f"{server.url}bipartite")
        page.wait_for_function(READY)
        yield page


def saved(page, button):
    """Return the table that a button saves, and its name."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    text = Path(waiting.value.path()).read_text()
    return waiting.value.suggested_filename, list(csv.DictReader(io.StringIO(text)))


def test_an_uploaded_matrix_is_matched_certified_and_decomposed(matrices):
    page = matrices
    page.get_by_role("button", name="Your file").click()
    field = page.get_by_label("Matrix file")

    def give(name, text):
        field.set_input_files([{"name": name, "mimeType": "text/plain", "buffer": text.encode()}])

    give("broken.mtx", BROKEN)
    expect(page.locator(".ws-error")).to_contain_text("broken.mtx")
    give("mine.mtx", matrix_market(MATRIX))
    expect(page.locator(".ws-facts")).to_contain_text("8rows7columns16entries")

    page.wait_for_function(READY)
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".ws-verdict", has_text="Certified").wait_for(state="attached")
    form = page.locator(".wb")
    show_chart(page, "Decomposition: block triangular form")
    form.locator("canvas").wait_for()
    for part in (
        "Horizontal part 2 × 3: every row is matched, 1 column stays free",
        "Square part 3 × 3: all matched; 2 blocks on the diagonal, the largest 2 × 2",
        "Vertical part 3 × 1: every column is matched, 2 rows stay free",
        "The structural rank is 6",
    ):
        expect(form).to_contain_text(part)
    said = form.text_content()

    name, pairs = saved(page, "Save the matching (CSV)")
    assert name == "mine-matching.csv"
    assert len(pairs) == len({e["row"] for e in pairs}) == len({e["column"] for e in pairs}) == 6
    drawing = MATRIX.split()
    assert all(drawing[int(e["row"])][int(e["column"])] == "x" for e in pairs)
    name, order = saved(page, "Save the order (CSV)")
    assert name == "mine-order.csv"
    assert [e["part"] for e in order if e["side"] == "column"] == (
        ["horizontal"] * 3 + ["square"] * 3 + ["vertical"]
    )

    # Content above or below could move the picture away from the pointer.
    page.wait_for_function(READY)
    wait_for_charts(page)
    canvas = form.locator("canvas")
    canvas.hover(position={"x": 2, "y": canvas.bounding_box()["height"] - 2})
    form.locator(".wb-at", has_text="below the parts: only zeros").wait_for()
    form.get_by_role("button", name="Original order").click()
    canvas.hover(position={"x": 2, "y": 2})
    form.locator(".wb-at", has_text="row 0, column 0: ").wait_for()

    page.get_by_label("Rows and columns in random order (RCP)").check()
    page.locator(".ws-facts + .ws-note, .ws-note", has_text="random order, seed 1").wait_for()
    form.wait_for(state="hidden")
    page.wait_for_function(READY)
    page.get_by_role("button", name="Run", exact=True).click()
    form.locator("canvas").wait_for()
    expect(form).to_have_text(said)


def test_a_link_keeps_the_random_order(page, server):
    with watching(page, server):
        page.goto(
            f"{server.url}bipartite?graph=uniform:rows=30,columns=25,degree=2,seed=3&permute=4"
            "&algorithm=bipartite&variant=apsb_gpubfs_ct&device=host&policy=random&seed=5"
        )
        page.locator(".ws-verdict", has_text="Certified").wait_for(state="attached")
        expect(page.locator(".ws-side")).to_contain_text("random order, seed 4")
        expect(page.get_by_label("Seed of the order")).to_have_value("4")
        show_chart(page, "Decomposition: block triangular form")
        page.locator(".wb canvas").wait_for()
