import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Delaunay
from scipy.spatial.distance import pdist, squareform

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.graph import generate
from gpucore.problems.graph.generate import GENERATORS
from gpucore.problems.graph.generate.rows import PLANS
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching, random_weights
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import relaxed

SPECS = [
    "rmat:scale=7,edge_factor=8,seed=2",
    "rgg:n=200,seed=2",
    "rgg:n=200,radius=0.1",
    "delaunay:n=200,seed=2",
    "grid:rows=9,columns=14,removed=0.2,seed=3",
    "planted:n=120,communities=4,seed=2",
    "planted:n=120,communities=4,shuffle=false,degree_out=0",
    "gnp:n=150,p=0.05,seed=3",
    "path:n=6",
    "cycle:n=6",
    "star:n=6",
    "complete:n=6",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("weights", ["", ",weights=uniform", ",weights=integer,weight_seed=7"])
def test_every_generator_is_sound_and_can_be_made_again(spec, weights):
    graph = load(spec + weights)
    assert Graph(graph.indptr, graph.indices, graph.weights) == graph
    assert graph.num_loops == 0
    assert graph.weighted == bool(weights)
    w = graph.edges()[2]
    assert (w > 0).all()
    if "uniform" in weights:
        assert (w <= 1).all()
        assert w.max() > w.min()
    if "integer" in weights:
        assert (w == np.floor(w)).all()
        assert w.max() <= 100
    assert rebuild(graph.source) == graph
    prepared = for_matching(graph, seed=3)
    assert rebuild(prepared.source) == prepared


def test_all_generators_are_tested():
    """Those that ranks can run are tested in test_rows.py."""
    assert {spec.split(":")[0] for spec in SPECS} == GENERATORS.keys() - PLANS.keys()


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "seed" in spec])
def test_other_seed_other_graph(spec):
    head, _, _ = spec.rpartition("seed=")
    assert load(head + "seed=10") != load(head + "seed=11")


def test_weights_are_those_of_the_preparation():
    plain = load("gnp:n=60,p=0.2")
    weighted = load("gnp:n=60,p=0.2,weights=uniform,weight_seed=4")
    assert weighted == random_weights(plain, seed=4)


def test_rmat_is_skewed_and_nearly_as_large_as_asked():
    graph = generate.rmat(12, seed=1)
    assert graph.num_vertices == 4096
    assert 0.7 * 16 * 4096 < graph.num_edges < 16 * 4096
    degrees = np.sort(graph.degrees)
    assert graph.max_degree > 20 * np.median(degrees)
    assert degrees[-41:].sum() > 0.1 * degrees.sum()  # one vertex in a hundred, a tenth of the ends
    uniform = generate.rmat(12, a=0.25, b=0.25, c=0.25, seed=1)
    assert uniform.max_degree < 2 * uniform.degrees.mean()


def test_rmat_relabels_the_vertices():
    degrees = generate.rmat(10, seed=1).degrees
    assert abs(np.corrcoef(degrees, np.arange(1024))[0, 1]) < 0.2


def test_rmat_quadrants():
    """With a = 1 every edge is a loop at one vertex; with b = 1 all are the same edge."""
    assert generate.rmat(5, a=1, b=0, c=0).num_edges == 0
    assert generate.rmat(5, a=0, b=1, c=0).num_edges == 1


@pytest.mark.parametrize("p", [0.001, 0.03, 0.5, 0.97])
def test_gnp_edges_within_five_sigma(p):
    n, runs = 300, 20
    pairs = n * (n - 1) // 2
    counts = [generate.erdos_renyi(n, p, seed=seed).num_edges for seed in range(runs)]
    sigma = np.sqrt(pairs * p * (1 - p) / runs)
    assert abs(np.mean(counts) - pairs * p) < 5 * sigma


def test_gnp_pairs_are_equally_likely():
    n, runs = 9, 2000
    hits = np.zeros((n, n))
    for seed in range(runs):
        u, v, _ = generate.erdos_renyi(n, 0.3, seed=seed).edges()
        hits[u, v] += 1
    seen = hits[np.triu_indices(n, 1)]
    assert (np.abs(seen - 0.3 * runs) < 5 * np.sqrt(runs * 0.3 * 0.7)).all()


def test_gnp_extremes():
    assert generate.erdos_renyi(40, 0.0).num_edges == 0
    assert generate.erdos_renyi(40, 1.0) == generate.complete(40)
    assert generate.erdos_renyi(2, 1e-300).num_edges == 0
    assert generate.erdos_renyi(0, 0.5).num_vertices == 0
    sparse = generate.erdos_renyi(10_000_000, 1e-12, seed=5)  # 50 of 5e13 pairs
    assert 10 < sparse.num_edges < 100


@relaxed
@given(st.integers(0, 60), st.floats(0, 1.5), st.integers(0, 100))
def test_geometric_edges_are_exactly_the_close_pairs(n, radius, seed):
    graph = generate.random_geometric(n, radius, seed=seed)
    close = squareform(pdist(graph.coordinates)) <= radius if n > 1 else np.zeros((n, n), bool)
    np.fill_diagonal(close, False)
    assert (graph.to_scipy().toarray().astype(bool) == close).all()


def test_geometric_mean_degree():
    graph = generate.random_geometric(20_000, 0.01, seed=4)
    expected = 20_000 * np.pi * 0.01**2  # of vertices far from the border
    assert 0.95 * expected < graph.degrees.mean() < expected


