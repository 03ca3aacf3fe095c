"""Graphs of collections: fetched from a server, checked and kept, or one clear error."""

import ast
import dataclasses
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import gpucore
from gpucore.bench.papers.declare import papers
from gpucore.datasets import catalogue, remote
from gpucore.datasets.remote import allow_downloads, find, is_remote, local_file
from gpucore.errors import Cancelled, GraphError
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.rebuild import rebuild

STARS = b"rownames,s,d,other,y\n1,7,20,0,5\n2,3,20,1,2\n3,7,4,0,1\n"
ROOT = Path(__file__).parents[1]
MATRIX = b"%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 1.0\n3 2 5.0\n4 3 2.0\n"
#: Cells of a path of 40 vertices, as a symmetric matrix with values and as a general one.
PATH = b"".join(b"%d %d %d\n" % (i + 1, i, 1 + i % 5) for i in range(1, 40))
WEIGHTED = b"%%MatrixMarket matrix coordinate real symmetric\n40 40 39\n" + PATH
ROAD = b"%%MatrixMarket matrix coordinate integer general\n40 40 39\n" + PATH
EDGES = b"# Undirected graph\n# FromNodeId\tToNodeId\n10\t20\n20\t30\n30\t10\n"


def archive(name="path4", content=MATRIX, member=None):
    """Return the bytes of an archive as the collection has them."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for file, data in (
            (f"{name}/{name}_coord.mtx", b"x"),
            (member or f"{name}/{name}.mtx", content),
        ):
            info = tarfile.TarInfo(file)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


class Collection:
    """A server on this machine with files by path; it counts requests."""

    def __init__(self):
        self.files, self.asked, self.short, self.status = {}, [], 0, 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                data = outer.files.get(self.path)
                if data is None or outer.status != 200:
                    self.send_error(404 if data is None else outer.status)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) - outer.short])

            def log_message(self, *arguments):
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collection(monkeypatch, tmp_path):
    """A collection with one matrix and two graphs, an empty cache, and leave to fetch."""
    server = Collection()
    server.files = {
        "/MM/Test/path4.tar.gz": archive(),
        "/data/triangle.txt.gz": gzip.compress(EDGES),
        "/data/bigdata/communities/com-tri.ungraph.txt.gz": gzip.compress(EDGES),
    }
    monkeypatch.setenv("WARPLENS_SUITESPARSE_URL", f"{server.url}/MM")
    monkeypatch.setenv("WARPLENS_SNAP_URL", f"{server.url}/data")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    allow_downloads()
    yield server
    allow_downloads(False)
    server.close()


def kept(tmp_path):
    """Return the names of all files in the cache."""
    return sorted(p.name for p in (tmp_path / "cache").rglob("*") if p.is_file())


def test_a_matrix_is_fetched_once_and_is_a_graph_and_a_matrix(collection, tmp_path):
    graph = gpucore.load("suitesparse:Test/path4")
    assert (graph.num_vertices, graph.num_edges, graph.weighted) == (4, 3, True)
    assert graph.name == "suitesparse:Test/path4"
    assert graph.source == {"kind": "collection", "spec": "suitesparse:Test/path4"}
    assert kept(tmp_path) == ["path4.mtx", "path4.mtx.sha256"]
    assert load_bipartite("suitesparse:Test/path4").num_rows == 4
    assert collection.asked == ["/MM/Test/path4.tar.gz"]


@pytest.mark.parametrize("name", ["triangle", "com-tri"])
def test_an_edge_list_is_fetched_as_it_is(collection, tmp_path, name):
    graph = gpucore.load(f"snap:{name}", compact=True)
    assert (graph.num_vertices, graph.num_edges) == (3, 3)
    assert kept(tmp_path) == [f"{name}.txt.gz", f"{name}.txt.gz.sha256"]


def test_the_command_line_fetches_and_runs(collection, call, call_json, tmp_path):
    allow_downloads(False)
    code, found = call_json("fetch", "suitesparse:Test/path4", "snap:triangle")
    assert code == 0
    assert [Path(path).name for path in found["files"].values()] == ["path4.mtx", "triangle.txt.gz"]
    ran = call("run", "greedy", "suitesparse:Test/path4")
    assert ran.exit_code == 0, ran.output
    assert len(collection.asked) == 2


@pytest.mark.parametrize("paper", [p for p in papers().values() if p.real], ids=lambda p: p.name)
def test_every_graph_of_a_paper_is_fetched_from_a_mirror(collection, paper):
    """Each is a place in a collection, and the paper's suite loads what stands there."""
    pattern = b"%%MatrixMarket matrix coordinate pattern general\n4 4 3\n2 1\n3 2\n4 3\n"
    for spec in paper.real:
        if is_remote(spec):
            remote = find(spec.removesuffix("_perm"))
            place, name = remote.url.removeprefix(collection.url), remote.name
            whole = archive(name, pattern if paper.family == "sgd" else MATRIX)
            collection.files[place] = whole if place.startswith("/MM") else gzip.compress(EDGES)
            assert (paper.suite().load or gpucore.load)(spec).num_edges >= 3
            assert collection.asked[-1] == place
    assert len(set(paper.real)) == len(paper.real)


