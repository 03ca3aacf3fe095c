"""A link to a comparison restores its form, runs it and goes to its place; a wrong one changes
nothing."""

from __future__ import annotations

import pytest

from warplens.app.comparison import link as comparelink
from warplens.app.sources.graphs import uploaded

from .test_compare import Driver

HOST = "threads_per_block=128&{s}.vertices_per_warp=8&{s}.device=host&{s}.policy=random"
RUN = "{s}.method=suitor&{s}.variant={variant}&{s}." + HOST + "&{s}.seed={seed}"
TWO = (
    "?graph=karate&mode=two&"
    + RUN.format(s="first", variant="sync_lb", seed=5)
    + "&"
    + RUN.format(s="second", variant="nosync", seed=6)
)


@pytest.fixture(scope="module")
def shared():
    """Return a page that no link may change."""
    return Driver()


def follow(driver, search):
    """Open a link as the browser reports it; return the positions that the page requests."""
    places = []
    bar = driver.page.link.widget
    bar.go = lambda how, position: places.append((how, position))
    bar.search = search
    driver.wait()
    driver.wait()
    return places


def test_a_link_opens_the_same_runs_at_the_same_place():
    driver = Driver()
    page = driver.page
    assert follow(driver, TWO + "&how=step&position=12") == [("step", 12)]
    assert page._errors.value == ""
    assert page.graphs.collection.value == "karate"
    first, second = page.chooser.contenders()
    assert (first.params["variant"], first.options["seed"]) == ("sync_lb", 5)
    assert (second.params["variant"], second.options["seed"]) == ("nosync", 6)
    query = page.link.widget.query
    assert query.startswith("graph=karate&mode=two&first.method=suitor&first.variant=sync_lb")

    again = Driver()
    assert follow(again, f"?{query}") == [("fraction", 0)]
    assert again.page.side_by_side.payload == page.side_by_side.payload
    assert again.page.link.widget.query == query


def test_the_number_of_threads_travels():
    driver = Driver()
    methods = "first.method=suitor_omp&first.threads=4&second.method=greedy"
    follow(driver, f"?graph=karate&mode=two&{methods}")
    assert driver.page._errors.value == ""
    first, second = driver.page.chooser.contenders()
    assert (first.name, dict(first.params)) == ("suitor_omp", {"threads": 4})
    assert (second.name, dict(second.params)) == ("greedy", {})
    assert methods in driver.page.link.widget.query


@pytest.mark.parametrize("words", ["suitor_omp&first.threads=3", "greedy&first.threads=2"])
def test_a_number_of_threads_that_is_not_offered_is_refused(words, shared):
    bar = shared.page.link.widget
    bar.search = f"?graph=karate&mode=two&first.method={words}"
    assert "threads" in shared.page._errors.value


def test_schedules_and_recorded_runs_travel_too():
    driver = Driver()
    search = "?graph=grid:rows=3,columns=4&mode=schedules&schedules=2&first.method=suitor"
    assert follow(driver, search + "&first.seed=9") == [("fraction", 0)]
    assert [one.options["seed"] for one in driver.page.chooser.contenders()] == [9, 10]
    assert "schedules=2" in driver.page.link.widget.query
    assert "second" not in driver.page.link.widget.query

    other = Driver()
    search = "?graph=lesmis&mode=two&first.method=lesmis-suitor-nosync&second.method=suitor_serial"
    assert follow(other, search) == [("fraction", 0)]
    assert other.page.link.widget.query == search.removeprefix("?")


def test_there_is_no_link_to_a_file_nor_before_a_run():
    driver = Driver()
    bar = driver.page.link.widget
    assert bar.query == ""
    assert "Run the comparison first" in bar.reason
    driver.page.graphs.tabs.value = "Your file"
    driver.load(uploaded("square.txt", b"1 2 0.5\n2 3 0.25\n3 4 1\n4 1 0.125\n"))
    driver.run()
    assert bar.query == ""
    assert "cannot hold a file" in bar.reason


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ("?mode=two", "names no graph"),
        ("?graph=/etc/passwd", "neither in the collection"),
        ("?graph=karate&mode=three", "mode"),
        ("?graph=karate&schedules=1000", "schedules"),
        ("?graph=karate&first.method=rm", "method"),
        ("?graph=karate&first.method=suitor&first.variant=x", "variant"),
        ("?graph=karate&second.method=suitor_serial&second.variant=nosync", "has none"),
        ("?graph=karate&first.method=suitor&first.seed=-1", "whole number"),
        ("?graph=karate&first.method=suitor&first.seed=9999999999", "above"),
        ("?graph=karate&first.method=suitor&first.resident=64", "a run does not have"),
        ("?graph=karate&first.threads_per_block=5", "threads per block"),
        ("?graph=karate&third.method=suitor", "this page does not know"),
        ("?graph=karate&how=luck", "aligns runs"),
        ("?graph=karate&position=last", "whole number"),
        ("?graph=karate&graph=lesmis", "twice"),
    ],
)
def test_a_wrong_link_is_one_error_and_changes_nothing(shared, search, words):
    page = shared.page
    before = comparelink.settings_of(page.graphs, page.chooser)
    page.show_error("", "")
    page.link.widget.search = ""
    page.link.widget.search = search
    assert words in page._errors.value
    assert page._errors.value.count("ws-error") == 1
    assert comparelink.settings_of(page.graphs, page.chooser) == before
    assert not page.jobs.busy


def test_a_position_behind_the_end_is_told(shared):
    shared.page.link.widget._receive(None, {"kind": "beyond", "position": 500, "length": 20}, [])
    assert "position is 500, and these runs have 20" in shared.page._errors.value
