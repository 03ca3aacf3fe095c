"""The view of red/blue matching: texts, charts and comparisons."""

import json

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.timeline import Colour, Kind, redblue_timeline
from gpucore.family import get_runner, methods
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.wire import decode
from support.drawings import check_measures
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.comparison.results import (
    Contender,
    Side,
    equal_vertices,
    verdict_card,
)
from warplens.app.layout.positions import positions_of
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

VIEW = get_view("redblue")
VARIANTS = get_runner("redblue").variant_names
KARATE = for_matching(load("karate"))


def run(graph=KARATE, record="events", **params):
    device = get_device("host", policy="random", seed=1)
    return gpucore.run("redblue", graph, device=device, record=record, **params)


@pytest.fixture(scope="module")
def result():
    return run(variant="paper")


def test_an_opened_record_says_what_the_run_said(result):
    opened = VIEW.result(result.record, KARATE)
    assert equal_vertices([result, opened]) == (34, 34)
    assert certify_result(KARATE, opened).ok
    assert opened.figures["weight"] == pytest.approx(result.figures["weight"])
    for name in ("cardinality", "rounds", "matched", "dead"):
        assert opened.figures[name] == result.figures[name], name
    assert VIEW.measures(opened, KARATE) == VIEW.measures(result, KARATE)


def test_the_figures_add_up(result):
    figures = dict(VIEW.measures(result, KARATE))
    pairs, dead = int(figures["Matched edges"]), int(figures["Dead at the end"])
    assert 2 * pairs + dead == 34
    assert figures["Rounds"] == str(result.figures["rounds"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_curves_end_at_the_result(variant):
    result = run(variant=variant)
    timeline = redblue_timeline(result.record)
    assert timeline.doubt == ""
    objective = VIEW.objective(timeline)
    assert (objective[0], objective[-1]) == (0, pytest.approx(result.weight))
    (series,) = VIEW.charts.series
    settled = series.by_event(timeline)
    for time in range(0, len(timeline) + 1, 7):
        assert settled[time] == np.count_nonzero(timeline.state(time)["colour"] > Colour.RED)
    assert settled[-1] == 34


def test_every_proposal_is_received(result):
    (received,) = VIEW.charts.distributions
    counts, events = received.counts(result.record), result.record.events
    proposals = np.count_nonzero(events["kind"] == Kind.PROPOSE)
    assert (counts * np.arange(len(counts))).sum() == proposals
    red = (events["kind"] == Kind.COLOUR) & (events["b"] == Colour.RED)
    assert counts.sum() == np.count_nonzero(red)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("record", ["counters", "events"])
def test_every_drawing_draws_every_run(variant, record):
    kept = run(record=record, variant=variant, select="random", p=0.2).record
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


def test_the_browser_gets_a_graph_before_and_after(result):
    places = positions_of(KARATE)
    meta, arrays = decode(still(KARATE, places, VIEW, "karate"))
    assert (meta["family"], meta["n"]) == ("redblue", 34)
    assert (arrays["state/colour"] == Colour.NONE).all()
    meta, arrays = decode(player_payload(VIEW, KARATE, result.record, positions=places))
    assert arrays["series/objective"][-1] == pytest.approx(result.weight)
    assert "is coloured" in json.dumps(meta["sentences"])
    state = VIEW.picture(result)
    end = redblue_timeline(result.record).state(result.record.num_events)
    assert all(np.array_equal(state[name], end[name]) for name in state)


def test_the_first_comparisons_can_be_run():
    for offered in VIEW.installed_comparisons():
        for wanted in offered.runs:
            name, params = wanted["name"], {k: v for k, v in wanted.items() if k != "name"}
            if name == "redblue":
                get_runner("redblue").params(**params)
            else:
                assert name in methods()


def test_what_can_be_chosen_is_what_the_algorithm_takes():
    for choice in VIEW.choices:
        for _, value in choice.options:
            get_runner("redblue").params(**{choice.name: value})
        assert choice.options[0][1] == getattr(get_runner("redblue").params(), choice.name)


def test_different_matchings_are_no_alarm(result):
    kernel = Contender("redblue", "host")
    verdict = verdict_card([Side(kernel, result), Side(kernel, run(seed=5))], VIEW)
    assert "many such matchings" in verdict


def test_a_link_names_no_two_things_by_one_word():
    """Links contain the seed of the schedule; the sources have no random order."""
    assert not {choice.name for choice in VIEW.choices} & {"seed", "policy", "device"}
    assert VIEW.sources.shuffle is None
