"""Generators of rows: any number of ranks makes the same graph, which is what its name says."""

import inspect
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpucore
from gpucore.device import get_device
from gpucore.device.source import files
from gpucore.errors import DeviceError, GraphError, KernelError
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.graph import generate
from gpucore.problems.graph.fingerprint import digest, fingerprint
from gpucore.problems.graph.generate import GENERATORS
from gpucore.problems.graph.generate.rows import PLANS, plan_of
from gpucore.problems.graph.generate.rows.unique import scratch, unique_rows
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import cut, join
from gpucore.problems.rebuild import rebuild
from support.devices import SmallDevice, observed_schedule, race_detector, random_schedule
from support.graph_strategies import relaxed

RANKS = [1, 2, 3, 4, 7]
SPECS = [
    "rmat_rows:scale=9,seed=3",
    "rmat_rows:scale=6,edge_factor=40,weights=integer",
    "rmat_rows:scale=5,a=0.25,b=0.25,c=0.25,weights=unit",
    "rmat_rows:scale=4,a=1,b=0,c=0",
    "rmat_rows:scale=4,a=0,b=1,c=0",
    "rmat_rows:scale=0",
    "rmat_rows:scale=3,edge_factor=0",
    "planted_rows:n=600,communities=5,seed=3",
    "planted_rows:n=77,communities=7,degree_in=40,degree_out=0,weights=integer",
    "planted_rows:n=64,communities=64,shuffle=false,weights=unit",
    "planted_rows:n=2,communities=1",
    "planted_rows:n=1,communities=1",
    "planted_rows:n=0,communities=3",
    "rgg_rows:n=700,seed=2",
    "rgg_rows:n=300,degree=40,weights=integer",
    "rgg_rows:n=60,degree=0.4",
    "rgg_rows:n=20,degree=20",
    "rgg_rows:n=50,degree=0",
    "rgg_rows:n=1",
    "rgg_rows:n=0",
    "grid_rows:rows=9,columns=14",
    "grid_rows:rows=1,columns=9",
    "grid_rows:rows=9,columns=1,weights=unit",
    "grid_rows:rows=1,columns=1",
    "grid_rows:rows=0,columns=4",
    "grid_rows:rows=4,columns=0",
]


def parts_of(spec, ranks, device=None):
    device = device or get_device("host")
    return [plan_of(spec).part(device, rank, ranks) for rank in range(ranks)]


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("spec", SPECS)
def test_parts_are_the_graph_whatever_their_number(spec, ranks):
    graph = load(spec)
    parts = parts_of(spec, ranks)
    joined = join(parts)  # also checks order within rows and symmetry
    for array in ("indptr", "indices", "weights"):
        assert getattr(joined, array).tobytes() == getattr(graph, array).tobytes()
        assert {getattr(part, array).dtype for part in parts} == {getattr(graph, array).dtype}
    assert joined.source == graph.source
    assert joined.weighted == graph.weighted
    assert rebuild(graph.source) == graph
    assert {part.num_edges for part in parts} == {graph.num_edges if ranks == 1 else None}
    (whole,) = cut(graph, 1)
    together = fingerprint(graph.num_vertices, map(digest, parts))
    assert together == fingerprint(graph.num_vertices, [digest(whole)])


def test_entries_are_balanced():
    for spec in ("rmat_rows:scale=12", "rgg_rows:n=20000", "grid_rows:rows=100,columns=90"):
        parts = parts_of(spec, 4)
        share = sum(part.entries for part in parts) / 4
        assert all(0.85 * share < part.entries < 1.15 * share for part in parts)


def test_plans_and_generators_take_the_same_parameters():
    for name, plan in PLANS.items():
        own = inspect.signature(plan, eval_str=True).parameters
        public = inspect.signature(GENERATORS[name], eval_str=True).parameters
        assert {key: one.default for key, one in own.items()} == {
            key: one.default for key, one in public.items() if key != "limits"
        }


