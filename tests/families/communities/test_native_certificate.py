"""The native certificate of communities is its reference's, which contracts with SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.certify.work import attended
from gpucore.families.communities.certificate import certify_communities
from support.certificates.communities import reference
from support.certificates.same import agree
from support.running import uncertified

from .cases import RESOLUTIONS, community_graphs, partitions

BLOCKS, THREADS = st.integers(1, 40), st.integers(1, 4)


@st.composite
def hierarchies(draw, n):
    """Draw up to three levels and the partition that they lead to."""
    levels, size = [], n
    for _ in range(draw(st.integers(0, 3))):
        levels.append(draw(partitions(size)))
        size = int(levels[-1].max(initial=-1)) + 1
    community = np.arange(n)
    for level in levels:
        community = level[community]
    return levels, community if levels else draw(partitions(n))


@given(st.data(), community_graphs(), RESOLUTIONS, BLOCKS, THREADS, st.booleans())
@settings(deadline=None, max_examples=150)
def test_any_hierarchy(data, graph, resolution, block, threads, rising):
    levels, community = data.draw(hierarchies(graph.num_vertices))
    agree(
        certify_communities, reference, graph, community, levels,
        resolution=resolution, block=block, threads=threads, rising=rising,
    )  # fmt: skip


@given(st.data(), community_graphs(), BLOCKS)
@settings(deadline=None, max_examples=200)
def test_planted_mistakes(data, graph, block):
    levels, community = data.draw(hierarchies(graph.num_vertices))
    arrays = [community, *levels]
    at = data.draw(st.integers(0, len(arrays) - 1))
    kind = data.draw(st.sampled_from(["label", "type", "shape"]))
    if kind == "label" and arrays[at].size:
        arrays[at] = arrays[at].copy()
        place = data.draw(st.integers(0, arrays[at].size - 1))
        arrays[at][place] = data.draw(st.integers(-1, arrays[at].size))
    if kind == "type":
        arrays[at] = arrays[at].astype(np.float64)
    if kind == "shape":
        arrays[at] = arrays[at][:-1]
    agree(certify_communities, reference, graph, arrays[0], arrays[1:], block=block)


@pytest.fixture(scope="module")
def solved():
    graph = gpucore.load("rmat:scale=13,seed=3")
    return graph, uncertified("louvain_serial", graph)


def test_a_skewed_graph_of_many_blocks(solved):
    graph, result = solved
    found = agree(
        certify_communities, reference, graph, result.community, result.levels,
        rising=True, block=1000, threads=3,
    )  # fmt: skip
    assert found.ok
    assert found.figures["improvable"] > 0


def test_no_figure_depends_on_the_number_of_threads(solved):
    graph, result = solved

    def figures(threads):
        with attended(threads=threads):
            return dict(certify_communities(graph, result.community, result.levels).figures)

    assert figures(1) == figures(2) == figures(7)
