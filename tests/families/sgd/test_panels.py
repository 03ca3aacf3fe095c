"""The cards of factorisations: the race agrees with the runs, the predictor with the cost model."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.errors import Cancelled
from gpucore.families.sgd.cost import PLATFORMS, SCHEDULES, offline_cost, online_cost, predict
from gpucore.families.sgd.structure import Structure
from gpucore.family import get_runner
from gpucore.loading import load
from support.driving import Visitor
from support.running import uncertified
from support.waiting import wait_until
from warplens.app.charts.theme import DARK, LIGHT
from warplens.app.dashboard.page import Dashboard
from warplens.app.families.sgd.predictor import drawn, paper_bars, schedule_bars, verdict
from warplens.app.families.sgd.predictor_card import PredictorPanel
from warplens.app.families.sgd.race import Track, race, runners, settings
from warplens.app.families.sgd.race_card import FIRST, RacePanel, table
from warplens.app.families.sgd.race_plot import plot_race
from warplens.app.jobs import Jobs
from warplens.app.limits import PageLimits
from warplens.app.view import Services

from .cases import factor, random_ratings

SAMPLE = load("sample_ratings", "ratings")
RATINGS = random_ratings()


class Never:
    """A cancel hook that is not set."""

    def is_set(self):
        return False


class Always:
    """A cancel hook that is set."""

    def is_set(self):
        return True


@pytest.fixture(scope="module")
def result():
    return factor(RATINGS, "el", rate=0.05)


def run_race(names, **params):
    common = settings({"rate": 0.05, "test": 0.2, **params})
    return race(RATINGS, names, common, get_device("host"), lambda *_: None, Never())


# The race


def test_the_race_has_the_errors_of_its_runs():
    blkdiag, serial = run_race(["blkdiag", "sgd_serial"])
    again = uncertified("sgd_serial", RATINGS, rate=0.05, test=0.2)
    np.testing.assert_array_equal(serial.rmse, again.figures["rmse_by_sweep"])
    np.testing.assert_array_equal(serial.test_rmse, again.figures["test_rmse_by_sweep"])
    assert serial.name == get_runner("sgd_serial").title
    for track in (blkdiag, serial):
        assert len(track.seconds) == len(track.rmse) == len(track.test_rmse) == 21
        assert track.seconds[0] == 0
        assert (np.diff(track.seconds) >= 0).all()
    # The same first vectors, so the same errors before the first sweep.
    assert blkdiag.rmse[0] == pytest.approx(serial.rmse[0], rel=1e-5)


def test_the_race_takes_the_parameters_of_the_page():
    assert settings({"k": 32, "threads": 2, "sweeps": 3, "test": 0.0, "variant": "nl"}) == {
        "k": 32,
        "sweeps": 20,
        "test": 0.1,
    }


def test_a_runner_that_diverges_has_a_reason():
    (track,) = run_race(["sgd_serial"], rate=10.0, schedule="constant")
    assert "diverges" in track.failure
    assert "diverges" in table([track])
    assert "diverge" in plot_race([track], "sweep", LIGHT)


def test_a_race_can_be_cancelled():
    with pytest.raises(Cancelled):
        common = settings({})
        race(RATINGS, ["sgd_serial"], common, get_device("host"), lambda *_: None, Always())


@pytest.mark.parametrize("axis", ["sweep", "second"])
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_plot_has_two_lines_for_each_runner(axis, colours):
    seconds = np.linspace(0.0, 2.0, 5)
    falling = np.linspace(1.0, 0.5, 5)
    tracks = [
        Track("one", seconds, falling, falling + 0.1),
        Track("other", 100 * seconds, falling, np.zeros(0)),
    ]
    plot = plot_race(tracks, axis, colours)
    assert len(plot.renderers) == 3
    assert {item.label.value for item in plot.legend[0].items} == {"one", "other"}
    lines = [dict(line.data_source.data) for line in plot.renderers]
    begin = 1 if axis == "second" else 0  # a hundredfold is drawn on a logarithmic axis
    assert list(lines[1]["y"]) == list(falling[begin:] + 0.1)
    assert list(lines[0]["x"]) == list((np.arange(5) if axis == "sweep" else seconds)[begin:])


def test_the_card_of_the_race_runs_it(result):
    errors, themed = [], []
    jobs = Jobs(errors.append, lambda: None)
    services = Services(
        PageLimits(), jobs, lambda *_: None, lambda: None, lambda call: call, themed.append
    )
    panel = RacePanel(services)
    assert panel.widget.layout.display == "none"
    panel.show(RATINGS, result)
    assert panel.widget.layout.display is None
    assert {name for name, box in panel.chosen.items() if box.value} <= set(FIRST)
    assert set(panel.chosen) == set(runners())
    for name, box in panel.chosen.items():
        box.value = name in ("el_shuffled", "sgd_serial")
    panel.button.click()
    wait_until(lambda: panel.tracks and not jobs.busy)
    assert errors == []
    assert len(panel.tracks) == 2
    light = panel._plot.children[0]
    themed[0](True)
    assert panel._plot.children[0] is not light
    panel.axis.value = "second"
    panel.show(SAMPLE, factor(SAMPLE, "el"))  # other ratings: another race
    assert panel.tracks == []
    panel.clear()
    assert panel.widget.layout.display == "none"


# The predictor


def test_the_papers_bars_are_its_formulas():
    costs = PLATFORMS["R9-290X"]
    offline, online = paper_bars(1000, costs, 0.02)
    assert offline.seconds == pytest.approx(offline_cost(1000, costs))
    assert online.seconds == pytest.approx(online_cost(1000, costs, 0.02))
    assert online.parts["barriers"] == pytest.approx(costs.barrier / 0.02)
    assert online.parts["locks"] == pytest.approx(1000 * costs.lock)
    assert [offline.best, online.best] == [False, True]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_bars_of_schedules_are_the_prediction(platform):
    structure, costs = Structure.of(RATINGS, 8), PLATFORMS[platform]
    bars = schedule_bars(structure, costs)
    assert {bar.name: bar.seconds for bar in bars} == pytest.approx(predict(structure, costs))
    assert [bar.best for bar in bars] == [True] + [False] * (len(SCHEDULES) - 1)
    assert bars[0].name in verdict(structure, costs, 0.5)
    html = drawn(bars)
    assert html.index(bars[0].name) < html.index(bars[-1].name)


def test_the_sliders_change_the_verdict(result):
    panel = PredictorPanel(
        Services(PageLimits(), None, lambda *_: None, lambda: None, lambda call: call)
    )
    assert panel.widget.layout.display == "none"
    panel.show(RATINGS, result)
    wait_until(lambda: panel._words.value)
    structure = Structure.of(RATINGS, 8)
    assert panel.threads.value == 8
    assert panel.fraction == pytest.approx(structure.fraction)
    assert f"d = {structure.degree}." in panel._words.value
    assert "takes an online schedule" in panel._words.value
    panel.sliders["lock"].value = -4  # a lock of 100 microseconds
    assert "takes an offline schedule" in panel._words.value
    assert "100 µs" in panel.sliders["lock"].description
    panel.platform.value = "R9-290X"
    assert panel.costs.lock == pytest.approx(PLATFORMS["R9-290X"].lock)
    panel.sliders["fraction"].value = 0.0
    assert "1 / 1" in panel.sliders["fraction"].description
    panel.clear()
    assert panel.widget.layout.display == "none"


# The page


def test_the_page_begins_with_the_papers_two_threads():
    page = Dashboard("sgd", PageLimits())
    params = page.runs.params()
    assert (params["threads"], params["test"], params["sweeps"]) == (2, 0.0, 3)
    assert "tile_users" not in params
    page.runs.variant.value = "blkdiag"
    assert page.runs.params()["tile_users"] == 2
    assert page.saved_runs.gallery.options[1][1] == "sample-sgd-el"


def test_an_opened_record_fills_in_the_form():
    """Also its parameters that the form does not offer are the defaults, so a run repeats it."""
    page = Dashboard("sgd", PageLimits())
    visitor = Visitor(page, page.bar.run)
    page.saved_runs.gallery.value = "sample-sgd-blkdiag"
    visitor.wait()
    assert visitor.error == ""
    assert page.graphs.collection.value == "sample_ratings"
    params = page.runs.params()
    assert (params["variant"], params["threads"], params["tile_users"]) == ("blkdiag", 2, 2)
    played = page.loaded
    visitor.run()
    assert visitor.error == ""
    assert page.loaded is played
    assert "Certified" in page.certificate.value
