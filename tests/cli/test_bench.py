"""warplens bench: the whole way on a tiny graph."""

import copy
import json
import random

import pytest

from gpucore.bench.contents import first_fault
from gpucore.bench.results import read_results
from gpucore.bench.suite import get_suite
from gpucore.cli.bench import _graph_names
from gpucore.errors import RecordError
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


RESULTS = ("matching-h100", "marriage-h100", "redblue-h200")


@pytest.mark.parametrize("folder", RESULTS)
def test_what_is_inside_a_results_file_is_checked(call, request, tmp_path, folder):
    """Every change of one value of a real file leads to a report or to one clear error."""
    family = folder.partition("-")[0]
    path = request.config.rootpath / "benchmarks" / "results" / folder / f"{family}.json"
    data = json.loads(path.read_text())
    assert first_fault(data) == ""
    rng = random.Random(3)
    for case in range(40):
        changed, where = changed_in_one_place(data, rng)
        (tmp_path / f"{family}.json").write_text(json.dumps(changed))
        result = call("bench", family, "--report-only", "--output", tmp_path)
        assert result.exit_code in (0, 1, 3), (case, where, result.exception)
        assert isinstance(result.exception, SystemExit | None), (case, where, result.exception)
        if result.exit_code == 3:
            assert f"{family}.json" in result.stderr.replace("\n", ""), (case, where)
            assert "Traceback" not in result.stderr


def changed_in_one_place(data, rng):
    """Return a copy in which one value is another or missing, and the place."""
    changed, where = copy.deepcopy(data), []
    inside = changed
    while True:
        name = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        where.append(name)
        deeper = inside[name]
        if not isinstance(deeper, dict | list) or not deeper or rng.random() < 0.15:
            break
        inside = deeper
    if rng.random() < 0.3:
        del inside[name]
    else:
        inside[name] = rng.choice([None, True, -1, 0, 1e300, "x", "", [], {}, [1], {"a": 1}])
    return changed, where


def test_an_error_names_the_place(tmp_path):
    path = tmp_path / "matching.json"
    path.write_text('{"schema": 1, "family": 5}')
    with pytest.raises(RecordError, match=r"matching.json is damaged: family must be a text, not"):
        read_results(path)
