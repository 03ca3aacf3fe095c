"""Slabs: graphs in folders, of which any number of ranks reads any rows."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.device import get_device
from gpucore.errors import DeviceError, GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.graph import prepare
from gpucore.problems.graph.distributed.load import load_part
from gpucore.problems.graph.distributed.manifest import FILE, read_manifest, slab_name
from gpucore.problems.graph.distributed.slabs import load_part as load_slab
from gpucore.problems.graph.distributed.slabs import load_slabs, save_part, save_parts
from gpucore.problems.graph.fingerprint import digest, fingerprint
from gpucore.problems.graph.generate.rows import plan_of
from gpucore.problems.graph.part import cut, join
from gpucore.problems.rebuild import rebuild
from support.devices import SmallDevice
from support.graph_strategies import graphs, relaxed
from support.rank_threads import failure_of, on_ranks

COUNTS = st.sampled_from([1, 2, 3, 4, 7])


@relaxed
@given(graphs(), COUNTS, COUNTS)
def test_round_trip_with_any_numbers_of_slabs_and_ranks(tmp_path, graph, slabs, ranks):
    manifest = save_parts(graph, tmp_path / "slabs", slabs)
    assert manifest == read_manifest(tmp_path / "slabs")
    for part, expected in zip(
        [load_slab(tmp_path / "slabs", rank, ranks) for rank in range(ranks)],
        cut(graph, ranks),
        strict=True,
    ):
        assert part.bounds.tolist() == expected.bounds.tolist()
        for name in ("indptr", "indices", "weights"):
            array, right = getattr(part, name), getattr(expected, name)
            assert (array.dtype, array.tobytes()) == (right.dtype, right.tobytes())
        for name in ("n", "rank", "name", "weighted", "source", "num_edges"):
            assert getattr(part, name) == getattr(expected, name)
    found = load(tmp_path / "slabs")
    assert (found, found.source, found.weighted) == (graph, graph.source, graph.weighted)
    whole = [digest(part) for part in cut(graph, 1)]
    assert manifest.fingerprint == fingerprint(graph.num_vertices, whole)


def test_parts_keep_their_bounds(tmp_path):
    """Parts of a generator, which balances otherwise, saved one a rank."""
    plan, device = plan_of("rgg_rows:n=500"), get_device("host")
    manifests = on_ranks(3, lambda rank: save_part(plan.part(device, rank.rank, 3), tmp_path, rank))
    assert len({manifest.fingerprint for manifest in manifests}) == 1
    assert manifests[0].bounds == plan.part(device, 0, 3).bounds.tolist()
    parts = on_ranks(3, lambda rank: load_slabs(tmp_path, rank))
    assert parts[1].bounds.tolist() == manifests[0].bounds
    graph = join(parts)
    assert graph == load("rgg_rows:n=500") == load(tmp_path)
    assert rebuild(graph.source) == graph


def test_only_the_own_slab_is_read(tmp_path):
    graph = load("email-eu-core")
    save_parts(graph, tmp_path, 5)
    (tmp_path / slab_name(4)).unlink()
    for rank in range(3):
        assert load_slab(tmp_path, rank, 5).entries == cut(graph, 5)[rank].entries
    with pytest.raises(GraphError, match=r"there is no file .*slab-00004.npz"):
        load_slab(tmp_path, 4, 5)


def test_all_parts_are_needed(tmp_path):
    with pytest.raises(GraphError, match="all parts of a graph are needed"):
        save_parts(cut(load("karate"), 3)[:2], tmp_path)
    with pytest.raises(GraphError, match="there is no part 2 of 2"):
        load_slab(tmp_path, 2, 2)


@pytest.fixture
def saved(tmp_path):
    save_parts(load("karate_weighted"), tmp_path / "slabs", 3)
    return tmp_path / "slabs"


CHANGES = {
    "no JSON": (lambda text: text[:-20], "no sound manifest"),
    "a list": (lambda _: "[]", "no sound manifest"),
    "version": (lambda text: text.replace('"version": 1', '"version": 2'), "warplens-slabs 1"),
    "field": (lambda text: text.replace('"weighted": true', '"weighted": 1'), "wrong type"),
    "missing": (lambda text: text.replace('"n": 34,', ""), "no sound manifest"),
    "more": (lambda text: text.replace('"n": 34,', '"n": 34, "m": 1,'), "no sound manifest"),
    "vertices": (lambda text: text.replace('"n": 34', '"n": 35'), "does not end at the number"),
    "starts": (lambda text: text.replace(" 156\n", " 157\n"), "starts does not fit"),
    "digest": (lambda text: text.replace('"karate', '"x'), None),
    "edges": (lambda text: text.replace('"num_edges": 78', '"num_edges": -1'), "num_edges"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_damaged_manifests(saved, case):
    change, message = CHANGES[case]
    path = saved / FILE
    before = path.read_text()
    path.write_text(change(before))
    assert path.read_text() != before
    if message is None:  # a name is no part of the fingerprint
        assert load(saved) == load("karate_weighted")
        return
    with pytest.raises(GraphError, match=message) as caught:
        load_slab(saved, 0, 2)
    assert str(path) in str(caught.value)


def test_a_digest_that_was_changed(saved):
    found = json.loads((saved / FILE).read_text())
    found["digests"][1][2] ^= 1
    (saved / FILE).write_text(json.dumps(found))
    with pytest.raises(GraphError, match="do not have the fingerprint"):
        load(saved)


def rewrite(path, **arrays):
    with np.load(path) as found:
        kept = dict(found)
    np.savez(path, **(kept | arrays))


def test_damaged_slabs_are_one_error_on_all_ranks(saved):
    path = saved / slab_name(1)
    with np.load(path) as found:
        arrays = dict(found)
    weights, indices, indptr = (arrays[name].copy() for name in ("weights", "indices", "indptr"))
    weights[3] += 1
    rewrite(path, weights=weights)
    for size in (2, 3):
        text = failure_of(size, lambda rank: load_slabs(saved, rank))
        assert "the slabs are not those of its manifest.json" in text
    with pytest.raises(GraphError, match="not those of its manifest"):
        load(saved)
    weights[3] = np.inf
    rewrite(path, weights=weights)
    assert "rank 1" in failure_of(3, lambda rank: load_slabs(saved, rank))
    indices[2] = 99
    rewrite(path, weights=arrays["weights"], indices=indices)
    assert "not sorted or has no vertices" in failure_of(3, lambda rank: load_slabs(saved, rank))
    indptr[1] = 1000
    rewrite(path, indices=arrays["indices"], indptr=indptr)
    assert "indptr does not rise" in failure_of(3, lambda rank: load_slabs(saved, rank))
    rewrite(path, indptr=arrays["indptr"].astype(np.int32))
    assert "is no sound slab" in failure_of(3, lambda rank: load_slabs(saved, rank))
    rewrite(path, indptr=arrays["indptr"][:-1])
    assert "is no sound slab" in failure_of(3, lambda rank: load_slabs(saved, rank))
    np.savez_compressed(path, **arrays)
    assert "is compressed" in failure_of(3, lambda rank: load_slabs(saved, rank))
    np.savez(path, **arrays)
    assert join(on_ranks(3, lambda rank: load_slabs(saved, rank))) == load("karate_weighted")


@pytest.mark.parametrize("kept", [0, 10, 500, 900])
def test_truncated_slabs(saved, kept):
    path = saved / slab_name(2)
    path.write_bytes(path.read_bytes()[:kept])
    assert "slab-00002.npz is no sound slab" in failure_of(3, lambda rank: load_slabs(saved, rank))


def test_any_damaged_byte_is_an_error_or_harmless(saved):
    """Every byte of a slab in turn: no other exception, and never another graph."""
    graph, path = load("karate_weighted"), saved / slab_name(0)
    data = path.read_bytes()
    refused = 0
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        try:
            assert load(saved) == graph
        except GraphError:
            refused += 1
    assert refused > len(data) // 2


def test_missing_folder(tmp_path):
    found = failure_of(2, lambda rank: load_slabs(tmp_path / "none", rank))
    assert "there is no file" in found
    with pytest.raises(GraphError, match="is a directory; name a file in it"):
        load(tmp_path)


def test_limits(saved):
    with pytest.raises(GraphError, match="34 vertices are more than the 30 allowed here"):
        load(saved, limits=Limits(max_vertices=30))


def test_a_folder_that_cannot_be_written(saved):
    with pytest.raises(GraphError, match="cannot be made"):
        save_parts(load("karate"), saved / FILE, 2)
    parts = cut(load("karate"), 2)
    found = failure_of(2, lambda rank: save_part(parts[rank.rank], saved / FILE, rank))
    assert "cannot be made" in found


SPECS = [
    "karate",
    "karate_weighted",
    "rmat_rows:scale=7",
    "rmat_rows:scale=7,weights=unit",
    "gnp:n=50,p=0.1",
]


@pytest.mark.parametrize("matching", [False, True])
@pytest.mark.parametrize("spec", [*SPECS, "slabs", "file.mtx", "file.mtx.gz"])
def test_any_specification(tmp_path, spec, matching):
    """Whatever it names, the parts of any number of ranks are those of the ordinary graph."""
    if spec == "slabs":
        save_parts(load("netscience"), tmp_path / spec, 3)
    elif spec.startswith("file"):
        save(load("football"), tmp_path / spec)
    spec = str(tmp_path / spec) if spec not in SPECS else spec
    graph = load(spec)
    expected = prepare.for_matching(graph, seed=4) if matching else graph
    device = get_device("host")
    for size in (1, 2, 3, 4, 7):
        parts = on_ranks(
            size,
            lambda rank: load_part(spec, rank, device, matching=matching, seed=4),
        )
        found = join(parts)
        assert found == expected
        assert found.source == expected.source
        assert {part.num_edges for part in parts} == {graph.num_edges}


def test_wrong_specifications_are_one_error():
    device = get_device("host")
    for spec, message in (
        ("rmat_rows:scale=99", "scale must be between 0 and 30"),
        ("nonesuch", "there is no graph 'nonesuch'"),
        ("no/such.mtx", "there is no file no/such.mtx"),
    ):
        text = failure_of(3, lambda rank, spec=spec: load_part(spec, rank, device))
        assert text.startswith(message)


def test_a_rank_without_memory_stops_all():
    def body(rank):
        return load_part("rmat_rows:scale=12", rank, SmallDevice() if rank.rank == 1 else ample)

    ample = get_device("host")
    found = on_ranks(3, body)
    assert all(isinstance(error, DeviceError) for error in found)
    assert str(found[0]).startswith("rank 1: the rows of an R-MAT graph needs")


def test_slabs_can_be_copied(saved, tmp_path):
    shutil.copytree(saved, tmp_path / "copy")
    assert load(tmp_path / "copy") == load("karate_weighted")
