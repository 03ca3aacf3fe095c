"""The cards of red/blue matching: their data agree with the methods, and they are drawn."""

import re
import threading
from xml.etree import ElementTree

import numpy as np
import pytest

import gpucore
from gpucore.errors import Cancelled
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.running import uncertified
from support.waiting import wait_until
from warplens.app.families.redblue import cards as redblue_panels
from warplens.app.families.redblue.quality import rows_of, table
from warplens.app.families.redblue.strip import MOST_EDGES, strip
from warplens.app.families.redblue.sweep import (
    CHANCES,
    QUANTITIES,
    SEEDS,
    picture,
    sweep,
    words,
)
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view
from warplens.app.view import Services

KARATE = for_matching(load("karate"))


@pytest.fixture(scope="module")
def result():
    return gpucore.run("redblue", KARATE)


@pytest.fixture(scope="module")
def found():
    return sweep(KARATE, "weighted")


def xml(html):
    """Return the parsed HTML, which is XML where it is well formed."""
    return ElementTree.fromstring(html.replace("<br>", "<br/>"))


def test_the_sweep_tells_what_runs_say(found):
    assert set(found) == set(QUANTITIES)
    for i, seed in ((4, 0), (10, 3)):
        again = uncertified("redblue_omp", KARATE, p=float(CHANCES[i]), seed=seed)
        assert found["weight"][i, seed] == again.weight
        assert found["rounds"][i, seed] == again.figures["rounds"]
        assert found["first"][i, seed] == again.figures["matched"][0] / 34


def test_the_words_are_of_the_chance_that_is_chosen(found):
    text = words(found, 0.5)
    assert text.startswith("p = 0.5: the first round matches ")
    pairs = found["pairs"][np.flatnonzero(CHANCES == 0.5)[0]].mean()
    assert f"{pairs:.3g} matched edges" in text
    lost = {name: np.full_like(values, np.nan) for name, values in found.items()}
    assert "did not end" in words(lost, 0.5)
    assert "no run ended" in picture(lost, 0.5)


def test_every_quantity_has_a_chart(found):
    page = xml(picture(found, 0.3))
    assert [one.text for one in page.iter("figcaption")] == [q.title for q in QUANTITIES.values()]
    for chart in page.iter("svg"):
        for line in chart.iter("polyline"):
            points = np.array([p.split(",") for p in line.get("points").split()], dtype=float)
            assert (points >= 0).all()
            assert (points <= (300, 170)).all()


def test_runs_without_end_are_left_out(found):
    some = {name: values.copy() for name, values in found.items()}
    for values in some.values():
        values[0] = np.nan
        values[3, 1] = np.nan
    assert "nan" not in picture(some, 0.3).lower()


def test_a_sweep_can_be_stopped():
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        sweep(KARATE, "random", stop)


def test_levels_are_told_and_drawn(result):
    page = xml(strip(KARATE, result))
    frames = page.findall("figure")
    assert len(frames) > 2
    counts = [len(list(frame.iter("circle"))) for frame in frames]
    assert counts[0] == 34
    assert counts == sorted(counts, reverse=True)
    captions = ["".join(frame.find("figcaption").itertext()) for frame in frames]
    vertices = [int(re.match(r"Level \d+?(\d+) vert", text).group(1)) for text in captions[:3]]
    assert vertices == counts[:3]


def test_large_graphs_are_told_only(result):
    ring = np.arange(MOST_EDGES + 1)
    graph = Graph.from_edges(len(ring), ring, (ring + 1) % len(ring))
    html = strip(graph, result)
    assert "Level 1" in html
    assert "<svg" not in html


def test_all_methods_stand_beside_the_run(result):
    rows = rows_of(KARATE, result)
    assert [len(runs) > 1 for _, runs in rows] == [True, True, False, False]
    by_weight, suitor = (runs[0] for _, runs in rows[2:])
    assert np.array_equal(by_weight.mate, suitor.mate)
    page = xml(table(KARATE, result))
    heads = ["".join(row.find("th").itertext()) for row in page.find("table/tbody")]
    assert heads == ["This run", *(name for name, _ in rows)]


def test_other_methods_follow_the_choice_of_the_run():
    result = gpucore.run("redblue", KARATE, select="first", permute=True, generator="philox")
    rows = dict(rows_of(KARATE, result))
    again = uncertified(
        "redblue_omp", KARATE, select="first", permute=True, generator="philox", seed=3
    )
    assert np.array_equal(rows["Algorithm 3: red and blue"][3].mate, again.mate)
    serial = rows["Algorithm 1: random order"][0]
    assert (serial.params["select"], serial.params["permute"]) == ("first", True)
    assert "Level 1" in strip(KARATE, result)


@pytest.fixture
def services():
    return Services(PageLimits(), None, lambda *_: None, lambda: None, lambda callback: callback)


def test_the_cards_come_and_go(services, result):
    panels = [make(services) for make in get_view("redblue").load_panels()]
    assert len(panels) == 3
    for panel in panels:
        assert panel.widget.layout.display == "none"
        panel.show(KARATE, result)
        wait_until(lambda panel=panel: panel.found is not None)
        assert panel.widget.layout.display is None
        panel.clear()
        assert panel.widget.layout.display == "none"
        panel.show(Graph.from_edges(3, [], []), result)
        assert panel.widget.layout.display == "none"


def test_the_slider_moves_the_words(services, result):
    panel = redblue_panels.sweep_panel(services)
    panel.show(KARATE, result)
    wait_until(lambda panel=panel: panel.found is not None)
    slider = panel.widget.children[2]
    slider.value = 0.25
    assert "p = 0.25: the first round" in panel.widget.children[-1].value
    assert panel.found["rounds"].shape == (len(CHANCES), SEEDS)
