"""Sources of matrices: bundled ones, graphs read as matrices, generators, files, orders."""

from types import SimpleNamespace

import numpy as np
import pytest

from gpucore.datasets import names as dataset_names
from gpucore.errors import GraphError, ParameterError
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import permute_sides
from gpucore.problems.rebuild import rebuild
from warplens.app.fields.graph_chooser import GraphChooser
from warplens.app.limits import PageLimits
from warplens.app.links.words import (
    Wanted,
    graph_words,
    set_graph,
    take_graph,
    wanted_of,
)
from warplens.app.sources.graphs import LAST_SEED, Sources, uploaded
from warplens.app.sources.matrices import (
    MATRICES,
    SOURCES,
    collection,
    facts_of_matrix,
)

from .test_sources import read

WIDE = b"%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 0\n1 3 -2.5\n2 3 1e9\n"


def upload(name, content, **limits):
    return read(uploaded(name, content, reader=SOURCES.read_bytes), **limits)


def form(sources=SOURCES, graph="southern_women"):
    """Return the card of a page, and the list of sources that it requested."""
    asked = []
    view = SimpleNamespace(graph=graph, sources=sources)
    return GraphChooser(view, PageLimits(), asked.append, lambda f: f), asked


def test_bundled_matrices_come_first_and_graphs_are_read_as_matrices():
    names = [name for _, name in collection()]
    assert tuple(names[: len(dataset_names("bipartite"))]) == dataset_names("bipartite")
    assert dict(map(reversed, collection()))["southern_women"].endswith("(18 × 14)")
    assert read(SOURCES.source("southern_women", {})).shape == (18, 14)
    assert read(SOURCES.source("karate", {})).shape == (34, 34)


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("end", ["low", "value", "high"])
def test_matrix_generators_take_what_their_sliders_give(name, end):
    values = {slider.name: getattr(slider, end) for slider in MATRICES[name].sliders}
    graph = read(SOURCES.source(name, values))
    assert isinstance(graph, BipartiteGraph)
    assert graph.num_edges > 0
    assert rebuild(graph.source) == graph


@pytest.mark.parametrize("name", MATRICES)
def test_generated_matrices_travel_in_links_with_their_order(name):
    graphs, _ = form()
    values = {s.name: s.low + s.step for s in MATRICES[name].sliders}
    set_graph(graphs, Wanted(name, values, 7))
    words = graph_words(graphs)
    assert words["permute"] == "7"
    other, _ = form()
    set_graph(other, take_graph(dict(words), other))
    assert graph_words(other) == words
    made = read(SOURCES.source(name, values, seed=7))
    assert wanted_of(made.source, SOURCES) == Wanted(name, values, 7)


def test_a_random_order_is_of_both_sides_and_is_found_in_the_origin():
    own = read(SOURCES.source("southern_women", {}))
    source = SOURCES.source("southern_women", {}, "Women", seed=5)
    permuted = read(source)
    assert source.label == "Women, in random order 5"
    assert permuted == permute_sides(own, 5)
    assert wanted_of(permuted.source, SOURCES).words == {"graph": "southern_women", "permute": "5"}
    assert wanted_of(permute_sides(own, LAST_SEED + 1).source, SOURCES) is None
    assert "in random order, seed 5" in facts_of_matrix(permuted, permuted).remarks[0]


def test_the_form_asks_for_the_order_and_leaves_it_alone_elsewhere():
    graphs, asked = form()
    graphs.shuffle.ticked.value = True
    graphs.shuffle.number.value = 9
    assert [s.label.rpartition(" ")[2] for s in asked] == ["1", "9"]
    graphs.shuffle.ticked.value = False
    assert "random" not in asked[-1].label
    plain, _ = form(Sources(), "karate")
    assert plain.shuffle.widget.children == ()
    assert "permute" in (left := {"graph": "karate", "permute": "3"})
    assert take_graph(left, plain) == Wanted("karate")
    assert left == {"permute": "3"}


def test_the_file_of_a_visitor_is_taken_in_another_order_without_another_upload():
    graphs, asked = form()
    graphs.tabs.value = "Your file"
    graphs.shuffle.ticked.value = True
    assert not asked
    graphs._take_file("wide.mtx", WIDE)
    assert read(asked[-1]).source["prepared"] == [{"step": "permute_sides", "seed": 1}]
    graphs.shuffle.ticked.value = False
    assert "prepared" not in read(asked[-1]).source
    assert graph_words(graphs) is None


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"graph": "karate", "permute": "x"}, "must be a whole number"),
        ({"graph": "karate", "permute": str(2**31)}, "above"),
        ({"graph": "rmat:scale=8,edge_factor=4,seed=1"}, "nor one that this page generates"),
        ({"graph": "uniform:rows=7,columns=5,degree=2,seed=1"}, "in steps of 5"),
    ],
)
def test_links_name_what_the_form_has(words, complaint):
    graphs, _ = form()
    with pytest.raises(ParameterError, match=complaint):
        take_graph(words, graphs)


def test_a_matrix_file_is_rows_by_columns_and_its_values_do_not_matter():
    graph = upload("wide.mtx", WIDE)
    assert graph.to_matrix().toarray().tolist() == [[1, 0, 1], [0, 0, 1]]
    facts = facts_of_matrix(graph, graph)
    assert [value for _, value in facts.sizes] == ["2", "3", "3"]
    assert facts.remarks == ("without an entry: 1 column",)
    assert upload("edges.txt", b"1 2\n2 3\n").shape == (3, 3)


@pytest.mark.parametrize(
    ("content", "limits", "complaint"),
    [
        (WIDE, {"upload_bytes": 10}, "larger than"),
        (WIDE, {"vertices": 4}, "more than"),
        (WIDE, {"edges": 2}, "more than"),
        (WIDE[:-4] + b"9 1 1\n", {}, "wide.mtx"),
        (b"%%MatrixMarket matrix coordinate real general\n2 3 9\n1 1 1\n", {}, "wide.mtx"),
        (b"%%MatrixMarket matrix array real general\n900000 900000\n", {}, "wide.mtx"),
    ],
)
def test_a_page_refuses_a_matrix_with_one_clear_error(content, limits, complaint):
    with pytest.raises(GraphError, match=complaint):
        upload("wide.mtx", content, **limits)


def test_the_largest_matrices_of_the_generators_are_allowed():
    limits = PageLimits()
    for name, generator in MATRICES.items():
        values = {slider.name: slider.high for slider in generator.sliders}
        graph = read(SOURCES.source(name, values))
        assert graph.num_vertices <= limits.vertices
        assert 0 < graph.num_edges <= limits.edges
        assert np.all(graph.weights == 1)
