"""Benchmarks of bipartite matching: one cardinality, two clocks, sets, separate processes."""

import copy
import dataclasses
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from gpucore.bench import processes
from gpucore.bench.details import detail_rows, speed_up_lines
from gpucore.bench.plan import Plan
from gpucore.bench.plots.curves import levels_plot, overall_plot, speed_up_profile_plot
from gpucore.bench.plots.experiments import plots
from gpucore.bench.processes import Job
from gpucore.bench.report import write_report
from gpucore.bench.results import read_peers
from gpucore.bench.session import run_session
from gpucore.bench.suite import get_suite
from gpucore.bench.summary import case_times, summarise
from gpucore.device import get_device
from gpucore.errors import Cancelled, GraphError
from gpucore.families.bipartite.bench import suite as bipartite
from gpucore.families.bipartite.bench.cases import (
    COMMON,
    COMMON_BEST,
    COMMON_FAST,
    COUNTED,
    ECL_MM,
    FAST,
    HK,
    HKDW,
    PFP,
    SCIPY,
    multicore,
)
from gpucore.families.bipartite.bench.tables import mean_rows, work_rows
from gpucore.families.bipartite.native import cheap_matching
from gpucore.family import get_runner
from gpucore.problems.bipartite.benchmarks import generate_matrix
from gpucore.problems.bipartite.load import load_bipartite
from support.bench_sessions import hints, measured, run_here

pytestmark = pytest.mark.usefixtures("small_copy")

GRAPHS = ("bip_grid8", "bip_grid8_perm", "uniform:rows=60,columns=50,degree=3,seed=1")
PROCESSOR = (*multicore(1), HK, HKDW, PFP, SCIPY)