def test_rmat_has_the_degrees_of_the_ordinary_generator():
    """Sorted degrees, and the number of edges, agree like two seeds of the same generator."""
    ours, other = load("rmat_rows:scale=13,seed=4"), generate.rmat(13, seed=4)
    assert abs(ours.num_edges / other.num_edges - 1) < 0.01
    large, small = (np.sort(graph.degrees)[::-1] for graph in (ours, other))
    assert np.allclose(large[:50], small[:50], rtol=0.15)
    for share in (0.5, 0.75, 0.9, 0.99):
        assert np.isclose(np.quantile(large, share), np.quantile(small, share), rtol=0.05, atol=2)
    isolated = [(graph.degrees == 0).mean() for graph in (ours, other)]
    assert abs(isolated[0] - isolated[1]) < 0.02


def test_rmat_vertices_are_renumbered():
    graph = load("rmat_rows:scale=12,seed=1")
    assert abs(np.corrcoef(graph.degrees, np.arange(4096))[0, 1]) < 0.1
    quarters = graph.degrees.reshape(4, -1).sum(axis=1) / graph.degrees.sum()
    assert (quarters < 0.35).all()


def test_rmat_quadrants():
    """With b = 1 all edges are the same one; with a = d = 1/2 all are loops."""
    assert load("rmat_rows:scale=6,a=0,b=1,c=0").num_edges == 1
    assert load("rmat_rows:scale=6,a=0.5,b=0,c=0").num_edges == 0
    uniform = load("rmat_rows:scale=12,a=0.25,b=0.25,c=0.25")
    assert abs(uniform.degrees.mean() - 32) < 0.5
    assert abs(uniform.degrees.var() / 32 - 1) < 0.15  # as of independent edges


