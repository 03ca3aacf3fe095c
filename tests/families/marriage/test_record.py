"""Records of stable marriages replay to what the kernels left, in an order that can have been."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.errors import RecordError
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.record import RECORD
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Player, Record
from gpucore.record.wire import decode, encode
from gpucore.record.words import describe, naming, sentence_columns
from support.strategies import preferences

from .simulation import record_of, simulate

VARIANTS = ("mw", "fast", "gs")
#: All want the same women, and these the same men.
ALIKE = Preferences.shared(range(6), [6, 5, 4, 3, 2, 1]).expanded()
SHORT = Preferences.from_lists([[0], [0], [0, 1]], [[2, 0, 1], [2]], names=list("abcde"))

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ways = st.fixed_dictionaries(
    {
        "proposers": st.sampled_from(["men", "women"]),
        "warps": st.integers(1, 4),
        "seed": st.integers(0, 2**32),
        "stickiness": st.sampled_from([0, 0.6, 0.95]),
        "hasty": st.booleans(),
        "looks": st.sampled_from([0, 1, 4]),
    }
)


def men_optimal(problem):
    """Return the wives of deferred acceptance, one man after the other."""
    lists, husband = [list(row) for row in problem.lists()[0]], {}
    free = list(range(problem.num_men))
    while free:
        man = free.pop()
        if lists[man]:
            woman = lists[man].pop(0)
            rivals = [man, *([husband[woman]] if woman in husband else [])]
            rivals.sort(key=lambda rival: problem.rank(rival, woman)[1])
            husband[woman] = rivals[0]
            free += rivals[1:]
    wife = {man: woman for woman, man in husband.items()}
    return [wife.get(man, -1) for man in range(problem.num_men)]


@pytest.mark.parametrize("variant", VARIANTS)
@often
@given(preferences(), ways)
def test_the_end_of_the_replay_is_the_end_of_the_run(variant, problem, how):
    record = record_of(problem, variant, **how)
    timeline = marriage_timeline(record)
    assert timeline.doubt == ""
    end, men = timeline.state(len(timeline)), problem.num_men
    assert np.array_equal(end["mate"], record.final["mate"])
    side = slice(0, men) if how["proposers"] == "men" else slice(men, None)
    assert np.array_equal(end["alone"][side] == 1, end["mate"][side] < 0)
    swapped = problem if how["proposers"] == "men" else problem.swapped()
    best = np.array(men_optimal(swapped))
    there = np.where(best >= 0, best + (men if how["proposers"] == "men" else 0), -1)
    assert np.array_equal(end["mate"][side], there)


@pytest.mark.parametrize("variant", VARIANTS)
@often
@given(preferences(), ways)
def test_every_prefix_is_legal(variant, problem, how):
    record = record_of(problem, variant, **how)
    timeline = marriage_timeline(record)
    men = problem.num_men
    player, people = Player(timeline), np.arange(men + problem.num_women)
    asking = (people < men) != (how["proposers"] == "women")
    before = {name: values.copy() for name, values in player.state.items()}
    for time in range(1, len(timeline) + 1):
        state = player.seek(time)
        mate, place = state["mate"], state["place"]
        engaged = np.flatnonzero(mate >= 0)
        assert np.array_equal(mate[mate[engaged]], engaged)  # each has one partner
        for man in engaged[engaged < men].tolist():
            woman = int(mate[man])
            assert (place[man], place[woman]) == problem.rank(man, woman - men)
        assert np.all(place[asking] >= before["place"][asking])  # down the list
        held = ~asking & (before["mate"] >= 0)
        assert np.all(mate[held] >= 0)  # an engaged woman stays engaged
        assert np.all(place[held] <= before["place"][held])  # and only improves
        before = {name: values.copy() for name, values in state.items()}


@settings(max_examples=25, deadline=None)
@given(preferences(), ways, st.data())
def test_every_way_to_an_event_leads_to_the_same_state(problem, how, data):
    variant = data.draw(st.sampled_from(VARIANTS))
    timeline = marriage_timeline(record_of(problem, variant, **how))
    straight = [timeline.state(time) for time in range(len(timeline) + 1)]
    player = Player(timeline)
    jumps = data.draw(st.lists(st.integers(0, len(timeline)), max_size=12))
    for time in [*jumps, *reversed(range(len(timeline) + 1))]:
        state = player.seek(time)
        assert all(np.array_equal(state[name], straight[time][name]) for name in state)


@pytest.mark.parametrize("variant", VARIANTS)
@often
@given(preferences(), ways)
def test_curves_count_what_the_states_show(variant, problem, how):
    timeline = marriage_timeline(record_of(problem, variant, **how))
    men, curves = problem.num_men, timeline.curves
    asking = np.arange(men + problem.num_women) < men
    asking ^= how["proposers"] == "women"
    for time in range(len(timeline) + 1):
        state = timeline.state(time)
        engaged = state["mate"] >= 0
        assert timeline.pairs[time] == np.count_nonzero(engaged) / 2
        assert curves.considered[time] == state["place"][asking].sum()
        if engaged.any():
            ranks = [state["place"][engaged & side].mean() for side in (asking, ~asking)]
            found = [timeline.men_rank[time], timeline.women_rank[time]]
            assert found[:: -1 if how["proposers"] == "women" else 1] == pytest.approx(ranks)
        else:
            assert np.isnan(timeline.men_rank[time])


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_agree_with_the_events(variant):
    record = record_of(ALIKE, variant, seed=4)
    kind, iteration = record.events["kind"], record.events["iteration"]
    for name, which in {
        "skipped": Kind.SKIP,
        "engaged": Kind.ENGAGE,
        "refused": Kind.REFUSE,
        "failed": Kind.FAILED,
    }.items():
        counted = np.bincount(iteration[kind == which], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name
    timeline = marriage_timeline(record)
    assert record.steps["objective"][-1] == timeline.pairs[-1] == 6
    assert record.steps["considered"].sum() == timeline.curves.considered[-1] == 21
    once = slice(None, None, 2 if variant == "gs" else 1)
    assert record.steps["proposals"][once].sum() == timeline.curves.proposals[-1]
    if variant == "gs":
        assert record.steps["round"].tolist() == sorted([*range(record.num_steps // 2)] * 2)
        assert record.steps["free"][0] == 6


def test_the_machines_do_race():
    """Guards the tests above: slots are out of order, and compare-and-swaps fail."""
    kinds, disorder = set(), 0
    for seed in range(20):
        machine = simulate(ALIKE, "mw", seed=seed, stickiness=0.2, hasty=seed % 2 == 0)
        kinds |= {event[2] for event in machine.logged}
        engaged = [event for event in machine.logged if event[2] == Kind.ENGAGE]
        ranks = {woman: [e[8] for e in engaged if e[5] == woman] for woman in range(6, 12)}
        disorder += any(found != sorted(found, reverse=True) for found in ranks.values())
    assert {Kind.ENGAGE, Kind.REFUSE, Kind.SKIP, Kind.FAILED} <= kinds
    assert disorder > 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_without_events_has_the_counters(variant):
    record = record_of(ALIKE, variant, seed=3, level="counters")
    timeline = marriage_timeline(record)
    assert len(timeline) == 0
    assert "without events" in timeline.doubt
    assert record.steps["objective"][-1] == 6


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("capacity", [0, 5, 15])
def test_lost_events_make_a_replay_inexact_and_say_so(variant, capacity):
    timeline = marriage_timeline(record_of(ALIKE, variant, seed=3, capacity=capacity))
    assert len(timeline) == capacity
    assert "did not fit" in timeline.doubt


def test_a_saved_record_plays_alike(tmp_path):
    record = record_of(ALIKE, "fast", proposers="women", seed=5)
    record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == record.header
    played, other = marriage_timeline(again), marriage_timeline(record)
    assert played.exact
    assert played.proposers == "women"
    for name in ("offsets", "field", "index", "old", "new", "pairs", "women_rank"):
        assert np.array_equal(getattr(played, name), getattr(other, name), equal_nan=True)


def test_a_browser_gets_the_same():
    record = record_of(SHORT, "gs", seed=5)
    timeline = marriage_timeline(record)
    arrays = {name: getattr(timeline, name) for name in ("field", "index", "old", "new")}
    meta, again = decode(encode({**naming(record)}, {**arrays, **timeline.fields}))
    assert meta["family"] == "marriage"
    assert (meta["rows"], meta["sides"]) == (3, ["man ", "woman "])
    assert meta["sentences"]["1"] == RECORD.sentences[Kind.ENGAGE]
    assert all(np.array_equal(again[name], values) for name, values in arrays.items())
    assert "batch" in sentence_columns(record)


def test_every_kind_has_words():
    assert set(RECORD.sentences) == set(Kind)
    kinds = set()
    for seed in range(12):
        for variant in VARIANTS:
            record = record_of(ALIKE, variant, seed=seed, stickiness=0, hasty=seed % 2 == 0)
            kinds |= set(record.events["kind"].tolist())
            for event in range(record.num_events):
                assert not any(sign in describe(record, event) for sign in "{}[|]")
    assert kinds == set(Kind) - {Kind.ALONE, Kind.LEAVE}


def test_events_in_words():
    record = record_of(SHORT, "fast", warps=1, stickiness=1, seed=1)
    texts = [describe(record, event) for event in range(record.num_events)]
    assert "man 2 proposes to woman 0, his choice number 1; she ranks him 1 and leaves man 0" in (
        texts
    )
    assert "man 1 has come to the end of his list and stays alone" in texts
    named = [describe(record, event, SHORT.names) for event in range(record.num_events)]
    assert "c proposes to d, his choice number 1; she ranks him 1 and leaves a" in named
    record = record_of(SHORT, "fast", warps=1, seed=1, proposers="women")
    texts = [describe(record, event) for event in range(record.num_events)]
    assert "woman 0 proposes to man 2, her choice number 1; he ranks her 1 and leaves woman 1" in (
        texts
    )
    lengths = record.events["value"][record.events["kind"] == Kind.ALONE]
    assert lengths.tolist() == [1.0]


def change(part, **values):
    return lambda record: {part: {**getattr(record, part), **values}}


def swap(kind, column, value):
    def changed(record):
        events = record.events
        new = np.where(events["kind"] == kind, value, events[column])
        return {"events": {**events, column: new.astype(events[column].dtype)}}

    return changed


DOUBTS = {
    "contradict": change("header", consistent=False),
    "event 0 cannot follow": swap(Kind.ENGAGE, "c", 5),
    "cannot follow those": swap(Kind.SKIP, "batch", 1),
    "do not lead": change("final", mate=np.full(12, -1, np.int32)),
}
DAMAGES = {
    "not of a stable marriage": change("header", family="matching"),
    "men and women": change("header", proposers="cats"),
    "final mates": lambda r: {"final": {}},
    "none of the 12": change("final", mate=np.full(12, 12, np.int32)),
    "unknown kind": lambda r: {"events": {**r.events, "kind": r.events["kind"] + np.uint8(9)}},
    "names b outside": swap(Kind.ENGAGE, "b", 3),
    "names a outside": swap(Kind.SKIP, "a", -1),
    "rank \\(value\\)": swap(Kind.ENGAGE, "value", np.nan),
    "rank \\(batch\\)": swap(Kind.ENGAGE, "batch", 0),
    "no column 'c'": lambda r: {"events": {k: v for k, v in r.events.items() if k != "c"}},
    "no column 'batch'": lambda r: {"events": {k: v for k, v in r.events.items() if k != "batch"}},
}


@pytest.mark.parametrize("why", DOUBTS)
def test_doubts_are_named(why):
    record = record_of(ALIKE, seed=1)
    assert why in marriage_timeline(dataclasses.replace(record, **DOUBTS[why](record))).doubt


@pytest.mark.parametrize("why", DAMAGES)
def test_damaged_records_are_refused(why):
    record = record_of(ALIKE, seed=1)
    with pytest.raises(RecordError, match=why):
        marriage_timeline(dataclasses.replace(record, **DAMAGES[why](record)))