@relaxed
@given(st.integers(0, 60), st.integers(0, 100))
def test_delaunay_edges_are_scipys(n, seed):
    graph = generate.delaunay(n, seed=seed)
    expected = set()
    if n >= 3:
        indptr, neighbours = Delaunay(graph.coordinates).vertex_neighbor_vertices
        for u in range(n):
            expected |= {(u, int(v)) for v in neighbours[indptr[u] : indptr[u + 1]] if u < v}
    elif n == 2:
        expected = {(0, 1)}
    assert set(zip(*(end.tolist() for end in graph.edges()[:2]), strict=True)) == expected
    assert n < 3 or graph.num_edges <= 3 * n - 6 or n == 3


def test_grid_is_networkxs():
    graph = generate.grid(5, 7)
    reference = nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 7), ordering="sorted")
    assert nx.utils.edges_equal(graph.to_networkx().edges, reference.edges)
    assert graph.coordinates[8].tolist() == [1, 1]
    u, v, _ = graph.edges()
    lengths = np.abs(graph.coordinates[u] - graph.coordinates[v]).sum(axis=1)
    assert (lengths == 1).all()


def test_grid_with_removed_edges():
    whole, rest = generate.grid(60, 60), generate.grid(60, 60, removed=0.25, seed=2)
    share = rest.num_edges / whole.num_edges
    assert abs(share - 0.75) < 5 * np.sqrt(0.25 * 0.75 / whole.num_edges)
    assert generate.grid(4, 4, removed=1.0).num_edges == 0


def test_planted_communities_are_dense_inside():
    graph = generate.planted_partition(2000, 20, 16, 4, shuffle=False, seed=3)
    assert 18.5 < graph.degrees.mean() < 20
    u, v, _ = graph.edges()
    assert abs(np.mean(u // 100 == v // 100) - 0.8) < 0.03
    shuffled = generate.planted_partition(2000, 20, 16, 4, seed=3)
    u, v, _ = shuffled.edges()
    assert np.mean(u // 100 == v // 100) < 0.1


@pytest.mark.parametrize("n", [3, 4, 9])
def test_teaching_graphs(n):
    for name, reference in (
        ("path", nx.path_graph(n)),
        ("cycle", nx.cycle_graph(n)),
        ("star", nx.star_graph(n - 1)),
        ("complete", nx.complete_graph(n)),
    ):
        graph = load(f"{name}:n={n}")
        assert nx.utils.edges_equal(graph.to_networkx().edges, reference.edges)
        assert len({tuple(place) for place in graph.coordinates.round(9)}) == n


@pytest.mark.parametrize("name", ["path", "star", "complete"])
def test_smallest_teaching_graphs(name):
    assert GENERATORS[name](1).num_edges == 0
    assert generate.path(0).num_vertices == generate.complete(0).num_vertices == 0


BAD = {
    "unknown": ("rmatt:scale=3", "neither a file, nor .* generator .rmat, rgg, delaunay, grid"),
    "parameter": ("rmat:scale=3,edges=2", "generator rmat has no parameter 'edges'; it takes"),
    "no value": ("rmat:scale", "generator rmat has no parameter 'scale'"),
    "missing": ("grid:rows=3", "generator grid needs columns, for instance grid:rows=8,columns=8"),
    "bare": ("grid", "generator grid needs rows, columns"),
    "whole": ("gnp:n=ten,p=0.1", "generator gnp: n must be a whole number, not 'ten'"),
    "fraction": ("gnp:n=10.5,p=0.1", "n must be a whole number, not '10.5'"),
    "number": ("gnp:n=10,p=half", "p must be a number, not 'half'"),
    "truth": ("planted:n=10,communities=2,shuffle=1", "shuffle must be true or false, not '1'"),
    "probability": ("gnp:n=10,p=1.5", "p must be between 0 and 1, not 1.5"),
    "nan": ("gnp:n=10,p=nan", "p must be between 0 and 1, not nan"),
    "radius": ("rgg:n=10,radius=-1", "radius must be between 0 and 2, not -1"),
    "negative": ("path:n=-1", "n must be between 0 and 2147483647, not -1"),
    "cycle": ("cycle:n=2", "n must be between 3 and"),
    "scale": ("rmat:scale=60", "scale must be between 0 and 30, not 60"),
    "quadrants": ("rmat:scale=3,a=0.9,b=0.9", "must be probabilities that sum up to at most 1"),
    "communities": ("planted:n=10,communities=3", "n = 10 must be a multiple of the 3"),
    "degrees": ("planted:n=10,communities=2,degree_in=-1", "degrees must not be negative"),
    "weights": ("path:n=3,weights=heavy", 'weights must be "unit", "uniform" or "integer"'),
    "seed": ("gnp:n=10,p=0.5,seed=-1", "seed must be a whole number of at least 0, not -1"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_specifications(case):
    spec, message = BAD[case]
    with pytest.raises(GraphError, match=message):
        load(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "rmat:scale=25",
        "rgg:n=100000,radius=1",
        "delaunay:n=90000000",
        "grid:rows=90000,columns=9000",
        "planted:n=100000000,communities=10",
        "gnp:n=1000000,p=0.5",
        "complete:n=100000",
        "path:n=99999999",
    ],
)
def test_large_graphs_are_refused_before_memory_is_taken(spec):
    with pytest.raises(GraphError, match=r"more than the .* allowed here"):
        load(spec, limits=Limits(max_bytes=1 << 30))
