"""A graph that a visitor draws, by mouse and by keys, and then runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.rules import violations
from support.visiting import run, run_button, wait_for_graph, wait_until_ready

pytestmark = pytest.mark.browser

PICTURE = "window.__warplens?.players[0].stage.view"
EDGES = f"[...{PICTURE}.u].map((u, e) => [u, {PICTURE}.v[e], {PICTURE}.weight[e]])"


@pytest.fixture
def canvas(watched, server):
    """Return the canvas of the matching page; its left upper corner is the origin of places."""
    watched.goto(f"{server.url}matching")
    run_button(watched).wait_for()
    wait_until_ready(watched)
    watched.get_by_role("button", name="Draw", exact=True).click()
    found = watched.get_by_role("application")
    found.scroll_into_view_if_needed()
    return found


def drag(page, canvas, *places):
    """Press at the first place, move over the others, and release: parts of width and height."""
    box = canvas.bounding_box()
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=3)
    page.mouse.up()


def test_a_graph_is_drawn_by_mouse_and_run(canvas):
    page = canvas.page
    corners = [(0.2, 0.8), (0.8, 0.8), (0.5, 0.2)]
    for corner in corners:
        drag(page, canvas, corner)
    expect(canvas.locator("circle")).to_have_count(3)
    weight = page.get_by_label("Weight of the edge")
    for one, other, heavy in ((0, 1, "2"), (1, 2, "5"), (2, 0, "2.5")):
        drag(page, canvas, corners[one], corners[other])
        page.keyboard.type(heavy)
        expect(weight).to_have_value(heavy)
        page.keyboard.press("Enter")
    expect(canvas.locator(".wg-amount")).to_have_text(["2", "5", "2.5"])
    # A drag into the open puts a vertex there; Undo takes first the edge back and then the vertex.
    drag(page, canvas, corners[0], (0.15, 0.2))
    expect(canvas.locator("circle")).to_have_count(4)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(canvas.locator("circle")).to_have_count(3)
    assert violations(page) == []

    page.get_by_role("button", name="Use this drawing").click()
    wait_for_graph(page, 3)
    page.wait_for_function(f"JSON.stringify({EDGES}) === '[[0,1,2],[0,2,2.5],[1,2,5]]'")
    # The picture has the drawing's places: vertex 2 stands above and between the others.
    page.wait_for_function(
        f"(({{ x, y }}) => x[0] < x[2] && x[2] < x[1] && y[2] > y[0] && y[2] > y[1])({PICTURE})"
    )
    run(page)
    expect(page.locator(".ws-verdict")).to_have_text("Certified")
    expect(page.locator(".ws-measures").first).to_contain_text("Weight5")


def test_a_graph_is_drawn_by_keys(canvas):
    page = canvas.page
    said = page.locator(".wg-said")
    canvas.focus()
    press = page.keyboard.press
    press("Enter")
    expect(said).to_contain_text("Vertex 0")
    for _ in range(3):
        press("Shift+ArrowRight")
    press("Escape")
    press("Enter")
    expect(said).to_contain_text("Vertex 1")
    press("n")
    expect(said).to_have_text("At vertex 0.")
    press("Enter")
    expect(said).to_contain_text("Edge 1 – 0, weight 1")
    page.keyboard.type("7")
    press("Enter")
    expect(canvas).to_be_focused()
    expect(canvas.locator(".wg-amount")).to_have_text(["7"])
    press("Delete")
    expect(canvas.locator("line")).to_have_count(0)
    press("Control+z")
    expect(canvas.locator("line")).to_have_count(1)
    page.get_by_role("button", name="Use this drawing").press("Enter")
    wait_for_graph(page, 2)
    run(page)
    expect(page.locator(".ws-verdict")).to_have_text("Certified")
    page.get_by_role("button", name="Clear").press("Enter")
    expect(canvas.locator("circle")).to_have_count(0)


def test_a_drawing_has_bounds(canvas):
    page = canvas.page
    for row in range(7):
        for column in range(9):
            drag(page, canvas, (0.06 + 0.11 * column, 0.08 + 0.14 * row))
    expect(canvas.locator("circle")).to_have_count(60)
    expect(page.locator(".wg-said")).to_have_text("A drawing has at most 60 vertices.")


@pytest.mark.parametrize("page_name", ["bmatching", "communities", "redblue"])
def test_other_families_take_a_drawing(watched, server, page_name):
    page = watched
    page.goto(f"{server.url}{page_name}")
    run_button(page).wait_for()
    wait_until_ready(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    canvas = page.get_by_role("application")
    canvas.scroll_into_view_if_needed()
    drag(page, canvas, (0.2, 0.5))
    drag(page, canvas, (0.2, 0.5), (0.8, 0.5))
    drag(page, canvas, (0.8, 0.5), (0.5, 0.2))
    expect(canvas.locator("line")).to_have_count(2)
    page.get_by_role("button", name="Use this drawing").click()
    wait_for_graph(page, 3)
    run(page)
    expect(page.locator(".ws-verdict")).to_have_text("Certified")
