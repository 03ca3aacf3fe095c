"""The view of stable marriage: texts, charts and comparisons."""

import threading

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.family import get_runner, methods
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record.wire import decode
from support.drawings import check_measures
from support.driving import Visitor
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.comparison.results import (
    Contender,
    equal_vertices,
    players,
    run_all,
    verdict_card,
)
from warplens.app.dashboard.page import Dashboard
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

VIEW = get_view("marriage")
VARIANTS = get_runner("marriage").variant_names


def instance(spec):
    return VIEW.prepare(load_preferences(spec).graph())


def run(graph, record="events", **params):
    device = get_device("host", policy="random", seed=1)
    return gpucore.run("marriage", graph, device=device, record=record, **params)


@pytest.fixture(scope="module")
def dozen():
    return instance("classic:n=12,seed=3")


@pytest.fixture(scope="module")
def hospitals():
    return instance("nrmp_5")


@pytest.mark.parametrize("proposers", ["men", "women"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_an_opened_record_says_what_the_run_said(dozen, variant, proposers):
    result = run(dozen, variant=variant, proposers=proposers)
    opened = VIEW.result(result.record, dozen)
    assert equal_vertices([result, opened]) == (24, 24)
    assert certify_result(dozen, opened).ok
    for name in ("considered", "proposals", "men_mean_rank", "women_mean_rank", "rounds"):
        assert opened.figures[name] == result.figures[name], name
    from_record, from_run = (dict(VIEW.measures(one, dozen)) for one in (opened, result))
    from_run.pop("Considered a second")
    assert from_record == from_run
    assert from_record["Pairs"] == "12"


def test_hospitals_are_shown_without_events(hospitals):
    result = run(hospitals, record="counters", variant="fast")
    opened = VIEW.result(result.record, hospitals)
    assert equal_vertices([result, opened]) == (8, 8)
    figures = dict(VIEW.measures(opened, hospitals))
    assert figures["Considered"] == "8"
    mate = VIEW.picture(result)["mate"]
    placed = np.flatnonzero(mate[:5] >= 0)
    assert len(placed) == result.figures["cardinality"]
    crowded = np.flatnonzero(np.bincount(mate[placed], minlength=8) > 1)
    assert (mate[crowded] == -1).all()


def test_everybody_has_a_list(dozen, hospitals):
    meta, arrays = decode(still(dozen, positions_of(dozen), VIEW, "dozen"))
    assert meta["sides"] == ["man ", "woman "]
    assert meta["names"][0] == "Adam"
    assert "lists/places" not in arrays
    offsets, people = arrays["lists/offsets"], arrays["lists/people"]
    lists = [row.tolist() for row in np.split(people, offsets[1:-1])]
    men, women = dozen.preferences.lists()
    assert lists == [[12 + w for w in row] for row in men] + women
    meta, arrays = decode(still(hospitals, positions_of(hospitals), VIEW, "hospitals"))
    assert meta["rails"] == ["Residents", "Hospitals"]
    assert arrays["lists/places"].tolist() == [1, 1, 1, 1, 1, 2, 2, 2]


def test_a_replay_has_what_its_sentences_tell(dozen):
    record = run(dozen, variant="gs", proposers="women").record
    meta, arrays = decode(player_payload(VIEW, dozen, record, positions=positions_of(dozen)))
    assert meta["proposers"] == "women"
    assert (arrays["events/batch"] == record.events["batch"]).all()
    assert "her choice" in meta["sentences"][str(int(Kind.PROPOSE))]
    assert arrays["series/objective"][-1] == 12


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_curves_end_at_the_result(dozen, variant):
    result = run(dozen, variant=variant)
    timeline = marriage_timeline(result.record)
    assert timeline.exact
    assert VIEW.objective(timeline)[-1] == 12
    ends = [series.by_event(timeline)[-1] for series in VIEW.charts.series]
    names = ("men_mean_rank", "women_mean_rank", "proposals")
    assert ends == pytest.approx([result.figures[name] for name in names])


def test_chains_have_all_engagements():
    record = run(instance("hard:n=20,seed=1"), variant="mw").record
    (chains,) = VIEW.charts.distributions
    found = chains.counts(record)
    engaged = np.count_nonzero(record.events["kind"] == Kind.ENGAGE)
    assert (found * np.arange(len(found))).sum() == engaged


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("record", ["counters", "events"])
def test_every_drawing_draws_every_run(dozen, variant, record):
    kept = run(dozen, record, variant=variant).record
    for drawing, colours in zip(VIEW.charts.drawings, (LIGHT, DARK), strict=True):
        drawn = drawing.draw(kept, dozen.names, colours, False)
        assert isinstance(drawn, str) == (record == "counters")
    check_measures(VIEW, kept.warps)


def test_nobody_is_shown_too():
    lonely = Preferences.from_lists([[], []], [[]]).graph()
    result = run(lonely, variant="mw")
    assert dict(VIEW.measures(result, lonely))["Men left alone"] == "2"
    for drawing in VIEW.charts.drawings:
        assert drawing.draw(result.record, None, LIGHT, False).endswith(".")
    assert len(VIEW.charts.distributions[0].counts(result.record)) == 0
    still(lonely, positions_of(lonely), VIEW, "empty lists")


def test_who_has_a_name_keeps_it():
    assert instance("gale_shapley_4").names[0] == "α"
    assert instance("classic:n=27").names is None


def test_runs_are_compared_by_their_pairs(dozen):
    contenders = [
        Contender("marriage", "host", {"variant": "gs", "proposers": "men"}),
        Contender("mcvitie_wilson", "cpu"),
        Contender("marriage", "host", {"variant": "mw", "proposers": "women"}),
    ]
    sides = run_all(contenders, dozen, VIEW, PageLimits(), lambda *_: None, threading.Event())
    assert [side.error for side in sides] == ["", "", ""]
    assert "who proposes: women" in sides[2].contender.label
    assert "Both runs end in the same marriage" in verdict_card(sides[:2], VIEW)
    assert "the proposing side gets its best" in verdict_card(sides, VIEW).lower()
    meta, _ = decode(players(sides, dozen, positions_of(dozen), VIEW, PageLimits())[0])
    assert meta["compared"] == ["mate"]


def test_all_comparisons_can_be_run():
    assert len(VIEW.installed_comparisons()) >= 6
    for offered in VIEW.installed_comparisons():
        for wanted in offered.runs:
            assert wanted["name"] == "marriage" or wanted["name"] in methods()
            assert wanted.get("variant", "fast") in VARIANTS


def test_a_visitor_assigns_residents():
    page = Dashboard("marriage", PageLimits())
    visitor = Visitor(page, page.bar.run)
    page.graphs.collection.value = "nrmp_5"
    visitor.wait()
    page.runs.variant.value = "fast"
    visitor.run()
    assert page._errors.value == ""
    assert page._remark.value == ""
    assert "Certified" in page.certificate.value
    _, arrays = decode(page.player.payload)
    assert arrays["state/held"].size == 10  # a value for each pair in the lists
    assert len(arrays["events/kind"]) > 0
