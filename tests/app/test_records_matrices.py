"""Opening records of matrices: the matrix is made again in its random order, or requested."""

import pytest

import gpucore
from gpucore.errors import RecordError
from gpucore.loading import load_bytes
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import permute_sides
from gpucore.record import Record
from support.driving import Visitor
from warplens.app.comparison.link import fill_in
from warplens.app.comparison.link import settings_of as words_of_comparison
from warplens.app.comparison.page import ComparePage
from warplens.app.dashboard.page import Dashboard
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import graph_of, is_of
from warplens.app.sources.matrices import SOURCES

FILE = b"%%MatrixMarket matrix coordinate pattern general\n3 2 4\n1 1\n2 1\n3 1\n3 2\n"


@pytest.fixture
def visitor():
    page = Dashboard("bipartite", PageLimits())
    return Visitor(page, page.bar.run)


def saved(graph, folder):
    """Return a record of a run as the bytes of its file."""
    result = gpucore.run(
        "bipartite", graph, variant="apfb_gpubfs_ct", device="host", record="events"
    )
    path = folder / "run.npz"
    result.record.save(path)
    return path.read_bytes()


def open_record(visitor, content):
    visitor.page.saved_runs._take_file("run.npz", content)
    visitor.wait()


@pytest.mark.parametrize("spec", ["southern_women", "grid:rows=3,columns=4", "crossing:ends=3"])
def test_a_record_brings_its_matrix_and_its_order(visitor, tmp_path, spec):
    graph = permute_sides(load_bipartite(spec), 6)
    open_record(visitor, saved(graph, tmp_path))
    page = visitor.page
    assert visitor.error == ""
    assert page.loaded.prepared == graph
    assert "Certified" in page.certificate.value
    assert page.graphs.shuffle.seed == 6
    assert page.graphs.tabs.value == ("Generated" if ":" in spec else "Collection")
    visitor.run()
    assert f"graph={spec.partition(':')[0]}" in page.export.widget.query
    assert "permute=6" in page.export.widget.query

    page.export.widget.search = f"?{page.export.widget.query.replace('permute=6', 'permute=8')}"
    visitor.wait()
    visitor.wait()
    assert page.loaded.prepared == permute_sides(load_bipartite(spec), 8)


def test_the_file_of_a_record_is_asked_for_in_its_order(visitor, tmp_path):
    graph = permute_sides(load_bytes("mine.mtx", FILE, kind="bipartite"), 3)
    open_record(visitor, saved(graph, tmp_path))
    page = visitor.page
    assert "choose that file under Matrix, Your file" in visitor.error
    assert page.graphs.shuffle.seed == 3
    page.graphs.tabs.value = "Your file"
    page.graphs._take_file("mine.mtx", FILE)
    visitor.wait()
    assert visitor.error == ""
    assert page.loaded.prepared == graph
    assert "Certified" in page.certificate.value
    assert page.export.widget.query == ""


def test_an_order_that_no_form_has_stays_off_the_form(visitor, tmp_path):
    graph = permute_sides(permute_sides(load_bipartite("southern_women"), 1), 2)
    open_record(visitor, saved(graph, tmp_path))
    page = visitor.page
    assert page.loaded.prepared == graph
    assert page.graphs.tabs.value is None
    assert page.graphs.shuffle.seed is None
    assert "The graph of the opened record" in page.graphs.facts.value


@pytest.mark.parametrize(
    "steps",
    [
        [{"step": "permute_sides", "seed": -1}],
        [{"step": "permute_sides", "seed": "many"}],
        [{"step": "permute_sides", "seed": 1, "file": "/etc/passwd"}],
        [{"step": "bipartite_twin"}, 7],
        [{"step": "permute_sides", "seed": 3}] * 40,
        7,
    ],
)
def test_a_hostile_order_is_one_clear_error(tmp_path, steps):
    saved(load_bipartite("southern_women"), tmp_path)
    record = Record.load(tmp_path / "run.npz")
    assert is_of(record, graph_of(record, PageLimits()))
    record.header["graph"]["source"]["prepared"] = steps
    with pytest.raises(RecordError):
        graph_of(record, PageLimits())


def test_a_comparison_keeps_the_order_in_its_link():
    page = ComparePage("bipartite", PageLimits())
    page.graphs.order(12)
    words = words_of_comparison(page.graphs, page.chooser)
    assert (words["graph"], words["permute"]) == ("southern_women", "12")
    other = ComparePage("bipartite", PageLimits())
    fill_in(words, other.graphs, other.chooser)
    assert words_of_comparison(other.graphs, other.chooser) == words
    assert other.graphs.sources is SOURCES
