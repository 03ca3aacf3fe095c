"""Inputs that no rank has whole: read or generated in parts, certified in parts."""

from __future__ import annotations

import pytest

import gpucore
from gpucore.problems.graph.part import cut, with_arrays
from gpucore.problems.graph.prepare import for_matching
from support.matching_cases import skewed_graph
from support.mpi import only_object, warplens

RANKS = 3


def test_rank_0_prints_what_one_device_finds():
    for name, spec, options in (
        ("bmatching", "rmat_rows:scale=9,seed=2", ("-p", "b=3")),
        ("suitor", "rgg_rows:n=900", ()),
        ("ld", "grid_rows:rows=20,columns=30", ()),
    ):
        words = ("run", name, spec, "--device", "host", *options, "--json")
        found = only_object(warplens(RANKS, *words))
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
    assert warplens(1, "slabs", path, tmp_path / "slabs", "--parts", "2").returncode == 0
    for spec in (path, tmp_path / "slabs"):
        words = ("run", "bmatching", spec, "--device", "host", "-p", "b=2", "--json")
        found = only_object(warplens(2, *words))
        assert found["certified"] is True
        assert found["weight"] == pytest.approx(alone.weight, rel=1e-12)
        assert found["cardinality"] == alone.cardinality


@pytest.mark.parametrize("name", ["bmatching", "suitor", "ld"])
def test_a_result_of_parts_has_a_certificate(each_device, name):
    whole = cut(for_matching(gpucore.load("karate")), 1)[0]
    part = with_arrays(whole, each_device.asarray)
    result = gpucore.run(name, part, device=each_device, ranks=1)
    assert result.certificate is not None
    assert result.certificate.ok
