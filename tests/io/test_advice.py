"""What a refusal advises works: each case follows the advice and is read."""

import re
import shlex
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from gpucore.errors import GraphError
from gpucore.io.endings import ENDINGS
from gpucore.io.files import FORMATS
from gpucore.loading import load, load_bytes
from warplens.app.errors import describe

WRITERS = {
    "gml": nx.write_gml,
    "graphml": nx.write_graphml,
    "gexf": nx.write_gexf,
    "net": nx.write_pajek,
}


@pytest.mark.parametrize("ending", WRITERS)
def test_the_command_for_files_that_networkx_reads(tmp_path, ending, monkeypatch):
    monkeypatch.chdir(tmp_path)
    graph = nx.Graph()
    graph.add_weighted_edges_from([("Jean Valjean", "B", 2.5), ("B", "C", 1.5)])
    WRITERS[ending](graph, f"g.{ending}")
    with pytest.raises(GraphError, match="write its edges as a list with the titles") as caught:
        load(f"g.{ending}")
    command = re.search(r"\(on the command line: python (.*)\)$", str(caught.value))[1]
    subprocess.run([sys.executable, *shlex.split(command)], check=True, capture_output=True)
    found = load("g.npz")
    assert found.num_edges == 2
    assert sorted(found.edges()[2].tolist()) == [1.5, 2.5]
    with pytest.raises(GraphError):  # by the content, whatever the name
        load_bytes("g.txt", (tmp_path / f"g.{ending}").read_bytes())
    assert "python" not in describe(caught.value)[1]


#: A file, its kind, and what the refusal advises: a change of the text, the name, or the options.
CASES = [
    ("g.csv", "foo,bar\n1,2\n", "graph", lambda m, t: {"columns": columns_in(m)}),
    ("g.csv", "foo,bar,baz\n1,2,3\n", "graph", lambda m, t: {"columns": columns_in(m)}),
    ("g.csv", "target,foo\n1,2\n", "graph", lambda m, t: {"columns": columns_in(m)}),
    ("g.csv", "foo,bar\n1,2\n", "graph", lambda m, t: t.replace("foo,bar", "source,target")),
    ("g.csv", "ann,bob\ncid,dan\n", "graph", lambda m, t: f"source,target\n{t}"),
    ("g.csv", ",5,6,7\n0,1,2,3\n", "graph", lambda m, t: {"columns": columns_in(m)}),
    ("g.txt", "1 2 3 4\n", "graph", lambda m, t: {"columns": columns_in(m)}),
    ("g.txt", "1 2 3 4\n", "graph", lambda m, t: f"source target weight time\n{t}"),
    ("g.txt", "1 2\nx 3\n", "graph", lambda m, t: "x 3\n1 2\n"),
    ("g.csv", "1,,2\n", "graph", lambda m, t: "1,3,2\n"),
    ("g.bin", "1 2\n", "graph", "g.txt"),
    ("g.mtx", "1 2\n", "graph", "g.txt"),
    ("r.csv", "a,b,c\n1,10,4\n", "ratings", lambda m, t: {"columns": columns_in(m)}),
    ("r.csv", "b,item,c,d\n1,10,4,5\n", "ratings", lambda m, t: {"columns": columns_in(m)}),
    ("r.csv", "1,2,3,4,5\n", "ratings", lambda m, t: {"columns": columns_in(m)}),
    ("r.csv", "1,2,3,4,5\n", "ratings", lambda m, t: f"user,item,rating,id,time\n{t}"),
    ("p.csv", "side,who,choices\nman,A,x\nwoman,x,A\n", "preferences",
     lambda m, t: {"columns": columns_in(m)}),
    ("p.csv", "side,name,age,choice\nman,A,9,x\nwoman,x,9,A\n", "preferences",
     lambda m, t: "side,name,choice\nman,A,x\nwoman,x,A\n"),
]  # fmt: skip


def columns_in(message):
    return re.search(r"--columns (\S+) names them", message)[1]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_the_advice_works(case):
    name, text, kind, follow = CASES[case]
    with pytest.raises(GraphError) as caught:
        load_bytes(name, text.encode(), kind)
    if isinstance(follow, str):
        assert load_bytes(follow, text.encode(), kind).num_vertices
        return
    change = follow(str(caught.value), text)
    options = change if isinstance(change, dict) else {}
    text = change if isinstance(change, str) else text
    found = load_bytes(name, text.encode(), kind, **options)
    assert found.num_pairs if kind == "preferences" else found.num_edges


@pytest.mark.parametrize("case", range(len(CASES)))
def test_a_page_says_the_same_without_the_command_line(case):
    name, text, kind, _ = CASES[case]
    with pytest.raises(GraphError) as caught:
        load_bytes(name, text.encode(), kind)
    shown = describe(caught.value)[1]
    assert "--columns" not in shown
    assert "Python" not in shown
    assert shown.split(" (")[0].rstrip(".").lower()[:40] == str(caught.value).lower()[:40]


def test_every_ending_that_a_message_names_is_read():
    with pytest.raises(GraphError, match="which should end in one of") as caught:
        load_bytes("g.bin", b"1 2\n")
    named = set(re.findall(r"(\.[a-z]+) ", str(caught.value).split("one of")[1].split("(")[0]))
    assert named == {ending for form in FORMATS for ending in ENDINGS[form]}


def test_numbers_are_written_as_advised(tmp_path):
    from gpucore.errors import ParameterError
    from gpucore.io.numbers import read_numbers

    path = tmp_path / "b.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_or" + b" " * 90)
    with pytest.raises(ParameterError, match=r"is no NumPy array .* save one with numpy.save$"):
        read_numbers(str(path), "one whole number a vertex")
    np.save(path, np.arange(3))
    assert read_numbers(str(path), "one whole number a vertex").tolist() == [0, 1, 2]
