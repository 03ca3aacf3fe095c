"""Benchmark sessions on tiny graphs: resuming, limits, failures, reports."""

import dataclasses
import errno
import json
import os

import pytest

from gpucore.bench import cache
from gpucore.bench.details import detail_rows
from gpucore.bench.plan import Plan
from gpucore.bench.plots.experiments import plots, time_quality
from gpucore.bench.report import write_report
from gpucore.bench.results import Results, read_peers, read_results
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, Contest, Experiment, get_suite
from gpucore.bench.summary import case_times, experiment_profiles, summarise
from gpucore.bench.verdicts import verdicts
from gpucore.device import get_device
from gpucore.errors import Cancelled, GraphError, ParameterError, RecordError
from support.bench_sessions import hints, run_here

pytestmark = pytest.mark.usefixtures("small_copy")


def cases(_cores):
    return [
        Case("quick", "suitor", {"variant": "nosync"}),
        Case("plain", "ld"),
        Case("greedy", "greedy", {}, "cpu"),
    ]


@pytest.fixture
def suite():
    """The matching suite, cut down to three cases."""
    return dataclasses.replace(
        get_suite("matching"),
        experiments=(Experiment("few", "Few", "ours", cases, plot="profile"),),
        contest=Contest("quick", "few", ("few",)),
    )


@pytest.fixture
def session(suite, tmp_path):
    """Run a session on the host device; returns results, completeness and log lines."""

    def run(*graphs, **options):
        logged = []
        cancel = options.pop("cancel", None)
        changed = options.pop("suite", suite)
        plan = Plan(graphs=graphs, **{"repeat": 2, **options})
        places = (tmp_path / "out", tmp_path / "cache")
        results, complete = run_session(
            changed, plan, get_device("host"), *places, cancel=cancel, log=logged.append
        )
        return results, complete, logged

    return run


def test_every_case_is_measured_certified_and_saved(session, tmp_path):
    results, complete, logged = session("grid8", "karate")
    assert complete
    assert len(logged) == 6
    data = read_results(tmp_path / "out" / "matching.json")
    assert data == results.data
    for graph in ("grid8", "karate"):
        for case in data["measurements"][graph].values():
            assert case["seconds"] == sum(case["runs"]) / 2
            assert case["certified"] is True
            assert case["warm"] is True
    assert data["graphs"]["karate"]["edges"] == 78
    assert data["graphs"]["karate"]["least_bytes"] == 156 * 8 + 35 * 8 + 34 * 4
    assert data["copy"]["bandwidth"] > 0
    assert data["setup"]["device"]["name"] == "host"


def test_what_was_measured_is_not_measured_again(session):
    session("grid8")
    results, _, logged = session("grid8", "karate")
    assert [words.split(":")[0] for words in logged] == ["karate"] * 3
    assert set(results.data["measurements"]) == {"grid8", "karate"}


def test_other_code_puts_the_old_times_aside(session, tmp_path):
    results, _, _ = session("grid8")
    results.data["setup"]["code"] = "another"
    results.save()
    _, _, logged = session("karate")
    assert len(logged) == 3
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(files) == 2
    assert list(read_results(tmp_path / "out" / "matching.json")["measurements"]) == ["karate"]


def test_the_time_limit_ends_in_good_order(session):
    results, complete, logged = session("grid8", time_limit=0.0)
    assert not complete
    assert results.data["measurements"] == {}
    assert "time limit" in logged[-1]
    _, complete, _ = session("grid8")
    assert complete


