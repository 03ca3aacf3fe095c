"""Columns by name: any order, titles, separator and extra columns give what their owners mean."""

import csv
import io
import string

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.io.title_names import EDGES, RATINGS
from gpucore.io.titles import find
from gpucore.loading import load, load_bytes
from support.graph_strategies import relaxed

PAIRS = [
    ("source", "target"), ("Source", "Target"), ("from", "to"), ("src", "dst"), ("u", "v"),
    ("FromNodeId", "ToNodeId"), ("node_1", "node_2"), ("gene A", "gene B"), ("V1", "V2"),
    ("follower", "followee"), ("row", "col"), ("person_a", "person_b"), ("id1", "id2"),
]  # fmt: skip
WEIGHTS = ["weight", "Weight", "w", "value", "capacity", "cost", "score"]
OTHERS = ["", "Unnamed: 0", "id", "Id", "Label", "Type", "timestamp", "Interval"]
SIDES = [("user", "item"), ("userId", "movieId"), ("user_id", "item_id"), ("UserID", "ISBN"),
         ("reviewerID", "asin"), ("source", "target")]  # fmt: skip


def names_of(graph):
    """Return the edges as a dict from pairs of labels to weights."""
    u, v, w = graph.edges()
    labels = graph.names or [str(vertex + 1) for vertex in range(graph.num_vertices)]
    pairs = (frozenset((labels[a], labels[b])) for a, b in zip(u, v, strict=True))
    return dict(zip(pairs, w.tolist(), strict=True))


@st.composite
def tables(draw, ends):
    """Draw titles and rows of a table, and what its columns mean."""
    weighted = draw(st.booleans())
    titles = list(draw(st.sampled_from(PAIRS)))
    titles += [draw(st.sampled_from(WEIGHTS))] if weighted else []
    extra = draw(st.lists(st.sampled_from(OTHERS), max_size=3, unique=True))
    order = draw(st.permutations(range(len(titles) + len(extra))))
    pair = st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1])
    pairs = draw(st.lists(pair, min_size=1, max_size=8, unique_by=frozenset))
    weights = st.integers(1, 99)
    rows = [[str(u), str(v), *([str(draw(weights))] if weighted else [])] for u, v in pairs]
    shuffled = [
        [[*row, *(str(draw(st.integers(0, 99))) for _ in extra)][at] for at in order]
        for row in rows
    ]
    return [[*titles, *extra][at] for at in order], shuffled, rows


def written(titles, rows, separator, quoting=csv.QUOTE_MINIMAL, end="\n", mark=""):
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator=end).writerows(
        [titles, *rows]
    )
    return (mark + stream.getvalue()).encode()


