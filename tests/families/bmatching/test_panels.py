"""The cards of b-matching: their data agree with the methods, and they are drawn."""

import threading
from xml.etree import ElementTree

import numpy as np
import pytest

from gpucore.errors import Cancelled
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.running import uncertified
from support.waiting import wait_until
from warplens.app.families.bmatching.others import roads, table
from warplens.app.families.bmatching.sweep import VALUES, picture, sweep, words
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view
from warplens.app.view import Services

from .runs import find

LESMIS = for_matching(load("lesmis"))


@pytest.fixture(scope="module")
def result():
    return find(LESMIS, 3, "host", {"variant": "fast"})


@pytest.fixture(scope="module")
def found():
    return sweep(LESMIS)


def test_the_sweep_is_that_of_the_method(found):
    for b in (1, 4, 10):
        own = uncertified("bgreedy", LESMIS, b=b)
        place = VALUES.index(b)
        assert found.weight[place] == pytest.approx(own.weight)
        assert found.edges[place] == own.cardinality
    assert (np.diff(found.weight) >= 0).all()
    assert (found.bound >= found.weight).all()
    assert (found.weight >= 0.5 * found.bound).all()
    assert "b = 1 is Suitor" in words(found)


@pytest.mark.parametrize("b", [None, 1, 3])
def test_the_sweep_is_drawn(found, b):
    html = picture(found, b)
    figure = ElementTree.fromstring(html)
    assert len(figure.findall("figure")) == 4
    assert html.count("<circle") == 4 * len(VALUES)
    assert html.count("--ws-displaced") == (0 if b is None else 4)
    assert "nan" not in html


def test_all_roads_lead_to_the_same(result):
    found = roads(LESMIS, result)
    assert [road.equal for road in found] == [77] * len(found)
    assert {road.edges for road in found} == {result.cardinality}
    assert all(road.weight == pytest.approx(result.weight) for road in found)
    assert "Suitor" not in {road.title for road in found}
    html = table(LESMIS, result)
    assert html.count("77 of 77") == len(found)


def test_suitor_is_one_of_the_roads_for_b_1():
    own = find(LESMIS, 1, "host", {"variant": "eager"})
    suitor = next(road for road in roads(LESMIS, own) if road.title == "Suitor")
    assert suitor.equal == 77


@pytest.mark.parametrize("b", ["degree/2", 0])
def test_roads_with_other_capacities(b):
    own = find(LESMIS, b, "host", {"variant": "eager"})
    assert all(road.equal == 77 for road in roads(LESMIS, own))


def test_both_can_be_cancelled(result):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        sweep(LESMIS, stop)
    with pytest.raises(Cancelled):
        roads(LESMIS, result, stop)


def test_the_cards_come_and_go(result):
    errors = []

    def guard(callback):
        def call(*arguments):
            try:
                return callback(*arguments)
            except Exception as error:
                errors.append(error)
                raise

        return call

    services = Services(PageLimits(), None, None, None, guard)
    panels = [make(services) for make in get_view("bmatching").load_panels()]
    assert len(panels) == 2
    for panel in panels:
        assert panel.widget.layout.display == "none"
        panel.show(LESMIS, result)
        wait_until(lambda panel=panel: panel.found is not None or errors)
        assert not errors
        assert panel.widget.layout.display is None
        panel.clear()
        assert panel.widget.layout.display == "none"
        panel.show(Graph.from_edges(3, [], []), result)
        assert panel.widget.layout.display == "none"
