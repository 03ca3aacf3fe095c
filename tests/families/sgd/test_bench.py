"""Benchmarks of SGD: every schedule measured or skipped with a reason, figures from the times."""

import copy
import math

import pytest
from scipy.io import mmwrite

import gpucore
from gpucore.bench.plan import Plan
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.report import write_report
from gpucore.bench.suite import get_suite
from gpucore.bench.summary import summarise
from gpucore.device import get_device
from gpucore.families.sgd.bench import matrices
from gpucore.families.sgd.bench.plots import sgd_plots
from gpucore.families.sgd.bench.published import TABLE_2
from gpucore.families.sgd.bench.runs import (
    SWEEPS,
    Sweep,
    choices,
    curve,
    means,
    normalised,
    races,
    reached,
    skipped,
    structure_of,
    sweeps,
)
from gpucore.families.sgd.bench.suite import CHAMPION, FEW, SERIAL, schedule
from gpucore.families.sgd.bench.tables import sgd_tables
from gpucore.families.sgd.cost import SCHEDULES, Costs, Structure, predict
from gpucore.families.sgd.work import HOST_WORKERS
from gpucore.family import get_runner
from gpucore.problems.ratings.split import split
from support.bench_sessions import hints, measured

VARIANTS = get_runner("sgd").variant_names

pytestmark = pytest.mark.usefixtures("small_copy")

CROWD = "scale_free:users=100,items=20,ratings=700"
GRAPHS = (CROWD, "road20")
CORES = 2


