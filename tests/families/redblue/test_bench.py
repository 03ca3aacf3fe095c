"""Benchmarks of red/blue matching: one matching for seed and selection, figures 2 to 5."""

import copy
import math
from pathlib import Path

import pytest

import gpucore
from gpucore.bench.plan import Plan
from gpucore.bench.report import own_charts, write_report
from gpucore.bench.results import read_results
from gpucore.bench.suite import get_suite
from gpucore.bench.summary import summarise
from gpucore.families.redblue.bench import cases as redblue
from gpucore.families.redblue.bench.cases import (
    FAST,
    FAST_FIRST,
    FAST_RANDOM,
    FIRST_1,
    PAPER,
    PAPER_FIRST,
    PAPER_RANDOM,
    PERMUTATIONS,
    PROBABILITIES,
    RANDOM_1,
    WEIGHTED_1,
    WEIGHTED_2,
)
from gpucore.families.redblue.bench.figure_numbers import (
    MOST_CURVES,
    best_speed,
    figure_3,
    first_rounds,
    fractions,
    mean_ratio,
    older_probabilities,
    probabilities,
    random_threads,
    relative,
    scaling,
    why_others,
)
from gpucore.families.redblue.bench.ratios import COMPARISONS, OF_PAPER, ratio_of_means, ratios
from gpucore.families.redblue.bench.tables import (
    matching_rows,
    ratio_rows,
    redblue_tables,
    size_rows,
)
from gpucore.families.redblue.colours import first_round_fraction
from support.bench_sessions import hints, measured

pytestmark = pytest.mark.usefixtures("small_copy")

GRAPHS = ("karate", "grid12")
OURS = (FAST, PAPER, FAST_RANDOM, PAPER_RANDOM, FAST_FIRST, PAPER_FIRST)
CORES = 2


