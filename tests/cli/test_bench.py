"""warpscope bench: the whole way on a tiny graph."""

import json

import pytest

from gpucore.bench.suite import get_suite
from gpucore.cli.bench import _graph_names
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

pytestmark = pytest.mark.usefixtures("small_copy")


@pytest.fixture
def places(tmp_path):
    return ("--output", tmp_path / "out", "--cache", tmp_path / "cache", "--device", "host")


def test_a_session_leaves_data_pictures_and_a_page(call, call_json, places, tmp_path):
    options = ("--graphs", "grid8,karate", "--experiments", "variants,processor", "--repeat", 1)
    code, found = call_json("bench", "matching", *options, "--cores", 2, *places)
    assert code == 0
    assert found["complete"] is True
    assert [row["graph"] for row in found["graphs"]] == ["grid8", "karate"]
    assert all(row["certified"] and row["same"] for row in found["graphs"])
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "matching.json",
        "matching.html",
        "matching-variants.svg",
        "matching-processor.svg",
    }
    again = call("bench", "matching", *options, "--cores", 2, *places)
    assert again.exit_code == 0
    assert "ms" not in again.stderr  # nothing was measured again
    assert "karate" in again.stdout
    assert "GB/s" in again.stdout


def test_report_only_measures_nothing(call, places, tmp_path):
    options = ("--graphs", "karate", "--experiments", "variants", "--repeat", 1)
    call("bench", *options, *places)
    before = (tmp_path / "out" / "matching.json").read_text()
    (tmp_path / "out" / "matching.html").unlink()
    assert call("bench", "--report-only", *places).exit_code == 0
    assert (tmp_path / "out" / "matching.html").exists()
    assert (tmp_path / "out" / "matching.json").read_text() == before


def test_the_published_peers_can_be_read_and_cover_the_eight_graphs(request):
    path = request.config.rootpath / "benchmarks" / "results" / "peers-h100.json"
    peers = json.loads(path.read_text())["measurements"]
    assert {peer["graph"] for peer in peers} == set(STANDARD)


@pytest.mark.parametrize(
    ("text", "device", "names"),
    [
        ("", "cuda", STANDARD),
        ("", "host", SMALL),
        ("all", "host", STANDARD),
        ("small, karate", "host", (*SMALL, "karate")),
        ("gnp:n=9,p=0.5 grid8", "host", ("gnp:n=9,p=0.5", "grid8")),
    ],
)
def test_graph_names(text, device, names):
    assert _graph_names(text, get_suite("matching"), device) == list(names)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nope",), 2),
        (("matching", "--experiments", "nope"), 2),
        (("matching", "--graphs", "atlantis"), 3),
        (("matching", "--repeat", "0"), 2),
        (("bipartite", "--processes", "0"), 2),
        (("matching", "--report-only"), 3),
        (("matching", "--peers", "no-such-file"), 2),
    ],
)
def test_errors(call, places, words, code):
    assert call("bench", *words, *places).exit_code == code
