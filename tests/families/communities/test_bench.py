"""Benchmarks of communities: varying and repeatable solutions, the paper's plots."""

import dataclasses
import itertools
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from gpucore.bench.details import detail_rows, speed_up_lines
from gpucore.bench.plan import Plan
from gpucore.bench.plots.experiments import grid_ratios, peer_speed_ups, plots
from gpucore.bench.report import write_report
from gpucore.bench.results import read_peers
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, get_suite
from gpucore.bench.summary import case_times, summarise
from gpucore.device import get_device
from gpucore.families.communities.bench import suite as communities
from gpucore.families.communities.bench.cases import (
    ADAPTIVE,
    BUCKETS,
    FAST,
    NODE_CENTRED,
    RELAXED,
    SEQUENTIAL,
)
from gpucore.loading import load
from gpucore.problems.graph.benchmarks import STANDARD
from gpucore.problems.graph.generate import rmat
from support.bench_sessions import measured
from support.running import uncertified

pytestmark = pytest.mark.usefixtures("small_copy")

PEERS = [
    {"method": "elsewhere", "graph": "karate", "seconds": 2.0, "where": "cpu", "modularity": 0.4},
    {"method": "elsewhere", "graph": "grid4", "seconds": 8.0, "where": "cpu", "modularity": 0.5},
]


def small_grid(_cores):
    """A study of four pairs of thresholds."""
    pairs = itertools.product((0.1, 0.01), (0.01, 1e-6))
    rule = {"variant": "buckets", "rule": "paper"}
    settings = [{**rule, "t_bin": b, "t_final": f} for b, f in pairs]
    return [Case(str(setting), "louvain", setting, study=True) for setting in settings]


