"""Benchmarks of stable marriage: one marriage for all, sets of instances, figures 1 to 8."""

import copy
import dataclasses
import time
import tracemalloc
from html import escape
from types import SimpleNamespace

import pytest

import gpucore
from gpucore.bench.details import detail_head, detail_rows
from gpucore.bench.harness import Deadline, RunLimit
from gpucore.bench.plan import Plan
from gpucore.bench.plots.experiments import plots
from gpucore.bench.report import own_charts, write_report
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, get_suite
from gpucore.bench.summary import least_bytes, summarise
from gpucore.device import get_device
from gpucore.errors import Cancelled, GraphError
from gpucore.families.marriage.bench import instances as marriage_instances
from gpucore.families.marriage.bench.cases import (
    APART,
    FAST,
    GS,
    LIBRARY,
    MW,
    QUEUE,
    SEQUENTIAL,
    STACK,
)
from gpucore.families.marriage.bench.figure_numbers import scaling, teps, up_to
from gpucore.families.marriage.bench.figures import EASY, PAPER
from gpucore.families.marriage.bench.instances import (
    digest,
    kind_and_size,
    load,
    prepare,
    sets_of,
)
from gpucore.families.marriage.bench.tables import (
    aim_rows,
    fastest_sequential,
    marriage_tables,
    runs_of,
    work_rows,
)
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.preferences import Preferences
from support.bench_sessions import hints, measured

pytestmark = pytest.mark.usefixtures("small_copy")

GRAPHS = ("easy100", "easy60", "hard20", "classic12", "hospitals:residents=40,hospitals=8,seed=3")
CORES = 2