def test_planted_edges_are_inside_communities_as_often_as_was_asked():
    """In the order of the communities; numbered at random, the degrees are the same."""
    text = "planted_rows:n=6000,communities=12,degree_in=15,degree_out=6,seed=7"
    graph, other = load(f"{text},shuffle=false"), load(text)
    u, v, _ = graph.edges()
    inside = (u // 500 == v // 500).sum()
    assert abs(inside / (6000 * (15 + 6 / 12) / 2) - 1) < 0.03  # loops and equal edges are gone
    assert abs((u.size - inside) / (6000 * 6 * 11 / 12 / 2) - 1) < 0.03
    assert sorted(other.degrees) == sorted(graph.degrees)
    away, far, _ = other.edges()
    assert abs((away // 500 == far // 500).mean() - 1 / 12) < 0.02
    found = gpucore.run(
        "louvain", other, device="host", starts=4, certify=False
    )  # one may join two
    assert found.figures["communities"] == 12
    assert (abs(np.bincount(found.community) - 500) < 10).all()


def test_grid_is_that_of_the_ordinary_generator():
    for rows, columns in ((7, 11), (1, 6), (6, 1), (2, 2)):
        ours, other = generate.GENERATORS["grid_rows"](rows, columns), generate.grid(rows, columns)
        assert ours.indptr.tolist() == other.indptr.tolist()
        assert ours.indices.tolist() == other.indices.tolist()
        assert ours.coordinates.tolist() == other.coordinates.tolist()


@relaxed
@given(st.integers(0, 80), st.floats(0, 80), st.integers(0, 99))
def test_geometric_edges_are_exactly_the_close_pairs(n, degree, seed):
    degree = min(degree, n)
    graph = generate.GENERATORS["rgg_rows"](n, degree, seed=seed)
    x, y = graph.coordinates.T
    square = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    limit = degree / (np.pi * max(n, 1))
    off = ~np.eye(n, dtype=bool)
    joined = graph.to_scipy().toarray() > 0
    clear = abs(square - limit) > 1e-6 * limit  # the kernel's coordinates are whole numbers
    assert ((square < limit) & off)[clear].tolist() == joined[clear].tolist()
    assert not joined.diagonal().any()


def test_geometric_points_fill_the_square():
    graph = generate.GENERATORS["rgg_rows"](20_000, seed=4)
    x, y = graph.coordinates.T
    counts = np.histogram2d(x, y, bins=8, range=((0, 1), (0, 1)))[0]
    assert counts.sum() == 20_000
    assert (abs(counts / (20_000 / 64) - 1) < 0.1).all()
    assert abs(np.corrcoef(x % 0.01, y % 0.01)[0, 1]) < 0.03


def test_geometric_degrees_are_about_one_less_than_those_of_independent_points():
    ours, other = load("rgg_rows:n=20000,seed=4"), load("rgg:n=20000,seed=4")
    assert -1.3 < ours.degrees.mean() - other.degrees.mean() < -0.5
    assert ours.degrees.var() < other.degrees.var()


def test_weights_are_uniform_and_depend_on_their_seed_only():
    graph = load("grid_rows:rows=100,columns=100")
    w = graph.edges()[2]
    assert w.min() > 0
    assert w.max() <= 1
    assert abs(w.mean() - 0.5) < 5 / np.sqrt(12 * w.size)
    assert np.histogram(w, 20, (0, 1))[0].max() < 1.25 * w.size / 20
    other = load("grid_rows:rows=100,columns=100,weight_seed=5")
    assert (other.indices == graph.indices).all()
    assert abs(np.corrcoef(w, other.edges()[2])[0, 1]) < 0.03
    whole = load("grid_rows:rows=100,columns=100,weights=integer").edges()[2]
    assert set(whole.tolist()) == set(range(1, 101))


@pytest.mark.parametrize(
    "spec", ["rmat_rows:scale=6,", "rgg_rows:n=90,", "planted_rows:n=90,communities=3,"]
)
def test_other_seed_other_graph(spec):
    assert load(f"{spec}seed=1") != load(f"{spec}seed=2")


@relaxed
@given(st.lists(st.lists(st.integers(0, 9), max_size=12), max_size=9), st.integers(1, 30))
def test_unique_rows(rows, chunk):
    """Chunks of any size, also smaller than a row, give sorted sets."""
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    indices = np.array([one for row in rows for one in row], np.int32)
    assert scratch(indptr, chunk) <= 40 * max(chunk, 12)
    indptr, indices = unique_rows(indptr, indices, chunk, np)
    found = [indices[a:b].tolist() for a, b in itertools.pairwise(indptr)]
    assert found == [sorted(set(row)) for row in rows]
    assert indptr[-1] == indices.size


SCHEDULED = [
    "rmat_rows:scale=5,edge_factor=8",
    "rgg_rows:n=90",
    "grid_rows:rows=6,columns=7",
    "planted_rows:n=60,communities=4",
]


@pytest.mark.parametrize("spec", SCHEDULED)
def test_schedules_give_the_same_rows(spec):
    graph = load(spec)
    for seed in range(30):
        device = (observed_schedule(seed) if seed % 3 == 0 else None) or random_schedule(seed)
        assert join(parts_of(spec, 1 + seed % 3, device)) == graph, seed


@pytest.mark.parametrize("spec", SCHEDULED)
def test_no_races(spec):
    device = race_detector()
    assert join(parts_of(spec, 2, device)) == load(spec)
    assert not device.profile().races


def test_too_little_memory_is_refused_before_it_is_taken():
    device = SmallDevice()
    for spec, left in (
        ("rmat_rows:scale=14", 200_000),  # while rows are counted
        ("rmat_rows:scale=10", 60_000),  # for the rows
        ("rgg_rows:n=20000", 200_000),
        ("rgg_rows:n=1000", 20_000),
        ("grid_rows:rows=200,columns=200", 200_000),
    ):
        device.left = left
        with pytest.raises(DeviceError, match=r"graph|grid needs .* but device 'host' has only"):
            plan_of(spec).part(device, 0, 2)


def test_ranks_need_the_memory_of_their_rows_only():
    device = SmallDevice()
    device.left = 8 * 5 * 200 * 200 // 4 + 2000
    parts = [plan_of("grid_rows:rows=200,columns=200").part(device, rank, 4) for rank in range(4)]
    assert join(parts) == load("grid_rows:rows=200,columns=200")


BAD = {
    "rmat_rows:scale=31": "scale must be between 0 and 30, not 31",
    "rmat_rows:scale=5,edge_factor=-1": "edge_factor must be between 0",
    "rmat_rows:scale=5,a=0.9,b=0.9": "must be probabilities that sum up to at most 1",
    "rmat_rows:scale=5,seed=-1": "seed must be a whole number of at least 0, not -1",
    "rmat_rows:scale=5,weight_seed=-1": "weight_seed must be a whole number of at least 0, not -1",
    "rmat_rows:scale=5,weights=heavy": 'weights must be "uniform", "unit" or "integer"',
    "rmat_rows:edges=5": "generator rmat_rows has no parameter 'edges'",
    "rgg_rows:n=-1": "n must be between 0 and 2147483647, not -1",
    "rgg_rows:n=10,degree=11": "degree must be between 0 and n = 10, not 11",
    "rgg_rows:n=10,degree=nan": "degree must be between 0 and n = 10, not nan",
    "planted_rows:n=10,communities=3": "n = 10 must be a multiple of the 3 communities",
    "planted_rows:n=10,communities=0": "communities must be between 1",
    "planted_rows:n=10,communities=2,degree_in=-1": "degree_in must be between 0 and 1048576",
    "planted_rows:n=10,communities=2,degree_out=nan": "degree_out must be between 0 and 1048576",
    "planted_rows:n=10,communities=2,shuffle=maybe": "shuffle must be true or false",
    "grid_rows:rows=3": "generator grid_rows needs columns",
    "grid_rows:rows=-3,columns=2": "rows must be between 0",
    "grid_rows:rows=90000,columns=90000": "rows . columns must be between 0 and 2147483647",
}


@pytest.mark.parametrize("spec", BAD)
def test_bad_specifications(spec):
    with pytest.raises(GraphError, match=BAD[spec]):
        load(spec)
    with pytest.raises(GraphError, match=BAD[spec]):
        plan_of(spec)


def test_no_such_part():
    with pytest.raises(GraphError, match="there is no part 3 of 3"):
        plan_of("grid_rows:rows=2,columns=2").part(get_device("host"), 3, 3)


@pytest.mark.parametrize(
    "spec", ["rmat_rows:scale=25", "rgg_rows:n=90000000", "grid_rows:rows=90000,columns=9000"]
)
def test_large_graphs_are_refused_before_memory_is_taken(spec):
    with pytest.raises(GraphError, match=r"more than the .* allowed here"):
        load(spec, limits=Limits(max_bytes=1 << 30))


def test_only_memory_bounds_the_entries():
    """More than 2**31 edges are refused for their bytes, and taken by larger limits."""
    spec = "rmat_rows:scale=20,edge_factor=4096"
    assert plan_of(spec).most_edges == 2**32
    with pytest.raises(GraphError, match=r"4294967296 entries needs about .* take a smaller"):
        load(spec)
    with pytest.raises(GraphError, match="entries are more than the 2147483647 allowed here"):
        load(spec, limits=Limits(max_bytes=1 << 60))


def test_kernels_of_problems_are_found():
    assert "rmat_rows.cu" in files()
    with pytest.raises(KernelError, match="rgg_rows"):
        get_device("host").kernel("nonesuch", "nonesuch")


def test_parts_are_ordinary_graphs_when_joined():
    graph = join(parts_of("rmat_rows:scale=5", 3))
    assert isinstance(graph, Graph)
    assert graph.name == "rmat_rows"
