"""The form after a record was opened has the values of the run on the page, or none."""

import pytest

import gpucore
from gpucore.problems.graph.prepare import for_matching
from warplens.app.limits import PageLimits

from .test_dashboard import Driver


def opened(driver, spec, tmp_path, **preparation):
    """Return the page with a record of a run on a graph."""
    graph = for_matching(gpucore.load(spec), **preparation)
    result = gpucore.run("suitor", graph, variant="nosync", device="host", record="events")
    path = tmp_path / "run.npz"
    result.record.save(path)
    driver.page.saved_runs._take_file("run.npz", path.read_bytes())
    driver.wait()
    assert driver.error == ""
    return driver.page


@pytest.mark.parametrize(
    ("spec", "family", "values"),
    [
        ("rmat:scale=5,edge_factor=4,seed=2", "rmat", [5, 4, 2]),
        ("gnp:n=50,p=0.0816327,seed=3", "gnp", [50, 4.0, 3]),
        ("planted:n=40,communities=4,degree_in=8,degree_out=1,seed=1", "planted", [40, 4, 1]),
    ],
)
def test_the_form_shows_a_generated_graph(tmp_path, spec, family, values):
    page = opened(Driver(PageLimits()), spec, tmp_path)
    assert page.graphs.tabs.value == "Generated"
    assert page.graphs.family.value == family
    assert [field.value for field in page.graphs.sliders.children] == values
    assert page.runs.variant.value == "nosync"
    assert page.saved_runs.in_form(page.loaded)


@pytest.mark.parametrize(
    ("spec", "preparation"),
    [("path:n=9", {}), ("rmat:scale=5,edge_factor=4,a=0.4,seed=2", {}), ("karate", {"seed": 5})],
)
def test_the_form_shows_no_other_graph(tmp_path, spec, preparation):
    driver = Driver(PageLimits())
    page = opened(driver, spec, tmp_path, **preparation)
    assert page.graphs.tabs.value is None
    assert "The graph of the opened record" in page.graphs.facts.value
    assert not page.saved_runs.in_form(page.loaded)
    driver.run()
    assert driver.error == ""
    assert page.export.widget.query == "", "a link to this graph would lead to another one"

    page.graphs.tabs.value = "Collection"
    driver.wait()
    assert "The graph of the opened record" not in page.graphs.facts.value
    assert page.saved_runs.in_form(page.loaded)


def test_the_form_is_filled_in_before_the_picture_changes():
    driver = Driver(PageLimits())
    page, seen = driver.page, []

    def look(_change):
        seen.append((page.graphs.collection.value, page.runs.variant.value))

    page.player.observe(look, "payload")
    page.saved_runs.play("lesmis-suitor-sync_lb")
    driver.wait()
    assert driver.error == ""
    assert seen == [("lesmis", "sync_lb")]
