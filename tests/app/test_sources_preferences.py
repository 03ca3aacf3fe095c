"""Sources of preferences: classic instances, graphs, generators and files."""

import gzip
import json
from types import SimpleNamespace

import pytest

from gpucore.datasets import names as dataset_names
from gpucore.errors import GraphError
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.save import preferences_text
from gpucore.problems.rebuild import rebuild
from warplens.app.fields.graph_chooser import GraphChooser
from warplens.app.limits import PageLimits
from warplens.app.links.words import (
    Wanted,
    graph_words,
    set_graph,
    take_graph,
    wanted_of,
)
from warplens.app.outcomes.record_files import can_rebuild
from warplens.app.sources.graphs import uploaded
from warplens.app.sources.preference_lists import (
    PREFERENCES,
    SOURCES,
    collection,
    facts_of_preferences,
)

from .test_sources import read

EDEN = json.dumps({"men": {"Adam": ["Eve"]}, "women": {"Eve": ["Adam"], "Lilith": ["Adam"]}})


def upload(name, content, **limits):
    return read(uploaded(name, content, reader=SOURCES.read_bytes), **limits)


def form():
    view = SimpleNamespace(graph="gale_shapley_3", sources=SOURCES)
    return GraphChooser(view, PageLimits(), lambda source: None, lambda f: f)


def test_classics_come_first_and_whatever_is_offered_can_be_loaded():
    offered = collection()
    names = [name for _, name in offered]
    assert tuple(names[: len(dataset_names("preferences"))]) == dataset_names("preferences")
    labels = {name: label for label, name in offered}
    assert labels["nrmp_5"].endswith("(5 + 3)")
    assert labels["karate"].endswith("(34 + 34)")
    for name in (*dataset_names("preferences"), "southern_women", "karate"):
        graph = read(SOURCES.source(name, {}))
        assert isinstance(graph, PreferenceGraph)
        assert rebuild(graph.source) == graph
        assert wanted_of(graph.source, SOURCES) == Wanted(name)


@pytest.mark.parametrize("name", PREFERENCES)
@pytest.mark.parametrize("end", ["low", "value", "high"])
def test_generators_take_what_their_sliders_give(name, end):
    values = {slider.name: getattr(slider, end) for slider in PREFERENCES[name].sliders}
    if name == "rmat" and end == "high":
        values["scale"] = 12
    graph = read(SOURCES.source(name, values))
    assert isinstance(graph, PreferenceGraph)
    assert 0 < graph.num_edges <= PageLimits().edges
    assert rebuild(graph.source) == graph


@pytest.mark.parametrize("name", PREFERENCES)
def test_generated_preferences_travel_in_links(name):
    graphs = form()
    values = {s.name: s.low + s.step for s in PREFERENCES[name].sliders}
    set_graph(graphs, Wanted(name, values))
    words = graph_words(graphs)
    other = form()
    set_graph(other, take_graph(dict(words), other))
    assert graph_words(other) == words
    made = read(SOURCES.source(name, values))
    again = wanted_of(made.source, SOURCES)
    assert read(SOURCES.source(again.name, again.values)) == made
    record = SimpleNamespace(header={"graph": {"source": dict(made.source)}})
    assert can_rebuild(record)


def test_the_least_sliders_of_one_never_contradict_those_of_another():
    cycles = {"n": 4, "length": 32, "seed": 1}
    assert read(SOURCES.source("cycles", cycles)).source["spec"].startswith("cycles:n=4,length=4")
    wards = {"residents": 5, "hospitals": 2, "capacity": 1, "length": 12, "seed": 1}
    assert read(SOURCES.source("hospitals", wards)).num_edges == 10


def test_facts_tell_what_was_made_of_what():
    def facts(graph):
        return facts_of_preferences(graph, graph)

    eden = upload("eden.json", EDEN.encode())
    assert facts(eden).sizes == (("men", "1"), ("women", "2"), ("pairs", "1"))
    assert facts(eden).remarks == (
        "entries that only one side lists are left out: 1",
        "empty lists: 1 of the women",
    )
    wards = facts(read(SOURCES.source("nrmp_5", {})))
    assert [name for name, _ in wards.sizes] == ["residents", "hospitals", "pairs", "places"]
    assert wards.sizes[-1] == ("places", "6")
    assert "left out: 3" in wards.remarks[0]
    assert "at random" in facts(read(SOURCES.source("southern_women", {}))).remarks[0]
    karate = facts(read(SOURCES.source("karate", {}))).remarks
    assert "random one" in karate[0]
    assert "a man and a woman" in karate[1]


def test_files_of_all_kinds_are_taken():
    graph = read(SOURCES.source("nrmp_5", {}))
    assert ".json" in SOURCES.endings
    for ending in (".json", ".csv", ".tsv"):
        text = preferences_text(graph, ending).encode()
        assert upload(f"mine{ending}", text) == graph
        assert upload(f"mine{ending}.gz", gzip.compress(text)) == graph
    assert upload("edges.csv", b"0,1,2.5\n1,2,1.5\n").preferences.lists()[0] == [[1], [0, 2], [1]]


@pytest.mark.parametrize(
    ("content", "limits", "complaint"),
    [
        (EDEN, {"upload_bytes": 10}, "larger than"),
        (EDEN, {"vertices": 2}, "more than"),
        (EDEN, {"edges": 1}, "more than"),
        (EDEN, {"graph_bytes": 300}, "memory"),
        ("[" * 5000, {}, "eden.json"),
        ('{"men": {"Adam": ["Eve"]}, "women": {}}', {}, "'Eve', who is not among the women"),
    ],
)
def test_a_page_refuses_preferences_with_one_clear_error(content, limits, complaint):
    with pytest.raises(GraphError, match=complaint):
        upload("eden.json", content.encode(), **limits)
