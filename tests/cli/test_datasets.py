"""warplens datasets: every listed data set loads and has the listed sizes."""

import inspect
import re

import pytest

import gpucore
from gpucore.datasets import catalogue
from gpucore.problem import kinds


def test_every_data_set_is_listed_with_its_licence(call):
    result = call("datasets")
    assert result.exit_code == 0
    for name, info in catalogue().items():
        assert name in result.stdout
        assert info.licence.split()[0] in result.stdout


def test_json_has_the_sizes(call_json):
    code, found = call_json("datasets", "karate")
    assert code == 0
    assert [entry["name"] for entry in found["datasets"]] == ["karate"]
    graph = gpucore.load("karate")
    assert found["datasets"][0]["vertices"] == graph.num_vertices
    assert found["datasets"][0]["edges"] == graph.num_edges


def test_generators_are_given_as_they_are_asked_for(call_json):
    _, found = call_json("datasets")
    path = found["generators"]["path"].replace("...", "5", 1)
    assert gpucore.load(path).num_edges == 4
    for kind in kinds().values():
        for name, make in kind.load_generators().items():
            takes = set(inspect.signature(make).parameters) - {"limits"}
            words = found[kind.generators_key][name].partition(":")[2]
            assert {part.strip("[]").partition("=")[0] for part in words.split(",")} == takes


@pytest.mark.parametrize("name", ["karate", "southern_women"])
def test_one_data_set_shows_its_source(call, name):
    result = call("datasets", name)
    assert result.exit_code == 0
    assert catalogue()[name].citation in result.stdout


def test_an_unknown_name_exits_with_3(call):
    result = call("datasets", "atlantis")
    assert result.exit_code == 3
    assert "atlantis" in result.stderr


def test_a_generator_is_answered_with_its_form(call):
    result = call("datasets", "roommates:n=6")
    assert result.exit_code == 3
    assert "roommates:n=...,[length=...],seed=1" in result.stderr


def test_one_data_set_is_described_as_people_write(call):
    for name in catalogue():
        out = call("datasets", name).output
        assert not re.search(r"True|False|None|[{}]|\('", out), name
    words = " ".join(call("datasets", "polbooks").output.split())
    assert "weighted no" in words
    assert "groups liberal, neutral, conservative" in words
    assert "answers max matching 52, modularity 0.5272" in words
    words = " ".join(call("datasets", "un_votes").output.split())
    assert "edges 870,109" in words
    assert "shape 200 x 6,203" in words