@pytest.fixture(scope="module")
def suite():
    return get_suite("bipartite")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("bipartite")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on three tiny matrices, once for all tests."""
    plan = Plan(graphs=GRAPHS, repeat=2, cores=1, processes=2)
    return measured(suite, plan, places)


#: Programs of others that this machine need not have.
ABSENT = {ECL_MM.key} - ({ECL_MM.key} if get_runner("ecl_mm").available() is None else set())


def test_every_case_is_measured(suite, data):
    assert set(data["measurements"]) == set(GRAPHS)
    wanted = {case.key for experiment in suite.experiments for case in experiment.cases(1)}
    for cases in data["measurements"].values():
        assert set(cases) == wanted
        assert {key for key, case in cases.items() if "seconds" not in case} <= ABSENT


def test_all_methods_agree_on_a_proved_cardinality(suite, data):
    for row in summarise(data, suite.contest, suite.quality):
        assert row.same
        assert row.certified
        assert row.quality == data["graphs"][row.graph]["proved"]
    for cases in data["measurements"].values():
        assert all(cases[c.key]["certified"] for c in (FAST, *COMMON.values(), *PROCESSOR))
        # Recorded runs find matchings of their own, which are certified too.
        refused = {key for key, case in cases.items() if case.get("certified") is not True}
        assert refused <= ABSENT


def test_another_cardinality_than_the_published_one_is_seen(suite, data):
    changed = copy.deepcopy(data)
    changed["graphs"]["bip_grid8"]["expected"] = 1
    same = [row.same for row in summarise(changed, suite.contest, suite.quality)]
    assert same == [False, True, True]


def test_a_peer_that_finds_less_is_seen(suite, data):
    changed = copy.deepcopy(data)
    changed["measurements"]["bip_grid8"][SCIPY.key]["figures"]["cardinality"] -= 1
    assert not summarise(changed, suite.contest, suite.quality)[0].same


def test_times_after_the_initial_matching(data):
    for label, row in case_times(data, "all_profiles").items():
        whole = case_times(data, "all_profiles", clock="seconds")[label]
        for graph in GRAPHS:
            assert (row[graph] == whole[graph]) if label == "SciPy" else (row[graph] < whole[graph])


@pytest.mark.parametrize(
    "experiment", ["variants", "levels", "speed_up_profiles", "profiles", "overall", "hardest"]
)
def test_experiments_of_the_paper_begin_with_one_matching(suite, data, experiment):
    """Of all methods that can; the sizes differ if a kernel makes a matching of its own."""
    for graph in GRAPHS:
        matrix = load_bipartite(graph) if ":" in graph else generate_matrix(graph)
        begun = cheap_matching(suite.prepare(matrix))
        pairs = int(np.count_nonzero(begun >= 0))
        for case in data["experiments"][experiment]["cases"]:
            measured = data["measurements"][graph][case["key"]]
            assert measured["params"]["initial"] in ("cheap_serial", "cheap")
            assert measured["figures"]["initial_cardinality"] == pairs, case["label"]
    own = data["measurements"]["bip_grid8"][FAST.key]["figures"]["initial_cardinality"]
    assert own != data["measurements"]["bip_grid8"][HK.key]["figures"]["initial_cardinality"]


def test_sets_share_uniform_matrices(data):
    assert set(case_times(data, "variants", within="permuted")[COMMON_BEST.label]) == {
        "bip_grid8_perm"
    }
    assert bipartite.sets("uni3k20") == ["original", "permuted"]
    assert [row[:2] for row in mean_rows(data)] == [["original", "2"], ["permuted", "1"]]


def test_work_is_counted_and_reported(data):
    rows = {
        (row[0], row[1]): row for row in work_rows(data, [COMMON_FAST, *COMMON.values()], COUNTED)
    }
    assert len(rows) == 9 * len(GRAPHS)
    found = data["measurements"]["bip_grid8"]
    edges = found[COUNTED[COMMON_BEST.key].key]["figures"]["edges"]
    row = rows["bip_grid8", COMMON_BEST.label]
    assert row[2] == f"{found[COMMON_BEST.key]['figures']['cardinality']:,}"
    assert row[6:9] == [
        str(found[COMMON_BEST.key]["figures"][k]) for k in ("phases", "levels", "launches")
    ]
    assert row[9:11] == [f"{edges:,}", f"{edges / 208:.2f}"]


def test_the_floor_is_what_must_be_moved(data):
    assert data["graphs"]["bip_grid8"]["least_bytes"] == 208 * 4 + 65 * 8 + 128 * 8
    assert data["graphs"][GRAPHS[2]]["columns"] == 50


def test_speed_ups_are_reported_with_both_clocks(suite, data):
    peers = [{"method": "elsewhere", "graph": "bip_grid8", "seconds": 5.0, "cardinality": 64}]
    lines = speed_up_lines(suite, data, peers)
    assert len(lines) == 3 * (len(PROCESSOR) + 1)
    assert lines[0].startswith("the best of the paper's variants: after its initial matching")
    assert all("; in all " in line for line in lines)


def test_every_experiment_has_its_picture(suite, data, places):
    drawn = plots(data, suite.quality)
    assert set(drawn) == {e.name for e in suite.experiments if e.plot != "none"}
    for picture in drawn.values():
        ET.fromstring(picture)
    assert drawn["variants"].count("<svg") == 3  # two sets in one
    page = write_report(suite, data, places[0]).read_text()
    assert "Table 1 of the paper" in page
    assert "entries visited" in page
    assert "at most 2 at a time" in page


def test_unfinished_cases_are_reported_and_repeated_only_with_more_time(suite, data, places):
    changed = copy.deepcopy(data)
    unfinished = {"error": "not finished after 9 s", "limit": 9.0, "params": {}, "beside": 1}
    changed["measurements"]["bip_grid8"][SCIPY.key] = unfinished
    rows = [row for row in detail_rows(suite, changed) if row[:2] == ["bip_grid8", "SciPy"]]
    assert rows == [["bip_grid8", "SciPy", "more than 9 s", *"––––––"]]
    results = apart_results(changed, places[0] / "again.json")
    assert results.measured("bip_grid8", SCIPY, 9.0)
    assert not results.measured("bip_grid8", SCIPY, 10.0)


def apart_results(data, path):
    from gpucore.bench.results import Results

    return Results(path, data)


def job(graph="bip_grid8", case=HK, directory=None):
    plan = Plan([graph], repeat=1, case_limit=1.0, certify_limit=1e9)
    return Job("bipartite", graph, case, directory, plan)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(processes, "PATIENCE", 0.0)
    monkeypatch.setattr(processes, "_work", sleeper)


def sleeper(_job, listener):
    """Report that a run begins, and never end it."""
    listener.send(("run", None))
    time.sleep(60)


def quitter(_job, _listener):
    raise SystemExit(3)


@pytest.mark.usefixtures("impatient")
def test_a_run_that_takes_too_long_is_killed():
    ((_, _, found),) = processes.run_jobs([job()], 1, 0.2, None)
    assert found == {"error": "not finished after 0.2 s", "limit": 0.2}


def test_a_process_that_dies_is_an_error_of_its_case(monkeypatch):
    monkeypatch.setattr(processes, "_work", quitter)
    ((_, _, found),) = processes.run_jobs([job()], 1, 60.0, None)
    assert found["error"] == "its process ended with code 3"


@pytest.mark.usefixtures("impatient")
def test_cancelling_kills_the_processes():
    class Soon:
        looks = 3

        def is_set(self):
            self.looks -= 1
            return self.looks < 0

    with pytest.raises(Cancelled):
        list(processes.run_jobs([job(), job()], 1, 60.0, Soon()))


def test_a_process_of_its_own_measures_and_judges(tmp_path):
    ((_, facts, found),) = processes.run_jobs([job(directory=tmp_path)], 1, 60.0, None)
    assert facts["rows"] == 64
    assert found["certified"] is True
    assert found["known"]["proved"] == found["figures"]["cardinality"]


def test_a_matrix_that_does_not_exist_is_an_error(suite, tmp_path, monkeypatch):
    monkeypatch.setattr("gpucore.bench.session.run_jobs", run_here)
    plan = Plan(graphs=["atlantis"], experiments=["processor"])
    with pytest.raises(GraphError, match="atlantis"):
        run_session(suite, plan, get_device("host"), tmp_path, tmp_path)


@pytest.fixture
def solved():
    import gpucore

    graph = generate_matrix("bip_rmat6")
    return graph, gpucore.run("bipartite", graph, device="host")


def test_a_valid_matching_is_accepted(solved):
    assert bipartite._valid(*solved)


@pytest.mark.parametrize("fault", ["shape", "range", "not mutual", "no entry", "count"])
def test_what_is_no_matching_is_refused(solved, fault):
    graph, result = solved
    rows, columns = result.row_match.copy(), result.column_match.copy()
    figures = dict(result.figures)
    row = int(np.flatnonzero(rows >= 0)[0])
    if fault == "shape":
        rows = rows[:-1]
    elif fault == "range":
        rows[row] = graph.num_columns
    elif fault == "not mutual":
        columns[rows[row]] = -1
    elif fault == "count":
        figures["cardinality"] += 1
    else:
        listed = set(graph.by_row()[1][graph.indptr[row] : graph.indptr[row + 1]].tolist())
        free = [c for c in np.flatnonzero(columns < 0) if c not in listed]
        columns[rows[row]] = -1
        rows[row], columns[free[0]] = free[0], row
    changed = dataclasses.replace(result, row_match=rows, column_match=columns, figures=figures)
    assert not bipartite._valid(graph, changed)


def test_speed_up_profiles_count_what_did_not_finish():
    times = {"ours": {"a": 1.0, "b": 8.0}, "hk": {"a": 4.0, "b": 4.0}, "pfp": {"a": 2.0}}
    shown = hints(speed_up_profile_plot("t", times, ["hk", "pfp"]))
    assert "ours: at least as fast on 50%" in shown
    assert "hk: at least as fast on 50%" in shown
    assert "pfp: at least as fast on 50%" in shown
    assert speed_up_profile_plot("t", {"hk": {"a": 1.0}}, ["hk"]) is None


def test_overall_speed_ups_are_geometric_means_of_sets():
    times = {"ours": {"a": 1.0, "b": 1.0}, "hk": {"a": 2.0, "b": 8.0}}
    assert "original, hk, ours: 4" in hints(overall_plot("t", {"original": times}, ["hk"]))
    assert overall_plot("t", {"original": {"hk": {"a": 1.0}}}, ["hk"]) is None


def test_levels_are_drawn_where_methods_differ_the_most():
    levels = {
        "even": {"first": [2, 2], "last": [2, 2]},
        "more": {"first": [2, 2], "last": [9, 9]},
        "fewer": {"first": [9, 9], "last": [1, 1]},
    }
    shown = hints(levels_plot("t", levels))
    assert {"t: more", "t: fewer"} <= set(shown)
    assert "t: even" not in shown
    assert "last, phase 2: 9 levels" in shown
    assert levels_plot("t", {}) is None


def test_the_published_peers_are_those_matrices(request, suite):
    path = request.config.rootpath / "benchmarks" / "results" / "peers-bipartite-h100.json"
    for peer in read_peers(path):
        assert peer["graph"] in suite.graphs
        assert peer["cardinality"] == bipartite.CARDINALITY[peer["graph"]]
