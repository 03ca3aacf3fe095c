"""Runs on several ranks on the pages: the form, links, the player's message, and the charts."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

import gpucore
from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_family
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.ranks import COLUMNS, ranks_of, table_of, with_own_warps
from gpucore.record.replay import timeline_of
from gpucore.record.wire import decode
from warplens.app.charts.rank_lanes import lanes, timetable, traffic
from warplens.app.charts.section import Charts
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.dashboard.saved_runs import _settings
from warplens.app.fields.graph_chooser import GraphChooser
from warplens.app.fields.run_bar import RunBar
from warplens.app.fields.run_chooser import RunChooser
from warplens.app.layout.positions import positions_of
from warplens.app.limits import PageLimits
from warplens.app.links import permalink
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

LESMIS = for_matching(load("lesmis"))
RANKS = 3


@pytest.fixture(scope="module", params=["bmatching", "suitor"])
def record(request):
    return gpucore.run(request.param, LESMIS, device="host", ranks=RANKS, record="events").record


@pytest.fixture(scope="module")
def alone():
    return gpucore.run("suitor", LESMIS, device="host", record="events").record


def test_the_player_gets_ranks_and_bounds(record, alone):
    assert (ranks_of(record), ranks_of(alone)) == (RANKS, 1)
    view = get_view(record.header["family"])
    meta, arrays = decode(player_payload(view, LESMIS, record, positions=positions_of(LESMIS)))
    bounds = meta["ranks"]["bounds"]
    assert bounds[0] == 0
    assert bounds[-1] == 77
    np.testing.assert_array_equal(arrays["events/rank"], record.events["rank"])
    meta, arrays = decode(player_payload(view, LESMIS, alone, positions=positions_of(LESMIS)))
    assert "ranks" not in meta
    assert "events/rank" not in arrays


def test_warps_of_ranks_have_numbers_of_their_own(record, alone):
    own = with_own_warps(record)
    assert with_own_warps(alone) is alone
    for part, before in ((own.warps, record.warps), (own.events, record.events)):
        pairs = {(w, r) for w, r in zip(part["warp"], part["rank"], strict=True)}
        assert len(pairs) == len({w for w, _ in pairs})
        zero = before["rank"] == 0
        np.testing.assert_array_equal(part["warp"][zero], before["warp"][zero])
    assert timeline_of(own).exact
    rows = set(zip(own.warps["iteration"].tolist(), own.warps["warp"].tolist(), strict=True))
    assert len(rows) == len(own.warps["warp"])


def test_lanes_end_their_waits_together(record):
    table = table_of(record)
    spans = timetable(table)
    begin, met = spans["wait"]
    assert (begin <= met).all()
    np.testing.assert_allclose(met, met[:, :1] * np.ones(RANKS))
    for name in ("compute", "communication"):
        np.testing.assert_allclose(spans[name][1] - spans[name][0], table[name], atol=1e-12)
    assert (spans["compute"][0][1:] >= spans["communication"][1][:-1] - 1e-9).all()
    assert (spans["compute"][0] >= -1e-12).all()


def test_the_charts_are_drawn_for_ranks_only(record, alone):
    charts = Charts(get_view(record.header["family"]), unguarded)
    box = charts.places.tabs["Ranks"]
    charts.show(record, timeline_of(record))
    assert box.layout.display is None
    for colours in (LIGHT, DARK):
        for draw in (lanes, traffic):
            assert not isinstance(draw(record, None, colours, True), str)
    other = Charts(get_view("matching"), unguarded)
    other.show(alone, timeline_of(alone))
    assert other.places.tabs["Ranks"].layout.display == "none"


@pytest.mark.parametrize(
    "change",
    [
        {"count": 0},
        {"count": 2},
        {"bounds": [0, 77]},
        {"bounds": [0, 50, 20, 77]},
        {"bounds": "abcd"},
        {"wait": [[1.0]]},
        {"bytes": None},
    ],
)
def test_a_damaged_table_is_refused(record, change):
    header = {**record.header, "ranks": {**record.header["ranks"], **change}}
    with pytest.raises(RecordError, match="table of ranks is damaged"):
        ranks_of(dataclasses.replace(record, header=header))


def test_a_round_without_messages_has_words(record):
    nothing = np.zeros((1, RANKS)).tolist()
    table = dict.fromkeys(COLUMNS, nothing)
    header = {**record.header, "ranks": {**record.header["ranks"], **table}}
    silent = dataclasses.replace(record, header=header)
    assert traffic(silent, None, LIGHT, False).endswith(".")
    assert not isinstance(lanes(silent, None, LIGHT, False), str)


def unguarded(callback):
    return callback


def chooser(family, gpu):
    bar = RunBar(lambda: None, lambda: None, unguarded)
    known = get_family(family).load_algorithms()
    return RunChooser(known, get_view(family), gpu, bar, unguarded)


@pytest.fixture
def form():
    view = get_view("bmatching")
    graphs = GraphChooser(view, PageLimits(), lambda source: None, unguarded)
    return graphs, chooser("bmatching", gpu=True)


def test_the_form_and_its_link(form):
    graphs, runs = form
    runs.device.value = "host"
    assert runs.rank_count is None
    runs.ranks.value = 4
    assert runs.rank_count == 4
    assert runs.params() == {"b": 3}
    words = permalink.settings_of(graphs, runs)
    assert words["ranks"] == "4"
    assert "variant" not in words
    runs.ranks.value = 1
    permalink.fill_in(words, graphs, runs)
    assert runs.rank_count == 4
    permalink.fill_in({"graph": "lesmis", "algorithm": "bmatching"}, graphs, runs)
    assert runs.rank_count is None, "a link without ranks is to a run on one device"
    with pytest.raises(ParameterError, match="ranks"):
        permalink.fill_in({"graph": "lesmis", "ranks": "64"}, graphs, runs)
    runs.ranks.value = 2
    runs.device.value = "cuda"
    assert runs.rank_count is None
    assert runs.ranks.layout.display == "none"
    assert runs.params()["variant"] == "eager"


def test_a_record_of_ranks_fills_the_form(record):
    outcome = SimpleNamespace(
        result=SimpleNamespace(record=record, algorithm=record.header["algorithm"])
    )
    settings, _ = _settings(outcome, {"variant", "b", "threads_per_block"})
    assert settings["ranks"] == str(RANKS)
    assert "variant" not in settings
    assert settings["policy"] == "sequential"


def test_algorithms_without_ranks_offer_none():
    runs = chooser("redblue", gpu=False)
    runs.ranks.value = 3
    assert runs.rank_count is None
    assert runs.ranks.layout.display == "none"
