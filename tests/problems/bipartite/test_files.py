"""Matrices from everywhere as bipartite graphs; other input is refused with name and cause."""

import gzip
import threading
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.io import mmwrite

from gpucore.errors import Cancelled, GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import bipartite_twin, permute_sides, transpose
from gpucore.problems.rebuild import rebuild
from support.bipartite_strategies import bipartite_graphs
from support.graph_strategies import relaxed

HEAD = "%%MatrixMarket matrix coordinate {} {}\n"


def matrix_market(field, symmetry, body):
    return (HEAD.format(field, symmetry) + body).encode()


@relaxed
@given(graph=bipartite_graphs())
@pytest.mark.parametrize("ending", [".mtx", ".mtx.gz", ".npz"])
def test_files_give_the_matrix_back(tmp_path, ending, graph):
    path = tmp_path / f"matrix{ending}"
    save(graph, path)
    assert load_bipartite(path) == load_bipartite(str(path)) == graph
    assert load_bytes(path.name, path.read_bytes(), kind="bipartite") == graph


def test_an_archive_keeps_everything(tmp_path):
    graph = permute_sides(load_bipartite("southern_women"), seed=3)
    save(graph, tmp_path / "women.npz")
    for read in (load(tmp_path / "women.npz"), load_bipartite(tmp_path / "women.npz")):
        assert read == graph
        assert (read.num_rows, read.name, read.names) == (18, graph.name, graph.names)
        assert read.source == graph.source
        assert rebuild(read.source) == graph


@pytest.mark.parametrize("field", ["real", "integer", "pattern", "double"])
def test_values_do_not_matter(field):
    value = "" if field == "pattern" else " 0"
    body = f"2 3 3\n1 1{value}\n2 3{value}\n1 1{value}\n"
    graph = load_bytes("m.mtx", matrix_market(field, "general", body), kind="bipartite")
    assert repr(graph) == "BipartiteGraph('m', rows=2, columns=3, edges=2)"
    assert graph.to_matrix().toarray().tolist() == [[1, 0, 0], [0, 0, 1]]
    assert graph.source == {"kind": "file", "name": "m.mtx", "format": "matrix_market", "first": 1}


def test_values_beyond_single_precision_are_no_matter():
    data = matrix_market("real", "general", "1 1 1\n1 1 1e300\n")
    assert load_bytes("m.mtx", data, kind="bipartite").num_edges == 1


def test_both_triangles_of_symmetric_matrices_count():
    data = matrix_market("real", "symmetric", "3 3 3\n1 1 5\n2 1 5\n3 2 5\n")
    graph = load_bytes("m.mtx", data, kind="bipartite")
    assert graph.to_matrix().toarray().tolist() == [[1, 1, 0], [1, 0, 1], [0, 1, 0]]
    skew = matrix_market("real", "skew-symmetric", "2 2 1\n2 1 -4\n")
    assert load_bytes("m.mtx", skew, kind="bipartite").to_matrix().toarray().tolist() == [
        [0, 1],
        [1, 0],
    ]


def test_a_square_general_matrix_is_not_symmetrised(tmp_path):
    matrix = sparse.random_array((40, 40), density=0.1, rng=3)
    mmwrite(tmp_path / "m.mtx", matrix)
    sparse.save_npz(tmp_path / "m.npz", matrix.tocsc())
    for path in (tmp_path / "m.mtx", tmp_path / "m.npz"):
        assert load_bipartite(path) == BipartiteGraph.from_matrix(matrix)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_scipys_archives_of_any_shape(tmp_path, layout):
    matrix = sparse.random_array((7, 30), density=0.2, rng=3).asformat(layout)
    sparse.save_npz(tmp_path / "m.npz", matrix)
    assert load_bipartite(tmp_path / "m.npz") == BipartiteGraph.from_matrix(matrix)
    packed = gzip.compress((tmp_path / "m.npz").read_bytes())
    assert load_bytes("m.npz.gz", packed, kind="bipartite").shape == (7, 30)


@pytest.mark.parametrize("spec", ["karate", "grid:rows=3,columns=5", "list.txt", "list.graph"])
def test_graphs_become_their_twins(tmp_path, monkeypatch, spec):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("0 1\n1 2\n2 2\n")
    (tmp_path / "list.graph").write_text("3 2\n2\n1 3\n2\n")
    twin = load_bipartite(spec)
    assert twin == bipartite_twin(load(spec))
    assert twin.source["prepared"] == [{"step": "bipartite_twin"}]
    assert load_bytes("x.txt", b"1 1\n2 3\n", base=1, kind="bipartite").num_edges == 3


