"""Ranks on real GPUs: several on one card, one on each of several, threads and processes."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.replay import timeline_of
from support.matching_cases import random_graph, skewed_graph
from support.mpi import only_object, warplens
from support.running import uncertified

pytestmark = pytest.mark.gpu

GRAPH = "rmat:scale=14,seed=3"
EVERYTHING = [(name, way) for name in ("suitor", "ld") for way in ("rounds", "peers")]


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
def test_threads_find_greedys_mates(name, transport, ranks):
    for graph in (
        random_graph(20_000, 200_000, 1),
        skewed_graph(13, 200_000, 2, levels=5),
    ):
        result = gpucore.run(name, graph, device="cuda", ranks=ranks, transport=transport)
        assert result.certificate.ok, str(result.certificate)
        np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
def test_a_record_replays_exactly(name, transport):
    graph = skewed_graph(10, 8000, 3, levels=9)
    given = {"ranks": 2, "transport": transport, "record": "events"}
    result = gpucore.run(name, graph, device="cuda", **given)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    np.testing.assert_array_equal(timeline.state(len(timeline))["suitor"], result.mate)


@pytest.mark.parametrize(("name", "transport"), EVERYTHING)
def test_processes_find_greedys_weight(name, transport):
    words = ("--device", "cuda", "-p", f"transport={transport}", "--json")
    found = only_object(warplens(2, "run", name, GRAPH, *words))
    graph = for_matching(gpucore.load(GRAPH))
    assert found["certified"] is True
    assert found["weight"] == gpucore.run(name, graph, device="host", certify=False).weight


@pytest.mark.parametrize("name", ["bmatching", "suitor", "ld"])
def test_processes_certify_parts_that_they_generated(name):
    spec = "rmat_rows:scale=14,seed=3"
    found = only_object(warplens(2, "run", name, spec, "--device", "cuda", "--json"))
    graph = for_matching(gpucore.load(spec))
    alone = gpucore.run(name, graph, device="host", certify=False)
    assert found["certified"] is True
    assert found["weight"] == pytest.approx(alone.weight, rel=1e-12)
