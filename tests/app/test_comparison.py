"""Comparisons: runs, texts about their results, and refusals."""

import dataclasses
import threading

import numpy as np
import pytest

from gpucore.errors import Cancelled, ParameterError
from gpucore.record.wire import decode
from warplens.app.comparison.contenders import Contender, ContenderChooser
from warplens.app.comparison.results import (
    equal_vertices,
    players,
    run_all,
    table_card,
    verdict_card,
)
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view

VIEW = get_view("matching")
RANDOM = {"policy": "random", "yield_atomic": 0.25}


def kernel(seed, **params):
    return Contender("suitor", "host", {"variant": "nosync", **params}, {**RANDOM, "seed": seed})


def nothing(phase, done, total):
    pass


@pytest.fixture(scope="module")
def sides(lesmis):
    contenders = [kernel(1), kernel(2), Contender("greedy", "cpu")]
    return run_all(contenders, lesmis, VIEW, PageLimits(), nothing, threading.Event())


def test_kernels_and_processor_end_alike(sides, lesmis):
    assert [side.error for side in sides] == ["", "", ""]
    assert all(side.timeline.exact for side in sides)
    assert equal_vertices([side.result for side in sides]) == (77, 77)
    assert "All 3 runs end in the same matching: 77 of 77 vertices equal." in verdict_card(
        sides, VIEW
    )
    table = table_card(sides, lesmis, VIEW)
    assert table.count("Certified") == 3
    assert "Greedy" in table
    assert "random schedule 2" in table
    assert "say nothing about a GPU" in table


def test_different_results_are_told(sides):
    result = sides[0].result
    mate = result.mate.copy()
    pair = np.flatnonzero(mate >= 0)[0]
    mate[[pair, mate[pair]]] = -1
    other = dataclasses.replace(sides[1], result=dataclasses.replace(result, mate=mate))
    card = verdict_card([sides[0], other], VIEW)
    assert "different matchings: 75 of 77 vertices equal" in card
    assert "good" not in card


def test_a_run_that_fails_leaves_the_others(lesmis):
    wrong = kernel(1, threads_per_block=7)
    sides = run_all([wrong, kernel(1)], lesmis, VIEW, PageLimits(), nothing, threading.Event())
    assert sides[0].result is None
    assert "threads_per_block" in sides[0].error
    assert "threads_per_block" in table_card(sides, lesmis, VIEW)
    assert "no two results" in verdict_card(sides, VIEW)
    message, remark = players(sides, lesmis, None, VIEW, PageLimits())
    assert decode(message)[0]["titles"] == [kernel(1).label]
    assert remark == ""


def test_what_the_browser_gets(sides, lesmis):
    positions = positions_of(lesmis, max_vertices=1000, max_edges=1000)
    message, remark = players(sides, lesmis, positions, VIEW, PageLimits())
    meta, arrays = decode(message)
    assert "clocks count different things: nanoseconds, steps" in remark
    assert "time" in dict(meta["alignments"])
    assert meta["titles"] == [side.contender.label for side in sides]
    assert meta["compared"] == ["suitor", "target", "exhausted"]
    for how, _ in meta["alignments"]:
        for k in range(3):
            assert arrays[f"clock/{how}/{k}"][-1] == len(sides[k].timeline)
    inner, _ = decode(arrays["run/1"].tobytes())
    assert inner["n"] == 77


def test_kernels_keep_their_own_pace_on_one_clock(sides, lesmis):
    message, remark = players(sides[:2], lesmis, None, VIEW, PageLimits())
    assert "the runs keep their own pace, in steps" in remark
    assert decode(message)[0]["span"]["unit"] == "steps"


def test_methods_are_played_with_the_chosen_number_of_threads(lesmis):
    chosen = [Contender("suitor_omp", "cpu", {"threads": 3}), Contender("suitor_serial", "cpu")]
    sides = run_all(chosen, lesmis, VIEW, PageLimits(), nothing, threading.Event())
    message, remark = players(sides, lesmis, None, VIEW, PageLimits())
    meta, _ = decode(message)
    assert meta["titles"] == ["Suitor, multicore, 3 threads", "Suitor, serial"]
    assert meta["span"]["unit"] == "µs"
    assert "the runs keep their own pace, in nanoseconds" in remark
    assert sides[0].result.device["threads"] == 3


