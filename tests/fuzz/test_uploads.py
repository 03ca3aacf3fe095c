"""Damaged and forged graph files: a page shows the graph, or says in one sentence what is wrong."""

import gzip
import io
import re
from random import Random

import numpy as np
import pytest
from scipy import sparse

from gpucore.errors import WarplensError
from gpucore.family import get_family
from gpucore.io.npz import save_npz
from gpucore.loading import load
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.preferences.load import load_preferences
from gpucore.record.wire import decode
from support.mutations import (
    NAMES,
    archive_of,
    change,
    change_archive,
    change_text,
    members_of,
    noise,
    to_json,
)
from warplens.app.errors import describe
from warplens.app.jobs import Stop
from warplens.app.limits import PageLimits
from warplens.app.outcomes.loading import load as load_for_page
from warplens.app.outcomes.replay import still
from warplens.app.pages import views
from warplens.app.sources.graphs import uploaded

LIMITS = PageLimits(vertices=3000, edges=20_000, graph_bytes=32 << 20, draw_vertices=40)

TEXTS = {
    ".mtx": b"%%MatrixMarket matrix coordinate real symmetric\n% c\n5 5 4\n2 1 1\n3 2 .5\n4 3 2\n"
    b"5 5 1e-3\n",
    ".mm": b"%%MatrixMarket matrix coordinate pattern general\n3 5 4\n1 1\n3 2\n2 5\n3 5\n",
    ".txt": b"# FromNodeId ToNodeId\n0 1 0.5\n1\t2\t1\n2 3 7\n",
    ".csv": b"source,target,weight\n1,2,0.5\n2,3,1\n",
    ".tsv": b"man\tAdam\tEve\tLilith\nwoman\tEve\tAdam\nwoman\tLilith\tAdam\n",
    ".edges": b"1 2\n2 3\n3 1\n",
    ".graph": b"%\n4 3 001\n2 1\n1 1 3 2\n2 2 4 1\n3 1\n",
    ".data": b"196\t242\t3\t881250949\n186\t302\t3.5\t891717742\n196\t302\t1\t891717744\n",
    ".gr": b"c road\np sp 4 3\na 1 2 5\na 2 3 7\na 3 4 1\n",
    ".edgelist": b"a b {'weight': 2}\nb c {'weight': 3.5, 'c': 'x'}\nc d {}\n",
    ".el": b"% sym weighted\n% 3 4\n1 2 5 1082040961\n2 3 1 1082155839\n3 4 2 1082155840\n",
    ".json": b"",
}
#: More texts of an ending: titles in other orders, names, sparse numbers.
OTHERS = (
    (".csv", b",userId,movieId,rating\n0,1,10,4\n1,2,10,3.5\n"),
    (".csv", b'"Source";"Target";"Type";"Id";"Weight"\n"a";"b";"Directed";0;2\n"b";"c";"";1;1\n'),
    (".tsv", b"rating\tuser\titem\n4\tbob\tOz\n3\tamy\tOz\n"),
    (".csv", b"name,side,choice2,choice1\nA,man,y,x\nx,woman,,A\ny,woman,,A\n"),
    (".txt", b"# Nodes: 3 Edges: 2\n10\t20\n20\t7000000000\n"),
    (".txt", b"alice bob\nbob carol\n"),
    (".txt", b"graph [\n  node [ id 0 ]\n]\n"),
    (".txt", b"%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"),
)
OBJECTS = (
    {"men": {"A": ["x", "y"], "B": ["y"]}, "women": {"x": ["A"], "y": ["B", "A"]}},
    {"men": [[0, 1], [1]], "women": [[0], [1, 0]], "base": 0, "name": "n"},
    {"men_ranks": [[1, 2], [2, 1]], "women_ranks": [[1, 2], [1, 2]]},
    {"residents": {"r": ["h"]}, "hospitals": {"h": ["r"]}, "capacities": {"hospitals": {"h": 2}}},
)
#: Words of the Python API and of the command line.
IN_CODE = re.compile(r"\b(form|base|compact|ties|limits|max_\w+) ?=|gpucore\.|\bLimits\b|--\w")


