"""The benchmark graphs are the published ones, with the documented properties."""

import hashlib
import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from gpucore.bench import cache
from gpucore.errors import GraphError
from gpucore.problems.graph import benchmarks as graphs

# Vertices, edges and digest of (u, v, w) from the generator behind the published times.
PUBLISHED = {
    "rmat14": (16384, 213262, "baa490eb51ee4cbb"),
    "rgg14": (16384, 74811, "4b9e73e072855745"),
    "delaunay14": (16384, 49121, "1a7710b5cf4315a7"),
    "grid128": (16384, 29267, "6a4d759ce02d304b"),
    "sbm20k": (20000, 197114, "760a91d178b6fcc4"),
}


@pytest.mark.parametrize("name", graphs.SMALL)
def test_small_graphs_are_the_published_ones(name):
    edges = graphs.generate(name)
    digest = hashlib.sha256()
    for array, dtype in ((edges.u, "<i4"), (edges.v, "<i4"), (edges.w, "<f4")):
        digest.update(array.astype(dtype).tobytes())
    assert (edges.n, len(edges.u), digest.hexdigest()[:16]) == PUBLISHED[name]


@pytest.mark.parametrize("name", ["rmat8", "rgg8", "delaunay8", "grid16", "sbm1k"])
def test_edges_are_simple_and_in_row_order(name):
    edges = graphs.generate(name)
    pairs = list(zip(edges.u.tolist(), edges.v.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert all(0 <= u < v < edges.n for u, v in pairs)
    assert edges.w.dtype == np.float32
    assert 0 < edges.w.min() <= edges.w.max() <= 1


def test_geometric_graph_joins_exactly_the_near_points():
    edges = graphs.generate("rgg7")
    points = np.random.default_rng(2).random((128, 2))
    radius = 0.55 * np.sqrt(np.log(128) / 128)
    near = {
        (i, j)
        for i, j in itertools.combinations(range(128), 2)
        if np.hypot(*(points[i] - points[j])) <= radius
    }
    assert near == set(zip(edges.u.tolist(), edges.v.tolist(), strict=True))


def test_triangulation_has_as_many_edges_as_euler_says():
    edges = graphs.generate("delaunay10")
    hull = ConvexHull(np.random.default_rng(3).random((1024, 2)))
    assert len(edges.u) == 3 * 1024 - 3 - len(hull.vertices)


def test_grid_keeps_nine_tenths_of_the_lattice():
    edges = graphs.generate("grid64")
    assert set((edges.v - edges.u).tolist()) == {1, 64}
    sideways = edges.u[edges.v - edges.u == 1]
    assert (sideways % 64 != 63).all()
    assert abs(len(edges.u) / (2 * 64 * 63) - 0.9) < 0.02


def test_rmat_is_skewed_and_communities_are_not():
    skewed = graphs.generate("rmat12")
    even = graphs.generate("sbm5k")
    for edges, skew in ((skewed, True), (even, False)):
        degrees = np.bincount(edges.u, minlength=edges.n) + np.bincount(edges.v, minlength=edges.n)
        assert (degrees.max() > 20 * degrees.mean()) == skew


@pytest.mark.parametrize(
    "name", ["karate", "rmat", "rmat3", "grid1", "grid99999", "rmat40", "sbm5"]
)
def test_other_names_are_errors(name):
    with pytest.raises(GraphError, match=r"benchmark graph"):
        graphs.generate(name)


def test_cache_gives_the_same_graph_and_replaces_a_damaged_file(tmp_path):
    first = cache.load_graph("grid8", tmp_path)
    assert first == cache.load_graph("grid8", tmp_path)
    (tmp_path / "grid8.npz").write_bytes(b"PK not really")
    assert first == cache.load_graph("grid8", tmp_path)
    edges = graphs.generate("grid8")
    assert np.array_equal(first.edges()[2], edges.w)
    assert [path.name for path in tmp_path.iterdir()] == ["grid8.npz"]


def test_cache_is_filled_by_several_processes(tmp_path):
    seen = []
    names = ["grid8", "sbm1k", "karate"]
    cache.generate_missing(names, tmp_path, progress=lambda *step: seen.append(step))
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["grid8", "sbm1k"]
    assert seen[-1] == ("generating graphs", 2, 2)


def test_cache_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GraphError, match="--cache"):
        cache.load_graph("grid8", tmp_path / "file")