FORMS = st.tuples(
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
NUMBERS = st.integers(1, 9)
WORDS = st.text(string.ascii_letters + " é,;'-", min_size=2, max_size=8).map(
    lambda text: f"n{text.strip()}e"
)


@relaxed
@given(tables(NUMBERS), FORMS)
def test_numbers_under_titles(table, form):
    titles, shuffled, rows = table
    graph = load_bytes("g.csv", written(titles, shuffled, *form))
    expected = {}
    for u, v, *weight in rows:
        expected[frozenset((u, v))] = float(weight[0]) if weight else 1.0
    assert names_of(graph) == expected


@relaxed
@given(tables(WORDS), FORMS)
def test_names_under_titles(table, form):
    titles, shuffled, rows = table
    if {"u", "V1"} & set(titles):
        return  # u and v may as well be names; see test_short_titles_are_doubtful
    graph = load_bytes("g.csv", written(titles, shuffled, *form))
    expected = {frozenset(row[:2]): float(row[2]) if row[2:] else 1.0 for row in rows}
    assert names_of(graph) == expected
    assert set(graph.names) == {end for row in rows for end in row[:2]}


@pytest.mark.parametrize("separator", " ,;")
def test_short_titles_are_doubtful(separator):
    def of(text):
        return load_bytes("g.csv", text.replace(",", separator).encode())

    with pytest.raises(GraphError, match=r"not clear which .*if this line is an edge, put a line"):
        of("u,v\nalice,bob\n")
    assert of("u,v\nv,w\n").names == ("u", "v", "w")  # v is a vertex again
    assert of("v1,v2\nv2,v3\n").num_edges == 2
    assert of("node1,node2\nnode2,node3\n").num_edges == 2
    assert of("u,v,w\nalice,bob,3\n").names == ("alice", "bob")
    assert of("node1,node2\nalice,bob\n").names == ("alice", "bob")


@relaxed
@given(st.data(), FORMS)
def test_ratings_under_titles(data, form):
    titles = [*data.draw(st.sampled_from(SIDES)), data.draw(st.sampled_from(["rating", "Stars"]))]
    extra = data.draw(st.lists(st.sampled_from(OTHERS), max_size=3, unique=True))
    order = data.draw(st.permutations(range(3 + len(extra))))
    labels = data.draw(st.sampled_from([NUMBERS, WORDS]))
    pairs = data.draw(st.lists(st.tuples(labels, labels), min_size=1, max_size=8, unique=True))
    rows = [
        [str(u), str(i), str(data.draw(st.integers(1, 5))), *"7" * len(extra)] for u, i in pairs
    ]
    text = written(
        [[*titles, *extra][at] for at in order], [[row[at] for at in order] for row in rows], *form
    )
    found = load_bytes("r.csv", text, "ratings")
    users, items = found.entries()
    names = found.names
    got = {
        (names[u], names[found.num_users + i]): value
        for u, i, value in zip(users, items, found.values.tolist(), strict=True)
    }
    assert got == {(row[0], row[1]): float(row[2]) for row in rows}


@pytest.mark.parametrize(
    "text",
    [
        ",source,target\n0,1,2\n1,2,3\n2,3,1\n",
        "id,source,target\n10,1,2\n11,2,3\n12,3,1\n",
        "weight,source,target\n5,1,2\n5,2,3\n5,3,1\n",
        "Source;Target;Type;Id;Label;Weight\n1;2;Undirected;0;;1\n2;3;Undirected;1;;1\n"
        "3;1;Undirected;2;;1\n",
        '"x" "y"\n"1" 1 2\n"2" 2 3\n"3" 3 1\n',  # write.table of R, with names of the rows
        ",0,1\n0,1,2\n1,2,3\n2,3,1\n",  # a data frame without names of columns
        "src,dst,timestamp\n1,2,1082040961\n2,3,1082155839\n3,1,1082155839\n",
    ],
)
def test_the_triangle(text):
    found = load_bytes("g.csv", text.encode())
    assert set(names_of(found)) == {frozenset("12"), frozenset("23"), frozenset("13")}
    assert any("columns are read by their titles" in note for note in found.source["notes"])


@pytest.mark.parametrize(
    "first",
    ["foo,bar", "foo,bar,baz", "source,foo", "source,target,foo", "source,target,target",
     "weight,cost,source,target2"],
)  # fmt: skip
def test_unknown_titles_are_refused_with_the_columns_listed(first):
    count = first.count(",") + 1
    text = "\n".join([first, ",".join("123456"[:count]), ",".join("234567"[:count])]).encode()
    with pytest.raises(
        GraphError, match=r"line 1: it is not clear which columns are .*--columns"
    ) as error:
        load_bytes("g.csv", text)
    for title in first.split(","):
        assert repr(title) in str(error.value)


@pytest.mark.parametrize(
    ("columns", "edges"),
    [
        ("source=2,target=3", {"23": 1}),
        ("source=foo,target=baz", {"13": 1}),
        ("source=FOO,target=bar,weight=3", {"12": 3}),
        ({"source": 1, "target": "bar", "weight": "baz"}, {"12": 3}),
    ],
)
def test_columns_that_the_caller_names(tmp_path, columns, edges):
    text = b"foo,bar,baz\n1,2,3\n"
    found = load_bytes("g.csv", text, columns=columns)
    assert list(names_of(found).values()) == [float(w) for w in edges.values()]
    (tmp_path / "g.csv").write_bytes(text.replace(b",", b"\t"))
    assert load(tmp_path / "g.csv", columns=columns) == found


@pytest.mark.parametrize(
    ("columns", "cause"),
    [
        ("source=1", "do not name the target"),
        ("source=1,target=9", "there is no column 9 for the target, a line has 3"),
        ("source=1,target=there", "there is no one column 'there' for the target"),
        ("source=1,target=1", "two roles have the column 1"),
        ("source=1,source=2", "name the source twice"),
        ("origin=1,target=2", "have no role 'origin'"),
        ("source=0,target=2", "a title or a number from 1, not 0"),
        ("", "have no role ''"),
        (3, "columns are a text such as source=COLUMN"),
        ({"source": True, "target": 2}, "a title or a number from 1"),
    ],
)
def test_columns_that_are_not_there(columns, cause):
    with pytest.raises(GraphError, match=cause):
        load_bytes("g.csv", b"foo,bar,baz\n1,2,3\n", columns=columns)


def test_columns_are_of_files_with_columns():
    with pytest.raises(GraphError, match="karate is no file, so it takes no options"):
        load("karate", columns="source=1,target=2")
    with pytest.raises(GraphError, match="format metis has no option 'columns'"):
        load_bytes("g.graph", b"1 0\n\n", columns="source=1,target=2")
    with pytest.raises(GraphError, match="format matrix_market has no option 'columns'"):
        load_bytes("g.mtx", b"%%MatrixMarket\n", "ratings", columns="user=1,item=2,rating=3")


@pytest.mark.parametrize("text", ["1,,5\n2,3,4\n", "1,2\n2,,3\n", ",1,2\n1,2,3\n"])
def test_an_empty_cell_shifts_no_column(text):
    with pytest.raises(GraphError, match=r"a cell is empty|not clear which columns"):
        load_bytes("g.csv", text.encode())


def test_a_column_that_looks_like_a_time():
    headless = load_bytes("g.txt", b"1 2 1082040961\n2 3 1082155839\n")
    assert headless.weighted
    assert any("looks like times" in note for note in headless.source["notes"])
    titled = load_bytes("g.csv", b"src,dst,timestamp\n1,2,1082040961\n")
    assert not titled.weighted
    assert any("time is not taken as a weight" in note for note in titled.source["notes"])
    assert "notes" not in load_bytes("g.txt", b"1 2 3\n2 3 1082155839\n").source
    ratings = load_bytes("r.csv", b"1,2,1082040961\n2,3,1082155839\n", "ratings")
    assert any("taken as ratings" in note for note in ratings.source["notes"])


def test_plain_lists_have_no_notes_and_take_the_fast_path(monkeypatch):
    def never(*_, **__):
        raise AssertionError("a plain list needs no projection")

    monkeypatch.setattr("gpucore.io.edge_list.project", never)
    for text in (b"1 2\n2 3\n", b"u,v,w\n1,2,3\n", b"source\ttarget\n1\t2\n", b"1, 2 # c\n"):
        assert "notes" not in load_bytes("g.txt", text).source


@pytest.mark.parametrize("delimiter", [" ", "\t", ","])
@pytest.mark.parametrize("data", [True, False, ["weight"]])
@relaxed
@given(seed=st.integers(0, 99), named=st.booleans())
def test_lists_that_networkx_writes(delimiter, data, seed, named):
    graph = nx.gnp_random_graph(6, 0.5, seed=seed)
    for u, v in graph.edges:
        if data != ["weight"] and (u + v) % 3 == 0:
            continue
        graph.edges[u, v]["weight"] = u + v + 0.5
    graph.remove_nodes_from(list(nx.isolates(graph)))
    if not graph.edges:
        return
    if named:
        graph = nx.relabel_nodes(
            graph, {node: f"n{node} x,"[: 4 if delimiter == "\t" else 2] for node in graph}
        )
    stream = io.BytesIO()
    nx.write_edgelist(graph, stream, delimiter=delimiter, data=data)
    stream.seek(0)
    again = nx.read_edgelist(
        stream, delimiter=delimiter, data=[("weight", float)] if data == ["weight"] else data
    )
    first = next(iter(graph.edges(data=True)))[2]
    if data is True and "weight" not in first and any(d for *_, d in graph.edges(data=True)):
        with pytest.raises(GraphError, match="the first edge has none"):
            load_bytes("g.edgelist", stream.getvalue())
        return
    text = stream.getvalue()
    ends = text.decode().split("\n")[0].split(delimiter)[:2]
    if (
        named
        and data is False
        and text.decode().count(ends[0]) == text.decode().count(ends[1]) == 1
    ):
        text = f"source{delimiter}target\n".encode() + text  # else the first line may be titles
    found = load_bytes("g.edgelist", text, compact=True)
    expected = {frozenset(edge): data.get("weight", 1) for *edge, data in again.edges(data=True)}
    assert {frozenset(pair): w for pair, w in names_of(found).items()} == expected


def test_no_name_has_two_meanings():
    for table in (EDGES, RATINGS):
        for role, names in table.names.items():
            for other, more in table.names.items():
                assert role == other or not names & more
    assert find(["a"] * 2000, EDGES) is None


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (",A,B\nA,0,1\nB,1,0\n", "looks like a matrix with titles"),
        ("0 1 0 1\n1 0 1 1\n0 1 0 0\n1 1 0 0\n", "there are 4.* If this is a matrix"),
        ("1 -> 2\n2 -> 3\n", "line 1: '->' is no vertex"),
        ("1;2;0,5\n2;3;1,5\n", "line 1: numbers are written with a comma"),
        ("source;target;weight\n1;2;0,5\n", "numbers are written with a comma"),
        ("source,target\n1.5,2\n", "'1.5' is not a whole number; vertices are whole numbers or"),
        ("id,name\n1,ann\n2,bob\n", "not clear which columns"),
    ],
)
def test_texts_that_are_no_edge_lists(text, cause):
    with pytest.raises(GraphError, match=cause):
        load_bytes("g.csv", text.encode())