def test_methods_of_other_libraries_are_tabled_only_and_the_page_says_so(lesmis):
    view = dataclasses.replace(VIEW, guests={"greedy": lambda result: result})
    guest = [Contender("greedy", "cpu")]
    beside = run_all([kernel(1), *guest], lesmis, view, PageLimits(), nothing, threading.Event())
    message, remark = players(beside, lesmis, None, view, PageLimits())
    assert decode(message)[0]["titles"] == [kernel(1).label]
    assert "Greedy: a CPU method without a record" in remark
    alone = run_all(guest, lesmis, view, PageLimits(), nothing, threading.Event())
    message, remark = players(alone, lesmis, None, view, PageLimits())
    assert message == b""
    assert "These methods keep no record" in remark


def test_a_recorded_run_without_times_has_no_common_time(lesmis):
    shown = Contender("lesmis-suitor-nosync", "gallery")
    (recorded,) = run_all([shown], lesmis, VIEW, PageLimits(), nothing, threading.Event())
    record = recorded.result.record
    events = {name: column for name, column in record.events.items() if name != "time"}
    old = dataclasses.replace(
        recorded,
        result=dataclasses.replace(
            recorded.result, record=dataclasses.replace(record, events=events)
        ),
    )
    (here,) = run_all([kernel(1)], lesmis, VIEW, PageLimits(), nothing, threading.Event())
    message, remark = players([old, here], lesmis, None, VIEW, PageLimits())
    assert "time" not in dict(decode(message)[0]["alignments"])
    assert "was recorded without times" in remark


def test_too_much_for_the_browser_is_said(sides, lesmis):
    limits = PageLimits(payload_bytes=20_000)
    message, remark = players(sides, lesmis, None, VIEW, limits)
    assert message == b""
    assert "more than the 20 KiB" in remark


def test_larger_graphs_are_compared_without_players(lesmis):
    limits = PageLimits(record_edges=10)
    sides = run_all([kernel(1), kernel(2)], lesmis, VIEW, limits, nothing, threading.Event())
    message, remark = players(sides, lesmis, None, VIEW, limits)
    assert message == b""
    assert "more than 10 edges" in remark
    assert "same matching" in verdict_card(sides, VIEW)


def test_a_cancelled_comparison_stops(lesmis):
    cancel = threading.Event()
    started = []

    def progress(phase, done, total):
        started.append(phase)
        cancel.set()

    with pytest.raises(Cancelled):
        run_all([kernel(1), kernel(2)], lesmis, VIEW, PageLimits(), progress, cancel)
    assert len(started) == 1


def test_a_recorded_run_beside_ones_own(lesmis):
    recorded = Contender("lesmis-suitor-nosync", "gallery")
    sides = run_all([recorded, kernel(1)], lesmis, VIEW, PageLimits(), nothing, threading.Event())
    assert "Both runs end in the same matching: 77 of 77" in verdict_card(sides, VIEW)
    assert "GPU, recorded, NVIDIA H100" in table_card(sides, lesmis, VIEW)
    assert len(decode(players(sides, lesmis, None, VIEW, PageLimits())[0])[0]["titles"]) == 2
    other = Contender("football-suitor-nosync", "gallery")
    (side,) = run_all([other], lesmis, VIEW, PageLimits(), nothing, threading.Event())
    assert "'football'; choose that graph" in side.error


@pytest.fixture
def chooser():
    return ContenderChooser("First run", VIEW, gpu=False, guard=lambda callback: callback)


def test_the_chooser_asks_for_what_matters(chooser):
    chooser.choose({"name": "suitor", "variant": "nosync", "vertices_per_warp": 8, "seed": 5})
    contender = chooser.contender()
    assert contender.params["vertices_per_warp"] == 8
    assert "lb_iterations" not in contender.params
    assert contender.options["seed"] == 5
    chooser.choose({"name": "greedy"})
    assert chooser.contender() == Contender("greedy", "cpu")
    chooser.choose({"name": "ld", "policy": "sequential"})
    assert chooser.contender().options["policy"] == "sequential"
    assert chooser.contender().params["variant"] == "ld"


@pytest.mark.parametrize(
    "wanted", [{"name": "sutor"}, {"name": "suitor", "colour": 1}, {"seed": "x"}]
)
def test_the_chooser_refuses_what_it_does_not_know(chooser, wanted):
    with pytest.raises(ParameterError):
        chooser.choose(wanted)


def test_every_contest_of_the_view_can_be_chosen_and_run(chooser, lesmis):
    for offered in VIEW.installed_comparisons():
        contenders = []
        for run in offered.runs:
            chooser.choose(run)
            contenders.append(chooser.contender())
        if offered.schedules:
            contenders.append(contenders[0].with_seed(7))
        sides = run_all(contenders, lesmis, VIEW, PageLimits(), nothing, threading.Event())
        assert "same matching: 77 of 77" in verdict_card(sides, VIEW), offered.title
