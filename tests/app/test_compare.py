"""The page that compares runs, without a browser."""

import re

import pytest

from gpucore.family import get_family, methods
from gpucore.record.wire import decode
from support.driving import Visitor
from warplens.app.comparison.page import ComparePage
from warplens.app.limits import PageLimits
from warplens.app.sources.graphs import named, uploaded

FAMILIES = sorted({method.family for method in methods().values() if method.records})


class Driver(Visitor):
    def __init__(self, family="matching"):
        page = ComparePage(family, PageLimits())
        super().__init__(page, page.bar.run)


@pytest.fixture
def driver():
    made = Driver()
    made.load(named("karate"))
    return made


def is_shown(widget):
    return widget.layout.display != "none"


def titles(driver):
    return decode(driver.page.side_by_side.payload)[0]["titles"]


def test_four_schedules_then_two_variants(driver):
    page = driver.page
    assert len(titles(driver)) == 1
    driver.run()
    assert "All 4 runs end in the same matching: 34 of 34" in page._verdict.value
    assert [title[-1] for title in titles(driver)] == ["1", "2", "3", "4"]
    page.chooser.offer.value = 1  # on a graph where warps are overloaded
    driver.wait()
    driver.run()
    assert "Both runs end in the same matching: 1,589 of 1,589" in page._verdict.value
    assert len(titles(driver)) == 2
    assert page._errors.value == ""


def test_a_file_that_cannot_be_read_takes_no_run_away(driver):
    page = driver.page
    driver.run()
    before = page.side_by_side.payload, page._verdict.value, page.link.widget.query
    assert before[2]
    page.graphs._take_file("broken.mtx", b"nonsense")
    driver.wait()
    assert "broken.mtx" in driver.error
    assert "The page keeps the graph" in driver.error
    assert before == (page.side_by_side.payload, page._verdict.value, page.link.widget.query)
    driver.run()
    assert driver.error == ""


@pytest.mark.parametrize("family", FAMILIES)
def test_runs_on_the_processor_play_beside_kernels_in_every_family(family):
    driver = Driver(family)
    page = driver.page
    page._take_graph(page.view.graph)
    driver.wait()
    page.chooser.mode.value = "two"
    second = page.chooser.second
    for name, method in get_family(family).load_methods().items():
        if not method.records:
            continue
        second.method.value = name
        shown = second._threads.layout.display != "none"
        assert shown == method.parallel
        second.threads.value = 2
        driver.run()
        assert page._errors.value == "", name
        assert method.title in titles(driver)[1], name
        assert ("2 threads" in titles(driver)[1]) == method.parallel
        runs = decode(page.side_by_side.payload)[1]
        for k in range(2):
            events = decode(runs[f"run/{k}"].tobytes())[1]["events/kind"]
            assert len(events) > 0, name


def test_a_schedule_without_a_seed_is_refused(driver):
    page = driver.page
    page.chooser.first.policy.value = "sequential"
    page.bar.run.click()
    assert "Only the random schedule" in page._errors.value
    assert not page.bar.run.disabled


def test_how_the_runs_end_is_shown_at_the_end_of_their_replays(driver):
    driver.run()
    waiting, results = driver.page.ending.widget.children
    assert is_shown(waiting) and not is_shown(results)
    driver.page.side_by_side.ended = True  # as the browser says
    assert is_shown(results) and not is_shown(waiting)
    driver.run()
    assert not is_shown(results)
    waiting.children[1].click()
    assert is_shown(results)


def test_an_end_that_is_reached_while_the_maps_are_made_counts(driver):
    page = driver.page

    def reach(_):
        page.side_by_side.ended = True

    page.side_by_side.observe(reach, "payload")
    driver.run()
    _, results = page.ending.widget.children
    assert is_shown(results)


def test_the_loads_of_compared_runs_are_shown(driver):
    driver.page.chooser.offer.value = 1
    driver.wait()
    driver.run()
    (shown,) = driver.page._load_box.children
    _, maps = shown.children
    assert len(maps.children) == 2
    busiest = []
    for one, title in zip(maps.children, titles(driver), strict=True):
        heading, box, figures = one.children
        assert title in heading.children[0].value
        assert len(box.children) == 1
        busiest.append(float(re.search(r"Busiest over mean</dt><dd>([\d.]+)", figures.value)[1]))
    levelled, not_levelled = busiest
    assert levelled < not_levelled


def test_a_new_graph_takes_old_results_away(driver):
    driver.run()
    driver.load(named("florentine"))
    assert not is_shown(driver.page.ending.widget)
    assert driver.page._load_box.children == ()
    assert len(titles(driver)) == 1


def test_a_broken_file_is_an_error_on_the_page():
    driver = Driver()
    driver.load(uploaded("broken.mtx", b"nonsense"))
    assert "broken.mtx" in driver.page._errors.value
    assert driver.page.bar.run.disabled
    assert driver.page.side_by_side.payload == b""


def test_cancel(driver):
    driver.load(named("rmat:scale=14,edge_factor=8,seed=1"))
    driver.page.bar.run.click()
    driver.page.bar.cancel.click()
    driver.wait()
    assert "Stopped" in driver.page._errors.value
    assert not is_shown(driver.page.ending.widget)


@pytest.mark.parametrize("family", ["matching", "sgd"])
def test_the_page_opens_on_the_first_comparison(family):
    driver = Driver(family)
    driver.page.start()
    driver.wait()
    assert len(titles(driver)) == 1  # a page that waits for a browser runs nothing
    driver.page.browser._handle_custom_msg({"kind": "here"}, [])
    driver.wait()
    assert driver.error == ""
    assert "sbs-verdict" in driver.page._verdict.value
    assert len(titles(driver)) > 1
