"""warplens figures: from the command to the files."""

import json

import pytest

from gpucore.bench.papers.declare import papers

pytestmark = pytest.mark.usefixtures("small_copy")


@pytest.fixture
def places(tmp_path):
    return ("--output", tmp_path / "out", "--cache", tmp_path / "cache", "--device", "host")


def test_a_figure_leaves_data_and_drawings(call, call_json, places, tmp_path):
    options = ("--figures", "figure 4", "--instances", "grid8 rmat6")
    code, found = call_json("figures", "suitor", *options, *places)
    assert code == 0
    assert (found["paper"], found["complete"]) == ("suitor", True)
    folder = tmp_path / "out" / "suitor-small"
    assert {"matching.json", "figures.json", "figure-4.svg"} <= {p.name for p in folder.iterdir()}
    kept = json.loads((folder / "figures.json").read_text())
    assert [figure["number"] for figure in kept["figures"]] == ["figure 4"]
    again = call("figures", "suitor", *options, *places)
    assert again.exit_code == 0
    assert " ms" not in again.stderr  # nothing was measured again
    assert "about 90 %" in again.stdout


def test_papers_and_figures_are_listed(call, call_json):
    code, found = call_json("figures", "--list")
    assert code == 0
    assert [row["paper"] for row in found["papers"]] == list(papers())
    text = call("figures", "bipartite", "--list").stdout
    assert "table 2: Run times of the hardest graphs" in text
    assert "figure 1: left out" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope",), "there is no paper"),
        (("suitor", "--size", "huge"), "there is no size"),
        (("marriage", "--real"), "no public collection"),
        (("suitor", "--figures", "figure 99"), "has no 'figure 99'"),
    ],
)
def test_wrong_words_are_one_clear_error(call, places, arguments, words):
    failed = call("figures", *arguments, *places)
    assert failed.exit_code == 2
    assert words in failed.stderr
