"""Records of stable marriages by the real kernels, under schedules that let them race."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.family import get_runner
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Record
from gpucore.record.recorder import EVENT_BYTES
from gpucore.record.words import describe

VARIANTS = get_runner("marriage").variant_names


def uniform(men, women, share, seed=5):
    """Each person lists this share of the other side, in random order."""
    rng = np.random.default_rng(seed)
    listed = rng.random((men, women)) < share
    of_men, of_women = (
        [rng.permutation(np.flatnonzero(row)).tolist() for row in rows]
        for rows in (listed, listed.T)
    )
    return Preferences.from_lists(of_men, of_women)


def alike(n, seed=3):
    rng = np.random.default_rng(seed)
    return Preferences.shared(rng.permutation(n), 1 + rng.permutation(n))


INSTANCES = {
    "sparse": uniform(70, 60, 0.1),
    "dense": uniform(40, 45, 0.9),
    "few women": uniform(60, 3, 1),
    "alike": alike(40),
    "alike, expanded": alike(40).expanded(),
    "no pairs": uniform(3, 2, 0),
}
#: Lanes let others go between any two accesses, so slots are out of order.
RACY = {"policy": "random", "resident": 8, "instrumented": True, "observe": "nothing"}
SCHEDULES = [
    {**RACY, "seed": 1, "yield_access": 0.9},
    {**RACY, "seed": 2, "yield_access": 0.3},
    {"threads": 2},
]


def run(problem, variant, device="host", record="events", **more):
    return gpucore.run("marriage", problem, device=device, record=record, variant=variant, **more)


def assert_exact(result):
    record, figures = result.record, result.figures
    timeline = marriage_timeline(record)
    assert timeline.doubt == ""
    assert np.array_equal(timeline.state(len(timeline))["mate"], result.mate)
    assert timeline.pairs[-1] == figures["cardinality"]
    assert timeline.curves.considered[-1] == figures["considered"]
    if record.num_events:
        assert timeline.curves.proposals[-1] == figures["proposals"]
        assert record.steps["objective"][-1] == figures["cardinality"]
        assert timeline.men_rank[-1] == pytest.approx(figures["men_mean_rank"])
        assert timeline.women_rank[-1] == pytest.approx(figures["women_mean_rank"])
    return timeline


@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_replays_end_where_kernels_end(each_device, name, variant):
    for proposers in ("men", "women"):
        assert_exact(run(INSTANCES[name], variant, each_device, proposers=proposers))


@pytest.mark.parametrize("options", SCHEDULES, ids=lambda options: str(options.get("seed", 0)))
@pytest.mark.parametrize("variant", VARIANTS)
def test_replays_are_exact_under_any_schedule(variant, options):
    device = get_device("host", **options)
    for name in ("sparse", "few women", "alike", "alike, expanded"):
        result = run(INSTANCES[name].graph(), variant, device, proposers="women")
        assert result.record.header["proposers"] == "women"
        assert_exact(result)
        assert_exact(run(INSTANCES[name], variant, device))


def test_the_kernels_do_race():
    """Guards the tests above: compare-and-swaps fail, and lanes refuse what they had hoped for."""
    kinds = set()
    for seed in range(3):
        device = get_device("host", **{**RACY, "seed": seed, "yield_access": 0.5})
        record = run(INSTANCES["few women"], "mw", device).record
        kinds |= set(record.events["kind"].tolist())
    assert {Kind.ENGAGE, Kind.REFUSE, Kind.SKIP, Kind.FAILED, Kind.ALONE} <= kinds


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_agree_with_the_events(variant):
    record = run(INSTANCES["alike, expanded"], variant).record
    kind, iteration = record.events["kind"], record.events["iteration"]
    for name, which in {
        "skipped": Kind.SKIP,
        "engaged": Kind.ENGAGE,
        "refused": Kind.REFUSE,
        "failed": Kind.FAILED,
    }.items():
        counted = np.bincount(iteration[kind == which], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name
    considered = marriage_timeline(record).curves.considered
    assert record.steps["considered"].sum() == considered[-1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_small_budget_loses_events_and_says_how_many(variant):
    whole = run(INSTANCES["alike, expanded"], variant).record
    part = run(INSTANCES["alike, expanded"], variant, record_budget=150 * EVENT_BYTES).record
    assert 0 < part.num_events < whole.num_events
    assert part.lost_events > 0
    assert "did not fit" in marriage_timeline(part).doubt


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_survive_their_files_and_every_event_has_a_sentence(tmp_path, variant):
    result = run(INSTANCES["sparse"], variant)
    result.record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == result.record.header
    assert marriage_timeline(again).exact
    sentences = [describe(again, event) for event in range(again.num_events)]
    assert sentences[0].startswith("man ")
    assert not any(sign in text for text in sentences for sign in "{}[|]")
