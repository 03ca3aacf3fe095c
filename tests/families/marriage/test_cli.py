"""warplens run, compare and datasets with preferences: loading, running, output."""

import json

import pytest

from gpucore.cli.options import load_for
from gpucore.datasets import catalogue
from gpucore.datasets import names as dataset_names
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.rebuild import rebuild
from gpucore.record import Record

LOAD = {"weights_seed": 0, "progress": None, "cancel": None}


@pytest.fixture
def eden(tmp_path):
    path = tmp_path / "eden.json"
    lists = {"men": {"Adam": ["Eve"]}, "women": {"Eve": ["Adam"], "Lilith": ["Adam"]}}
    path.write_text(json.dumps(lists))
    return path


@pytest.mark.parametrize("name", dataset_names("preferences"))
def test_classics_have_the_marriage_that_is_known(call_json, name):
    code, found = call_json("run", "gale_shapley", name)
    info = catalogue()[name]
    assert code == 0
    assert found["certified"] is True
    assert found["considered"] == info.answers["considered"]
    assert [found["men"], found["women"]] == list(info.shape)
    assert (found["vertices"], found["edges"]) == (info.vertices, info.edges)


def test_women_may_propose(call_json):
    _, men = call_json("run", "mcvitie_wilson", "gale_shapley_3")
    _, women = call_json("run", "mcvitie_wilson", "gale_shapley_3", "-p", "proposers=women")
    assert (men["men_mean_rank"], men["women_mean_rank"]) == (1, 3)
    assert (women["men_mean_rank"], women["women_mean_rank"]) == (3, 1)
    assert women["params"]["proposers"] == "women"


def test_one_sided_entries_are_reported(call, call_json, eden):
    _, found = call_json("run", "gale_shapley", eden)
    assert (found["men"], found["women"], found["edges"], found["purged"]) == (1, 2, 1, 1)
    text = call("run", "gale_shapley", eden).stdout
    assert "1 man, 2 women, 1 pair, 1 one-sided entry left out" in text
    assert "None" not in text


def test_methods_agree(call, call_json):
    words = ("compare", "easy:n=300,seed=2", "gale_shapley", "mcvitie_wilson_omp")
    code, found = call_json(*words)
    assert code == 0
    assert [row["differs"] for row in found["runners"]] == [None, 0]
    assert (found["men"], found["women"]) == (300, 300)
    assert "300 men, 300 women" in call(*words).stdout


def test_a_problem_is_a_graph_unless_it_is_large_or_shared():
    graph = load_for("nrmp_5", "marriage", **LOAD)
    assert isinstance(graph, PreferenceGraph)
    assert graph == rebuild(graph.source)
    hard = load_for("hard:n=40", "marriage", **LOAD)
    assert isinstance(hard, Preferences)
    assert hard.is_shared
    assert load_for("hard:n=40", "marriage", **LOAD, recorded=True) == hard.graph()
    for spec in ("cycles:n=70000,length=32", "hard:n=1500"):
        assert isinstance(load_for(spec, "marriage", **LOAD, recorded=True), Preferences)
    weighted = load_for("karate", "marriage", **LOAD | {"weights_seed": 5})
    assert weighted.preferences == load_preferences("karate", seed=5)


def test_roommates(call, call_json, tmp_path):
    path = tmp_path / "four.json"
    path.write_text('{"people": [[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 1, 2]]}')
    code, found = call_json("run", "irving", path)
    assert code == 0
    assert (found["solvable"], found["people"], found["edges"]) == (False, 4, 6)
    code, found = call_json("run", "irving_scott", path, "-p", "b=2")
    assert code == 0
    assert (found["solvable"], found["cardinality"], found["certified"]) == (True, 3, True)
    assert "34 people, 78 pairs" in call("run", "irving", "karate").stdout


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (("run", "gale_shapley", "atlantis"), 3, "no preferences 'atlantis'"),
        (("run", "gale_shapley", "nrmp_5", "--permute", "1"), 2, "--permute orders rows"),
        (("run", "gale_shapley", "nrmp_5", "-p", "proposers=dogs"), 2, "proposers"),
        (("run", "mcvitie_wilson_omp", "nrmp_5"), 3, "capacities"),
        (("run", "greedy", "nrmp_5"), 3, "instance of stable marriage"),
        (("run", "irving", "nrmp_5"), 3, "instance of stable marriage"),
    ],
)
def test_errors(call, words, code, cause):
    result = call(*words)
    assert result.exit_code == code, result.output
    assert cause in result.stderr


def test_a_file_that_contradicts_itself_is_one_line(call, eden):
    eden.write_text('{"men": {"Adam": ["Eve"]}, "women": {}}')
    result = call("run", "gale_shapley", eden)
    assert result.exit_code == 3
    assert "'Eve', who is not among the women" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_preferences_and_their_generators_are_listed(call, call_json):
    _, found = call_json("datasets")
    for name, spec in found["preference_generators"].items():
        assert load_preferences(spec.replace("...", "8")).name == name
    shapes = {entry["name"]: entry["shape"] for entry in found["datasets"]}
    assert shapes["nrmp_5"] == [5, 3]
    text = call("datasets").stdout
    assert "hospitals:residents" in text
    assert "(preferences, 5 x 3)" in text
    assert "stable 268" in call("datasets", "irving_leather_8").stdout


def test_a_record_is_of_what_the_page_makes_again(call, tmp_path):
    path = tmp_path / "hard.npz"
    words = ("run", "marriage", "hard:n=12,seed=3", "--device", "host", "--record", path)
    assert call(*words, "--variant", "mw").exit_code == 0
    about = Record.load(path).header["graph"]
    assert rebuild(about["source"]).fingerprint == about["fingerprint"]
