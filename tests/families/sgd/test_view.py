"""The view of factorisations: results of records, charts, comparisons, and the browser's data."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import gpucore
from gpucore.errors import RecordError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.record import Kind, sgd_timeline
from gpucore.family import get_runner, methods
from gpucore.loading import load
from gpucore.record.wire import decode
from support.drawings import check_measures
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.comparison.contenders import Contender, ContenderChooser
from warplens.app.comparison.results import Side, table_card, verdict_card
from warplens.app.families.sgd.charts import attempts, in_steps, lock_operations
from warplens.app.layout.positions import positions_of
from warplens.app.outcomes.replay import still
from warplens.app.pages import get_view
from warplens.app.widgets.player.payload import player_payload

from .cases import OFFLINE, factor, random_ratings

VARIANTS = get_runner("sgd").variant_names

VIEW = get_view("sgd")
SAMPLE = load("sample_ratings", "ratings")
TWO = {"threads": 2, "sweeps": 2, "test": 0.0, "tile_items": 2, "tile_users": 2}


def run(variant, ratings=SAMPLE, record="events", **more):
    return factor(ratings, variant, record=record, **(TWO | more))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("more", [{}, {"biases": True, "k": 24, "test": 0.2}], ids=["", "biases"])
def test_an_opened_record_says_what_the_run_said(variant, more):
    made = run(variant, **more)
    opened = VIEW.result(made.record, SAMPLE)
    assert certify(SAMPLE, opened).ok
    np.testing.assert_array_equal(opened.users, made.users)
    np.testing.assert_array_equal(opened.biases, made.biases)
    for name in ("rmse", "test_rmse", "rmse_by_sweep", "seconds_by_sweep", "passes", "ratings"):
        assert opened.figures[name] == made.figures[name], name
    unmeasured = ("Updates a second", "Preprocessing")
    lines = [line for line in VIEW.measures(made, SAMPLE) if line[0] not in unmeasured]
    assert VIEW.measures(opened, SAMPLE) == lines


def test_what_a_sweep_counts_from_one_is_not_what_a_run_counts_from_zero():
    counted = {one["name"] for one in run("el").record.header["passes"]}
    assert counted == {"pass"}
    assert VIEW.turn not in counted | {"sweep", "step"}


def test_a_record_without_its_vectors_is_refused():
    record = run("el").record
    del record.final["v3"]
    with pytest.raises(RecordError, match="lacks components"):
        VIEW.result(record, SAMPLE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_curves_follow_the_states(variant):
    made = run(variant, threads=4)
    timeline = sgd_timeline(made.record)
    assert timeline.exact
    error = VIEW.objective(timeline)
    assert (error[0], error[-1]) == (made.figures["rmse_by_sweep"][0], made.rmse)
    assert sorted(set(error)) == sorted(made.figures["rmse_by_sweep"])
    waiting, updated = (series.by_event(timeline) for series in VIEW.charts.series)
    for time in range(len(timeline) + 1):
        state = timeline.state(time)
        assert waiting[time] == np.count_nonzero(state["waiting"])
        assert updated[time] == state["processed"].sum()
    assert waiting[-1] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_charts_count_what_the_kernels_counted(variant):
    record = run(variant, threads=4).record
    counts = attempts(record)
    assert counts.sum() == 2 * 12
    assert (counts * np.arange(len(counts))).sum() == record.num_events
    updates, deferrals = in_steps(record)
    first = [p["sweep"] == 0 for p in record.header["passes"]]
    assert updates.sum() == 12
    assert deferrals.sum() == sum(
        record.steps[name][first].sum() for name in ("user_busy", "item_busy")
    )
    assert lock_operations(record).sum() == record.steps["atomics"].sum()


@pytest.mark.parametrize("variant", VARIANTS)
def test_barriers_separate_the_steps_of_a_launch(variant):
    """No worker is in a later part of the launch before all have ended the earlier one."""
    record = run(variant, random_ratings(), threads=4, stripes=2).record
    events, barriers = record.events, record.header["barriers"]
    assert len(barriers) == sum(p["sweep"] == 0 for p in record.header["passes"])
    for launch, steps in enumerate(barriers):
        mine = events["iteration"] == launch
        part = np.searchsorted(steps, events["batch"][mine], side="right")
        assert (np.diff(part) >= 0).all()
        if variant in OFFLINE:  # the last barrier ends the launch
            assert events["batch"][mine].max(initial=-1) < steps[-1]
    assert any(barriers) == (variant in (*OFFLINE, "el_sgm"))


def test_the_schedules_of_the_paper():
    """Figures 4 to 6 on two threads; the matchings of seed 7 have the paper's counts."""
    agm_e, agm_n = (run(v, order_seed=7).record.header["barriers"] for v in ("agm_e", "agm_n"))
    assert agm_e == [[2, 4, 6, 7, 8]]
    assert [len(block) for block in agm_n] == [5, 4]
    # The figure lists nine diagonals; one has no rating, and no barrier.
    assert len(run("diag").record.header["barriers"][0]) == 8
    assert len(run("blkdiag").record.header["barriers"][0]) == 4
    assert VIEW.variant == "el"
    first = {choice.name: choice.initial for choice in VIEW.choices}
    assert (first["threads"], first["order_seed"], first["test"]) == (2, 7, 0.0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("record", ["counters", "events"])
def test_every_drawing_draws_every_run(variant, record):
    kept = run(variant, record=record, test=0.2).record
    for drawing in VIEW.charts.drawings:
        for colours in (LIGHT, DARK):
            drawn = drawing.draw(kept, None, colours, False)
            assert not isinstance(drawn, str) or drawn.endswith(".")
            if isinstance(drawn, str):
                assert record == "counters" or "no atomic operation" in drawn
    check_measures(VIEW, kept.warps)


def test_the_browser_gets_ratings_before_and_after():
    places = positions_of(SAMPLE)
    meta, arrays = decode(still(SAMPLE, places, VIEW, "sample"))
    assert (meta["rows"], meta["nouns"], meta["sides"]) == (6, ["user", "item"], ["u", "m"])
    ends = np.stack([arrays["edges/u"], arrays["edges/v"]])[:, arrays["ratings/place"]]
    # a to e are the ratings of m0, in the order of the users.
    assert ends[:, :5].tolist() == [[0, 1, 2, 3, 4], [6] * 5]
    made = run("blkdiag", test=0.25)
    meta, arrays = decode(player_payload(VIEW, SAMPLE, made.record, positions=places))
    assert (meta["threads"], meta["lanes"], meta["tiles"]) == (2, 8, [2, 2])
    assert meta["held"] == arrays["ratings/held"].sum() == 3
    seen = np.unique(made.record.events["c"])
    assert not arrays["ratings/held"][seen].any()
    assert np.array_equal(arrays["events/batch"], made.record.events["batch"])
    assert np.array_equal(arrays["events/lane"], made.record.events["lane"])
    assert arrays["series/objective"][-1] == pytest.approx(made.rmse)
    assert "is deferred" in json.dumps(meta["sentences"])


def test_many_ratings_are_recorded_as_counters():
    many = load("un_votes", "ratings")
    assert "870,109" in VIEW.no_events_reason(many)
    assert VIEW.no_events_reason(SAMPLE) == ""


def test_offered_comparisons_can_be_run():
    chooser = ContenderChooser("First", VIEW, gpu=False, guard=lambda call: call)
    for offered in VIEW.installed_comparisons():
        for wanted in offered.runs:
            name = wanted["name"]
            assert name in methods() or name == "sgd"
            chooser.choose(wanted)
            found = chooser.contender()
            assert found.name == name
            if name == "sgd":
                params = get_runner("sgd").params(**found.params)
                assert params.variant == wanted["variant"]
                expected = wanted.get("threads", 2)
                assert params.threads == expected


def test_what_is_chosen_first_runs_on_a_laptop():
    params = {c.name: c.initial for c in VIEW.choices}
    for variant in VARIANTS:
        SgdParams(variant=variant, **params)
    made = gpucore.run("sgd", SAMPLE, device="host", variant=VIEW.variant, **params)
    assert made.certificate.ok
    assert Kind.UPDATE in VIEW.code.listings["sgd", VIEW.variant].steps


def sides_of(results):
    labels = [Contender("sgd", "host", {"variant": "el"}) for _ in results]
    return [Side(label, result) for label, result in zip(labels, results, strict=True)]


def test_different_factorisations_are_compared_by_their_errors():
    some = [run(variant, random_ratings(), record="off", test=0.1) for variant in ("el", "diag")]
    sides = sides_of(some)
    verdict, table = verdict_card(sides, VIEW), table_card(sides, random_ratings(), VIEW)
    least, most = sorted(result.rmse for result in some)
    said = f"{least:.4f} to {most:.4f}, {(most - least) / least:.1%}".replace("%", " %")
    assert f"in different factorisations: their training errors are {said} apart and " in verdict
    assert "test errors are" in verdict
    assert "Another order of the updates" in verdict
    assert "bad" not in verdict
    assert "vertices" not in verdict + table
    assert f"<td>{some[1].rmse - some[0].rmse:+.4f}</td>" in table
    head, *rows = table.split("</tr>")[:3]
    assert {row.count("</td>") for row in rows} == {head.count("</th>")}


def test_equal_factorisations_are_called_the_same():
    one = run("agm_e", record="off")
    assert "in the same factorisation: 10 of 10 vertices equal" in verdict_card(
        sides_of([one, run("agm_e", record="off")]), VIEW
    )
    without = dataclasses.replace(one, figures=one.figures | {"test_rmse": None})
    assert VIEW.apart([one, without]) == (
        f"their training errors are {one.rmse:.4f} to {one.rmse:.4f}, 0.0 % apart."
    )
