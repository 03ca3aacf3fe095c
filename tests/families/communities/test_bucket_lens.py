"""The bucket lens shows real insertions: every lane has the neighbour of its event."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import gpucore
from gpucore.errors import ParameterError
from gpucore.families.communities.hierarchy import Kind
from gpucore.families.communities.timeline import communities_timeline
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from warplens.app.families.communities.bucket_card import BucketPanel
from warplens.app.families.communities.bucket_lens import (
    bucket_of,
    find_vertex,
    first_vertex,
    table_of,
)
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view
from warplens.app.view import Services


@pytest.fixture(scope="module")
def lesmis():
    return get_view("communities").prepare(load("lesmis"))


def watched(graph, vertex, variant="buckets"):
    result = gpucore.run(
        "louvain", graph, device="host", record="events", variant=variant, watch_vertex=vertex
    )
    return result.record


def star(leaves):
    """One vertex with many neighbours, which are pairs."""
    hub = [(0, v) for v in range(1, leaves + 1)]
    pairs = [(v, v + 1) for v in range(1, leaves, 2)]
    u, v = zip(*hub, *pairs, strict=True)
    return Graph.from_edges(leaves + 1, list(u), list(v))


@pytest.mark.parametrize("leaves", [3, 7, 12, 30, 50, 150, 330])
def test_every_lane_has_the_neighbour_that_its_event_tells_of(leaves):
    graph = star(leaves)
    record = watched(graph, 0)
    table = table_of(record, graph, 0)
    assert table["degree"] == leaves
    assert table["bucket"] == bucket_of(leaves)
    timeline = communities_timeline(record)
    events = record.events
    hashes = np.flatnonzero(
        (events["kind"] == Kind.HASH) & (record.steps["stage"][events["iteration"]] == 0)
    )
    steps = [step for sweep in table["sweeps"] for step in sweep["steps"]]
    assert len(steps) == len(hashes)
    for sweep in table["sweeps"]:
        assert sorted(int(s["neighbour"]) for s in sweep["steps"]) == list(range(1, leaves + 1))
    for step, event in zip(steps, hashes.tolist(), strict=True):
        begin = int(np.searchsorted(events["iteration"], events["iteration"][event]))
        assert timeline.state(begin)["community"][int(step["neighbour"])] == step["community"]
        assert step["path"][-1] == step["slot"] < table["slots"]
        assert len(set(step["path"])) == len(step["path"]) == events["value"][event]
    json.dumps(table, allow_nan=False)


def test_slots_hold_one_community_each(lesmis):
    table = table_of(watched(lesmis, 11, "relaxed"), lesmis, 11)
    assert table["label"] == lesmis.names[11]
    for sweep in table["sweeps"]:
        owners = {}
        for step in sweep["steps"]:
            assert owners.setdefault(step["slot"], step["community"]) == step["community"]
        assert sweep["verdict"]


def test_the_first_vertex_is_clear_to_see(lesmis):
    assert lesmis.degrees[first_vertex(lesmis)] == lesmis.max_degree
    assert first_vertex(star(100)) != 0
    assert first_vertex(Graph.from_edges(3, [], [])) == -1


def test_vertices_have_names_and_numbers(lesmis):
    assert find_vertex(lesmis, lesmis.names[5]) == find_vertex(lesmis, "5") == 5
    for wrong in ("unknown", "77", "-1", ""):
        with pytest.raises(ParameterError, match="no vertex"):
            find_vertex(lesmis, wrong)
    with pytest.raises(ParameterError, match="neighbours are shown"):
        find_vertex(star(400), "0")


def test_the_card_runs_again_and_shows_the_table(lesmis):
    def start(work, done, begin, **_):
        begin()
        done(work(lambda *_: None, None))

    begun = []
    services = Services(
        limits=PageLimits(),
        jobs=SimpleNamespace(busy=False, start=start),
        busy=lambda *_: None,
        begin=lambda: begun.append(True),
        guard=lambda function: function,
    )
    panel = BucketPanel(services)
    assert panel.widget.layout.display == "none"
    for variant, suits in (("buckets", True), ("node_centred", False)):
        result = gpucore.run("louvain", lesmis, device="host", variant=variant)
        panel.show(lesmis, result)
        assert panel.widget.layout.display is None
        assert bool(panel._lens.placeholder) is not suits
    panel._look()  # a forged click on the hidden button
    assert not begun
    panel.show(lesmis, gpucore.run("louvain", lesmis, device="host", variant="buckets"))
    panel._vertex.value = "Cosette"
    panel._look()
    assert begun
    assert panel._lens.table["label"] == "Cosette"
    panel.clear()
    assert panel._lens.table == {}