@pytest.mark.parametrize(
    "spec", ["southern_women", "uniform:rows=9,columns=7,seed=4", "karate", "path:n=5"]
)
def test_made_again_with_its_steps(spec):
    graph = transpose(permute_sides(load_bipartite(spec), seed=6))
    again = rebuild(graph.source)
    assert isinstance(again, BipartiteGraph)
    assert again == graph
    assert again.source == graph.source
    assert again.names == graph.names


def test_no_file_is_read_because_a_record_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = matrix_market("pattern", "general", "1 1 1\n1 1\n")
    for name in ("m.mtx", "chain", "layered:levels"):
        (tmp_path / name).write_bytes(data)
    for spec in ("m.mtx", str(tmp_path / "m.mtx"), "chain", "southern_women/.."):
        with pytest.raises(GraphError, match="no file is read because a record names it"):
            rebuild({"kind": "generator", "spec": spec})
    with pytest.raises(GraphError, match="has no parameter"):
        rebuild({"kind": "generator", "spec": "layered:levels"})
    with pytest.raises(GraphError, match="allowed here"):
        rebuild({"kind": "generator", "spec": "chain:length=99"}, limits=Limits(max_vertices=9))


@pytest.mark.parametrize(
    ("step", "cause"),
    [
        ({"step": "permute_sides", "seed": -1}, "seed must be a whole number"),
        ({"step": "permute_sides", "seed": "x"}, "seed must be a whole number"),
        ({"step": "permute_sides", "speed": 1}, "step permute_sides is wrong"),
        ({"step": "for_bipartite"}, "no step 'for_bipartite'"),
    ],
)
def test_steps_of_a_record_that_are_wrong(step, cause):
    source = {"kind": "dataset", "spec": "southern_women", "prepared": [step]}
    with pytest.raises(GraphError, match=cause):
        rebuild(source)
    undirected = {"kind": "dataset", "spec": "karate", "prepared": [{"step": "permute_sides"}]}
    with pytest.raises(GraphError, match="takes a bipartite graph"):
        rebuild(undirected)