def archives():
    """Return the parts of archives of every kind."""
    stream = io.BytesIO()
    graphs = (load("karate"), load_bipartite("chain:length=4,chains=3"), load("lesmis"))
    for graph in (*graphs, load_preferences("gale_shapley_4").graph()):
        stream = io.BytesIO()
        save_npz(graph, stream)
        yield members_of(stream.getvalue())
    for form in ("csr", "csc", "coo"):
        stream = io.BytesIO()
        sparse.save_npz(stream, sparse.random_array((8, 8), density=0.3, rng=1).asformat(form))
        yield members_of(stream.getvalue())
    stream = io.BytesIO()
    ranks = np.array([[1, 2], [2, 1]])
    np.savez(stream, men_ranks=ranks, women_ranks=ranks)
    yield members_of(stream.getvalue())


ARCHIVES = list(archives())


def a_file(random: Random):
    """Return the name and the content of a changed file."""
    ending = random.choice((*TEXTS, ".npz", ".npz", ".npz"))
    if ending == ".npz":
        content = change_archive(random, random.choice(ARCHIVES))
    elif ending == ".json":
        content = to_json(change(random, random.choice(OBJECTS)))
        content = change_text(random, content) if random.random() < 0.5 else content
    else:
        content = TEXTS[ending]
        if random.random() < 0.4:
            ending, content = random.choice(OTHERS)
        content = change_text(random, content)
    if random.random() < 0.15:
        ending, content = f"{ending}.gz", gzip.compress(content)
        content = noise(random, content) if random.random() < 0.5 else content
    if random.random() < 0.1:
        ending = random.choice((*TEXTS, ".npz", "", ".exe"))
    return random.choice((*NAMES, "graph", "graph")) + ending, content


def test_changed_files_are_shown_or_refused(fuzz):
    every = list(views().values())

    def make(random: Random):
        seed = random.choice((None, 0, 2**31 - 1))
        return random.choice(every), *a_file(random), seed

    def check(case):
        view, name, content, seed = case
        source = uploaded(name, content, reader=view.sources.read_bytes)
        source = view.sources.ordered(source, seed)
        try:
            loaded = load_for_page(source, view, LIMITS, lambda *_: None, Stop(60))
        except WarplensError as error:
            title, text = describe(error)
            assert title
            assert text
            assert not IN_CODE.search(text), text
            return
        assert loaded.prepared.num_vertices <= 2 * LIMITS.vertices
        assert loaded.prepared.num_edges <= LIMITS.edges
        view.sources.facts(loaded.graph, loaded.prepared)
        decode(still(loaded.prepared, loaded.positions, view, loaded.label))

    assert fuzz.run(make, check, most_bytes=128 << 20)


@pytest.mark.parametrize("view", views().values(), ids=lambda view: view.family)
def test_the_unchanged_files_are_read(view):
    files = {f"graph{ending}": TEXTS[ending] for ending in (".txt", ".edges", ".graph", ".mtx")}
    if get_family(view.family).problem == "ratings":
        files["ratings.data"] = TEXTS[".data"]
        del files["graph.edges"]  # its edges have no ratings
    files["graph.npz"] = archive_of(list(ARCHIVES[0].items()))
    for name, content in files.items():
        source = uploaded(name, content, reader=view.sources.read_bytes)
        assert load_for_page(source, view, LIMITS, lambda *_: None, Stop(60)).prepared.num_edges


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("graph.txt", b"1 2\n2 " + b"9" * 5000),
        ("graph.mtx", b"%%MatrixMarket matrix coordinate pattern general\n9 9 " + b"1" * 5000),
        ("graph.mtx", TEXTS[".mtx"].replace(b"3 2 .5", b"3 " + b"2" * 5000 + b" .5")),
    ],
)
def test_numbers_that_python_refuses_to_convert_are_one_error(name, content):
    view = views()["matching"]
    with pytest.raises(WarplensError, match=r"line \d: (a word of 5|the size line)"):
        load_for_page(uploaded(name, content), view, LIMITS, lambda *_: None, Stop(60))
