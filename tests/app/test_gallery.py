"""Every record of the gallery agrees with its description."""

import pytest

from gpucore.datasets import catalogue
from gpucore.errors import ParameterError
from gpucore.family import get_runner
from gpucore.record.replay import retold, timeline_of
from support.drawings import check_measures
from warplens.app.gallery import CARD, CARDS, HOST, PROCESSOR, entries, entry
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import graph_of
from warplens.app.pages import get_view

WHERE = {
    HOST: "the host executor",
    PROCESSOR: "the processor",
    CARD: "an H100",
    "NVIDIA H200": "an H200",
    CARDS: "two H200s",
}


def test_the_gallery_is_small_and_complete():
    folders = {e.path.parent for e in entries().values()}
    files = [path.stem for folder in folders for path in folder.glob("*.npz")]
    assert sorted(files) == sorted(entries())
    assert len(files) >= 12
    assert sum(e.path.stat().st_size for e in entries().values()) < 900_000


@pytest.mark.parametrize("name", entries())
def test_a_record_is_exact_and_certified(name):
    shown = entry(name)
    record = shown.record()
    header = record.header
    device = header["device"]
    assert shown.where == WHERE[shown.made_on]
    if shown.made_on in (HOST, PROCESSOR):
        assert device["name"] == {HOST: "host", PROCESSOR: "cpu"}[shown.made_on]
    else:
        assert shown.made_on.removeprefix("two ") in device["model"]
    assert (header.get("ranks", {}).get("count") == 2) is (shown.made_on == CARDS)
    view = get_view(shown.family)
    assert header["family"] == view.family
    check_measures(view, record.warps)
    assert record.lost_events == 0
    graph = graph_of(record, PageLimits())
    record = retold(record, graph)
    assert record.num_events == shown.events
    assert graph.fingerprint == header["graph"]["fingerprint"]
    algorithm = get_runner(header["algorithm"])
    timeline = timeline_of(record)
    assert timeline.exact  # the events lead to the result that the kernels reported
    assert algorithm.certify(graph, view.result(record, graph)).ok


def test_an_unknown_name_is_refused():
    with pytest.raises(ParameterError, match="no record 'nonsense'"):
        entry("nonsense")


def test_records_are_of_graphs_that_the_package_may_have():
    """A record has its graph in it, so the graph's licence is one of the package's."""
    for one in entries().values():
        source = one.record().header["graph"]["source"]
        assert source["kind"] == "generator" or not catalogue()[source["spec"]].url
