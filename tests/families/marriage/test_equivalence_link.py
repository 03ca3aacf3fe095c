"""Links of the equivalence page open their graph and runs; a wrong link opens nothing."""

from __future__ import annotations

import pytest

from support.driving import Visitor
from warplens.app.families.marriage.equivalence.graphs import START
from warplens.app.families.marriage.equivalence.page import EquivalencePage
from warplens.app.sources.graphs import uploaded


def opened(search=None):
    """Return a visitor whose browser has that address, and the positions that it requests."""
    page = EquivalencePage()
    visitor, places = Visitor(page, page.bar.run), []
    page.link.widget.go = lambda how, position: places.append((how, position))
    if search is None:
        page.start()
    else:
        page.link.widget.search = search
    visitor.wait()
    return visitor, places


@pytest.mark.parametrize(
    ("search", "place"),
    [
        ("graph=karate_weighted&linked=proposals&turn=random&seed=7", ("look", 12)),
        ("graph=grid:rows=3,columns=5&linked=proposals&turn=light", ("proposal", 0)),
        ("graph=gnp:n=20,degree=2.5,seed=3&linked=rounds", ("round", 2)),
        (f"graph={START}&linked=rounds", ("round", 1)),
        (f"graph={START}&linked=rounds&b=4", ("round", 1)),
    ],
)
def test_a_link_opens_the_same_runs_at_the_same_place(search, place):
    visitor, places = opened(f"?{search}&how={place[0]}&position={place[1]}")
    assert visitor.error == ""
    assert places == [place]
    assert visitor.page.link.widget.query == search
    again, _ = opened(f"?{visitor.page.link.widget.query}")
    assert again.page.side_by_side.payload == visitor.page.side_by_side.payload


def test_the_link_follows_the_form():
    visitor, places = opened()
    page = visitor.page
    assert page.link.widget.query == f"graph={START}&linked=proposals&turn=number"
    page.pair.mode.value = "rounds"
    visitor.wait()
    assert page.link.widget.query == f"graph={START}&linked=rounds"
    assert places == []


def test_the_link_follows_the_number_of_mates():
    visitor, _ = opened()
    page = visitor.page
    page.claims.mates.value = 3
    visitor.wait()
    assert page.link.widget.query == f"graph={START}&linked=proposals&turn=number&b=3"


def test_there_is_no_link_to_a_file():
    visitor, _ = opened()
    visitor.page.graphs.tabs.value = "Your file"
    visitor.load(uploaded("path.txt", b"1 2 0.5\n2 3 0.25\n3 4 1\n"))
    assert visitor.page.link.widget.query == ""
    assert "cannot hold a file" in visitor.page.link.widget.reason


@pytest.fixture(scope="module")
def shown():
    return opened()[0]


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("linked=rounds", "names no graph"),
        ("graph=usairports", "neither in the collection"),
        ("graph=grid:rows=3,columns=999", "from 2 to 16"),
        ("graph=karate&linked=both", "only proposals, rounds can be chosen"),
        ("graph=karate&turn=last", "only number, random, light"),
        ("graph=karate&seed=-1", "whole number"),
        ("graph=karate&seed=9999999999", "above"),
        ("graph=karate&how=fraction", "only proposal, look, round"),
        ("graph=karate&position=x", "whole number"),
        ("graph=karate&b=9", "only 1, 2, 3, 4, 5 can be chosen"),
        ("graph=karate&device=cuda", "does not know"),
    ],
)
def test_a_wrong_link_changes_nothing(shown, search, message):
    page = shown.page
    before = page.link.settings()
    page._errors.value = ""
    page.link.widget.search = f"?{search}"
    assert message in page._errors.value
    assert page.link.settings() == before
    assert not page.link.waiting
