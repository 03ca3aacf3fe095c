"""Cards show their texts, and escape HTML in them."""

import pytest

from gpucore.certify import Check, certificate
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from warplens.app import cards
from warplens.app.limits import PageLimits
from warplens.app.sources.facts import facts_of_graph

EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    "html",
    [
        cards.error_card(EVIL, EVIL),
        cards.note(EVIL),
        cards.measures_card([(EVIL, EVIL)], 1.0, EVIL),
        cards.certificate_card(certificate([Check(EVIL, True, EVIL)], {})),
    ],
)
def test_text_is_escaped(html):
    assert "<img" not in html
    assert "&lt;img" in html


def test_a_certificate_says_which_check_failed():
    bad = certificate([Check("symmetric", True, "3 pairs"), Check("edges", False, "0-7")], {})
    html = cards.certificate_card(bad)
    assert "Not certified" in html
    assert '<li class="good"><b>symmetric</b>' in html
    assert '<li class="bad"><b>edges</b>' in html
    assert "was not checked" in cards.certificate_card(None)


def test_a_graph_tells_what_was_done_to_it():
    graph = Graph.from_edges(3, [0, 1, 2], [1, 2, 2])
    html = cards.graph_facts(facts_of_graph(graph, for_matching(graph)))
    assert "Without 1 self-loop" in html
    assert "no weights" in html
    plain = Graph.from_edges(2, [0], [1], [2.0])
    assert "left out" not in cards.graph_facts(facts_of_graph(plain, for_matching(plain)))


def test_the_upload_states_its_limits():
    limits = PageLimits(upload_bytes=3 << 20, edges=1234)
    html = cards.upload_limits("Lists", ("vertices", "edges"), limits)
    assert "3 MiB" in html
    assert "1,234 edges" in html