@pytest.fixture(scope="module")
def suite():
    """The suite with a small study of the thresholds."""
    whole = get_suite("communities")
    return dataclasses.replace(
        whole,
        experiments=tuple(
            dataclasses.replace(e, cases=small_grid) if e.axes[0] else e for e in whole.experiments
        ),
    )


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("communities")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on two tiny graphs, once for all tests."""
    # A graph of a benchmark is searched once; these two are small enough for several starts.
    one = [("families.communities.starts.STARTS", 1)]
    plan = Plan(graphs=["karate", "grid4"], repeat=2, cores=1)
    return measured(suite, plan, places, one)


def test_every_case_but_missing_peers_is_measured(suite, data):
    optional = {c.key for e in suite.experiments for c in e.cases(1) if c.optional}
    for cases in data["measurements"].values():
        for key, case in cases.items():
            assert "seconds" in case or key in optional, case.get("error")


def test_modularity_is_kept_run_by_run_and_certified(data):
    for cases in data["measurements"].values():
        for case in (FAST, BUCKETS, RELAXED, NODE_CENTRED, SEQUENTIAL, ADAPTIVE):
            found = cases[case.key]
            assert found["certified"] is True
            assert len(found["qualities"]) == len(found["runs"]) == 2
            assert found["figures"]["modularity"] == found["qualities"][-1]
    assert min(data["measurements"]["karate"][FAST.key]["qualities"]) >= 0.4151


@pytest.mark.parametrize("case", [BUCKETS, RELAXED, NODE_CENTRED], ids=lambda case: case.label)
def test_the_papers_variants_repeat_their_solution(data, case):
    assert [cases[case.key]["solutions"] for cases in data["measurements"].values()] == [1, 1]


def test_the_summary_takes_the_worst_of_our_runs(suite, data):
    found = data["measurements"]["karate"][FAST.key]
    row, _ = summarise(data, suite.contest, suite.quality, PEERS)
    assert row.quality == min(found["qualities"])
    assert row.rate == pytest.approx(78 / found["seconds"])
    assert row.certified
    assert 0 < row.proved <= row.solutions
    assert row.floor == pytest.approx((156 * 8 + 35 * 8 + 34 * 8) / 1e9)
    assert data["graphs"]["karate"]["gather_bytes"] == 156 * 4
    assert (row.peer_label, row.peer_quality) == ("elsewhere", 0.4)


def test_a_refuted_solution_is_seen(suite, data):
    changed = json.loads(json.dumps(data))
    changed["measurements"]["karate"][BUCKETS.key]["certified"] = False
    rows = summarise(changed, suite.contest, suite.quality)
    assert [row.certified for row in rows] == [False, True]


def test_speed_ups_over_peers_are_geometric_means(suite, data):
    times = case_times(data, "contest")[BUCKETS.label]
    found = {row["method"]: row for row in peer_speed_ups(data, "contest", PEERS)}
    ratios = (2.0 / times["karate"], 8.0 / times["grid4"])
    assert found[BUCKETS.label]["mean"] == pytest.approx((ratios[0] * ratios[1]) ** 0.5)
    assert found[BUCKETS.label]["least"] == pytest.approx(min(ratios))
    assert found[BUCKETS.label]["graphs"] == 2
    assert "elsewhere" in speed_up_lines(suite, data, PEERS)[0]


def test_the_details_list_every_method_and_peer(suite, data):
    rows = list(detail_rows(suite, data, PEERS))
    assert [row[1] for row in rows[:4]] == [FAST.label, BUCKETS.label, RELAXED.label, "elsewhere"]
    assert len(rows) == 8
    assert "the same every run, certified" in rows[1]


def test_every_experiment_is_drawn_as_a_picture(suite, data, places):
    drawn = plots(data, suite.quality, PEERS)
    assert set(drawn) == {experiment.name for experiment in suite.experiments}
    for picture in drawn.values():
        ET.fromstring(picture)
    page = write_report(suite, data, places[0], PEERS).read_text()
    curves = drawn["time_quality"].count("<svg")  # one for each graph, and the one around them
    assert page.count("<svg") == len(suite.experiments) - 1 + curves


def hints(picture):
    """Return what appears on hovering."""
    return [
        title.text for title in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}title")
    ]


def test_bars_of_stages_add_up_to_all(suite, data):
    shown = [words for words in hints(plots(data, suite.quality)["stages"]) if "% of all" in words]
    for graph in ("karate", "grid4"):
        stages = data["measurements"][graph][BUCKETS.key]["kept"]["stages"]
        shares = [int(w.split(", ")[-1].split("%")[0]) for w in shown if w.startswith(graph)]
        assert len(shares) == 2 * len(stages)
        assert abs(sum(shares) - 100) <= len(shares)


def test_speed_ups_are_over_the_baseline(suite, data):
    times = case_times(data, "sequential")
    ratio = times[SEQUENTIAL.label]["karate"] / times[BUCKETS.label]["karate"]
    shown = hints(plots(data, suite.quality)["sequential"])
    assert f"karate, buckets: {ratio:.3g}" in shown
    assert not any("sequential:" in words for words in shown)


def test_thresholds_are_relative_to_the_sequential_method_or_the_best(data):
    experiment = data["experiments"]["fast_thresholds"]
    cases = data["measurements"]["karate"]
    key = experiment["cases"][0]["key"]
    quality = cases[key]["figures"]["modularity"]
    found = grid_ratios(data, experiment, "modularity")["karate"][0.01, 0.1]
    assert found == pytest.approx(quality / cases[SEQUENTIAL.key]["figures"]["modularity"])
    fastest = min(cases[case["key"]]["seconds"] for case in experiment["cases"])
    speeds = grid_ratios(data, data["experiments"]["fast_threshold_speed"], None)["karate"]
    assert max(speeds.values()) == 1.0
    assert speeds[0.01, 0.1] == pytest.approx(fastest / cases[key]["seconds"])


def test_a_speed_up_compares_one_criterion(suite):
    """In figures 3, 4 and 7 all methods read thresholds alike: as such, or relative to gains."""
    shown = {"paper": "absolute", "ours": "relative", None: None}
    for name in ("sequential", "adaptive", "multicore"):
        for suffix, meaning in (("", "absolute"), ("_relative", "relative")):
            if name + suffix == "multicore_relative":
                continue
            (experiment,) = (e for e in suite.experiments if e.name == name + suffix)
            assert experiment.baseline in experiment.cases(1)
            for case in experiment.cases(1):
                default = shown[case.params.get("rule")]
                if default is None:
                    default = "relative" if case.runner == "louvain" else "absolute"
                assert case.params.get("thresholds", default) == meaning, case.label


def test_first_sweeps_are_compared(data):
    """Both have one stage of one sweep, whose time is kept."""
    for cases in data["measurements"].values():
        for case in data["experiments"]["first_sweep"]["cases"]:
            (stage,) = cases[case["key"]]["kept"]["stages"]
            assert stage["sweeps"] == 1
            assert 0 < stage["first_sweep_seconds"] <= stage["optimise_seconds"]


def test_the_literal_rule_is_measured_beside_ours(suite):
    for name, rule in (("thresholds", "paper"), ("our_thresholds", "ours")):
        whole = get_suite("communities")
        (experiment,) = (e for e in whole.experiments if e.name == name)
        assert {case.params["rule"] for case in experiment.cases(1)} == {rule}
        assert len(experiment.cases(1)) == 20


def test_without_the_baseline_there_is_no_picture_of_speed_ups(suite, data):
    changed = json.loads(json.dumps(data))
    for cases in changed["measurements"].values():
        del cases[SEQUENTIAL.key]
    drawn = plots(changed, suite.quality)
    assert "sequential" not in drawn
    assert "modularity relative to the best, mean of 2 graphs" in drawn["thresholds"]


def test_large_graphs_get_the_quicker_proof(suite, places):
    seen = []
    recheck = lambda graph, result: seen.append(result.algorithm) or True  # noqa: E731
    changed = dataclasses.replace(
        suite, experiments=suite.experiments[:1], recheck=recheck, family="communities"
    )
    plan = Plan(graphs=["karate"], repeat=1, certify_limit=10)
    with pytest.MonkeyPatch.context() as patch:
        copy = {"bytes": 1, "seconds": 1e-9, "bandwidth": 1e9}
        patch.setattr("gpucore.bench.session.copy_bandwidth", lambda device, **_: copy)
        run_session(changed, plan, get_device("host"), places[0] / "quick", places[1])
    assert "louvain" in seen


@pytest.fixture
def found():
    """A partition of the karate club, found by the serial method."""

    return uncertified("louvain_serial", load("karate"))


def test_the_quicker_proof_refutes_a_wrong_modularity(found):
    karate = load("karate")
    assert communities._recheck(karate, found)
    wrong = found.figures | {"modularity": found.modularity + 1e-6}
    assert not communities._recheck(karate, dataclasses.replace(found, figures=wrong))
    assert not communities._recheck(rmat(scale=4, seed=1), found)


def test_the_digest_does_not_see_how_communities_are_numbered(found):
    swapped = found.num_communities - 1 - found.community
    assert communities._digest(dataclasses.replace(found, community=swapped)) == (
        communities._digest(found)
    )
    moved = np.array(found.community)
    moved[0] = (moved[0] + 1) % found.num_communities
    assert communities._digest(dataclasses.replace(found, community=moved)) != (
        communities._digest(found)
    )


def test_every_kernel_and_library_of_the_paper_is_in_time_and_quality(suite):
    """The node-centred kernel, and PLM on all cores in the same run, were missing."""
    named = {experiment.name: experiment.cases(16) for experiment in suite.experiments}
    variants = {case.params.get("variant") for case in named["time_quality"]}
    assert {"fast", "buckets", "relaxed", "node_centred"} <= variants
    assert "networkit_plm(threads=16)@cpu" in {case.key for case in named["peers"]}


def test_the_published_peers_cover_the_eight_graphs(request):
    path = request.config.rootpath / "benchmarks" / "results" / "peers-communities-h100.json"
    peers = read_peers(path)
    for method in ("cuGraph 26.10", "NetworKit PLM, 16 threads"):
        assert {peer["graph"] for peer in peers if peer["method"] == method} == set(STANDARD)
    assert all(0 < peer["modularity"] < 1 for peer in peers)
