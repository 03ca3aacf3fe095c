"""Stable roommates from files."""

import json

import pytest

from gpucore.errors import GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.roommates.load import load_roommates
from gpucore.problems.roommates.roommates import Roommates

#: Example 3 of Gale and Shapley 1962: whoever shares a room with δ prefers another, who agrees.
FOUR = {"people": {"α": ["β", "γ", "δ"], "β": ["γ", "α", "δ"], "γ": ["α", "β", "δ"], "δ": ["α"]}}


def read(content, **how):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return load_bytes("room.json", data, kind="roommates", **how)


def test_names_and_numbers_make_the_same_instance(tmp_path):
    named, numbered = read(FOUR), read({"people": [[1, 2, 3], [2, 0, 3], [0, 1, 3], [0]]})
    assert named == numbered
    assert named.names == ("α", "β", "γ", "δ")
    assert (named.num_pairs, named.source["purged"]) == (4, 2)
    path = tmp_path / "room.json"
    for given in (named, numbered):
        lists = given.lists()
        if given.names:
            names = dict(enumerate(given.names))
            lists = {names[p]: [names[q] for q in row] for p, row in enumerate(lists)}
        path.write_text(json.dumps({"people": lists}), encoding="utf-8")
        again = load_roommates(path)
        assert again == given
        assert again.names == given.names
        assert again.source["purged"] == 0


def test_generators_and_graphs(tmp_path):
    assert load_roommates("roommates:n=20,length=5,seed=3") == Roommates.random(
        20, length=5, seed=3
    )
    graph = for_matching(load("karate"), seed=4)
    assert load_roommates("karate", seed=4) == Roommates.from_graph(graph)
    save(graph, tmp_path / "karate.mtx")
    assert load_roommates(tmp_path / "karate.mtx") == Roommates.from_graph(graph)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"men": {}}, 'the one key "people"'),
        ({"people": {"A": ["A"]}}, "'A' lists himself or herself"),
        ({"people": {"A": ["B"]}}, "'B', who is not among the people"),
        ({"people": {"A": ["B", "B"], "B": []}}, "lists 'B' twice"),
        ({"people": 3}, "'people' must be"),
        (b'{"people": {"A": [], "A": []}}', "'A' stands twice"),
    ],
)
def test_what_contradicts_itself_is_refused(content, complaint):
    with pytest.raises(GraphError, match=complaint) as refused:
        read(content)
    assert str(refused.value).startswith("room.json")


def test_what_is_too_large_or_unknown_is_refused():
    with pytest.raises(GraphError, match="allowed here"):
        read(FOUR, limits=Limits(max_vertices=3))
    with pytest.raises(GraphError, match="allowed here"):
        load_roommates("roommates:n=1000", limits=Limits(max_vertices=30))
    with pytest.raises(GraphError, match="no instance of stable roommates 'atlantis'"):
        load_roommates("atlantis")
