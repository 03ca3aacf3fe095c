import gzip

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.io import mmwrite

from gpucore.errors import GraphError
from gpucore.io.files import save
from gpucore.io.stream import Source
from gpucore.loading import load, load_bytes
from gpucore.problems.graph.convert import from_networkx, from_scipy
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import drop_loops
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import graphs, relaxed
from support.matrices import matrix_of

ENDINGS = [".npz", ".mtx", ".mtx.gz", ".txt", ".csv", ".tsv.gz", ".edges", ".graph", ".metis.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
@relaxed
@given(graph=graphs())
def test_every_format_gives_the_graph_back(tmp_path, ending, graph):
    if ending.startswith((".graph", ".metis")):
        graph = drop_loops(graph)
    path = tmp_path / f"graph{ending}"
    save(graph, path)
    options = {} if ending.startswith((".npz", ".mtx", ".graph", ".metis")) else {"base": 0}
    if graph.num_vertices == 0 and options:
        with pytest.raises(GraphError, match="holds no edges"):
            load(path, **options)
        return
    read = load(path, **options)
    assert read == graph
    # A text without edges does not show whether edges have weights.
    assert read.weighted == graph.weighted or graph.indices.size == 0
    again = load_bytes(path.name, path.read_bytes(), **options)
    assert again == graph


@relaxed
@given(graphs())
def test_networkx(graph):
    there = graph.to_networkx()
    assert there.number_of_nodes() == graph.num_vertices
    assert there.number_of_edges() == graph.num_edges + graph.num_loops
    assert from_networkx(there) == graph


@relaxed
@given(graphs())
def test_scipy(graph):
    matrix = graph.to_scipy()
    for layout in ("csr", "csc", "coo", "lil"):
        assert from_scipy(matrix.asformat(layout)).to_scipy().nnz == matrix.nnz
    assert from_scipy(sparse.csr_matrix(matrix)) == graph


def test_npz_keeps_everything(tmp_path):
    graph = load("usairports")
    save(graph, tmp_path / "airports.npz")
    read = load(tmp_path / "airports.npz")
    assert read == graph
    assert (read.name, read.names, read.source) == (graph.name, graph.names, graph.source)
    assert (read.coordinates == graph.coordinates).all()


@pytest.mark.parametrize("save", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_scipy_archives(tmp_path, save):
    matrix = load("lesmis").to_scipy()
    sparse.save_npz(tmp_path / "m.npz", save(matrix))
    assert load(tmp_path / "m.npz") == load("lesmis")
    (tmp_path / "m.npz.gz").write_bytes(gzip.compress((tmp_path / "m.npz").read_bytes()))
    assert load(tmp_path / "m.npz.gz") == load("lesmis")


def test_networkx_names_places_and_directions():
    arcs = nx.DiGraph(name="arcs")
    arcs.add_node("a", pos=(0, 1))
    arcs.add_node("b", pos=(2, 3))
    arcs.add_weighted_edges_from([("a", "b", 2.0), ("b", "a", -3.0)])
    graph = from_networkx(arcs)
    assert (graph.name, graph.names) == ("arcs", ("a", "b"))
    assert graph.coordinates.tolist() == [[0, 1], [2, 3]]
    assert graph.edges()[2].tolist() == [-3]
    back = graph.to_networkx()
    assert back.nodes[1] == {"name": "b", "pos": (2.0, 3.0)}
    multi = nx.MultiGraph([(0, 1, {"weight": 1}), (0, 1, {"weight": 4})])
    assert from_networkx(multi).edges()[2].tolist() == [4]
    assert not from_networkx(multi, weight=None).weighted


def test_networkx_weights_that_are_no_numbers():
    with pytest.raises(GraphError, match=r"edge .0, 1.: the attribute 'kind' is 'road'"):
        from_networkx(nx.Graph([(0, 1, {"kind": "road"})]), weight="kind")


def test_scipy_asymmetric():
    matrix = sparse.coo_array([[0, 1], [0, 0]])
    with pytest.raises(GraphError, match=r"not symmetric.*symmetrise"):
        from_scipy(matrix)
    assert from_scipy(matrix, symmetric=False).num_edges == 1
    with pytest.raises(GraphError, match="square matrix"):
        from_scipy(sparse.coo_array((2, 3)))
    assert not from_scipy(sparse.coo_array([[False, True], [True, False]])).weighted


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
def test_files_of_scipys_writer(tmp_path, symmetry, field):
    graph = load("lesmis")
    path = tmp_path / "lesmis.mtx"
    mmwrite(path, graph.to_scipy().astype(int), field=field, symmetry=symmetry)
    read = load(path)
    assert read.weighted == (field != "pattern")
    if read.weighted:
        assert read == graph
    else:
        assert (read.indices == graph.indices).all()
    matrix = matrix_of(path)
    expected = graph.to_scipy() if read.weighted else graph.to_scipy().astype(bool)
    assert (matrix.tocsr() != expected).nnz == 0


def test_a_general_matrix_becomes_the_union_of_its_entries():
    text = b"%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 5\n2 1 -7\n3 1 2\n2 2 1\n"
    graph = load_bytes("arcs.mtx", text)
    assert graph.to_scipy().toarray().tolist() == [[0, -7, 2], [-7, 1, 0], [2, 0, 0]]
    skew = b"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -4\n"
    assert load_bytes("skew.mtx", skew).edges()[2].tolist() == [4]
    assert matrix_of(Source("s", data=skew)).toarray().tolist() == [[0, 4], [-4, 0]]


def test_rectangular_matrices_are_matrices_but_no_graphs():
    text = b"%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n"
    with pytest.raises(GraphError, match=r"2 x 3 matrix is no undirected graph.*bipartite"):
        load_bytes("rows.mtx", text)
    matrix = matrix_of(Source("rows.mtx", data=text))
    assert matrix.toarray().tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    "body",
    [
        b"2 1 0.5\n3 2 -4\n",
        b"\n  2   1\t0.5\n%note\n\n3 2 -4.0e0",
        b"2 1 5e-1\r\n3 2 -4\r\n",
        b"+2 1 +.5\n3 2 -0.4E1 % heavy\n",
    ],
)
def test_matrix_market_is_read_generously(body):
    head = b"%%MatrixMarket MATRIX Coordinate Real Symmetric\n% a comment\n\n3 3 2\n"
    graph = load_bytes("a.mtx", head + body)
    assert graph == Graph.from_edges(3, [0, 1], [1, 2], [0.5, -4])


@pytest.mark.parametrize(
    ("text", "options", "n", "edges"),
    [
        (b"0 1\n1 2\n", {}, 3, [(0, 1), (1, 2)]),
        (b"1 2\n2 3\n", {}, 3, [(0, 1), (1, 2)]),
        (b"1 2\n2 3\n", {"base": 0}, 4, [(1, 2), (2, 3)]),
        (b"# Nodes: 5 Edges: 1\n1\t2\n", {}, 5, [(0, 1)]),
        (b"% comment\n\n1,2\n2,1\n3,3\n", {}, 3, [(0, 1), (2, 2)]),
        (b"source;target\n4;9\n", {"compact": True}, 2, [(0, 1)]),
        (b"\xef\xbb\xbfu v w\n1 2 0.5\n", {"weights": False}, 2, [(0, 1)]),
        (b"10 20 # far\n20 70\n", {"compact": True}, 3, [(0, 1), (1, 2)]),
    ],
)
def test_edge_lists(text, options, n, edges):
    graph = load_bytes("list.txt", text, **options)
    u, v = ([pair[side] for pair in edges] for side in (0, 1))
    assert graph == Graph.from_edges(n, u, v)
    assert not graph.weighted


def test_compact_keeps_the_numbers_as_names():
    assert load_bytes("far.txt", b"70 10\n", compact=True).names == ("10", "70")


def test_weighted_edge_lists():
    graph = load_bytes("list.csv", b"a,b,weight\n0,1,2.5\n1,0,-3\n")
    assert graph.edges()[2].tolist() == [-3]


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        (b"3 2\n2 3\n1\n1\n", None),
        (b"% a comment\n3 2 0\n%another\n 2 3 \n1\n% and one\n1\n\n", None),
        (b"3 2 1\n2 5 3 0.5\n1 5\n1 0.5\n", [5, 0.5]),
        (b"3 2 111 2\n9 8 7 2 5 3 2\n9 8 7 1 5\n9 8 7 1 2\n", [5, 2]),
        (b"3 2 10\n4 2 3\n4 1\n4 1", None),
    ],
)
def test_metis(text, weights):
    assert load_bytes("a.graph", text) == Graph.from_edges(3, [0, 0], [1, 2], weights)


