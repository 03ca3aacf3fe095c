"""A whole dashboard without a browser: load, run, cancel, fail."""

import base64
import re
import threading
import time

import pytest

from gpucore.record.wire import decode
from support.driving import Visitor
from warplens.app.dashboard.page import Dashboard
from warplens.app.gallery import entries
from warplens.app.limits import PageLimits
from warplens.app.pages import shown_families
from warplens.app.sources.graphs import named, uploaded

FAMILIES = list(shown_families())


class Driver(Visitor):
    def __init__(self, limits):
        page = Dashboard("matching", limits)
        super().__init__(page, page.bar.run)

    @property
    def message(self):
        return decode(self.page.player.payload)


@pytest.fixture
def driver(request):
    return Driver(PageLimits(**getattr(request, "param", {})))


def test_load_and_run(driver):
    driver.load(named("karate"))
    meta, arrays = driver.message
    assert meta["n"] == 34
    assert len(arrays["events/kind"]) == 0
    assert "34" in driver.page.graphs.facts.value
    assert not driver.page.bar.run.disabled
    driver.run()
    assert driver.error == ""
    assert "Certified" in driver.page.certificate.value
    assert "Matched edges" in driver.page.measures.value
    assert len(driver.message[1]["events/kind"]) > 0
    assert driver.page.charts.places.tabs["Warps"].layout.display is None


@pytest.mark.parametrize("family", FAMILIES)
def test_every_dashboard_opens_on_a_run_that_plays(family):
    page = Dashboard(family)
    visitor = Visitor(page, page.bar.run)
    page.start()
    visitor.wait()
    assert visitor.error == ""
    _, arrays = decode(page.player.payload)
    assert len(arrays["events/kind"]) > 0
    assert page.player.plays
    header = page.export._outcome.result.record.header
    assert page.runs.algorithm.value == header["algorithm"]
    assert (page.runs.variant.value or "") == header["variant"]  # some families have none
    if page.graphs.tabs.value is not None:
        page.graphs.announce()
        visitor.wait()
        assert page.loaded.prepared.fingerprint == header["graph"]["fingerprint"]
    # What the visitor asks for does not begin by itself.
    page.bar.run.click()
    visitor.wait()
    assert not page.player.plays


def test_a_page_without_records_opens_on_a_run(driver):
    driver.page.saved_runs.first = ""
    driver.page.start()
    for _ in ("graph", "run"):
        driver.wait()
    assert len(driver.message[1]["events/kind"]) > 0
    assert driver.page.player.plays


def test_a_link_that_comes_with_the_first_run_is_followed(driver):
    """Also one that comes when the first run is about to be shown."""
    driver.page.start()
    driver.page.export.widget.search = "?graph=florentine&algorithm=ld&step=3"
    for _ in ("graph", "run"):
        driver.wait()
    assert driver.message[0]["n"] == 15
    assert driver.page.player.position == 3
    assert not driver.page.player.plays


@pytest.mark.parametrize("name", ["suitor", "ld"])
def test_every_variant_runs(driver, name):
    driver.load(named("karate"))
    driver.page.runs.algorithm.value = name
    for _, variant in driver.page.runs.variant.options:
        driver.page.runs.variant.value = variant
        driver.run()
        assert driver.error == ""
        assert "Certified" in driver.page.certificate.value


def test_the_colours_of_the_page_can_change(driver):
    driver.load(named("karate"))
    driver.run()
    before = driver.page.charts.panel._warps._chart.figure
    driver.page.browser.dark = True
    assert driver.page.charts.panel._warps._chart.figure is not before
    driver.page.charts.panel._warps._measure.value = 2
    driver.page.charts.panel._curves._over.value = "iteration"
    assert driver.error == ""


def test_a_broken_file_is_an_error_on_the_page_and_nothing_else(driver):
    driver.load(uploaded("broken.mtx", b"nonsense"))
    assert "ws-error" in driver.error
    assert "broken.mtx" in driver.error
    assert driver.page.bar.run.disabled
    assert driver.page.player.payload == b""
    driver.load(named("karate"))
    assert driver.error == ""
    assert not driver.page.bar.run.disabled