def test_the_permuted_set_of_a_paper_is_its_originals_in_another_order(collection):
    collection.files["/MM/SNAP/roadNet-CA.tar.gz"] = archive("roadNet-CA")
    load, spec = papers()["bipartite"].suite().load, "suitesparse:SNAP/roadNet-CA"
    rows, columns = (load(name).to_matrix().toarray() for name in (spec, f"{spec}_perm"))
    assert (rows != columns).any()
    for axis in (0, 1):
        assert sorted(rows.sum(axis)) == sorted(columns.sum(axis))
    assert load(f"{spec}_perm").name == f"{spec}_perm"
    assert collection.asked == ["/MM/SNAP/roadNet-CA.tar.gz"]


@pytest.mark.parametrize("name", [name for name, paper in papers().items() if paper.real])
def test_the_figures_of_a_paper_are_measured_on_fetched_graphs(
    collection, call_json, tmp_path, monkeypatch, name
):
    """One of its own graphs, from a mirror, through the command; the others are as large."""
    paper = papers()[name]
    specs = [spec for spec in paper.real if is_remote(spec)][:2]
    for spec in specs:
        found = find(spec.removesuffix("_perm"))
        whole = archive(found.name, ROAD if paper.family == "sgd" else WEIGHTED)
        collection.files[found.url.removeprefix(collection.url)] = whole
    declared = dataclasses.replace(paper, real=tuple(specs))
    monkeypatch.setattr("gpucore.bench.papers.declare.get_paper", lambda name: declared)
    code, found = call_json(
        *("figures", name, "--real", "--device", "host", "--cores", "2"),
        *("--output", str(tmp_path / "out"), "--cache", str(tmp_path / "graphs")),
    )
    assert (code, found["complete"]) == (0, True)
    data = json.loads((tmp_path / "out" / f"{name}-small" / "figures.json").read_text())
    for figure in data["figures"]:
        assert {one["name"] for one in figure["instances"]} == set(specs), figure["number"]
        assert all(one["real"] for one in figure["instances"])


@pytest.mark.parametrize("paper", ["suitor", "sgd"])
def test_papers_without_a_set_of_their_own_have_one_now(paper):
    assert sum(map(is_remote, papers()[paper].real)) >= 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: setattr(c, "short", 40), "cannot be fetched"),
        (lambda c: setattr(c, "status", 503), "answers with 503"),
        (lambda c: c.files.clear(), "suitesparse has no Test/path4"),
        (lambda c: c.files.update({"/MM/Test/path4.tar.gz": b"<html>"}), "damaged or not complete"),
        (
            lambda c: c.files.update({"/MM/Test/path4.tar.gz": archive()[:-30]}),
            "damaged or not complete",
        ),
        (
            lambda c: c.files.update({"/MM/Test/path4.tar.gz": archive(member="x/y.mtx")}),
            "holds no path4/path4.mtx",
        ),
    ],
)
def test_what_goes_wrong_is_one_error_and_leaves_nothing(collection, tmp_path, change, words):
    change(collection)
    with pytest.raises(GraphError, match=words):
        gpucore.load("suitesparse:Test/path4")
    assert kept(tmp_path) == []


def test_a_truncated_edge_list_is_an_error(collection, tmp_path):
    collection.files["/data/triangle.txt.gz"] = gzip.compress(EDGES * 100)[:-9]
    with pytest.raises(GraphError, match="damaged or not complete"):
        gpucore.load("snap:triangle")
    assert kept(tmp_path) == []


def test_no_server_is_one_error(collection, tmp_path):
    collection.close()
    with pytest.raises(GraphError, match="is there a network"):
        gpucore.load("suitesparse:Test/path4")
    assert kept(tmp_path) == []


def test_a_changed_file_is_not_used(collection):
    path = local_file("suitesparse:Test/path4")
    path.write_bytes(MATRIX.replace(b"5.0", b"6.0"))
    with pytest.raises(GraphError, match=r"SHA-256 differs.*remove it"):
        gpucore.load("suitesparse:Test/path4")
    assert len(collection.asked) == 1


def test_a_huge_file_is_refused_before_it_comes(collection, tmp_path, monkeypatch):
    monkeypatch.setenv("WARPLENS_DOWNLOAD_BYTES", "50")
    with pytest.raises(GraphError, match=r"more than 50 B.*WARPLENS_DOWNLOAD_BYTES"):
        gpucore.load("suitesparse:Test/path4")
    assert kept(tmp_path) == []


