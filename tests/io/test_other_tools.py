"""Files as other tools write them: KONECT, SNAP, DIMACS, NetworkX, networkrepository.com."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import io as scipy_io

from gpucore.errors import GraphError
from gpucore.io.endings import ENDINGS
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from support.graph_strategies import edge_dicts, relaxed
from support.matrices import matrix_of


def edges(graph):
    """Return the edges with weights, by the names of their ends where there are names."""
    u, v, w = graph.edges()
    names = graph.names or [str(vertex + 1) for vertex in range(graph.num_vertices)]
    return {(names[a], names[b]): x for a, b, x in zip(u, v, w.tolist(), strict=True)}


def notes(graph):
    return " ".join(graph.source.get("notes", ()))


def test_konect_has_times_in_the_fourth_column(tmp_path):
    text = b"% sym weighted\n% 2 3\n1 2 5 1082040961\n2 3 1 1082155839\n"
    for name in ("konect.txt", "out.konect", "out.konect.gz"):
        data = gzip.compress(text) if name.endswith(".gz") else text
        graph = load_bytes(name, data)
        assert edges(graph) == {("1", "2"): 5, ("2", "3"): 1}
        assert "KONECT" in notes(graph)
        assert "time is not read" in notes(graph)
    (tmp_path / "out.konect").write_bytes(text)
    assert load(tmp_path / "out.konect") == graph
    assert edges(load_bytes("a.txt", b"% asym unweighted\n1\t2\n2\t1\n")) == {("1", "2"): 1}
    assert "directions" in notes(load_bytes("a.txt", b"% asym unweighted\n1\t2\n"))
    assert "repeated" in notes(load_bytes("a.txt", b"% sym multiunweighted\n1 2\n1 2\n"))


def test_four_columns_without_a_word_are_refused_and_the_advice_works():
    text = b"1 2 5 1082040961\n2 3 1 1082155839\n"
    with pytest.raises(GraphError, match="--columns source=1,target=2,weight=3 names them"):
        load_bytes("a.txt", text)
    expected = {("1", "2"): 5, ("2", "3"): 1}
    assert edges(load_bytes("a.txt", text, columns="source=1,target=2,weight=3")) == expected
    assert edges(load_bytes("a.txt", b"source target weight time\n" + text)) == expected


@pytest.mark.parametrize(
    "text", ["% bip unweighted\n1 1\n1 2\n2 1\n", "user,item\n1,1\n1,2\n2,1\n"]
)
def test_two_sides_have_numbers_of_their_own(text):
    matrix = load_bytes("a.txt", text.encode(), "bipartite")
    assert matrix.shape == (2, 2)
    assert matrix.to_matrix().toarray().tolist() == [[1, 1], [1, 0]]
    graph = load_bytes("a.txt", text.encode())
    assert (graph.num_vertices, graph.num_edges, graph.num_loops) == (4, 3, 0)
    assert "numbered separately" in notes(graph)
    assert "numbered separately" in notes(matrix)


@pytest.mark.parametrize(
    ("file", "name"),
    [("out.arenas-jazz", "arenas-jazz"), ("out.mine.gz", "mine"), ("a.out.txt", "a.out")]
    + [(f"out{ending}", "out") for names in ENDINGS.values() for ending in names],
)
def test_the_name_of_a_file_of_konect(file, name):
    assert Source(file).stem == name


def test_ratings_of_konect():
    found = load_bytes("out.films", b"% bip weighted\n1 1 5 99\n2 1 3 99\n", "ratings")
    assert found.shape == (2, 1)
    assert found.values.tolist() == [5, 3]


def test_names_are_kept():
    graph = load_bytes("names.csv", b"src,dst\nalice,bob\nbob,carol\n")
    assert graph.names == ("alice", "bob", "carol")
    with pytest.raises(GraphError, match=r"line 3: 2 fields are expected here, there are 1"):
        load_bytes("names.csv", b"src,dst\nalice,bob\nbob\n")
    with pytest.raises(GraphError, match=r"line 3: the target is empty"):
        load_bytes("names.csv", b"src,dst\nalice,bob\nbob,\n")
    with pytest.raises(GraphError, match=r"line 2: the weight 'heavy' is not a number"):
        load_bytes("names.csv", b"src,dst,weight\nalice,bob,heavy\n")


def test_a_word_among_numbers_is_an_error_and_the_advice_works():
    with pytest.raises(GraphError, match=r"line 2: 'x' is not a whole number.*put it first"):
        load_bytes("a.txt", b"1 2\nx 2\n")
    assert load_bytes("a.txt", b"x 2\n1 2\n").names == ("1", "2", "x")


def test_sparse_numbers_are_renumbered():
    graph = load_bytes("far.txt", b"70 10\n5000000000 70\n")
    assert edges(graph) == {("10", "70"): 1, ("70", "5000000000"): 1}
    assert "renumbered" in notes(graph)
    snap = load_bytes("ca.txt", b"# Nodes: 3 Edges: 2\n10\t20\n20\t70\n")
    assert (snap.num_vertices, snap.names) == (3, ("10", "20", "70"))
    whole = load_bytes("ca.txt", b"# Nodes: 9 Edges: 2\n0\t2\n2\t7\n")
    assert (whole.num_vertices, whole.names) == (9, None)
    with pytest.raises(GraphError, match="compact=True does"):
        load_bytes("far.txt", b"70 5000000000\n", compact=False)
    with pytest.raises(GraphError, match="allowed here"):
        load_bytes("far.txt", b"1 10\n20 30\n", limits=Limits(max_vertices=3))


ROAD = b"c road\np sp 3 4\nc arcs\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 9\n"


def test_dimacs():
    for name in ("road.gr", "road.txt", "road", "road.gr.gz"):
        graph = load_bytes(name, gzip.compress(ROAD) if name.endswith(".gz") else ROAD)
        assert edges(graph) == {("1", "2"): 5, ("2", "3"): 9}
        assert "directions" in notes(graph)
    for word in ("edge", "col"):
        text = f"c x\np {word} 4 2\ne 1 2\ne 2 3\nn 1 5\n".encode()
        graph = load_bytes("queen.col", text)
        assert (graph.num_vertices, edges(graph)) == (4, {("1", "2"): 1, ("2", "3"): 1})


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (b"p sp 3 2\na 1 2 5\n", "ends after 1 of the 2 edges"),
        (b"p sp 3 1\na 1 4 5\n", "line 2: '1 4 5' has a vertex beyond 1 to 3"),
        (b"p sp 3 1\na 1 0 5\n", "line 2: '1 0 5' has a vertex beyond"),
        (b"p sp 3 1\na 1 2 1e399\n", "line 2: .* or a weight that is not finite"),
        (b"p sp 3 1\na 1 2\n", "line 2: 3 numbers are expected here, there are 2"),
        (b"p sp 3 1\n\ne 1 2\n", "line 3: 'e 1 2' does not begin with 'a'"),
        (b"p sp 3 1\n1 2 3\n", "line 2: '1 2 3' does not begin with 'a'"),
        (b"p cnf 3 1\n1 2 0\n", "line 1: the problem is 'cnf'"),
        (b"p edge 3\ne 1 2\n", "line 1: a file of DIMACS has a line"),
        (b"c only\n", "ends before its line"),
        (b"p edge 99999999999 1\ne 1 2\n", "line 1: .*99999999999"),
    ],
)
def test_bad_dimacs(text, cause):
    with pytest.raises(GraphError, match=cause):
        load_bytes("bad.gr", text)


@relaxed
@given(edge_dicts(loops=False, weights=st.integers(1, 99)))
def test_dimacs_and_networkx_agree(drawn):
    import networkx as nx

    n, weights = drawn
    lines = [f"p sp {n} {2 * len(weights)}"]
    for (u, v), w in weights.items():
        lines += [f"a {u + 1} {v + 1} {w}", f"a {v + 1} {u + 1} {w}"]
    graph = load_bytes("g.gr", "\n".join([*lines, ""]).encode())
    other = nx.Graph()
    other.add_nodes_from(range(n))
    other.add_weighted_edges_from((u, v, w) for (u, v), w in weights.items())
    assert graph.num_vertices == other.number_of_nodes()
    u, v, w = graph.edges()
    found = zip(u.tolist(), v.tolist(), w.tolist(), strict=True)
    assert {(frozenset((a, b)), x) for a, b, x in found} == {
        (frozenset((a, b)), x) for a, b, x in other.edges(data="weight")
    }


ONE = b"%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"


@pytest.mark.parametrize("name", ["one.mtx", "one.txt", "one.edges", "one"])
def test_one_percent_sign(name):
    graph = load_bytes(name, ONE)
    assert edges(graph) == {("1", "2"): 1, ("2", "3"): 1}
    assert "one % instead of two" in notes(graph)
    assert load_bytes(name, b"%" + ONE) == graph
    assert not notes(load_bytes(name, b"%" + ONE))
    for kind in ("bipartite", "ratings"):
        assert "one %" in notes(load_bytes("one.mtx", ONE, kind))


def test_one_percent_sign_is_what_scipy_reads(tmp_path):
    (tmp_path / "one.mtx").write_bytes(ONE)
    ours = matrix_of(Source("one.mtx", data=ONE)).toarray()
    assert (scipy_io.mmread(tmp_path / "one.mtx").toarray() == ours).all()


def test_a_missing_size_line_and_the_advice_works():
    head, body = b"%%MatrixMarket matrix coordinate pattern symmetric\n", b"2 1\n3 2\n"
    with pytest.raises(GraphError, match=r"line 2: .*'2 1', which looks like an entry: put the si"):
        load_bytes("nosize.mtx", head + body)
    assert load_bytes("nosize.mtx", head + b"3 3 2\n" + body).num_edges == 2


@pytest.mark.parametrize(
    "end",
    ["{'weight': __import__('os')}", "{" * 300 + "}" * 300, "{'weight': 'heavy'}", "{1, 2}",
     "{'weight': True}", "{'a': '" + "x" * 20_000 + "'}", "{'weight': [1]}",
     "{'weight': 1" + "}" * 9],
)  # fmt: skip
def test_dictionaries_are_constants(end):
    with pytest.raises(GraphError, match=r"^g.edgelist, line \d: ") as caught:
        load_bytes("g.edgelist", f"0 1 {{'weight': 1}}\n1 2 {end}\n".encode())
    assert "\n" not in str(caught.value)


def test_dictionaries():
    text = b"0 1 {'weight': 2.5, 'colour': 'r{d'}\n1 2 {}\n"
    graph = load_bytes("g.edgelist", text)
    assert graph.edges()[2].tolist() == [2.5, 1]
    assert "have weight 1" in notes(graph)
    assert "only 'weight' is read" in notes(graph)
    assert not load_bytes("g.edgelist", text, weights=False).weighted
    assert not load_bytes("g.edgelist", b"0 1 {}\n1 2 {}\n").weighted
