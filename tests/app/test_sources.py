"""Every graph that a page offers can be loaded; other files cause a clear error."""

import gzip

import numpy as np
import pytest

from gpucore.errors import GraphError
from warplens.app.limits import PageLimits
from warplens.app.sources.graphs import (
    GENERATORS,
    bundled,
    clean_name,
    drawn,
    named,
    uploaded,
)


def read(source, **limits):
    return source.load(PageLimits(**limits), None, None)


def test_the_collection_is_offered_from_small_to_large():
    offered = bundled()
    assert ("karate" in {name for _, name in offered}) and ("lesmis" in {n for _, n in offered})
    for _, name in offered[:4]:
        assert read(named(name)).num_vertices > 0


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("end", ["low", "value"])
def test_generators_take_what_their_sliders_give(name, end):
    generator = GENERATORS[name]
    values = {slider.name: getattr(slider, end) for slider in generator.sliders}
    graph = read(named(generator.spec(values), generator.title))
    assert graph.num_vertices > 0
    assert graph.source["kind"] == "generator"


@pytest.mark.parametrize("name", GENERATORS)
def test_sliders_hold_their_default(name):
    for slider in GENERATORS[name].sliders:
        assert slider.low <= slider.value <= slider.high


def test_the_largest_graph_of_every_generator_is_allowed():
    limits = PageLimits()
    rmat = {slider.name: slider.high for slider in GENERATORS["rmat"].sliders}
    assert 2 ** rmat["scale"] <= limits.vertices
    assert rmat["edge_factor"] * 2 ** rmat["scale"] <= limits.edges


def test_an_upload_is_read():
    source = uploaded("C:\\graphs\\my triangle.txt", b"1 2\n2 3\n3 1\n")
    assert source.label == "my_triangle.txt"
    assert read(source).num_edges == 3


def test_a_compressed_upload_is_read():
    assert read(uploaded("t.txt.gz", gzip.compress(b"1 2\n2 3\n"))).num_edges == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.mtx", b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 0.5\n"),
        ("broken.mtx", b"not a matrix"),
        ("outside.mtx", b"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n9 1\n"),
        ("noise.gz", b"\x00\x01\x02"),
        ("noise.npz", b"PK\x03\x04"),
        ("song.mp3", b"\xff\xfb"),
    ],
)
def test_a_broken_upload_is_one_clear_error(name, content):
    with pytest.raises(GraphError) as caught:
        read(uploaded(name, content))
    assert name in str(caught.value)
    assert "Traceback" not in str(caught.value)


DRAWING = b"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n2 1 0.5\n"


def test_a_drawing_keeps_its_places_and_vertices_without_edges():
    places = np.array([[0, 0], [10, 0], [5, 8]], np.float32)
    graph = read(drawn(DRAWING, places))
    assert graph.num_vertices == 3
    assert graph.coordinates.tolist() == places.tolist()


@pytest.mark.parametrize("places", [np.zeros((2, 2)), np.full((3, 2), np.nan)])
def test_a_drawing_with_wrong_places_is_refused(places):
    with pytest.raises(GraphError, match="coordinates"):
        read(drawn(DRAWING, places))


def test_too_large_an_upload_is_refused_before_it_is_read():
    with pytest.raises(GraphError, match="larger than"):
        read(uploaded("a.txt", b"1 2\n" * 100), upload_bytes=10)


def test_too_large_a_graph_is_refused_before_memory_is_taken():
    with pytest.raises(GraphError, match="more than"):
        read(named("rmat:scale=20,edge_factor=16"))
    huge = b"%%MatrixMarket matrix coordinate pattern symmetric\n900000000 900000000 3\n1 1\n"
    with pytest.raises(GraphError, match="more than"):
        read(uploaded("huge.mtx", huge))


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("../../etc/passwd", "passwd"),
        ("..", "file"),
        ("", "file"),
        ("a<b>.mtx", "a_b_.mtx"),
        ("x" * 300 + ".mtx", "x" * 76 + ".mtx"),
    ],
)
def test_names_lose_what_means_something(name, clean):
    assert clean_name(name) == clean