def test_what_the_summary_compares_is_measured_first_on_all_graphs(session, suite):
    quick, plain, greedy = cases(2)
    apart = dataclasses.replace(greedy, label="apart", separate=True)
    other = Case("other", "ld", {"threads_per_block": 64})
    changed = dataclasses.replace(
        suite,
        experiments=(
            Experiment("more", "More", "ours", lambda _: [other, plain, quick]),
            Experiment("few", "Few", "ours", lambda _: [quick, apart]),
            Experiment("most", "Most", "ours", lambda _: [plain, plain, other, quick]),
        ),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpucore.bench.session.run_jobs", run_here)
        _, complete, logged = session("grid8", "karate", suite=changed)
    assert complete
    heads = [words.split(": ")[:2] for words in logged]
    assert heads == [
        *([graph, "quick"] for graph in ("grid8", "karate")),
        *([graph, "apart"] for graph in ("grid8", "karate")),
        *([graph, label] for graph in ("grid8", "karate") for label in ("other", "plain")),
    ]


def test_small_graphs_are_kept_and_large_ones_are_not(monkeypatch, tmp_path):
    prepared = cache.PreparedGraphs(tmp_path, None, lambda graph: graph)
    assert prepared.get("grid8") is prepared.get("grid8")
    monkeypatch.setattr(cache, "available_memory", lambda: 1000)
    assert prepared.get("grid12") is not prepared.get("grid12")
    assert prepared.get("grid8") is prepared.get("grid8")


class AfterSome:
    """A cancel event that is set after it was asked a number of times."""

    def __init__(self, looks):
        self.looks = looks

    def is_set(self):
        self.looks -= 1
        return self.looks < 0


def test_a_cancelled_session_keeps_what_it_has(session, tmp_path):
    with pytest.raises(Cancelled):
        session("karate", cancel=AfterSome(12))
    kept = read_results(tmp_path / "out" / "matching.json")["measurements"]
    assert sum("seconds" in case for case in kept.get("karate", {}).values()) < 3
    _, complete, logged = session("karate")
    assert complete
    assert len(logged) == 3 - len(kept.get("karate", {}))


def test_a_case_that_fails_is_noted_and_tried_again(session, suite):
    def with_failure(cores):
        return [*cases(cores), Case("broken", "suitor", {"threads_per_block": 7})]

    broken = dataclasses.replace(
        suite, experiments=(Experiment("few", "Few", "ours", with_failure),)
    )
    results, complete, logged = session("karate", suite=broken)
    assert complete
    assert "threads_per_block" in logged[-1]
    profiles = {profile.method: profile for profile in experiment_profiles(results.data, "few")}
    assert "broken" not in profiles
    assert len(session("karate", suite=broken)[2]) == 1


def test_a_slow_case_gets_fewer_runs_but_a_warm_one(session):
    results, _, _ = session("karate", case_limit=0.0)
    for case in results.data["measurements"]["karate"].values():
        assert (len(case["runs"]), case["warm"]) == (1, True)


def test_no_report_shows_the_time_of_a_warm_up(session, suite, tmp_path):
    once = [Case("once", "ld", runs=1), Case("quick", "suitor", {"variant": "nosync"})]
    changed = dataclasses.replace(
        suite, experiments=(Experiment("few", "Few", "ours", lambda _: once, plot="bars"),)
    )
    results, _, _ = session("karate", suite=changed)
    cold = results.data["measurements"]["karate"]["ld()@device"]
    assert (cold["warm"], cold["certified"]) == (False, True)
    assert set(case_times(results.data, "few")) == {"quick"}
    assert {row[1] for row in detail_rows(changed, results.data)} == {"quick"}
    assert ">once<" not in write_report(changed, results.data, tmp_path / "out").read_text()


def test_the_report_says_how_many_solutions_were_certified(session, suite, tmp_path):
    cases = [
        Case("quick", "suitor", {"variant": "nosync"}),
        Case("study", "greedy_random", {}, "cpu", study=True),
    ]
    changed = dataclasses.replace(
        suite, experiments=(Experiment("few", "Few", "ours", lambda _: cases, plot="bars"),)
    )
    results, _, _ = session("karate", suite=changed, study_limit=0)
    assert verdicts(results.data) == (2, 1, 0, 2, 1, 0)
    text = write_report(changed, results.data, tmp_path / "out").read_text()
    assert "1 of 2 measurements; 1 of 2 different solutions were examined" in text
    assert "1 of 2 certified" in text
    results, _, _ = session("grid8", suite=changed)
    assert results.data["measurements"]["grid8"]["greedy_random()@cpu"]["certified"] is True


def test_the_spread_of_the_runs_stands_beside_the_median(session, suite):
    results, _, _ = session("karate")
    found = results.data["measurements"]["karate"]["greedy()@cpu"]
    found |= {"seconds": 2e-3, "runs": [1e-3, 3e-3]}
    rows = {row[1]: row for row in detail_rows(suite, results.data)}
    assert rows["greedy"][2:4] == ["2 ms", "2: 1 ms to 3 ms"]
    quick = results.data["measurements"]["karate"]["suitor(variant=nosync)@device"]
    (row,) = summarise(results.data, suite.contest, "weight")
    assert row.spread == (min(quick["runs"]), max(quick["runs"]))


def test_quality_over_time_is_drawn_with_a_curve_for_each_line(session, suite, tmp_path):
    cases = [
        *(Case(f"seed {s}", "greedy_random", {"seed": s}, "cpu", line="seeds") for s in range(3)),
        Case("exact enough", "suitor", {"variant": "nosync"}),
    ]
    curves = Experiment("few", "Few", "ours", lambda _: cases, plot="time-quality", all_peers=True)
    results, _, _ = session("karate", suite=dataclasses.replace(suite, experiments=(curves,)))
    peers = [{"method": "elsewhere", "graph": "karate", "seconds": 1.0, "weight": 20.0}]
    found = time_quality(results.data, "few", "weight", peers)["karate"]
    assert {name: len(points) for name, points in found.items()} == {
        "seeds": 3,
        "exact enough": 1,
        "elsewhere": 1,
    }
    drawn = plots(results.data, "weight", peers)["few"]
    assert "elsewhere: 1 s, 20" in hints(drawn)
    assert sum(words.startswith("seeds, seed ") for words in hints(drawn)) == 3


def test_unknown_experiments_and_families_are_errors(session):
    with pytest.raises(ParameterError, match="few"):
        session("karate", experiments=["nope"])
    with pytest.raises(ParameterError, match="matching"):
        get_suite("nope")


def test_the_summary_compares_and_finds_the_floor(session, suite):
    results, _, _ = session("karate")
    (row,) = summarise(results.data, suite.contest, "weight")
    times = case_times(results.data, "few")
    assert row.champion == times["quick"]["karate"]
    assert row.rival == min(times["plain"]["karate"], times["greedy"]["karate"])
    assert row.speed_up == pytest.approx(row.rival / row.champion)
    assert row.floor == pytest.approx(1664 / results.data["copy"]["bandwidth"])
    assert row.same
    assert row.certified


def test_the_fastest_peer_is_found(session, suite):
    results, _, _ = session("karate")
    peers = [
        {"method": "slow", "graph": "karate", "seconds": 9.0, "weight": 1.0},
        {"method": "quick", "graph": "karate", "seconds": 4.0, "weight": 2.0},
        {"method": "quicker elsewhere", "graph": "grid", "seconds": 1.0},
    ]
    (row,) = summarise(results.data, suite.contest, "weight", peers)
    assert (row.peer_label, row.peer, row.peer_quality) == ("quick", 4.0, 2.0)
    assert row.peer_speed_up == pytest.approx(4.0 / row.champion)


def test_a_disagreement_is_seen(session, suite):
    results, _, _ = session("karate")
    case = next(iter(results.data["measurements"]["karate"].values()))
    case.update(digest="other", digests=["other"], certified=False)
    case["figures"]["weight"] += 1
    (row,) = summarise(results.data, suite.contest, "weight")
    assert not row.same
    assert not row.certified
    assert row.quality != row.quality


def test_the_report_needs_nothing_from_outside(session, suite, tmp_path):
    results, _, _ = session("karate", "grid8")
    peers = [{"method": "elsewhere", "graph": "karate", "seconds": 1.0}]
    page = write_report(suite, results.data, tmp_path / "out", peers)
    text = page.read_text()
    assert "karate" in text
    assert "GB/s" in text
    assert "<svg" in text
    assert 'src="' not in text
    assert "<link" not in text
    assert (tmp_path / "out" / "matching-few.svg").read_text().startswith("<svg")


def test_peers_are_drawn_beside_our_times(session, suite, tmp_path):
    bars = dataclasses.replace(suite.experiments[0], plot="bars")
    results, _, _ = session("karate", suite=dataclasses.replace(suite, experiments=(bars,)))
    peers = [
        {"method": "elsewhere", "graph": "karate", "seconds": 1.0, "where": "cpu"},
        {"method": "on another graph", "graph": "rmat20", "seconds": 1.0},
    ]
    text = write_report(suite, results.data, tmp_path / "out", peers).read_text()
    assert "karate, elsewhere: 1 s" in text
    assert "fastest peer" in text
    assert "on another graph" not in text


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 99, "measurements": {}}', "[1]"])
def test_a_file_that_is_no_results_file_is_an_error(tmp_path, text):
    path = tmp_path / "matching.json"
    path.write_text(text)
    with pytest.raises(RecordError, match="no results file"):
        Results.open(path, "matching", {}, {})