@pytest.fixture(scope="module")
def suite():
    return get_suite("redblue")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("redblue")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on two tiny graphs, once for all tests."""
    plan = Plan(graphs=GRAPHS, repeat=2, cores=CORES)
    return measured(suite, plan, places)


def test_every_case_is_measured(suite, data):
    assert set(data["measurements"]) == set(GRAPHS)
    wanted = {case.key for experiment in suite.experiments for case in experiment.cases(CORES)}
    for cases in data["measurements"].values():
        assert set(cases) == wanted
        assert [case.get("error") for case in cases.values() if "seconds" not in case] == []


def test_matchings_are_certified(suite, data):
    for row in summarise(data, suite.contest, suite.quality):
        assert row.certified
        assert math.isfinite(row.champion)
        assert math.isfinite(row.rival)
    for cases in data["measurements"].values():
        for case in (*OURS, RANDOM_1, FIRST_1, WEIGHTED_1, WEIGHTED_2):
            assert cases[case.key]["certified"] is True


def test_the_same_matching_on_device_and_processor(data):
    rows = {(row[0], row[1]): row for row in matching_rows(data)}
    multicore = redblue.multicore(CORES, "weighted").label
    for graph in GRAPHS:
        for label in (*(case.label for case in OURS), multicore, "paper, Philox"):
            assert rows[graph, label][-1] == "as fast", label
        assert rows[graph, WEIGHTED_2.label][-2] == "100.00%"
    changed = copy.deepcopy(data)
    changed["measurements"]["karate"][PAPER.key]["digest"] = "another one"
    rows = {(row[0], row[1]): row for row in matching_rows(changed)}
    assert rows["karate", PAPER.label][-1] == "another"


def test_sizes_are_reported_beside_algorithm_1s(data):
    rows = {row[0]: row for row in size_rows(data)}
    for case in (FAST, FAST_RANDOM, FAST_FIRST):
        shares = [
            cases[case.key]["figures"]["cardinality"]
            / cases[RANDOM_1.key]["figures"]["cardinality"]
            for cases in data["measurements"].values()
        ]
        _, graphs, mean, least, _, enough = rows[case.label]
        assert (graphs, mean, least) == ("2", f"{sum(shares) / 2:.2%}", f"{min(shares):.2%}")
        assert enough == ("yes" if sum(shares) > 2 * 0.99 else "no")
    listed = {(row[0], row[1]): row for row in matching_rows(data)}
    assert listed["karate", RANDOM_1.label][-4] == "100.00%"


def test_the_floor_is_what_must_be_moved(data):
    facts = data["graphs"]["karate"]
    assert facts["least_bytes"] == 156 * 8 + 35 * 8 + 34 * 4
    assert facts["least_bytes_random"] == 156 * 4 + 35 * 8 + 34 * 4
    row = next(r for r in matching_rows(data) if r[:2] == ["karate", FAST_RANDOM.label])
    seconds = data["measurements"]["karate"][FAST_RANDOM.key]["seconds"]
    assert row[4] == f"{seconds * 1e9 / facts['least_bytes_random']:.1f}"


def test_rounds_add_up_to_the_matching(data):
    for graph, cases in data["measurements"].items():
        vertices = data["graphs"][graph]["vertices"]
        for case in (FAST, FAST_RANDOM, redblue.multicore(CORES)):
            found = cases[case.key]
            shares = fractions(found, vertices)
            assert shares == sorted(shares)
            assert len(shares) == found["figures"]["rounds"]
            assert shares[-1] * vertices == pytest.approx(2 * found["figures"]["cardinality"])


@pytest.mark.parametrize("select", redblue.SWEEPS)
def test_the_sweep_has_every_probability(data, select):
    """Before, only the heaviest neighbours were chosen: equation (2) is for random ones."""
    sweep = redblue.sweeps()[select]
    (chart,) = relative(data, sweep)
    assert [row.name for row in chart.series] == ["size", "weight", "time"]
    for row in chart.series:
        assert row.x == list(PROBABILITIES)
        assert 0 < min(row.y) <= max(row.y) <= 1
    (chart,) = first_rounds(data, sweep, select)
    assert [row.name for row in chart.series] == [*GRAPHS, "equation (2)"]
    assert all(0 <= share <= 1 for row in chart.series for share in row.y)


def compared(data, runner="redblue"):
    keys = {case["key"] for case in data["experiments"]["permutations"]["cases"]}
    return ratios(data, COMPARISONS, runner, keys)


def test_permutations_are_compared(suite, data):
    found = compared(data)
    assert list(found) == [row[0] for row in ratio_rows(data)][: len(found)]
    assert set(found["any, by algorithm 1"]["karate"]) == {"size", "speed"}
    assert set(found["heaviest, by algorithm 2"]["karate"]) == {"size", "weight", "speed"}
    for table in found.values():
        for row in table.values():
            assert all(ratio.low <= ratio.mean <= ratio.high for ratio in row.values())
            assert 0.5 <= row["size"].mean <= 2  # both are maximal
    sizes = [
        data["measurements"]["karate"][case.key]["figures"]["cardinality"]
        for case in redblue.permutations(CORES)
        if case.runner == "redblue" and case.params["select"] == "random"
    ]
    assert len(sizes) == PERMUTATIONS == 32


def test_the_multicore_version_is_compared_under_permutations(data):
    """Figure 5 has it; before, only the device ran on permuted graphs."""
    found, multicore = compared(data), compared(data, "redblue_omp")
    for name in ("first, by algorithm 1", "heaviest, by algorithm 1", "heaviest, by algorithm 2"):
        for graph, row in multicore[name].items():
            for figure in {"size", "weight"} & set(row):  # the same matchings
                assert row[figure] == pytest.approx(found[name][graph][figure])
    digests = {}
    for case in redblue.permutations(CORES):
        if case.runner in ("redblue", "redblue_omp") and case.params["select"] != "random":
            key = case.params["select"], case.params["seed"]
            measured = data["measurements"]["karate"][case.key]
            digests.setdefault(key, []).append(measured["digest"])
    assert len(digests) == 2 * PERMUTATIONS
    assert all(len(two) == 2 and len(set(two)) == 1 for two in digests.values())


def test_all_algorithms_run_on_the_same_permuted_graphs(data):
    """As in section 4; before, algorithms 1 and 2 had the vertices as they are numbered."""
    cases = redblue.permutations(CORES, seeds=3, selects=("first", "weighted"))
    by_seed = {}
    for case in cases:
        assert case.params["permute"]
        by_seed.setdefault(case.params["seed"], set()).add(
            (case.runner, case.params.get("select", ""))
        )
    both = {"first", "weighted"}
    wanted = {(r, s) for r in ("redblue", "redblue_omp", "greedy_random") for s in both}
    assert by_seed == {seed: wanted | {("greedy_weighted", "")} for seed in range(3)}
    samples = ratios(data, OF_PAPER, keys={case.key for case in cases})["random, by algorithm 1"]
    run = data["measurements"]["karate"]
    means = [
        sum(run[c.key]["figures"]["cardinality"] for c in cases if fits(c)) / 3
        for fits in (
            lambda c: c.runner == "redblue" and c.params["select"] == "first",
            lambda c: c.runner == "greedy_random" and c.params["select"] == "first",
        )
    ]
    assert samples["karate"]["size"].mean == pytest.approx(means[0] / means[1])


def test_older_results_have_serial_runs_on_vertices_as_they_are_numbered():
    def run(size, **params):
        return {"seconds": 1.0, "params": params, "figures": {"cardinality": size, "weight": 1.0}}

    measured = {
        "redblue(a)@device": run(8, select="weighted", permute=True),
        "greedy_random(a)@cpu": run(10, select="weighted"),
        "greedy_weighted()@cpu": run(16),
    }
    data = {"measurements": {"g": measured}}
    assert ratios(data, OF_PAPER)["weighted, by algorithm 1"]["g"]["size"].mean == 0.8
    measured["greedy_random(b)@cpu"] = run(4, select="weighted", permute=True)
    assert ratios(data, OF_PAPER)["weighted, by algorithm 1"]["g"]["size"].mean == 2.0
    assert ratios(data, OF_PAPER)["weighted, by algorithm 2"]["g"]["size"].mean == 0.5


@pytest.mark.parametrize("older", [False, True])
def test_figures_3_and_4_are_of_permuted_vertices_or_of_older_results(older):
    sweep = older_probabilities(2) if older else probabilities(2)
    counts = redblue.threads(2) if older else random_threads(2)
    permuted = {bool(case.params.get("permute")) for case in (*sweep, *counts)}
    assert permuted == {not older}
    found = {"seconds": 1.0, "kept": {"matched": [2]}, "figures": {"cardinality": 1, "weight": 1}}
    runs = {case.key: found for case in (*sweep, *counts)}
    facts = {"g": {"vertices": 4, "edges": 3}}
    data = {"measurements": {"g": runs}, "graphs": facts, "setup": {"cores": 2}}
    first = figure_3(data)[1]
    assert first.series[0].y == [0.5] * len(PROBABILITIES)
    assert scaling(data)[0].series[0].y == [1.0, 1.0]


def test_large_graphs_have_fewer_permutations(suite):
    cases = redblue.permutations(CORES)
    for edges, count in ((1000, PERMUTATIONS), (64_000_000, redblue.FEW_PERMUTATIONS)):
        left = [case for case in cases if not suite.skip(case, {"edges": edges})]
        assert {case.params.get("seed", 0) for case in left} == set(range(count))


def test_ratios_carry_the_deviation_of_both():
    ratio = ratio_of_means([2.0, 4.0], [1.0, 1.0])
    assert ratio == pytest.approx((3.0, 2.0, 4.0))
    assert ratio_of_means([], [1.0]) is None
    assert ratio_of_means([1.0], [0.0]) is None


def test_every_figure_is_drawn(suite, data, places):
    drawn = own_charts(suite, data)
    assert set(drawn) == {e.name for e in suite.experiments if e.plot == "none"}
    assert drawn["rounds"].count("<svg") == 4  # three selections in one
    first = fractions(data["measurements"]["karate"][FAST.key], 34)[0]
    assert f"karate (78 edges), 1: {first:.4g}" in hints(drawn["rounds"])
    theory = first_round_fraction(0.53406)
    assert f"equation (2), round 1, 1: {theory:.4g}" in hints(drawn["rounds"])
    assert any(words.startswith("karate, 0.5341: ") for words in hints(drawn["probability"]))
    assert "karate, 1: 1" in hints(drawn["threads"])
    assert any("any, by algorithm 1, " in words for words in hints(drawn["permutations"]))
    page = write_report(suite, data, places[0]).read_text()
    assert page.count("<figure>") == len(suite.experiments)
    assert len(redblue_tables(data)) == 4
    for table in redblue_tables(data):
        assert table.title in page
        assert all(len(row) == len(table.head) for row in table.rows)


def test_what_was_not_measured_is_left_out(suite, data, tmp_path):
    changed = copy.deepcopy(data)
    changed["measurements"] = {graph: {} for graph in GRAPHS}
    del changed["device_figures"]
    assert own_charts(suite, changed) == {}
    assert redblue_tables(changed) == []
    assert "<table>" not in write_report(suite, changed, tmp_path).read_text()
    changed["experiments"] = {}
    assert own_charts(suite, changed) == {}
    assert redblue_tables(changed) == []


@pytest.mark.parametrize("family", ["matching", "redblue"])
def test_entries_below_zero_count_by_their_absolute_values(family):
    """The papers take matrices so; a user's matching leaves such edges out."""
    graph = gpucore.Graph.from_edges(3, [0, 1, 2], [1, 2, 0], [-3, 4, -9])
    assert sorted(get_suite(family).prepare(graph).edges()[2]) == [3, 4, 9]