@pytest.fixture(scope="module")
def suite():
    return get_suite("sgd")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("sgd")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on two tiny matrices, once for all tests; no more than 30 matchings."""
    few = [("families.sgd.bench.matrices.MOST_MATCHINGS", 30)]
    plan = Plan(graphs=GRAPHS, repeat=1, cores=CORES)
    return measured(suite, plan, places, few)


def test_every_case_is_measured_or_skipped_with_a_reason(suite, data):
    for name, cases in data["measurements"].items():
        wanted = {
            case.key
            for experiment in suite.experiments
            if not experiment.within or experiment.within in suite.sets_of(name)
            for case in experiment.cases(CORES)
        }
        assert set(cases) == wanted
        errors = {k: case["error"] for k, case in cases.items() if "seconds" not in case}
        many = {schedule(v).key for v in ("agm_e", "agm_n", "sgm", "el_sgm")}
        assert set(errors) == (many if name == CROWD else set())
        assert all("skipped: its preprocessing needs" in reason for reason in errors.values())
    assert {row[:2] for row in skipped(data)} == {
        (CROWD, v) for v in ("agm_e", "agm_n", "sgm", "el_sgm")
    }


def test_what_takes_too_long_is_skipped():
    many = {"diag": {"barriers": 2_000_000}}
    known = {"users": 2_000_000, "items": 10, "on_device": {"loads": many}}
    assert "2,000,000 barriers" in matrices.skip(schedule("diag"), known)
    assert matrices.skip(schedule("el"), known) == ""
    few = {"agm_e": {"barriers": 4}, "sgm": {"barriers": 400}, "diag": {"barriers": 4}}
    assert matrices.skip(schedule("diag"), known | {"on_device": {"loads": few}}) == ""
    known["on_device"] = {"loads": few}
    assert matrices.skip(schedule("agm_n"), known) == ""
    assert "at least 400 matchings" in matrices.skip(schedule("sgm"), known)


def test_factorisations_are_certified(suite, data):
    for row in summarise(data, suite.contest, suite.quality):
        assert row.certified
        assert math.isfinite(row.champion)
        assert math.isfinite(row.rival)
        assert row.proved > 0
    for cases in data["measurements"].values():
        for key, case in cases.items():
            if "seconds" in case and not {"record", "k"} & set(case["params"]):
                assert case["certified"] is True, key


def test_a_quick_check_finds_a_wrong_error():
    graph = get_suite("sgd").prepare(matrices.load(CROWD))
    result = gpucore.run("sgd", graph, device=get_device("host"), certify=False, sweeps=2)
    assert matrices.recheck(graph, result)
    wrong = copy.deepcopy(result)
    wrong.figures["test_rmse"] *= 1.01
    assert not matrices.recheck(graph, wrong)
    wrong = copy.deepcopy(result)
    wrong.users[3, 2] = math.nan
    assert not matrices.recheck(graph, wrong)


def test_schedules_are_relative_to_el(data):
    times = sweeps(data)
    assert set(times["road20"]) == set(VARIANTS)
    alone, whole = normalised(data), normalised(data, whole=True)
    for kind, matrix in (("scale-free", CROWD), ("road", "road20")):
        assert alone[kind]["el_shuffled"] == [1.0]
        nl, base = times[matrix]["nl"], times[matrix]["el_shuffled"]
        assert alone[kind]["nl"] == [nl.seconds / base.seconds]
        assert whole[kind]["nl"] == [nl.whole / base.whole]
    assert "agm_e" not in alone["scale-free"]
    # Matchings are found before the sweeps: with that time, AGM-E is slower relative to EL.
    assert whole["road"]["agm_e"][0] > alone["road"]["agm_e"][0]
    assert Sweep(2.0, 5.0, 1.0).whole == 5.0 + SWEEPS * 2.0
    assert means({"road": {"nl": [2.0, 8.0]}})["road"]["nl"] == pytest.approx(4.0)


def test_times_are_those_of_the_sweeps(data):
    found = data["measurements"][CROWD][schedule("nl").key]
    assert len(found["kept"]["seconds_by_sweep"]) == FEW
    assert sweeps(data)[CROWD]["nl"].passes == found["figures"]["passes"] / FEW
    assert found["seconds"] == pytest.approx(sum(found["kept"]["seconds_by_sweep"]))


def test_the_race_ends_at_the_errors_of_serial(data):
    for matrix, (targets, found) in races(data).items():
        serial = data["measurements"][matrix][SERIAL.key]["kept"]
        assert targets == (serial["rmse_by_sweep"][-1], serial["test_rmse_by_sweep"][-1])
        assert len(serial["rmse_by_sweep"]) == SWEEPS + 1
        times = {race.label: race for race in found}
        assert {"serial", CHAMPION, "el_shuffled", "nl"} <= set(times)
        assert times["serial"].last == targets
        assert 0 < times["serial"].seconds.train <= sum(serial["seconds_by_sweep"]) * (1 + 1e-9)
        first = pytest.approx(serial["rmse_by_sweep"][0], rel=1e-6)
        assert times["el_shuffled"].curve[0] == (0.0, first)


def test_a_target_is_reached_within_the_tolerance():
    points = [(0.0, 2.0), (1.0, 1.5), (2.0, 1.0005), (3.0, 0.9)]
    assert reached(points, 1.0) == 2.0
    assert reached(points, 0.5) is None
    assert reached(points, None) is None
    kept = {"seconds_by_sweep": [1.0, 2.0], "test_rmse_by_sweep": [], "rmse_by_sweep": [3, 2, 1]}
    assert curve({"kept": kept}, "rmse_by_sweep") == [(0.0, 3), (1.0, 2), (3.0, 1)]
    assert curve({"kept": kept}, "test_rmse_by_sweep") == []


def test_predictions_are_those_of_the_model(data):
    costs = Costs(**data["device_figures"]["costs"])
    assert data["device_figures"]["workers"] == HOST_WORKERS
    for one in choices(data):
        train = split(get_suite("sgd").prepare(matrices.load(one.matrix)), 0.1, 0).train
        fresh = Structure.of(train, HOST_WORKERS)
        assert structure_of(data["graphs"][one.matrix]["on_device"]) == fresh
        assert one.predicted == {
            k: v for k, v in predict(fresh, costs).items() if k in one.measured
        }
        assert one.measured[one.best] == min(one.measured.values())
        assert one.predicted[one.chosen] == min(one.predicted.values())
        assert one.cost >= 1
    assert [set(one.measured) for one in choices(data)][1] == set(SCHEDULES)


def test_tables_have_the_papers_columns(data):
    tables = {table.title: table for table in sgd_tables(data)}
    assert len(tables) == 10
    assert all(len(row) == len(t.head) for t in tables.values() for row in t.rows)
    two = {row[0]: row for row in tables["Matrices (table II)"].rows}
    assert two["road20"][1:5] == ["road", "800", "938", "4"]
    ratio = normalised(data)["road"]["nl"][0]
    seven = {row[0]: row for row in tables["Schedules relative to EL (figure 7)"].rows}
    assert seven["nl"][5] == f"{ratio:.3g}"
    assert seven["agm_e"][1:4] == ["0", "–", "–"]
    eight = {row[0]: row for row in tables["Speed-up of hybrids over EL (figure 8)"].rows}
    assert eight["nl"][2] == f"{1 / ratio:.2f}"
    chosen = tables["The predictor's choices"].rows
    mean = geometric_mean([one.cost for one in choices(data)])
    assert chosen[-2][-1] == f"{mean:.2f}"
    speed = {tuple(row[:2]): row for row in tables["Updates a second"].rows}
    one = sweeps(data)["road20"]["diag"]
    ratings = data["measurements"]["road20"][schedule("diag").key]["figures"]["ratings"]
    assert float(speed["road20", "diag"][2]) == pytest.approx(ratings / one.seconds / 1e6, rel=1e-2)
    assert speed["road20", "serial"][-1] == "–"


def test_every_figure_is_drawn(suite, data, places):
    drawn = sgd_plots(data)
    assert set(drawn) == {e.name for e in suite.experiments if e.plot == "none"}
    ratio = normalised(data)["road"]["nl"][0]
    assert f"nl, road: {ratio:.3g}" in hints(drawn["schedules"])
    assert f"nl, road: {1 / ratio:.3g}" in hints(drawn["hybrids"])
    rates = data["device_figures"]["atomics"]["CAS u32"]["one address"]
    words = f"CAS u32, one address, {rates[1][0]:.3g} threads: {rates[1][1]:.3g} atomics a second"
    assert words in hints(drawn["atomics"])
    blocks, seconds = data["device_figures"]["barriers"][-1]
    words = f"a barrier, {blocks:.3g} blocks: {seconds:.3g} seconds"
    assert words in hints(drawn["atomics"])
    one = choices(data)[1]
    guess, seconds = one.predicted["diag"], one.measured["diag"]
    words = f"road20, diag: {guess:.3g} s predicted, {seconds:.3g} s measured"
    assert words in hints(drawn["predictor"])
    assert drawn["race"].count("<svg") == 3  # two matrices in one
    page = write_report(suite, data, places[0]).read_text()
    assert page.count("<figure>") == len(suite.experiments)
    for table in sgd_tables(data):
        assert table.title.replace("'", "&#x27;") in page


def test_what_was_not_measured_is_left_out(suite, data, tmp_path):
    changed = copy.deepcopy(data)
    changed["measurements"] = {graph: {} for graph in GRAPHS}
    del changed["device_figures"]
    assert sgd_plots(changed) == {}
    assert sgd_tables(changed) == []
    assert "<table>" not in write_report(suite, changed, tmp_path).read_text()
    changed["experiments"] = {}
    assert sgd_plots(changed) == {}
    assert sgd_tables(changed) == []


def test_a_matrix_has_the_class_of_its_degrees(tmp_path):
    crossings = tmp_path / "crossings.mtx"  # whatever its owner calls it
    mmwrite(crossings, matrices.load("road20").to_matrix())
    for name in (str(crossings), "road20"):
        assert matrices.facts(matrices.load(name))["sets"][0] == matrices.ROAD
    for name in ("sample_ratings", "scale_free:users=60,items=30,ratings=400"):
        assert matrices.facts(matrices.load(name))["sets"][0] == matrices.SCALE_FREE
    for row in TABLE_2:  # a network is square, other matrices are not
        assert matrices.class_of(9, 9, row.degree) == row.kind
    assert matrices.load("road20").name == "road20"