def test_metis_blank_lines_are_lonely_vertices():
    assert load_bytes("a.graph", b"4 1\n\n3\n2\n\n").edges()[0].tolist() == [1]


def test_formats_are_known_by_content_if_not_by_name():
    matrix = b"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"
    assert load_bytes("upload", matrix).num_edges == 1
    assert load_bytes("upload.gz", gzip.compress(matrix)).num_edges == 1
    assert load_bytes("upload.bin", b"1 2\n", form="edge_list").num_edges == 1
    # gzip is known by content too: a name may lie in both directions
    assert load_bytes("m.mtx", gzip.compress(matrix)).num_edges == 1
    assert load_bytes("m.mtx.gz", matrix).num_edges == 1


def test_blocks_are_joined_seamlessly(tmp_path, monkeypatch):
    """The same file read in blocks of any size is the same graph."""
    graph = load("netscience")
    for ending in (".mtx.gz", ".edges", ".graph"):
        path = tmp_path / f"netscience{ending}"
        save(graph, path)
        for size in (100, 1001):
            monkeypatch.setattr("gpucore.io.stream.BLOCK", size)
            assert load(path) == graph


def test_source_names_the_file_but_no_folder(tmp_path):
    save(load("karate"), tmp_path / "club.mtx.gz")
    graph = load(tmp_path / "club.mtx.gz")
    assert graph.name == "club"
    assert graph.source == {
        "kind": "file",
        "name": "club.mtx.gz",
        "format": "matrix_market",
        "first": 1,
    }
    with pytest.raises(GraphError, match="file cannot be made again"):
        rebuild(graph.source)


def test_large_weights_survive_as_decimals(tmp_path):
    weights = np.array([1e-45, 3.4e38, 1 / 3], np.float32)
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], weights)
    for ending in (".mtx", ".txt", ".graph"):
        save(graph, tmp_path / f"w{ending}")
        assert load(tmp_path / f"w{ending}") == graph
