"""The benchmark matrices are the published ones, with the documented properties."""

import hashlib

import numpy as np
import pytest

from gpucore.bench import cache
from gpucore.errors import GraphError
from gpucore.loading import load
from gpucore.problems.bipartite import benchmarks as bipartite_graphs
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph import benchmarks as graphs

# Rows, entries and digest of (indptr, columns) from the generator behind the published times.
PUBLISHED = {
    "uni3k20": (20000, 59998, "7f39e5c680ae8240"),
    "uni5k20": (20000, 99988, "faa05f29e0767137"),
    "bip_delaunay14": (16384, 98242, "2300595410dfc330"),
    "bip_delaunay14_perm": (16384, 98242, "042c72c404a9f65e"),
    "bip_grid128": (16384, 58534, "5ebdd03037bb02e0"),
    "bip_grid128_perm": (16384, 58534, "824e0a3824bc09b8"),
    "bip_rmat14": (16384, 426524, "2514d992eaed71de"),
    "bip_rmat14_perm": (16384, 426524, "dc555656d02536c1"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_small_matrices_are_the_published_ones(name):
    matrix = bipartite_graphs.generate_matrix(name)
    indptr, columns = matrix.by_row()
    digest = hashlib.sha256(indptr.astype("<i8").tobytes() + columns.astype("<i4").tobytes())
    assert (matrix.num_rows, matrix.num_edges, digest.hexdigest()[:16]) == PUBLISHED[name]
    assert matrix.num_columns == matrix.num_rows


def test_a_matrix_is_the_graphs_adjacency():
    edges = graphs.generate("delaunay8")
    matrix = bipartite_graphs.generate_matrix("bip_delaunay8").to_matrix()
    assert matrix.sum() == 2 * len(edges.u)
    assert matrix[edges.u, edges.v].all()
    assert (matrix != matrix.T).nnz == 0


def test_permuting_keeps_the_degrees_and_moves_the_entries():
    plain, moved = (bipartite_graphs.generate_matrix(n) for n in ("bip_rmat8", "bip_rmat8_perm"))
    rows = plain.num_rows
    for side in (slice(0, rows), slice(rows, None)):
        assert np.array_equal(np.sort(plain.degrees[side]), np.sort(moved.degrees[side]))
    assert plain != moved


def test_a_changed_draw_is_an_error(monkeypatch):
    monkeypatch.setitem(bipartite_graphs.PUBLISHED, "bip_grid8", (64, 1))
    with pytest.raises(GraphError, match="other numbers"):
        bipartite_graphs.generate_matrix("bip_grid8_perm")


@pytest.mark.parametrize("name", ["uni", "uni0", "bip_karate", "bip_", "grid8", "uni3k0", "uni3_p"])
def test_other_names_are_errors(name):
    with pytest.raises(GraphError):
        bipartite_graphs.generate_matrix(name)


def test_the_published_ones_are_benchmark_matrices():
    known = (*bipartite_graphs.STANDARD, *bipartite_graphs.SMALL)
    assert all(bipartite_graphs.is_benchmark_matrix(name) for name in known)
    assert set(bipartite_graphs.CARDINALITY) <= set(bipartite_graphs.PUBLISHED)
    assert {bipartite_graphs.original(n) for n in bipartite_graphs.STANDARD} == set(
        bipartite_graphs.PUBLISHED
    )


def test_cache_gives_matrices_and_replaces_a_damaged_file(tmp_path):
    first = cache.load_graph("bip_grid8_perm", tmp_path)
    assert isinstance(first, BipartiteGraph)
    assert first == bipartite_graphs.generate_matrix("bip_grid8_perm")
    (tmp_path / "bip_grid8_perm.npz").write_bytes(b"PK not really")
    assert first == cache.load_graph("bip_grid8_perm", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["bip_grid8_perm.npz"]


def test_what_the_cache_does_not_know_is_loaded(tmp_path):
    assert cache.load_graph("karate", tmp_path) == load("karate")
    assert cache.load_graph("karate", tmp_path, str.upper) == "KARATE"
