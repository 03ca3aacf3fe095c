"""Graphs in a GPU's memory only, and entries whose numbers need more than 32 bits."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.stage import FLOATS, Run, Stage
from gpucore.families.communities.stages import run_stages
from gpucore.families.marriage.lists import BYTES_PER_PAIR, lists_of_rows
from gpucore.families.matching.outcome import Adjacency
from gpucore.families.matching.suitor import SuitorParams, _fast
from gpucore.io.files import save
from gpucore.problems.graph import prepare
from gpucore.problems.graph.distributed.load import load_whole
from gpucore.problems.graph.distributed.slabs import save_parts
from gpucore.problems.graph.generate import planted_partition
from gpucore.problems.preferences.lists import Rows
from gpucore.record import Recorder
from support.matching_cases import greedy_mates, skewed_graph

pytestmark = pytest.mark.gpu

SPECS = [
    "rmat_rows:scale=15,seed=3",
    "planted_rows:n=30000,communities=60",
    "rgg_rows:n=40000",
    "grid_rows:rows=300,columns=200",
]


def same(part, graph, device):
    for name in ("indptr", "indices", "weights"):
        ours = device.to_host(getattr(part, name))
        np.testing.assert_array_equal(ours, getattr(graph, name))


@pytest.mark.parametrize("spec", SPECS)
def test_generated_graphs_are_those_of_the_host(spec):
    device = get_device("cuda")
    part = load_whole(spec, device)
    same(part, load_whole(spec, get_device("host")), device)
    result = gpucore.run("suitor", part, device=device, record="counters")
    assert result.certificate.ok, str(result.certificate)
    found = gpucore.run("louvain", part, device=device, record="counters")
    assert found.certificate.ok, str(found.certificate)


def test_files(tmp_path):
    device, graph = get_device("cuda"), gpucore.load("rmat_rows:scale=13")
    save_parts(graph, tmp_path / "slabs", 5)
    save(graph, tmp_path / "file.mtx")
    for path in (tmp_path / "slabs", tmp_path / "file.mtx"):
        same(load_whole(path, device), prepare.for_matching(graph), device)


@pytest.mark.parametrize("name", ["suitor", "louvain"])
def test_command_line(name):
    words = ("run", name, SPECS[0], "--device", "cuda", "--json")
    command = [sys.executable, "-m", "gpucore.cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["certified"] is True
    assert found["edges"] == gpucore.load(SPECS[0]).num_edges


def wide(graph, device):
    """Return rows whose entries have numbers above 2**32; the lower ones are zeros."""
    start, xp = 2**32, device.xp
    device.require_memory(9 * (start + graph.indices.size), "entries above 2**32")
    indices = xp.zeros(start + graph.indices.size, dtype=xp.int32)
    weights = xp.zeros(indices.size, dtype=xp.float32)
    indices[start:], weights[start:] = map(device.asarray, (graph.indices, graph.weights))
    return device.asarray(graph.indptr + start), indices, weights


def test_suitor_above_32_bits():
    device, graph = get_device("cuda"), skewed_graph(14, 400_000, 2, levels=5)
    n = graph.num_vertices
    bids, mate = device.xp.zeros(n, np.uint64), device.xp.full(n, -1, np.int32)
    recorder = Recorder(device, "off", warps=1)
    _fast(Adjacency(n, wide(graph, device)), SuitorParams(), device, recorder, bids, mate)
    np.testing.assert_array_equal(device.to_host(mate), greedy_mates(graph))


def test_louvain_above_32_bits():
    device, graph = get_device("cuda"), planted_partition(20_000, 20, 60, 5, weights="integer")
    indptr, indices, weights = wide(graph, device)
    sums = device.xp.zeros(1, np.uint64)
    stage = Stage(
        graph.num_vertices, len(graph.indices), indptr, indices, weights, sums, FLOATS, 1.0
    )
    run = Run(device, Recorder(device, "off", warps=1), LouvainParams(), stage)
    reached = run_stages(run, stage).modularity
    alone = gpucore.run("louvain", graph, device=device)
    assert reached == pytest.approx(alone.modularity, abs=0.01)


def test_the_last_places_of_more_than_2_31_list_entries_are_marked():
    """125 million men have 3.5 thousand million entries; CuPy's own writes end below 2**31."""
    device = get_device("cuda")
    xp, pairs = device.xp, (1 << 31) + 8
    device.require_memory(BYTES_PER_PAIR * pairs, "the lists")
    bounds = [0, 3, 3, (1 << 31) - 1, (1 << 31) + 2, pairs]
    entries = xp.ones(pairs, dtype=xp.int32)
    lists = lists_of_rows(Rows(xp.asarray(bounds), entries, entries), 2, device)
    ranks = lists.arguments[1][:, 1]
    ends = np.unique(bounds)[1:] - 1
    assert device.to_host(xp.flatnonzero(ranks < 0)).tolist() == ends.tolist()
    assert (lists.pairs, lists.worst_rank) == (pairs, 1)
