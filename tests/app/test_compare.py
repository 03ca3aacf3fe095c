"""The page that compares runs, without a browser."""

import pytest

from gpucore.family import get_family, methods
from gpucore.record.wire import decode
from support.driving import Visitor
from warpscope.app.comparison.page import ComparePage
from warpscope.app.limits import PageLimits
from warpscope.app.sources.graphs import named, uploaded

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


def titles(driver):
    return decode(driver.page.side_by_side.payload)[0]["titles"]


def test_four_schedules_then_two_variants(driver):
    page = driver.page
    assert len(titles(driver)) == 1
    driver.run()
    assert "All 4 runs end in the same matching: 34 of 34" in page._verdict.value
    assert [title[-1] for title in titles(driver)] == ["1", "2", "3", "4"]
    page.chooser.offer.value = 1
    driver.run()
    assert "Both runs end in the same matching: 34 of 34" in page._verdict.value
    assert len(titles(driver)) == 2
    assert page._errors.value == ""


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


def test_a_new_graph_takes_old_results_away(driver):
    driver.run()
    driver.load(named("florentine"))
    assert driver.page._verdict.layout.display == "none"
    assert driver.page._table.layout.display == "none"
    assert len(titles(driver)) == 1


def test_a_broken_file_is_an_error_on_the_page(driver):
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
    assert driver.page._verdict.layout.display == "none"
