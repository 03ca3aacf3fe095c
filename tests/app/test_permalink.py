"""A link restores the form, runs and goes to the step; a link with an error changes nothing."""

import pytest

from gpucore.errors import ParameterError
from warplens.app.limits import PageLimits
from warplens.app.links import permalink
from warplens.app.sources.graphs import GENERATORS

from .test_dashboard import Driver


@pytest.fixture
def driver():
    return Driver(PageLimits())


@pytest.fixture(scope="module")
def shared():
    """Return a page that no link may change."""
    return Driver(PageLimits())


def follow(driver, search):
    """Open a link as the browser reports it, and wait for graph and run."""
    driver.page.export.widget.search = search
    driver.wait()
    driver.wait()


def test_a_link_opens_the_same_run_at_the_same_step(driver):
    page = driver.page
    follow(
        driver,
        "?graph=karate&algorithm=suitor&variant=sync_lb&threads_per_block=192"
        "&vertices_per_warp=8&lb_iterations=2&device=host&policy=round_robin&seed=5&step=17",
    )
    assert driver.error == ""
    assert page.graphs.collection.value == "karate"
    assert page.runs.params() == {
        "variant": "sync_lb",
        "threads_per_block": 192,
        "vertices_per_warp": 8,
        "lb_iterations": 2,
    }
    assert page.runs.device_options() == {"policy": "round_robin", "seed": 5}
    assert page.player.position == 17
    first = page.player.payload

    again = Driver(PageLimits())
    follow(again, f"?{page.export.widget.query}&step=17")
    assert again.page.player.payload == first


def test_a_visitor_is_not_taken_away_while_the_page_grows(driver, monkeypatch):
    """The replay goes to the step before the slow parts of the page are made."""
    charts, places = driver.page.charts, []
    shown = charts.show

    def show(*run):
        places.append(driver.page.player.position)
        driver.page.player.position = 3  # the visitor has moved on
        shown(*run)

    monkeypatch.setattr(charts, "show", show)
    follow(driver, "?graph=karate&step=17")
    assert places == [17]
    assert driver.page.player.position == 3


@pytest.mark.parametrize("name", GENERATORS)
def test_generated_graphs_travel_as_their_sliders(driver, name):
    graphs, runs = driver.page.graphs, driver.page.runs
    graphs.quiet = True
    graphs.tabs.value = "Generated"
    graphs.family.value = name
    for field, slider in zip(graphs.sliders.children, GENERATORS[name].sliders, strict=True):
        field.value = type(field.value)(slider.low + slider.step)
    settings = permalink.settings_of(graphs, runs)
    other = Driver(PageLimits()).page
    query = permalink.write(permalink.Link(settings))
    permalink.fill_in(permalink.read(query).settings, other.graphs, other.runs)
    assert permalink.settings_of(other.graphs, other.runs) == settings
    assert [field.value for field in other.graphs.sliders.children] == [
        field.value for field in graphs.sliders.children
    ]


@pytest.mark.parametrize("search", ["", "?", "?token=abc"])
def test_an_address_that_asks_for_nothing(search):
    assert permalink.read(search) is None


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ("?graph=nonsense", "neither in the collection"),
        ("?graph=/etc/passwd", "neither in the collection"),
        ("?graph=rmat:scale=8", "needs each of scale, edge_factor, seed"),
        ("?graph=rmat:scale=99,edge_factor=4,seed=1", "goes from 4 to 16 in steps of 1"),
        ("?graph=rmat:scale=nan,edge_factor=4,seed=1", "goes from 4 to 16"),
        ("?graph=rgg:n=21,seed=1", "in steps of 20"),
        ("?algorithm=suitor", "names no graph"),
        ("?graph=karate&algorithm=nonsense", "only ld, suitor can be chosen"),
        ("?graph=karate&algorithm=suitor&variant=ld", "only"),
        ("?graph=karate&threads_per_block=100", "only 128, 192, 256"),
        ("?graph=karate&policy=fair", "only random"),
        ("?graph=karate&seed=-1", "must be a whole number"),
        ("?graph=karate&seed=9999999999", "above"),
        ("?graph=karate&step=many", "must be a whole number"),
        ("?graph=karate&device=tpu", "only"),
        ("?graph=karate&colour=red", "does not know"),
        ("?graph=karate&graph=lesmis", "twice"),
        ("?record=nonsense", "no record"),
        ("?record=lesmis-ld&graph=karate", "leaves nothing to choose"),
        ("?" + "x" * 3000, "longer than"),
        ("?" + "&".join(f"a{i}=1" for i in range(50)), "more than 40"),
    ],
)
def test_a_wrong_link_is_one_clear_error_and_changes_nothing(shared, search, words):
    page = shared.page
    page._errors.value = ""
    before = permalink.settings_of(page.graphs, page.runs)
    page.export.widget.search = search
    assert "A parameter does not fit" in shared.error
    assert words in shared.error
    assert permalink.settings_of(page.graphs, page.runs) == before
    assert not page.jobs.busy


def test_a_step_beyond_the_end_is_told_and_the_run_stays(driver):
    follow(driver, "?graph=karate&step=100000")
    assert "100,000" in driver.error
    assert "Certified" in driver.page.certificate.value
    assert driver.page.charts.places.tabs["Warps"].layout.display is None


def test_a_link_to_the_gallery(driver):
    driver.page.export.widget.search = "?record=lesmis-ld&step=9"
    driver.wait()
    assert driver.error == ""
    assert driver.page.player.position == 9
    assert driver.page.runs.algorithm.value == "ld"


def test_a_visitors_file_has_no_link(driver):
    driver.page.graphs.tabs.value = "Your file"
    assert permalink.settings_of(driver.page.graphs, driver.page.runs) is None


def test_a_wrong_link_raises_one_class():
    with pytest.raises(ParameterError):
        permalink.read("?step=1")