def test_results_that_lack_entries_below_zero_say_so():
    """Older ones left them out; ``bcsstk13`` has 40,940 entries off its diagonal."""
    lacking, whole = ({"graphs": {"bcsstk13": {"edges": n}}} for n in (18_180, 40_940))
    assert "bcsstk13 lack their entries below zero" in why_others(lacking)
    assert "below zero" not in why_others(whole)
    assert get_suite("redblue").prepare(gpucore.load("bcsstk13")).num_edges == 40_940


def test_speed_ups_are_those_of_large_graphs():
    """On a small one a run is launches; its size and weight count."""
    keys = [case.key for case in redblue.permutations(2, 1, "paper", ("first",))]
    runs = {
        key: {
            "seconds": 1.0 if key.startswith("redblue(") else 2.0,
            "params": {"select": "first", "permute": True},
            "figures": {"cardinality": 1, "weight": 1.0},
            "runs": [1.0],
            "warm": True,
        }
        for key in keys
    }
    for edges, found in ((199_999, None), (200_000, "up to 2 ×")):
        data = {"measurements": {"a": runs}, "graphs": {"a": {"edges": edges}}}
        assert best_speed(0)(data) == found
        assert mean_ratio(0, "size")(data) == "100.0%"


def test_the_committed_matrices_are_of_the_collection():
    path = Path(__file__).resolve().parents[3] / "benchmarks/results/weighted-h200/redblue.json"
    data = read_results(path)
    assert len(redblue.COLLECTION) == len(set(redblue.COLLECTION)) == 58
    assert set(data["measurements"]) == set(redblue.COLLECTION)
    keys = [case.key for case in redblue.permutations(16, 8, "paper", ("first", "weighted"))]
    assert all(set(runs) >= set(keys) for runs in data["measurements"].values())


def test_many_graphs_are_drawn_as_their_mean():
    path = Path(__file__).resolve().parents[3] / "benchmarks/results/weighted-h200/redblue.json"
    data = read_results(path)
    curve, theory = figure_3(data)[-1].series
    names = sorted(data["measurements"])[:MOST_CURVES]
    few = data | {"measurements": {name: data["measurements"][name] for name in names}}
    *single, theory_again = figure_3(few)[-1].series
    assert len(single) == MOST_CURVES and theory == theory_again and "58 graphs" in curve.name
    assert all(a < b < c for a, b, c in zip(curve.low, curve.y, curve.high, strict=True))
    for one in single:
        shares = dict(zip(one.x, one.y, strict=True))
        for p, low, high in zip(curve.x, curve.low, curve.high, strict=True):
            assert low <= shares[p] <= high