def shown(page):
    fields = page.graphs.tabs.value, page.graphs.collection.value, page.graphs.shuffle.seed
    results = page.certificate.value, page.graphs.facts.value, page.export.widget.query
    return *fields, *results, page.player.payload


@pytest.mark.parametrize("driver", [{"vertices": 100}], indirect=True)
def test_a_graph_that_cannot_be_loaded_takes_nothing_away(driver):
    page = driver.page
    driver.load(named("karate", "The club"))
    driver.run()
    before = shown(page)
    assert page.export.widget.query

    page.graphs.tabs.value = "Generated"  # of 256 vertices
    driver.wait()
    assert "the 100 allowed here; take a smaller graph. The page keeps the graph The club." in (
        driver.error
    )
    assert shown(page) == before
    page.graphs.tabs.value = "Your file"
    page.graphs._take_file("broken.mtx", b"nonsense")
    driver.wait()
    assert "The page keeps the graph The club." in driver.error
    assert shown(page) == ("Your file", *before[1:])
    driver.run()
    assert driver.error == ""
    assert "Certified" in page.certificate.value


def test_a_load_that_is_cancelled_takes_nothing_away(driver):
    page = driver.page
    driver.load(named("karate"))
    driver.run()
    before = shown(page)
    for _ in range(2):  # the second replaces the first
        page._load(named("rmat:scale=16,edge_factor=16,seed=1"))
    page.bar.cancel.click()
    driver.wait()
    assert "Stopped" in driver.error
    assert shown(page) == before


def test_a_link_to_a_graph_that_cannot_be_loaded_shows_no_other(driver):
    driver.load(named("karate"))
    driver.run()
    driver.page._arrive("?graph=rmat:scale=16,edge_factor=16,seed=1")
    driver.page.bar.cancel.click()
    driver.wait()
    assert "Stopped" in driver.error
    assert driver.page.player.payload == b""
    assert driver.page.bar.run.disabled


def test_an_upload_in_the_moment_of_an_error_shows_its_outcome_and_no_old_error(
    driver, monkeypatch
):
    reported = threading.Event()

    def slow():
        reported.set()
        time.sleep(0.3)

    monkeypatch.setattr(driver.page.link, "failed", slow)
    take = driver.page.graphs._take_file
    take("broken.mtx", b"nonsense")
    assert reported.wait(60)
    take("square.txt", b"1 2 0.5\n2 3 0.25\n3 4 1\n4 1 0.125\n")
    for _ in range(2):
        driver.wait()
    assert driver.message[0]["n"] == 4
    assert driver.error == ""
    assert not driver.page.bar.run.disabled


@pytest.mark.parametrize("driver", [{"record_edges": 50}], indirect=True)
def test_larger_graphs_are_charted_but_not_played(driver):
    driver.load(named("karate"))
    driver.run()
    assert len(driver.message[1]["events/kind"]) == 0
    assert "recorded as counters" in driver.page._remark.value
    assert driver.page.charts.places.tabs["Warps"].layout.display is None
    assert "Certified" in driver.page.certificate.value


@pytest.mark.parametrize("driver", [{"draw_vertices": 10}], indirect=True)
def test_larger_graphs_are_played_as_cells(driver):
    driver.load(named("karate"))
    driver.run()
    _, arrays = driver.message
    assert "layout/x" not in arrays
    assert len(arrays["events/kind"]) > 0


@pytest.mark.parametrize("driver", [{"payload_bytes": 500}], indirect=True)
def test_too_long_a_record_is_explained(driver):
    driver.load(named("karate"))
    driver.run()
    assert "more than the 500 B" in driver.page._remark.value
    assert "Certified" in driver.page.certificate.value


