"""The view of b-matching: texts, charts, comparisons, and what the browser gets."""

import threading

import numpy as np
import pytest

from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.order import Kind
from gpucore.family import get_runner, methods
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from support.devices import random_schedule
from support.drawings import check_measures
from support.running import uncertified
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.comparison.contenders import Contender, ContenderChooser
from warplens.app.comparison.link import words_of
from warplens.app.comparison.results import Side, equal_vertices, players, run_all, verdict_card
from warplens.app.families.bmatching.charts import falls, offers_held, tries
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

from .runs import find

VIEW = get_view("bmatching")
VARIANTS = get_runner("bmatching").variant_names
KARATE = for_matching(load("karate_weighted"))
#: With random weights: no two are equal, so that all methods find the same b-matching.
CLEAR = for_matching(load("karate"))


def run(graph=KARATE, b=3, record="events", **params):
    return find(graph, b, random_schedule(1), params, record=record)


@pytest.fixture(scope="module")
def result():
    return run(variant="eager", b=2)


def test_an_opened_record_says_what_the_run_said(result):
    opened = VIEW.result(result.record, KARATE)
    assert equal_vertices([result, opened]) == (34, 34)
    assert certify_result(KARATE, opened).ok
    for name in ("weight", "cardinality"):
        assert opened.figures[name] == pytest.approx(result.figures[name]), name
    figures = dict(VIEW.measures(result, KARATE))
    again = dict(VIEW.measures(opened, KARATE))
    assert {name: again[name] for name in list(again)[:4]} == {
        name: figures[name] for name in list(again)[:4]
    }


@pytest.mark.parametrize("b", [0, 1, 3, "degree/2"])
def test_the_figures_add_up(b):
    result = run(b=b, variant="fast")
    figures = dict(VIEW.measures(result, KARATE))
    assert int(figures["Matched edges"]) == len(result.mates) // 2
    assert figures["Mates a vertex"] == f"{len(result.mates) / 34:.2f}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_curves_end_at_the_result(variant):
    result = run(variant=variant)
    timeline = timeline_of(result.record)
    assert timeline.exact
    objective, held = VIEW.objective(timeline), offers_held(timeline)
    assert (objective[0], objective[-1]) == (0, pytest.approx(result.weight))
    assert held[-1] == 2 * result.cardinality
    weights = KARATE.weights.astype(np.float64)
    for time in range(0, len(timeline) + 1, 7):
        offer = timeline.state(time)["offer"]
        assert held[time] == offer.sum()
        assert objective[time] == pytest.approx((weights * offer).sum() / 2, abs=1e-4)


def test_distributions_count_every_event(result):
    kinds = np.bincount(result.record.events["kind"], minlength=5)
    for counts, total in (
        (falls(result.record), kinds[Kind.DROP]),
        (tries(result.record), kinds[Kind.PROPOSE] + kinds[Kind.OUTBID]),
    ):
        assert counts.sum() == 34
        assert (counts * np.arange(len(counts))).sum() == total


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("record", ["counters", "events"])
def test_every_drawing_draws_every_run(variant, record):
    kept = run(record=record, variant=variant, b="degree/2").record
    for drawing in VIEW.charts.drawings:
        for colours in (LIGHT, DARK):
            assert not isinstance(drawing.draw(kept, None, colours, False), str)
    check_measures(VIEW, kept.warps)


@pytest.mark.parametrize("n", [0, 3])
def test_a_graph_without_edges_has_words_for_charts(n):
    graph = Graph.from_edges(n, [], [], [])
    result = run(graph)
    drawn = [drawing.draw(result.record, None, LIGHT, False) for drawing in VIEW.charts.drawings]
    assert all(not isinstance(one, str) or one.endswith(".") for one in drawn)
    VIEW.measures(result, graph)
    still(graph, positions_of(graph), VIEW, "empty")


def test_the_browser_gets_the_lists_of_neighbours(result):
    places = positions_of(KARATE)
    meta, arrays = decode(still(KARATE, places, VIEW, "karate"))
    assert (meta["family"], meta["n"]) == ("bmatching", 34)
    assert not len(arrays["state/offer"])
    meta, arrays = decode(player_payload(VIEW, KARATE, result.record, positions=places))
    assert arrays["series/objective"][-1] == pytest.approx(result.weight)
    assert len(arrays["state/offer"]) == len(arrays["lists/indices"]) == 2 * KARATE.num_edges
    assert (arrays["state/capacity"] == 2).all()
    np.testing.assert_array_equal(arrays["lists/weight"], KARATE.weights.astype(np.float32))
    assert set(VIEW.compared) <= {"held"}, "player.js computes it from the offers"
    picture = VIEW.picture(result)
    _, arrays = decode(still(KARATE, places, VIEW, "karate", picture))
    np.testing.assert_array_equal(arrays["state/mates"], result.mates)
    np.testing.assert_array_equal(arrays["state/starts"], result.starts)


def test_what_can_be_chosen_is_what_the_algorithm_takes():
    for choice in VIEW.choices:
        for _, value in choice.options:
            get_runner("bmatching").params(**{choice.name: value})
        assert choice.initial == getattr(get_runner("bmatching").params(), choice.name)
    assert not {choice.name for choice in VIEW.choices} & {"seed", "policy", "device"}


@pytest.fixture
def chooser():
    return ContenderChooser("Second run", VIEW, gpu=False, guard=lambda callback: callback)


@pytest.mark.parametrize("b", [1, 3])
def test_every_comparison_has_one_verdict(chooser, b):
    for offered in VIEW.installed_comparisons():
        contenders = []
        for wanted in offered.runs:
            assert wanted["name"] in {"bmatching", *methods()}
            given = {} if wanted["name"] in VIEW.guests else {"b": b}
            chooser.choose(given | dict(wanted))
            contenders.append(chooser.contender())
        if offered.schedules:
            contenders.append(contenders[0].with_seed(7))
        sides = run_all(contenders, CLEAR, VIEW, PageLimits(), lambda *_: None, threading.Event())
        assert not any(side.error for side in sides), offered.title
        own = {
            wanted.get("b", 1 if wanted["name"] in VIEW.guests else b) for wanted in offered.runs
        }
        verdict = verdict_card(sides, VIEW)
        assert ("same b-matching: 34 of 34" in verdict) is (len(own) == 1), offered.title
        assert players(sides, CLEAR, positions_of(CLEAR), VIEW, PageLimits())[0]


def test_methods_have_a_b_and_guests_have_none(chooser):
    chooser.choose({"name": "bgreedy", "b": "degree/2"})
    contender = chooser.contender()
    assert contender == Contender("bgreedy", "cpu", {"b": "degree/2"})
    assert words_of(contender) == {"method": "bgreedy", "b": "degree/2"}
    assert "b: degree/2" in contender.label
    chooser.choose({"name": "suitor_serial"})
    assert chooser.contender() == Contender("suitor_serial", "cpu")


def test_a_matching_becomes_a_b_matching():
    suitor = uncertified("suitor_serial", KARATE)
    guest = VIEW.guests["suitor_serial"](suitor)
    assert certify_result(KARATE, guest).ok
    own = Side(Contender("bmatching", "host"), run(b=1))
    verdict = verdict_card([own, Side(Contender("suitor_serial", "cpu"), guest)], VIEW)
    assert "same b-matching: 34 of 34" in verdict
    other = Side(Contender("bmatching", "host"), run(b=2))
    assert "different b" in verdict_card([other, own], VIEW)
