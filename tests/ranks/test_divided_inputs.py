"""Inputs that no rank has whole: read or generated in parts, certified in parts."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.certify.stability.ranks import certify_on_ranks
from gpucore.device import get_device
from gpucore.problems.graph.part import cut
from gpucore.problems.graph.prepare import for_matching
from gpucore.ranks.threads import run_threads
from support.bmatching_cases import greedy_b_mates
from support.matching_cases import skewed_graph
from support.mpi import only_object, warpscope

RANKS = 3


def test_rank_0_prints_what_one_device_finds():
    for name, spec, options in (
        ("bmatching", "rmat_rows:scale=9,seed=2", ("-p", "b=3")),
        ("suitor", "rgg_rows:n=900", ()),
        ("ld", "grid_rows:rows=20,columns=30", ()),
    ):
        words = ("run", name, spec, "--device", "host", *options, "--json")
        found = only_object(warpscope(RANKS, *words))
        params = {"b": 3} if options else {}
        alone = gpucore.run(name, for_matching(gpucore.load(spec)), device="host", **params)
        assert found["certified"] is True
        assert found["ranks"] == RANKS
        assert found["cardinality"] == alone.cardinality
        assert found["weight"] == pytest.approx(alone.weight, rel=1e-12)


def test_files_are_read_in_parts(tmp_path):
    graph = skewed_graph(8, 900, 3)
    path = tmp_path / "graph.mtx"
    edges = zip(*(column.tolist() for column in graph.edges()), strict=True)
    lines = [f"{v + 1} {u + 1} {w!r}" for u, v, w in edges]
    n = graph.num_vertices
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n"
    path.write_text(head + "\n".join(lines) + "\n")
    alone = gpucore.run("bmatching", for_matching(gpucore.load(path)), device="host", b=2)
    assert warpscope(1, "slabs", path, tmp_path / "slabs", "--parts", "2").returncode == 0
    for spec in (path, tmp_path / "slabs"):
        words = ("run", "bmatching", spec, "--device", "host", "-p", "b=2", "--json")
        found = only_object(warpscope(2, *words))
        assert found["certified"] is True
        assert found["weight"] == pytest.approx(alone.weight, rel=1e-12)
        assert found["cardinality"] == alone.cardinality


def certified(graph, capacity, change):
    """Certify greedy's b-matching in parts after `change` of one rank's share."""
    starts, mates = greedy_b_mates(graph, capacity)
    weights = {(a, b): c for a, b, c in zip(*(x.tolist() for x in graph.edges()), strict=True)}
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(starts))
    once = [(a, b) for a, b in zip(rows.tolist(), mates.tolist(), strict=True) if a < b]
    parts = cut(graph, RANKS)

    def body(comm, stop):
        part = parts[comm.rank]
        own = starts[part.lo : part.hi + 1]
        share = [capacity[part.lo : part.hi], own - own[0], mates[own[0] : own[-1]].copy()]
        share = change(comm.rank, share)
        return certify_on_ranks(
            part,
            *share,
            comm,
            get_device("host"),
            weight=sum(weights[e] for e in once),
            cardinality=len(once),
        )

    return run_threads(RANKS, body, cancel=None)


GRAPH = skewed_graph(6, 300, 4)
CAPACITY = np.full(GRAPH.num_vertices, 2, np.int32)


def test_the_parts_together_are_certified():
    assert certified(GRAPH, CAPACITY, lambda rank, share: share).ok


def lose_a_mate(rank, share):
    """Forget the last mate of a rank's last matched vertex."""
    capacity, starts, mates = share
    if rank != 1:
        return share
    last = np.flatnonzero(np.diff(starts))[-1]
    starts = starts.copy()
    starts[last + 1 :] -= 1
    return [capacity, starts, mates[:-1] if starts[-1] == len(mates) - 1 else mates]


def more_room(rank, share):
    """Let the vertices of a rank have more mates, so that edges block."""
    capacity, starts, mates = share
    return [capacity + 1 if rank == 2 else capacity, starts, mates]


@pytest.mark.parametrize(("change", "check"), [(lose_a_mate, "symmetric"), (more_room, "b-stable")])
def test_what_is_wrong_on_one_rank_is_found(change, check):
    certificate = certified(GRAPH, CAPACITY, change)
    assert not certificate.ok
    assert {one.name for one in certificate.checks if not one.ok} == {check}


def test_a_result_of_parts_has_a_certificate():
    parts = cut(for_matching(gpucore.load("karate")), 1)
    result = gpucore.run("bmatching", parts[0], device="host", b=2, ranks=1)
    assert result.certificate is not None
    assert result.certificate.ok