def test_a_full_disk_is_one_error(collection, tmp_path, monkeypatch):
    usage = remote.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(remote.shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(GraphError, match="more than is free"):
        gpucore.load("suitesparse:Test/path4")
    assert kept(tmp_path) == []


def test_a_cancelled_fetch_leaves_nothing(collection, tmp_path):
    cancel = threading.Event()
    seen = []

    def progress(phase, done, total):
        seen.append(phase)
        cancel.set()

    with pytest.raises(Cancelled):
        local_file("snap:triangle", progress=progress, cancel=cancel)
    assert seen
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    "spec",
    [
        "suitesparse:path4",
        "suitesparse:../x/y",
        "suitesparse:a/b/c",
        "snap:a/b",
        "snap:..",
        "snap:",
    ],
)
def test_a_name_of_another_form_is_an_error(spec):
    with pytest.raises(GraphError, match="no name of the collection"):
        find(spec)


def test_without_leave_nothing_is_fetched(collection):
    allow_downloads(False)
    with pytest.raises(GraphError, match="warplens fetch suitesparse:Test/path4"):
        gpucore.load("suitesparse:Test/path4")
    assert collection.asked == []


def test_leave_is_not_given_by_importing_the_app(collection):
    script = (
        "import warplens.app.dashboard.page, warplens.app.papers.page\n"
        "from gpucore import load\n"
        "try: load('suitesparse:Test/path4')\n"
        "except Exception as error: print(error)\n"
    )
    environment = {**os.environ}
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert "fetches nothing from the network" in ran.stdout
    assert collection.asked == []


def test_no_page_gives_leave():
    """Only the command line does; a visitor's link or record never names a graph of the network."""
    using = {
        path.relative_to(ROOT).parts[:2]
        for top in ("app", "labs", "gpucore")
        for path in (ROOT / top).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Name) and node.id == "allow_downloads"
    }
    assert using == {("gpucore", "cli")}


def test_a_record_never_names_a_graph_of_the_network(collection):
    with pytest.raises(GraphError):
        rebuild({"kind": "collection", "spec": "suitesparse:Test/path4"})
    with pytest.raises(GraphError):
        rebuild({"kind": "generator", "spec": "suitesparse:Test/path4"})
    assert collection.asked == []


@pytest.fixture
def insteval(collection, monkeypatch):
    """A small insteval at an address of this machine."""
    collection.files["/stars.csv"] = STARS
    small = {
        "url": f"{collection.url}/stars.csv",
        "sha256": hashlib.sha256(STARS).hexdigest(),
        "shape": (2, 2),
        "vertices": 4,
        "edges": 3,
    }
    info = catalogue()["insteval"]
    monkeypatch.setitem(catalogue(), "insteval", info.__class__(**vars(info) | small))
    return collection


def test_a_data_set_of_another_licence_is_fetched_by_its_name(insteval, tmp_path):
    found = load_ratings("insteval")
    assert found.name == "insteval"
    assert found.to_matrix().toarray().tolist() == [[0, 2], [1, 5]]
    assert kept(tmp_path) == ["insteval.csv"]
    allow_downloads(False)
    assert rebuild(found.source) == found
    assert insteval.asked == ["/stars.csv"]


def test_the_command_line_fetches_a_data_set(insteval, call, call_json, tmp_path):
    allow_downloads(False)
    code, found = call_json("fetch", "insteval")
    assert (code, list(found["files"])) == (0, ["insteval"])
    assert kept(tmp_path) == ["insteval.csv"]
    refused = call("fetch", "karate")
    assert refused.exit_code == 3
    assert "no data set that is fetched" in refused.stderr


def test_another_file_than_the_catalogue_says_is_not_kept(insteval, tmp_path):
    insteval.files["/stars.csv"] = STARS.replace(b"5", b"4")
    with pytest.raises(GraphError, match="SHA-256 differs from the one in the catalogue"):
        load_ratings("insteval")
    assert kept(tmp_path) == []
    path = find("insteval").path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(STARS + b"\n")
    with pytest.raises(GraphError, match=r"in the catalogue; remove it, then fetch insteval"):
        load_ratings("insteval")


def test_an_old_record_of_it_says_how_to_fetch_it(insteval):
    allow_downloads(False)
    with pytest.raises(GraphError, match=r"is not in the cache.*warplens fetch insteval"):
        rebuild({"kind": "dataset", "spec": "insteval"})
    allow_downloads()
    insteval.close()
    with pytest.raises(GraphError, match=r"is there a network\? .* can be kept as .*insteval.csv"):
        load_ratings("insteval")
