"""Graphs that are read or generated in a device's memory are those that the host loads."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.device import get_device
from gpucore.errors import Cancelled, DeviceError, GraphError
from gpucore.io.files import save
from gpucore.loading import load
from gpucore.problems.graph import prepare
from gpucore.problems.graph.distributed import (
    matrix_on_device,
    prepare_on_device,
    slabs_on_device,
)
from gpucore.problems.graph.distributed.load import is_divisible, load_whole
from gpucore.problems.graph.distributed.slabs import save_parts
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import cut, join
from support.devices import SmallDevice
from support.graph_strategies import relaxed

FILES = {
    "general": "general\n4 4 5\n1 2 3\n2 1 -4\n3 3 2\n4 1 0\n2 4 -1\n",
    "symmetric": "symmetric\n5 5 5\n2 1 3\n3 3 -1\n4 1 0\n5 4 -7.5\n5 5 0\n",
    "skew": "skew-symmetric\n4 4 3\n2 1 3\n4 1 -2\n4 3 0\n",
    "empty": "general\n3 3 0\n",
    "none": "general\n0 0 0\n",
}


def written(path, text):
    path.write_text(f"%%MatrixMarket matrix coordinate real {text}")
    return path


@pytest.fixture(params=[1, 2, 3, 1 << 24])
def blocks(request, monkeypatch):
    """Make all blocks so small that rows and entries are cut anywhere."""
    size = request.param
    for module in (slabs_on_device, prepare_on_device):
        monkeypatch.setattr(module, "BLOCK", size)
    monkeypatch.setattr(matrix_on_device, "PIECE", 4 * size)
    monkeypatch.setattr(matrix_on_device, "CHUNK", size)
    return size


def same(part, graph):
    for name in ("indptr", "indices", "weights"):
        ours, theirs = getattr(part, name), getattr(graph, name)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    assert part.weighted == graph.weighted
    assert dict(part.source) == dict(graph.source)
    assert part.name == graph.name
    assert part.num_edges == graph.num_edges


@pytest.mark.parametrize("name", FILES)
def test_matrix_files(tmp_path, blocks, name):
    path = written(tmp_path / f"{name}.mtx", FILES[name])
    host = get_device("host")
    same(load_whole(path, host), prepare.for_matching(load(path)))
    if (load(path).weights >= 0).all():
        same(load_whole(path, host, matching=False), prepare.for_communities(load(path)))


def test_pattern_files_get_the_weights_of_the_host(tmp_path, blocks):
    path = tmp_path / "pattern.mtx"
    path.write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 5\n2 1\n3 2\n4 4\n5 1\n5 4\n"
    )
    host = get_device("host")
    same(load_whole(path, host, seed=3), prepare.for_matching(load(path), seed=3))
    same(load_whole(path, host, matching=False), load(path))


@relaxed
@given(st.data())
def test_any_general_matrix(tmp_path_factory, data):
    n = data.draw(st.integers(1, 7))
    pairs = st.tuples(st.integers(1, n), st.integers(1, n))
    entries = data.draw(st.lists(pairs, unique=True, max_size=20))
    weights = [data.draw(st.integers(-2, 2)) for _ in entries]
    lines = [f"{i} {j} {w}\n" for (i, j), w in zip(entries, weights, strict=True)]
    path = tmp_path_factory.mktemp("any") / "any.mtx"
    written(path, f"general\n{n} {n} {len(lines)}\n{''.join(lines)}")
    same(load_whole(path, get_device("host")), prepare.for_matching(load(path)))


BAD = {
    "twice": ("general\n3 3 3\n1 2 1\n2 3 1\n1 2 5\n", "line 5: entry .1, 2. is given a second"),
    "mirror": ("general\n3 3 3\n1 2 1\n2 1 1\n2 1 5\n", "line 5: entry .2, 1. is given a second"),
    "lower": ("symmetric\n3 3 3\n2 1 1\n3 3 1\n2 1 5\n", "line 5: entry .2, 1. is given a second"),
    "loop": ("symmetric\n3 3 2\n2 2 1\n2 2 5\n", "line 4: entry .2, 2. is given a second"),
    "more": ("general\n3 3 1\n1 2 1\n2 3 1\n", "line 4: the size line declares 1 entry"),
    "fewer": ("general\n3 3 3\n1 2 1\n2 3 1\n", "line 4: the file ends after 2 of the 3 entries"),
    "outside": ("general\n3 3 2\n1 2 1\n2 4 1\n", "line 4"),
    "oblong": ("general\n3 4 1\n1 2 1\n", "a 3 x 4 matrix is no undirected graph"),
    "upper": ("symmetric\n3 3 1\n1 2 1\n", "line 3: entry .1, 2. is above the diagonal"),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_files_have_the_errors_of_the_host(tmp_path, blocks, name):
    text, message = BAD[name]
    path = written(tmp_path / "bad.mtx", text)
    with pytest.raises(GraphError, match=message) as ours:
        load_whole(path, get_device("host"))
    with pytest.raises(GraphError) as theirs:
        load(path)
    assert str(ours.value) == str(theirs.value)


GRAPHS = [
    Graph.from_edges(5, [0, 0, 2, 4, 3, 1], [1, 2, 2, 4, 4, 4], [1, -2, 3, 0, 0, 5]),
    Graph.from_edges(3, [0, 1], [1, 1], [-1, 2]),
    Graph.from_edges(4, [0, 1], [1, 2], [0, 0]),
    Graph.from_edges(4, [], [], []),
    Graph.from_edges(0, [], [], []),
]


@pytest.mark.parametrize("slabs", [1, 3])
@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_slabs(tmp_path, blocks, graph, slabs):
    save_parts(graph, tmp_path / "slabs", slabs)
    same(load_whole(tmp_path / "slabs", get_device("host")), prepare.for_matching(graph))
    if (graph.weights >= 0).all():
        wanted = prepare.for_communities(graph)
        same(load_whole(tmp_path / "slabs", get_device("host"), matching=False), wanted)


def test_preparation_changes_nothing_that_is_right(blocks):
    graph = load("rmat_rows:scale=6,seed=3")
    (part,) = cut(graph, 1)
    assert join([prepare_on_device.prepared_on_device(part, matching=True)]) == graph


@pytest.mark.parametrize("what", ["indices", "weights", "indptr"])
def test_damaged_slabs(tmp_path, what):
    save_parts(load("rmat_rows:scale=6"), tmp_path, 2)
    path = tmp_path / "slab-00001.npz"
    arrays = dict(np.load(path))
    arrays[what] = arrays[what].copy()
    arrays[what][5] = np.nan if what == "weights" else arrays[what][20]
    np.savez(path, **arrays)
    with pytest.raises(GraphError, match="save the slabs again"):
        load_whole(tmp_path, get_device("host"))


def test_other_weights_than_those_that_were_saved(tmp_path):
    save_parts(load("rmat_rows:scale=6"), tmp_path, 2)
    path = tmp_path / "slab-00000.npz"
    arrays = dict(np.load(path))
    arrays["weights"] = arrays["weights"] / 2
    np.savez(path, **arrays)
    with pytest.raises(GraphError, match="not those of its manifest"):
        load_whole(tmp_path, get_device("host"))


def test_too_little_memory_is_refused_before_it_is_taken(tmp_path):
    graph = load("rmat_rows:scale=10")
    save_parts(graph, tmp_path / "slabs", 2)
    save(graph, tmp_path / "file.mtx")
    for name in ("slabs", "file.mtx"):
        device = SmallDevice()
        device.left = 100_000
        with pytest.raises(DeviceError, match=r"the graph in .* needs .*, but device 'host' has"):
            load_whole(tmp_path / name, device)


def test_cancelling(tmp_path):
    save_parts(load("rmat_rows:scale=6"), tmp_path / "slabs", 2)
    save(load("rmat_rows:scale=6"), tmp_path / "file.mtx")

    class Now:
        def is_set(self):
            return True

    for name in ("slabs", "file.mtx"):
        with pytest.raises(Cancelled):
            load_whole(tmp_path / name, get_device("host"), cancel=Now())


def test_what_needs_no_copy(tmp_path):
    save_parts(load("karate"), tmp_path / "slabs")
    assert json.loads((tmp_path / "slabs" / "manifest.json").read_text())["n"] == 34
    assert is_divisible(tmp_path / "slabs")
    assert is_divisible("grid_rows:rows=3,columns=3")
    assert not is_divisible("karate")
    same(load_whole("karate", get_device("host"), matching=False), load("karate"))
