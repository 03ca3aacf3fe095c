"""Assignments, in which people may have several partners, are recorded event by event."""

from __future__ import annotations

import dataclasses
from importlib.util import find_spec

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.errors import RecordError
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Record
from gpucore.record.words import describe
from support.running import uncertified
from warplens.app.pages import get_view

METHODS = [
    ("gale_shapley", {}),
    ("gale_shapley", {"order": "rounds"}),
    ("mcvitie_wilson", {}),
]


def crowd(seed, men=30, women=8):
    """Return an instance in which many men want few women, and all may have several partners."""
    rng = np.random.default_rng(seed)
    wanted = rng.random((men, women)) < 0.8
    his = [rng.permutation(np.flatnonzero(row)).tolist() for row in wanted]
    hers = [rng.permutation(np.flatnonzero(row)).tolist() for row in wanted.T]
    rooms = {"man_capacity": rng.integers(1, 4, men), "woman_capacity": rng.integers(1, 6, women)}
    return PreferenceGraph.of(Preferences.from_lists(his, hers, **rooms))


def on_host(graph, seed, who="men", level="events"):
    options = {"policy": "random", "seed": seed, "resident": 4, "yield_atomic": 0.5}
    device = get_device("host", **options)
    return gpucore.run("marriage", graph, device=device, record=level, proposers=who)


def check(graph, result, tmp_path):
    result.record.save(tmp_path / "run.npz")
    record = Record.load(tmp_path / "run.npz")
    timeline = marriage_timeline(record)
    assert timeline.exact, timeline.doubt
    held = timeline.state(len(timeline))["held"]
    lists = graph.preferences
    man = np.repeat(np.arange(lists.num_men), np.diff(lists.indptr))
    ours = sorted(zip(man[held == 1].tolist(), lists.women[held == 1].tolist(), strict=True))
    assert ours == sorted(zip(result.men.tolist(), result.women.tolist(), strict=True))
    assert timeline.pairs[-1] == result.cardinality
    assert timeline.curves.considered[-1] == result.figures["considered"]
    assert timeline.men_rank[-1] == pytest.approx(result.figures["men_mean_rank"])
    assert timeline.women_rank[-1] == pytest.approx(result.figures["women_mean_rank"])
    if find_spec("ipywidgets") is not None:  # a machine with a GPU may lack the pages' packages
        shown = get_view("marriage").result(record, graph)
        np.testing.assert_array_equal(shown.men, result.men)
    return record


@pytest.mark.parametrize("who", ["men", "women"])
@pytest.mark.parametrize("seed", range(25))
def test_seats_under_many_schedules(seed, who, tmp_path):
    graph = crowd(seed)
    result = on_host(graph, seed, who)
    assert result.certificate.ok
    check(graph, result, tmp_path)


@pytest.mark.parametrize("who", ["men", "women"])
@pytest.mark.parametrize("seed", range(3))
def test_seats_on_each_device(each_device, seed, who, tmp_path):
    """Several warps, on a GPU many blocks, race for few seats."""
    on_gpu = each_device.name == "cuda"
    graph = crowd(seed, 3000, 200) if on_gpu else crowd(seed, 100, 20)
    for _ in range(5 if on_gpu else 1):  # on a GPU no two runs are alike
        result = gpucore.run("marriage", graph, device=each_device, record="events", proposers=who)
        assert result.certificate.ok
        record = check(graph, result, tmp_path)
        assert not record.lost_events
        assert {Kind.ENGAGE, Kind.LEAVE} <= set(record.events["kind"].tolist())


def test_recording_seats_changes_no_assignment(each_device):
    graph = crowd(4, 200, 30)
    pairs = []
    for level in ("off", "counters", "events"):
        result = gpucore.run("marriage", graph, device=each_device, record=level)
        pairs.append(sorted(zip(result.men.tolist(), result.women.tolist(), strict=True)))
    assert pairs[0] == pairs[1] == pairs[2]


@pytest.mark.parametrize("who", ["men", "women"])
@pytest.mark.parametrize(("name", "params"), METHODS)
def test_methods_on_the_processor(name, params, who, tmp_path):
    graph = crowd(3)
    result = uncertified(name, graph, record="events", proposers=who, **params)
    check(graph, result, tmp_path)


def test_common_lists(tmp_path):
    rng = np.random.default_rng(11)
    order, standing = rng.permutation(12), rng.permutation(30) + 1
    problem = Preferences.shared(order, standing, woman_capacity=rng.integers(1, 4, 12))
    record = on_host(problem, 5).record
    assert marriage_timeline(record).exact


def test_a_seat_that_is_lost_has_a_sentence():
    record = on_host(crowd(1), 1).record
    event = int(np.flatnonzero(record.events["kind"] == Kind.LEAVE)[0])
    assert "takes the seat of man" in describe(record, event)


def test_a_wrong_displacement_is_noticed():
    record = on_host(crowd(1), 1).record
    events = {name: column.copy() for name, column in record.events.items()}
    kind = events["kind"]
    first, second = np.flatnonzero(kind == Kind.LEAVE)[:2]
    events["c"][second], events["b"][second] = events["c"][first], events["b"][first]
    assert marriage_timeline(dataclasses.replace(record, events=events)).doubt


@pytest.mark.parametrize("part", ["indptr", "listed", "capacity"])
def test_a_record_without_its_lists_is_damaged(part):
    record = on_host(crowd(1), 1).record
    initial = {name: values for name, values in record.initial.items() if name != part}
    with pytest.raises(RecordError, match=part):
        marriage_timeline(dataclasses.replace(record, initial=initial))


def test_counters_have_no_lists():
    record = on_host(crowd(1), 1, level="counters").record
    assert (record.num_events, dict(record.initial)) == (0, {})
    assert record.steps["engaged"].sum() > 0