@pytest.mark.parametrize("text", ["", "[]", '{"measurements": [{"method": "x"}]}'])
def test_a_file_that_is_no_peers_file_is_an_error(tmp_path, text):
    path = tmp_path / "peers.json"
    path.write_text(text)
    with pytest.raises(ParameterError, match="peers"):
        read_peers(path)


def test_results_are_plain_json(session, tmp_path):
    session("karate")
    json.loads((tmp_path / "out" / "matching.json").read_text(), parse_constant=pytest.fail)


def test_quick_cases_are_saved_together_and_a_long_one_at_once(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("gpucore.bench.results.monotonic", lambda: now[0])
    results = Results.open(tmp_path / "matching.json", "matching", {}, {})
    results.save()
    saved = []
    for case, seconds in zip(cases(2), (0.4, 0.4, 30.0), strict=True):
        now[0] += seconds
        results.add("karate", case, {"seconds": seconds})
        data = json.loads((tmp_path / "matching.json").read_text())
        saved.append(len(data["measurements"].get("karate", {})))
    assert saved == [0, 0, 3]


def test_a_full_disk_leaves_the_old_results_whole_and_nothing_else(session, tmp_path, monkeypatch):
    results, _, _ = session("karate")
    folder = tmp_path / "out"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    free = os.fsync

    def full(number):
        free(number)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("gpucore.saving.os.fsync", full)
    with pytest.raises(RecordError, match=r"json cannot be written: No space left .*--output$"):
        results.save()
    with pytest.raises(RecordError, match=r"cannot be written: No space left .*--output$"):
        write_report(get_suite("matching"), results.data, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    with pytest.raises(GraphError, match=r"grid8.npz cannot be written: No space left .*--cache$"):
        cache.load_graph("grid8", tmp_path / "graphs")
    assert not list((tmp_path / "graphs").iterdir())


def test_results_of_another_setup_are_no_link(session, tmp_path):
    session("karate")
    path = tmp_path / "out" / "matching.json"
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(RecordError, match="it is a symbolic link"):
        Results.open(path, "matching", {}, {})
    assert path.is_symlink()