@pytest.fixture(scope="module")
def suite():
    return get_suite("marriage")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("marriage")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on five tiny instances, once for all tests."""
    plan = Plan(graphs=GRAPHS, repeat=1, cores=CORES)
    return measured(suite, plan, places)


def test_every_case_is_measured_on_its_set(suite, data):
    wanted = {
        name: {
            case.key
            for experiment in suite.experiments
            if experiment.within in sets_of(name)
            for case in experiment.cases(CORES)
        }
        for name in GRAPHS
    }
    assert {name: set(cases) for name, cases in data["measurements"].items()} == wanted
    assert wanted[GRAPHS[-1]] == {case.key for case in (FAST, *SEQUENTIAL)}
    for cases in data["measurements"].values():
        failed = {k: c["error"] for k, c in cases.items() if "seconds" not in c}
        assert set(failed) <= {LIBRARY.key}  # it may be missing


def test_all_methods_find_the_same_certified_marriage(suite, data):
    for row in summarise(data, suite.contest, suite.quality, rated=suite.rated):
        assert row.same
        assert row.certified
        considered = data["measurements"][row.graph][FAST.key]["figures"]["considered"]
        assert row.rate == considered / row.champion
    changed = copy.deepcopy(data)
    changed["measurements"]["easy60"][MW.key]["digest"] = "another"
    assert [r[-1] for r in work_rows(changed) if r[:2] == ["easy60", MW.label]] == ["ANOTHER"]
    assert {r[-1] for r in work_rows(data)} == {"as fast"}


def test_separate_cases_are_the_same_measurements():
    assert [case.key for case in APART] == [case.key for case in SEQUENTIAL]
    assert not any(case.separate for case in SEQUENTIAL)


def test_hard_instances_take_half_of_all_pairs(data):
    found = data["measurements"]["hard20"]
    assert {found[case.key]["figures"]["considered"] for case in (FAST, MW, GS, *APART)} == {210}
    assert found[FAST.key]["figures"]["cardinality"] == 20


def test_the_floor_counts_considered_places(data):
    figures = data["measurements"]["easy100"][FAST.key]["figures"]
    assert least_bytes(data, "easy100") == 8 * figures["considered"] + 16 * 100 + 16 * 100
    assert least_bytes(data, "hard20") == 4 * 40 + 16 * 20
    changed = copy.deepcopy(data)
    changed["measurements"]["easy100"] = {}
    assert least_bytes(changed, "easy100") == 3200


def test_tables_have_considered_places_per_second(suite, data):
    assert detail_head(suite)[3:5] == ["runs", "M considered/s"]
    rows = {tuple(row[:2]): row for row in detail_rows(suite, data)}
    assert ("easy60", MW.label) in rows
    work = {tuple(row[:2]): row for row in work_rows(data)}
    assert work["easy60", FAST.label][4] == rows["easy60", FAST.label][4]
    assert work["hard20", FAST.label][5] == "–"
    assert "1" in {work["easy60", case.label][6] for case in (QUEUE, STACK)}


def test_aims_are_judged(data):
    assert list(aim_rows(data)) == []
    changed = copy.deepcopy(data)
    for name, small, seconds in (("easy25m", "easy60", 0.1), ("hard500k", "hard20", 7.0)):
        changed["graphs"][name] = changed["graphs"][small]
        changed["measurements"][name] = changed["measurements"][small]
        changed["measurements"][name][FAST.key]["seconds"] = seconds
    rows = list(aim_rows(changed))
    assert [row[:4] for row in rows] == [
        ["easy25m", "< 200 ms", "100 ms", "yes"],
        ["hard500k", "< 5 s", "7 s", "NO"],
    ]


def test_experiments_are_drawn_on_their_set(suite, data, places):
    drawn = plots(data, suite.quality) | own_charts(suite, data)
    assert set(drawn) == {experiment.name for experiment in suite.experiments}
    assert any(words.startswith("classic12, ") for words in hints(drawn["complete"]))
    assert not any("easy" in words for words in hints(drawn["complete"]))
    page = write_report(suite, data, places[0]).read_text()
    assert page.count("<figure>") == len(suite.experiments)
    assert [table.title for table in marriage_tables(data)] == ["Work, method by method"]
    for table in marriage_tables(data):
        assert all(len(row) == len(table.head) for row in table.rows)


def test_pictures_keep_the_order_of_the_paper(suite, data, places):
    changed = copy.deepcopy(data)
    changed["experiments"] = dict(reversed(changed["experiments"].items()))
    page = write_report(suite, changed, places[0]).read_text()
    titles = [page.index(f"<title>{escape(e.title)}</title>") for e in suite.experiments]
    assert titles == sorted(titles)


def test_lines_are_those_of_the_figures(suite, data):
    drawn = own_charts(suite, data)
    for size in (60, 100):
        assert any(words.startswith(f"{FAST.label}, {size}: ") for words in hints(drawn["easy"]))
    base = fastest_sequential(data, "hard20")
    runs = runs_of(data, "threads_hard")
    ratio = base / runs["McVitie-Wilson, 1 thread"]["hard20"]["seconds"]
    assert f"OpenMP McVitie-Wilson, 20, 1: {ratio:.4g}" in hints(drawn["threads_hard"])
    rates = [w for w in hints(drawn["teps_easy"]) if w.startswith(f"{FAST.label}, 60, ")]
    assert len(rates) == 2  # a line across


def test_what_was_not_measured_is_left_out(suite, data):
    changed = copy.deepcopy(data)
    changed["measurements"] = {graph: {} for graph in GRAPHS}
    assert own_charts(suite, changed) == {}
    assert marriage_tables(changed) == []
    assert fastest_sequential(changed, "easy60") is None
    changed["experiments"] = {}
    assert own_charts(suite, changed) == {}
    assert marriage_tables(changed) == []


def test_results_of_earlier_versions_are_read(data):
    changed = copy.deepcopy(data)
    for experiment in changed["experiments"].values():
        del experiment["within"]
    assert set(plots(changed, "cardinality")) >= {"kernels", "complete"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("easy25m", ("easy", 25_000_000)),
        ("classic5k", ("classic", 5000)),
        ("hospitals:residents=40,hospitals=8,seed=3", ("hospitals", 40)),
        ("cycles:length=4,n=50", ("cycles", 50)),
        ("easy0", None),
        ("path:n=3", None),
        ("gale_shapley_4", None),
    ],
)
def test_names_give_kind_and_size(name, expected):
    assert kind_and_size(name) == expected


def test_instances_are_made_by_name():
    hospitals = load("hospitals1k")
    assert (hospitals.num_men, hospitals.num_women, hospitals.has_capacities) == (1000, 10, True)
    assert load("gale_shapley_4").num_pairs == 16
    assert isinstance(prepare(load("easy60")), PreferenceGraph)
    assert prepare(load("hard20")).is_shared
    with pytest.raises(GraphError, match="atlantis"):
        load("atlantis")


def test_an_instance_is_known_by_its_digest(monkeypatch):
    lists = [[[0, 1], [1, 0]], [[0, 1], [0, 1]]]
    first = digest(Preferences.from_lists(*lists))
    assert first == digest(Preferences.from_lists(*lists))
    assert first != digest(Preferences.from_lists(*lists[::-1]))
    assert first != digest(Preferences.from_lists(*lists, woman_capacity=2))
    monkeypatch.setattr(marriage_instances, "SAMPLE", 2)
    assert first != digest(Preferences.from_lists(*lists))


def test_a_run_that_takes_too_long_is_stopped_and_reported(suite, tmp_path, monkeypatch):
    run, late = gpucore.run, [0.0]

    def endless(runner, graph, *, cancel, **options):
        if runner != "gale_shapley":
            return run(runner, graph, cancel=cancel, **options)
        while not cancel.is_set():
            late[0] += 1.0
        raise Cancelled()

    monkeypatch.setattr(gpucore, "run", endless)
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + late[0])
    monkeypatch.setattr("gpucore.bench.harness.time", clock)
    slow = Case("slow", "gale_shapley", {}, "cpu")
    experiment = dataclasses.replace(suite.experiments[0], cases=lambda cores: [slow, FAST])
    changed = dataclasses.replace(suite, experiments=(experiment,))
    plan = Plan(graphs=["hard20"], repeat=1, run_limit=60.0)
    said = []
    for limit, lines in ((60.0, 2), (60.0, 0), (72.0, 1)):  # again only if there is more time
        plan = dataclasses.replace(plan, run_limit=limit)
        results, complete = run_session(
            changed, plan, get_device("host"), tmp_path, tmp_path, log=said.append
        )
        assert complete
        assert len(said) == lines
        said.clear()
    found = results.data["measurements"]["hard20"][slow.key]
    assert found["error"] == "not finished after 72 s"
    with pytest.raises(Cancelled):
        soon = Deadline(None, cancel=_Set())
        run_session(changed, plan, get_device("host"), tmp_path / "b", tmp_path, cancel=soon)


class _Set:
    def is_set(self):
        return True


def test_a_run_limit_begins_with_every_run():
    limit = RunLimit(60.0, Deadline(None))
    assert not limit.is_set()
    assert RunLimit(60.0, Deadline(0.0)).is_set()
    over = RunLimit(-1.0, Deadline(None))
    assert over.is_set()
    over.begin()
    assert over.is_set()


def test_threads_are_drawn_for_sizes_that_several_counts_solved():
    """The largest instances ran on all cores only: they have no curve, smaller ones have."""
    counts = {1000: (1, 16), 2000: (1, 8, 16), 9000: (16,)}
    data = {
        "setup": {"cores": 16},
        "graphs": {f"easy{men}": {"men": men, "sets": ["easy"]} for men in counts},
        "measurements": {
            f"easy{men}": {
                "gale_shapley()@cpu": {"seconds": 8.0, "figures": {"considered": 10}},
            }
            | {
                f"gale_shapley_omp(threads={count})@cpu": {
                    "seconds": 8.0 / count,
                    "params": {"threads": count},
                    "figures": {"considered": 10},
                }
                for count in threads
            }
            for men, threads in counts.items()
        },
    }
    (chart,) = scaling("easy")(data)
    assert [row.name for row in chart.series] == [
        "OpenMP Gale-Shapley, 1,000",
        "OpenMP Gale-Shapley, 2,000",
    ]
    assert chart.series[1].y == [1.0, 8.0, 16.0]
    assert teps("easy")(data)[0].series[0].x == [1.0, 16.0]


def test_figures_1_and_2_end_at_25_million_men_and_figure_3_needs_125():
    rows = {"one": {25_000_000: 1.0, 125_000_000: 2.0}}
    assert up_to(rows, EASY) == {"one": {25_000_000: 1.0}}

    def of(*sizes):
        return {
            "setup": {"cores": 16},
            "graphs": {f"e{men}": {"men": men, "sets": ["easy"]} for men in sizes},
            "measurements": {
                f"e{men}": {"mcvitie_wilson_omp(threads=16)@cpu": {"seconds": 3.0}} for men in sizes
            },
        }

    ours = PAPER.figures[2].printed[0].ours
    assert ours(of(25_000_000)) is None
    assert ours(of(25_000_000, 125_000_000)) == "3 s (125 million men)"


def test_figure_7_counts_both_parallel_methods():
    """The paper gives one range for both; before, Gale-Shapley alone was shown."""
    rates = {"gale_shapley_omp": 4.0, "mcvitie_wilson_omp": 2.0}
    measured = {
        f"{runner}(threads=8)@cpu": {
            "seconds": seconds,
            "params": {"threads": 8},
            "figures": {"considered": 400_000_000},
        }
        for runner, seconds in rates.items()
    }
    data = {
        "setup": {"cores": 8},
        "graphs": {"easy1k": {"men": 1000, "sets": ["easy"]}},
        "measurements": {"easy1k": measured},
    }
    (printed,) = PAPER.figures[6].printed
    assert printed.ours(data) == "200 M with 8 threads (1,000 men)"


def test_numbers_are_of_the_papers_sizes_alone_if_one_was_measured():
    """27 % was the mean of 25 million men and of 100,000, which is no size of the paper."""

    def of(*sizes):
        return {
            "setup": {"cores": 16},
            "graphs": {f"e{men}": {"men": men, "sets": ["easy"]} for men in sizes},
            "measurements": {
                f"e{men}": {
                    "gale_shapley()@cpu": {"seconds": 2.0},
                    "mcvitie_wilson()@cpu": {"seconds": 2.0 + men / 25_000_000},
                    "gale_shapley_omp(threads=16)@cpu": {"seconds": 1e6 / men},
                    "mcvitie_wilson_omp(threads=16)@cpu": {"seconds": 0.5},
                }
                for men in sizes
            },
        }

    slower, faster = PAPER.figures[0].printed[1].ours, PAPER.figures[0].expectations[0].holds
    (up, _) = PAPER.figures[1].printed
    mixed = of(100_000, 5_000_000, 25_000_000)
    assert slower(mixed) == "30% (5 and 25 million men)"
    assert "on 2 of 2 instances" in faster(mixed).words
    assert up.ours(mixed) == "10 to 50 × (5 and 25 million men)"
    assert slower(of(100_000)) == "0% (100,000 men)"
    assert up.ours(of(100_000)) is None
    assert not faster(of(100_000)).holds


@pytest.mark.parametrize("name", ["easy100m", "easy125m", "classic500k"])
def test_an_instance_beyond_the_memory_is_refused_before_any_is_taken(name, monkeypatch):
    monkeypatch.setattr("gpucore.limits.available_memory", lambda: 16 << 30)
    marriage_instances.load("easy2k")  # what is imported counts as memory, too
    tracemalloc.start()
    try:
        with pytest.raises(GraphError, match=r"needs about \d.* of memory, more than the 12 GiB"):
            marriage_instances.load(name)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