BAD = {
    "complex": (("complex", "general", "1 1 1\n1 1 1 1\n"), "line 1: the field is 'complex'"),
    "row": (("pattern", "general", "2 3 1\n3 1\n"), "line 3: row 3 is out of range, .* 2 rows"),
    "column": (("pattern", "general", "2 3 1\n1 4\n"), "line 3: column 4 is out of range"),
    "zero": (("pattern", "general", "2 3 1\n0 1\n"), "line 3: row 0 is out of range.* from 1"),
    "sizes": (("pattern", "general", "2 3\n1 1\n"), "line 2: the size line must hold three"),
    "negative": (("pattern", "general", "2 -3 1\n1 1\n"), "line 2: the size line must hold"),
    "not square": (("pattern", "symmetric", "2 3 1\n2 1\n"), "line 2: a symmetric matrix must be"),
    "short": (("pattern", "general", "2 3 2\n1 1\n%\n"), "line 4: the file ends after 1 of the 2"),
    "long": (("pattern", "general", "2 3 1\n1 1\n1 2\n"), "line 4: the size line declares 1"),
    "huge": (("pattern", "general", f"{2**31} 3 1\n1 1\n"), "line 2: .* 32-bit integers"),
    "both": (("pattern", "general", f"{2**30} {2**30} 1\n1 1\n"), "line 2: .* (allowed|memory)"),
    "memory": (("pattern", "general", "900000000 9 1\n1 1\n"), "line 2: .* of memory, more than"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_matrix_files(case):
    arguments, cause = BAD[case]
    with pytest.raises(GraphError, match=f"bad.mtx, {cause}") as caught:
        load_bytes(
            "bad.mtx", matrix_market(*arguments), limits=Limits(max_bytes=1 << 30), kind="bipartite"
        )
    assert "\n" not in str(caught.value)


def test_limits_count_rows_and_columns_together():
    limits = Limits(max_vertices=10, max_entries=5, max_bytes=1 << 20)
    wide = matrix_market("pattern", "general", "2 9 1\n1 1\n")
    with pytest.raises(GraphError, match=r"m.mtx, line 2: 11 vertices are more than the 10"):
        load_bytes("m.mtx", wide, limits=limits, kind="bipartite")
    both = matrix_market("pattern", "symmetric", "4 4 3\n2 1\n3 1\n4 1\n")
    with pytest.raises(GraphError, match=r"line 2: 6 entries are more than the 5 allowed"):
        load_bytes("m.mtx", both, limits=limits, kind="bipartite")
    with pytest.raises(GraphError, match=r"matrix of path: 12 vertices are more"):
        load_bipartite("path:n=6", limits=Limits(max_vertices=10))
    with pytest.raises(GraphError, match=r"32 vertices are more than the 20"):
        load_bipartite("southern_women", limits=Limits(max_vertices=20))


def test_archives_within_limits(tmp_path):
    sparse.save_npz(tmp_path / "m.npz", sparse.coo_array((3, 8)))
    with pytest.raises(GraphError, match=r"m.npz: the matrix: 11 vertices are more than the 10"):
        load_bipartite(tmp_path / "m.npz", limits=Limits(max_vertices=10))


def test_names_of_nothing(tmp_path):
    with pytest.raises(GraphError, match=r"no matrix 'atlantis'.*southern_women.*uniform, bip_rm"):
        load_bipartite("atlantis")
    with pytest.raises(GraphError, match=r"no matrix 'unifrm:rows=3'"):
        load_bipartite("unifrm:rows=3")
    with pytest.raises(GraphError, match=r"there is no file .*nowhere.mtx; check its name"):
        load_bipartite(tmp_path / "nowhere.mtx")
    with pytest.raises(GraphError, match="format matrix_market has no option 'base'"):
        load_bytes("m.mtx", b"", base=1, kind="bipartite")
    with pytest.raises(GraphError, match="there is no format 'mat'"):
        load_bytes("m.mat", b"", form="mat", kind="bipartite")


@pytest.mark.parametrize("spec", ["southern_women", "chain:length=4", "uniform"])
def test_matrices_are_no_undirected_graphs(spec):
    with pytest.raises(GraphError, match=r"matrix of rows and columns.*kind=\"bipartite\""):
        load(spec)


def test_progress_and_cancel(monkeypatch):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 100)
    entries = "".join(f"{row} 1\n" for row in range(1, 201))
    data = matrix_market("pattern", "general", f"200 1 200\n{entries}")
    seen = []
    load_bytes("m.mtx", data, progress=lambda *step: seen.append(step), kind="bipartite")
    assert seen[0][0] == "reading"
    assert seen[-1] == ("building", 0, 0)
    cancel = threading.Event()

    def progress(*step):
        cancel.set()

    with pytest.raises(Cancelled):
        load_bytes("m.mtx", data, progress=progress, cancel=cancel, kind="bipartite")
    with pytest.raises(Cancelled):
        load_bipartite("karate", cancel=cancel)


def test_large_files_are_read_block_by_block(monkeypatch):
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(0, 500, 4000), rng.integers(0, 900, 4000)
    lines = "".join(f"{i + 1} {j + 1}\n" for i, j in zip(rows, columns, strict=True))
    data = gzip.compress(matrix_market("pattern", "general", f"500 900 4000\n{lines}"))
    expected = BipartiteGraph.from_entries(rows, columns, (500, 900))
    for size in (100, 1001, 1 << 20):
        monkeypatch.setattr("gpucore.io.stream.BLOCK", size)
        assert load_bytes("m.mtx.gz", data, kind="bipartite") == expected


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_reading_takes_no_more_memory_than_the_limits_reckon(monkeypatch, symmetry):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 1 << 16)
    rng = np.random.default_rng(2)
    n, m = 5_000, 100_000
    low, high = np.sort(rng.integers(1, n + 1, (2, m)), axis=0)
    lines = "".join(f"{i} {j} 0.25\n" for i, j in zip(high, low, strict=True))
    data = gzip.compress(matrix_market("real", symmetry, f"{n} {n} {m}\n{lines}"), 1)
    del lines
    tracemalloc.start()
    graph = load_bytes("big.mtx.gz", data, kind="bipartite")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    entries = m if symmetry == "general" else 2 * m
    assert graph.num_edges <= entries
    assert peak < 48 * entries + 40 * 2 * n + (8 << 16)