def test_decimal_commas_are_no_separators():
    with pytest.raises(GraphError, match="numbers are written with a comma"):
        load_bytes("r.csv", b"1;2;0,5;99\n", "ratings")
    assert load_bytes("r.csv", b"1,a;b,5\n", "ratings").names == ("1", "a;b")


@pytest.mark.parametrize(
    "ends", ["b_u,b_v", "capacity_source,capacity_target", "source_b,target_b"]
)
@pytest.mark.parametrize("begin", ["source,target,weight", "u,v"])
def test_capacities_of_vertices_beside_edges_are_refused_unless_columns_are_named(ends, begin):
    line = ",".join("12345"[: len(begin.split(",")) + 2])
    data = f"{begin},{ends}\n{line}\n".encode()
    with pytest.raises(GraphError, match=r"how many mates .* b-matching .* plain graph"):
        load_bytes("edges.csv", data)
    assert load_bytes("edges.csv", data, columns="source=1,target=2").num_edges == 1


@pytest.mark.parametrize("more", ["capacity", "bx,by", "b"])
def test_other_columns_beside_edges_are_left_out(more):
    data = f"source,target,weight,{more}\n1,2,3,{','.join('4' * len(more.split(',')))}\n"
    assert load_bytes("edges.csv", data.encode()).num_edges == 1
