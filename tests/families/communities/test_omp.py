"""The multicore method: one result for any threads, its heuristics, and its colouring."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore import native
from gpucore.cpu.common import native_available
from gpucore.cpu.task import arguments
from gpucore.families.communities.params import COLOURINGS
from gpucore.families.communities.partitions import adjusted_rand_index, canonical_labels
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from support.running import uncertified

from .cases import community_graphs, networkx_modularity
from .runs import bipartite, cliques, find, random_graph, real_graph, real_names

pytestmark = pytest.mark.skipif(native_available() is not None, reason="no native library")

few = settings(max_examples=40, deadline=None)


Colours = arguments(
    "cpu_louvain_colours",
    "int32 n, int64[] indptr, int32[] indices, int32 balanced count, void* cancel, int32[] colours",
)


def colours_of(graph, *, balanced=False, threads=2):
    """Return the distance-1 colouring that the method uses."""
    colours = np.zeros(graph.num_vertices, np.int32)
    rows = graph.num_vertices, graph.indptr, graph.indices
    task = Colours(*rows, int(balanced), threads, colours)
    assert native.load().cpu_louvain_colours(*task.as_arguments()) == 0
    return colours


def solve(graph, **params):
    """Run the method; its certificate has to hold, level by level."""
    result = uncertified("louvain_omp", graph, **params)
    certificate = get_runner("louvain_omp").certify(graph, result)
    assert certificate.ok, str(certificate)
    return result


@pytest.mark.parametrize("colouring", COLOURINGS)
@pytest.mark.parametrize("weights", ["none", "whole", "real"])
def test_the_result_does_not_depend_on_the_threads(colouring, weights):
    graph = random_graph(3000, 9000, 4, loops=40, weights=weights)
    options = {"colouring": colouring, "bin_vertices": 500}
    first = solve(graph, threads=1, **options)
    for threads in (2, 3, 8):
        # The same communities and levels have the same certificate.
        other = uncertified("louvain_omp", graph, threads=threads, **options)
        np.testing.assert_array_equal(first.community, other.community)
        assert len(first.levels) == len(other.levels)
        assert all(map(np.array_equal, first.levels, other.levels))
        assert first.modularity == other.modularity
        assert first.sweeps == other.sweeps


@given(
    graph=community_graphs(),
    colouring=st.sampled_from(COLOURINGS),
    follow=st.booleans(),
    large=st.booleans(),
    resolution=st.sampled_from([0.3, 1.0, 1.7, 5.0]),
)
@few
def test_any_graph_is_certified(graph, colouring, follow, large, resolution):
    """No level loses modularity, vertex following and large resolutions included."""
    options = {"colouring": colouring, "follow": follow, "bin_vertices": 0 if large else 100}
    result = solve(graph, threads=2, resolution=resolution, **options)
    theirs = networkx_modularity(graph, result.community, resolution)
    assert result.modularity == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", real_names())
@pytest.mark.parametrize("colouring", COLOURINGS)
def test_quality_on_real_graphs(name, colouring):
    graph = real_graph(name)
    serial = uncertified("louvain_serial", graph).modularity
    assert solve(graph, colouring=colouring, bin_vertices=0, t_bin=1e-6).modularity > serial - 0.03


@pytest.mark.parametrize("colouring", COLOURINGS)
def test_planted_communities_are_found(colouring):
    graph = load("planted:n=2000,communities=20,degree_in=20,degree_out=2,shuffle=false,seed=1")
    result = solve(graph, colouring=colouring, bin_vertices=100, t_bin=1e-6)
    assert adjusted_rand_index(result.community, np.arange(2000) // 100) > 0.95


@pytest.mark.parametrize("name", ["karate", "lesmis", "email-eu-core", "minnesota"])
def test_without_colours_a_sweep_is_that_of_the_relaxed_kernels(name):
    """The rule of the smallest label is the one that the paper has taken from this method."""
    graph = real_graph(name)
    ours = solve(graph, follow=False, max_sweeps=1, colouring="none")
    theirs = find(graph, "relaxed", max_sweeps=1)
    np.testing.assert_array_equal(
        canonical_labels(ours.at_level(1)), canonical_labels(theirs.at_level(1))
    )


def one_sweep(graph, colours):
    """Let the classes of a colouring choose, one after the other; plain Python."""
    n = graph.num_vertices
    community = np.arange(n)
    at, loops = graph.loops()
    strength = np.array([graph.neighbours(v)[1].sum() for v in range(n)], float)
    strength[at] += loops  # a loop has two ends
    total, size, two_m = strength.copy(), np.ones(n, int), strength.sum()
    for colour in range(colours.max() + 1):
        chosen = []
        for v in np.flatnonzero(colours == colour):
            ids, weights = graph.neighbours(v)
            ids, weights = ids[ids != v], weights[ids != v]
            home = community[v]
            offers = {c: weights[community[ids] == c].sum() for c in np.unique(community[ids])}
            score = {c: w * two_m - strength[v] * total[c] for c, w in offers.items() if c != home}
            stay = offers.get(home, 0.0) * two_m - strength[v] * (total[home] - strength[v])
            best = min(score, key=lambda c: (-score[c], c), default=home)
            alone = best > home and size[best] == size[home] == 1
            if best != home and score[best] > stay and not alone:
                chosen.append((v, home, best))
        for v, home, best in chosen:
            community[v] = best
            total[home] -= strength[v]
            total[best] += strength[v]
            size[home] -= 1
            size[best] += 1
    return community


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("name", ["karate", "lesmis", "email-eu-core"])
def test_the_classes_of_a_colouring_move_one_after_the_other(name, balanced):
    graph = real_graph(name)
    colouring = "balanced" if balanced else "plain"
    options = {"follow": False, "max_sweeps": 1, "bin_vertices": 0, "threads": 3}
    result = solve(graph, colouring=colouring, **options)
    colours = colours_of(graph, balanced=balanced)
    assert result.figures["stages"][0]["colours"] == colours.max() + 1
    wanted = one_sweep(graph, colours)
    np.testing.assert_array_equal(canonical_labels(result.at_level(1)), canonical_labels(wanted))


def test_only_large_stages_are_coloured():
    graph = random_graph(3000, 9000, 4)
    stages = solve(graph, bin_vertices=500).figures["stages"]
    coloured = [stage["colours"] > 0 for stage in stages]
    assert coloured == sorted(coloured, reverse=True)
    assert coloured[0]
    assert not coloured[-1]
    assert all(stage["threshold"] == (1e-2 if stage["colours"] else 1e-6) for stage in stages)
    plain = solve(graph, bin_vertices=500, colouring="none").figures["stages"]
    assert not any(stage["colours"] for stage in plain)


def test_vertices_with_one_neighbour_follow_it():
    """A caterpillar: before the first stage the legs join the body."""
    body = np.arange(10)
    legs = 10 + np.arange(30)
    graph = Graph.from_edges(
        42, [*body[:-1], *np.repeat(body, 3), 40], [*body[1:], *legs, 41], name="caterpillar"
    )
    result = solve(graph)
    assert result.figures["stages"][0]["vertices"] == 11  # the body, and a pair apart
    np.testing.assert_array_equal(result.at_level(1)[legs], np.repeat(result.at_level(1)[body], 3))
    assert result.at_level(1)[40] == result.at_level(1)[41]
    apart = solve(graph, follow=False)
    assert apart.figures["stages"][0]["vertices"] == 42


@given(graph=community_graphs(max_vertices=25), balanced=st.booleans())
@few
def test_neighbours_have_different_colours(graph, balanced):
    one, many = (colours_of(graph, balanced=balanced, threads=t) for t in (1, 4))
    np.testing.assert_array_equal(one, many)
    u, v, _ = graph.edges()
    assert (one[u] != one[v]).all()
    if graph.num_vertices:
        assert one.max() <= graph.degrees.max()
        assert set(one) == set(range(one.max() + 1))


def test_colours_of_known_graphs():
    assert colours_of(cliques(1, 7)).max() == 6
    assert colours_of(bipartite(5, 9)).max() == 1
    assert colours_of(Graph.from_edges(4, [], [])).tolist() == [0, 0, 0, 0]


def test_balanced_classes_are_more_alike():
    graph = random_graph(3000, 9000, 4)
    plain, balanced = (np.bincount(colours_of(graph, balanced=b)) for b in (False, True))
    assert len(plain) == len(balanced)
    assert balanced.std() < plain.std() / 2
