"""The equivalence page: exact records of both runs, linked step by step, and their texts."""

from html import escape

import numpy as np
import pytest

from gpucore.families.marriage.equivalence import (
    b_matching,
    chains,
    fixtures,
    pointer,
    roommates,
)
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.families.matching.record import matching_timeline
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record.wire import decode
from support.driving import Visitor
from warplens.app.families.marriage.equivalence.graphs import collection, read, rising_path
from warplens.app.families.marriage.equivalence.page import EquivalencePage
from warplens.app.families.marriage.equivalence.paired_runs import ORDERS
from warplens.app.families.marriage.equivalence.records import chain_records, pointer_record
from warplens.app.sources.graphs import named

SMALL = (*[name for _, name in collection()[:4]], "gnp:n=30,p=0.03,seed=1")


def prepared(name):
    graph = for_matching(read(name))
    return graph, Preferences.from_graph(graph).graph()


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("way", ORDERS)
def test_both_records_are_exact_and_go_in_step(name, way):
    graph, people = prepared(name)
    n = graph.num_vertices
    order = ORDERS[way][1](graph, 3)
    pair, left, right = chain_records(graph, people, chains(graph, order), order)
    assert left == right
    one, other = matching_timeline(pair.graph), marriage_timeline(pair.people)
    assert (one.doubt, other.doubt) == ("", "")
    assert (pair.ends[0][-1], pair.ends[1][-1]) == (len(one), len(other))
    for a, b in zip(*pair.ends, strict=True):
        suitor, mate = one.state(int(a))["suitor"], other.state(int(b))["mate"]
        assert np.array_equal(suitor, mate[n:])


@pytest.mark.parametrize("name", SMALL)
def test_pointers_are_recorded_round_by_round(name):
    graph, _ = prepared(name)
    rounds = pointer(graph).on_graph
    record = pointer_record(graph, rounds)
    timeline = matching_timeline(record)
    assert timeline.doubt == ""
    assert np.array_equal(timeline.state(len(timeline))["suitor"], rounds.mate)
    assert record.events["iteration"].max() == len(rounds.place) - 1


def test_the_path_that_grows_heavier_has_the_longest_chain():
    found = chains(rising_path(10)).on_graph
    assert np.count_nonzero(found.displaced >= 0) == 4
    assert np.all(np.diff(np.flatnonzero(found.displaced >= 0)) == 1)
    assert np.array_equal(rising_path(5).edges()[2], [1, 2, 3, 4])


@pytest.fixture(scope="module")
def visitor():
    page = EquivalencePage()
    found = Visitor(page, page.bar.run)
    page.start()
    found.wait()
    return found


def shown(visitor):
    return decode(bytes(visitor.page.side_by_side.payload))


def test_the_page_tells_that_all_proposals_are_alike(visitor):
    page = visitor.page
    assert visitor.error == ""
    graph, _ = prepared(page.graphs.collection.value)
    count = len(chains(graph).on_graph.steps())
    assert f"{count} of {count} proposals alike" in page._verdict.value
    assert "each edge twice: 9 of 9 vertices" in page._verdict.value
    meta, arrays = shown(visitor)
    rows = meta["ledger"]["rows"]
    assert all(same for _, _, same in rows)
    swapped = [left.replace("vertex", "man") for left, _, _ in rows]
    assert swapped == [right.replace("woman", "man") for _, right, _ in rows]
    for how, _ in meta["alignments"]:
        tables = [arrays[f"clock/{how}/{k}"] for k in (0, 1)]
        assert len(tables[0]) == len(tables[1])
        for table, k in zip(tables, (0, 1), strict=True):
            assert np.all(np.diff(table) >= 0)
            assert (table[0], table[-1]) == (0, arrays[f"ends/{k}"][-1])


def test_the_first_turn_can_be_chosen(visitor):
    page = visitor.page
    before = shown(visitor)[0]["ledger"]["rows"]
    page.pair.order.value = "random"
    visitor.wait()
    first = shown(visitor)[0]["ledger"]["rows"]
    page.pair.seed.value = 2
    visitor.wait()
    second = shown(visitor)[0]["ledger"]["rows"]
    assert first != before != second != first
    assert all(same for _, _, same in (*first, *second))
    assert "proposals alike" in page._verdict.value
    page.pair.order.value = "number"
    visitor.wait()


def test_rounds_are_set_beside_rounds(visitor):
    page = visitor.page
    page.pair.mode.value = "rounds"
    visitor.wait()
    assert visitor.error == ""
    assert "sbs-verdict good" in page._verdict.value
    meta, arrays = shown(visitor)
    assert [how for how, _ in meta["alignments"]] == ["round"]
    assert meta["ledger"]["rows"][0][0].startswith("9 vertices point; edges matched: ")
    assert meta["ledger"]["rows"][0][1].startswith("9 men propose; pairs engaged: ")
    assert arrays["ends/0"].tolist() == sorted(arrays["ends/0"])
    page.pair.mode.value = "proposals"
    visitor.wait()


def test_every_claim_is_shown_also_those_about_roommates_and_b_matching(visitor):
    """They were only in the lab and in the tests before."""
    page = visitor.page
    graph, _ = prepared(page.graphs.collection.value)
    for mates in (3, 4):
        page.claims.mates.value = mates
        visitor.wait()
        assert visitor.error == ""
        table = page.claims._table.value
        assert table.count("<tr><td") == table.count('class="holds"') == 6
        for found in (roommates(graph), b_matching(graph, mates), fixtures(graph, mates)):
            assert escape(found.claim.title) in table
            assert escape(found.claim.detail) in table
    message = page.side_by_side.payload
    page.claims.mates.value = 2
    visitor.wait()
    assert page.side_by_side.payload is message  # the player goes on


def test_graphs_without_proposals_and_too_large_ones_are_refused(visitor):
    visitor.load(named("none", reader=lambda *_, **__: Graph.from_edges(3, [], [])))
    assert "no vertex can propose" in visitor.error
    assert visitor.page.side_by_side.payload == b""
    assert visitor.page.claims._table.value == ""
    visitor.load(named("path:n=201"))
    assert "200" in visitor.error
    visitor.load(named("florentine"))
    assert visitor.error == ""
    left, right, _ = shown(visitor)[0]["ledger"]["rows"][0]
    assert (left, right) == (
        "Acciaiuoli asks Medici",
        "man Acciaiuoli asks woman Medici",
    )