def test_cancel_ends_a_run_with_a_word(driver):
    driver.load(named("rmat:scale=15,edge_factor=16,seed=1"))
    driver.page.bar.run.click()
    driver.page.bar.cancel.click()
    driver.wait()
    assert "Stopped" in driver.error
    assert "Certified" not in driver.page.certificate.value
    driver.load(named("karate"))
    driver.run()
    assert driver.error == ""


def test_a_new_graph_takes_old_results_away(driver):
    driver.load(named("karate"))
    driver.run()
    driver.load(named("florentine"))
    assert driver.page.ending.widget.layout.display == "none"
    assert driver.page.charts.places.tabs["Warps"].layout.display == "none"


def test_parameters_are_asked_for_where_they_matter(driver):
    runs = driver.page.runs
    runs.variant.value = "sync_lb"
    assert set(runs.params()) == {
        "variant",
        "threads_per_block",
        "vertices_per_warp",
        "lb_iterations",
    }
    runs.variant.value = "fast"
    assert set(runs.params()) == {"variant", "threads_per_block"}
    runs.algorithm.value = "ld"
    assert runs.params()["variant"] == "ld"


def test_no_page_wakes_a_gpu_up():
    import subprocess
    import sys

    code = (
        "from app.dashboard.page import Dashboard; Dashboard('matching');"
        "import sys; assert not {'cupy', 'cuda'} & set(sys.modules), 'imported too early'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_link_to_a_record_of_another_page_is_one_error_and_changes_nothing(driver):
    driver.load(named("karate"))
    before = driver.page.player.payload
    other = next(e for e in entries().values() if e.family != "matching")
    driver.page.export.widget.search = f"?record={other.name}"
    assert f"one of the family &#x27;{other.family}&#x27;" in driver.error
    assert "Something went wrong" not in driver.error
    assert driver.page.player.payload == before
    assert driver.page.saved_runs.gallery.value == ""
    driver.run()
    assert driver.error == ""


def test_notes_and_the_solution_are_on_the_page(driver):
    """What was assumed of an upload is said, and the result can be taken home by its names."""
    driver.load(uploaded("tiny.txt", b"ann bob 3e-180\nbob eve 4e-180\neve ann -1e-180\n"))
    facts = driver.page.graphs.facts.value
    assert "in a unit of 2**-" in facts
    assert "1 edge of weight 0 or less" in facts
    driver.run()
    assert driver.error == ""
    (csv,) = re.findall(r'download="tiny-suitor.csv" href="data:text/csv;base64,([^"]*)"',
                        driver.page.take_home.value)  # fmt: skip
    assert base64.b64decode(csv).decode().splitlines()[1].startswith("bob,eve,4")


def test_run_is_marked_while_the_form_describes_another_run(driver):
    page = driver.page
    marked = lambda: "ws-changed" in page.bar.run._dom_classes  # noqa: E731
    driver.load(named("karate"))
    driver.run()
    assert not marked()
    page.runs.seed.value = 7
    assert marked()
    assert "form has changed" in page.bar.run.tooltip
    page.runs.seed.value = 1
    assert not marked()
    page.runs.variant.value = "nosync"
    assert marked()
    driver.run()
    assert not marked()
    # A field that does not apply to the chosen algorithm changes no run.
    page.runs.choices["lb_iterations"].value = 3
    assert not marked()


def test_neither_player_nor_story_stands_beside_the_code_of_another_run():
    page = Dashboard("sgd")
    visitor = Visitor(page, page.bar.run)
    page.start()
    visitor.wait()
    panes, seen = page.code.widget, []
    before = panes.listing["title"]

    def note(change):
        if change["new"]:  # the page is cleared before the link's run
            seen.append(panes.listing["title"])

    page.player.observe(note, "payload")
    page.stories.widget.observe(note, "story")
    page.export.widget.search = "?story=no-locks"
    visitor.wait()
    assert page.stories.widget.story["title"] == "Without any lock"
    assert len(seen) >= 2
    assert set(seen) == {panes.listing["title"]} != {before}
