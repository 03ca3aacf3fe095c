"""What a file means is read, said in a note, or refused with what to do."""

import bz2
import io
import json
import lzma
import tarfile
import zipfile

import pytest

from gpucore.errors import GraphError
from gpucore.loading import load_bytes
from gpucore.notes import notes_of

LIST = b"1 2 3\n2 3 4\n"


def zipped(data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inside.txt", data)
    return stream.getvalue()


def tarred(data):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        member = tarfile.TarInfo("inside.txt")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["graph", "bipartite", "preferences", "roommates", "ratings"])
@pytest.mark.parametrize(
    ("ending", "packed", "way"),
    [
        (".bz2", bz2.compress, "bunzip2"),
        (".xz", lzma.compress, "unxz"),
        (".zst", lambda data: b"\x28\xb5\x2f\xfd" + data, "unzstd"),
        (".7z", lambda data: b"7z\xbc\xaf" + data, "7z x"),
        (".zip", zipped, "unzip"),
        (".tar.gz", tarred, "tar xf"),
    ],
)
def test_other_archives_are_refused_with_the_way_to_unpack_them(kind, ending, packed, way):
    with pytest.raises(GraphError, match=f"list.txt{ending} is .*{way}"):
        load_bytes(f"list.txt{ending}", packed(LIST), kind=kind)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "gene1,gene2\ngene3,gene4\n"),
        ("g.txt", "node1 node2\nnode3 node4\nnode5 node6\n"),
        ("g.csv", "person_a,person_b\nperson_c,person_d\n"),
    ],
)
def test_a_first_edge_that_looks_like_titles_is_not_lost(name, text):
    with pytest.raises(GraphError, match="if this line is an edge, put a line"):
        load_bytes(name, text.encode())
    mark = "," if name.endswith(".csv") else " "
    whole = load_bytes(name, f"source{mark}target\n{text}".encode())
    assert whole.num_edges == text.count("\n")


@pytest.mark.parametrize("after", ["ann,bob", "YFG7,YAL2", "17,4"])
def test_titles_with_numbers_are_titles_before_other_names(after):
    assert load_bytes("g.csv", f"gene_1,gene_2\n{after}\n".encode()).num_edges == 1


@pytest.mark.parametrize("titles", ["row,column", "Row,Col,value", "rows,cols"])
def test_rows_and_columns_are_two_sides_of_a_bipartite_graph(titles):
    rest = ",5" if "value" in titles else ""
    data = f"{titles}\n1,1{rest}\n2,1{rest}\n3,7{rest}\n".encode()
    found = load_bytes("g.csv", data, kind="bipartite")
    assert (found.shape, found.num_edges) == ((3, 2), 3)
    assert found.names == ("1", "2", "3", "1", "7")
    assert load_bytes("g.csv", data).num_vertices == 7  # a graph has one set of vertices


def test_a_list_without_sides_says_how_to_make_two():
    found = load_bytes("g.txt", b"1 1\n2 1\n", kind="bipartite")
    assert any("--columns user=1,item=2" in note for note in notes_of(found))
    sides = load_bytes("g.txt", b"1 1\n2 1\n", kind="bipartite", columns="user=1,item=2")
    assert sides.shape == (2, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [("1 2 3\n2 1 5\n1 2 -7\n", True), ("1 2 3\n2 3 3\n2 2 1\n", False), ("1 2\n2 1\n", False)],
)
def test_repeated_edges_with_weights_are_said(text, said):
    notes = notes_of(load_bytes("g.txt", text.encode()))
    assert any("largest absolute value counts" in note for note in notes) is said


def test_weights_of_vertices_of_a_metis_file_are_said_to_be_left_out():
    weighted = load_bytes("g.graph", b"3 2 10\n7 2\n8 1 3\n9 2\n")
    assert notes_of(weighted) == ("Weights and sizes of vertices are not read.",)
    assert notes_of(load_bytes("g.graph", b"3 2\n2\n1 3\n2\n")) == ()


@pytest.mark.parametrize("name", ["g.json", "g.txt", "g.csv.gz"])
@pytest.mark.parametrize("kind", ["graph", "bipartite", "ratings"])
def test_json_of_graphs_is_refused_with_what_to_write(name, kind):
    data = json.dumps({"nodes": [{"id": 0}], "links": []}).encode()
    with pytest.raises(GraphError, match="JSON, of which only preferences are read; write"):
        load_bytes(name, data, kind=kind)


@pytest.mark.parametrize("kind", ["graph", "bipartite", "ratings"])
def test_lines_that_end_in_carriage_returns_only(kind):
    with pytest.raises(GraphError, match="line 1: its lines end in carriage returns only"):
        load_bytes("g.csv", b"1,2,3\r2,3,4\r", kind=kind)


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("roommates", "ann,bob,cid\nbob,cid,ann\ncid,ann,bob\n", '{"people": '),
        ("preferences", "student,ann,mit\nschool,mit,ann\n", "begin with man, woman"),
    ],
)
def test_tables_that_are_no_preferences_are_refused_with_their_form(kind, text, form):
    with pytest.raises(GraphError, match=r"line 1: .* It was read as edges; ") as caught:
        load_bytes("lists.csv", text.encode(), kind=kind)
    assert form in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("codes.txt", "007 012 1.5\n012 100 0.5\n007 100 2\n"),
        ("codes.csv", "source,target,weight\n007,012,1.5\n012,100,0.5\n007,100,2\n"),
        ("codes.csv", "007;012;1.5\n012;100;0.5\n007;100;2\n"),
    ],
)
def test_digits_that_begin_with_a_zero_are_names(name, text):
    graph = load_bytes(name, text.encode())
    assert graph.names == ("007", "012", "100")
    assert graph.edges()[2].tolist() == [1.5, 2.0, 0.5]


@pytest.mark.parametrize("mark", [" ", "\t", ",", "; "])
def test_a_zero_before_a_number_on_a_later_line_is_refused(mark):
    text = mark.join(["7", "12"]) + "\n\n" + mark.join(["100", "012"]) + "\n"
    with pytest.raises(GraphError, match=r"line 3: vertex 012 .* write it as 12, or put this line"):
        load_bytes("codes.txt", text.encode())


def test_zeros_that_may_make_two_vertices_of_one_are_refused():
    with pytest.raises(GraphError, match=r"^codes.txt: 012 and 12 differ only in zeros before"):
        load_bytes("codes.txt", b"007 012\n100 12\n")


def test_weights_may_begin_with_a_zero():
    graph = load_bytes("weights.txt", b"0 1 05\n1 2 00.5\n0 2 0\n")
    assert graph.names is None and graph.edges()[2].tolist() == [5.0, 0.0, 0.5]


@pytest.mark.parametrize(
    ("text", "options", "weights"),
    [
        ("0,2,5\n2,1,7\n5,7,2\n", {}, [5, 7, 2]),
        ("0 1 5\n1 2 7\n2 0 6\n", {}, [5, 6, 7]),
        ("source target weight\n0 2 5\n2 0 7\n5 7 0\n", {}, [7, 0]),
        ("0 2 5\n2 0 7\n5 7 0\n", {"columns": "source=1,target=2,weight=3"}, [7, 0]),
        ("# Nodes: 2 Edges: 3\n0 1 0.0\n0 0 0.0\n1 1 0.0\n", {}, [0]),
    ],
)
def test_a_list_of_three_lines_is_a_matrix_only_with_an_empty_diagonal(text, options, weights):
    assert load_bytes("g.csv", text.encode(), **options).edges()[2].tolist() == weights
