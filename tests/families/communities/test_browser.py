"""A visit to the page of Louvain, in a real browser, from a real server."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.families.communities.hierarchy import Kind
from gpucore.record.replay import retold, timeline_of
from support.visiting import show_chart
from support.watching import wait_for_charts, watching
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import graph_of

pytestmark = pytest.mark.browser

PLAYER = "window.__warplens?.players[0]"
HEADINGS = ("Hierarchy", "Modularity by sweep", "Stages", "Buckets", "Sizes of communities")


@pytest.fixture(scope="module")
def louvain(shared_page, server):
    """Return the page after a run that is asked for by its address."""
    page = shared_page
    address = "communities?graph=lesmis&algorithm=louvain&variant=buckets&device=host"
    page.goto(server.url + address)
    page.locator(".ws-checks").wait_for(state="attached")
    page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
    return page


def test_run_play_contract_and_chart(louvain):
    page = louvain
    expect(page.locator(".ws-verdict")).to_have_text("Certified")
    figures = page.locator(".ws-measures", has_text="Modularity").first.text_content()
    modularity = float(re.search(r"Modularity([\d.]+)", figures)[1])
    communities = int(re.search(r"Communities(\d+)", figures)[1])
    shown = page.locator(".wp-measures")
    expect(shown).to_contain_text("77 communities")

    page.get_by_role("button", name="On one event").click()
    page.locator(".wp-now", has_text="community of").wait_for()
    page.get_by_label("speed", exact=True).select_option("5 events/s")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{PLAYER}.time > 3")
    page.get_by_role("button", name="Pause").click()

    merge = page.evaluate(f"Array.from({PLAYER}.events.kind).indexOf(4) + 1")
    contract = page.get_by_role("button", name="Draw contracted vertices together")
    expect(contract).to_be_hidden()
    page.evaluate(f"{PLAYER}.seek({merge})")
    page.locator(".wp-now", has_text="become one vertex").wait_for()
    page.locator(".wc-lines [aria-current]", has_text="contract: each community").wait_for()
    contract.wait_for()
    page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
    settled = f"{PLAYER}.stage.view.discs.length === {communities} && !{PLAYER}.stage.view.moving"
    page.wait_for_function(settled)
    expect(shown).to_contain_text(f"{communities} communities")
    assert float(shown.text_content().rsplit(" ", 1)[1]) == pytest.approx(modularity, abs=1e-4)
    at_home = f"{PLAYER}.stage.view.x[0] - {PLAYER}.stage.view.home.x[0]"
    page.wait_for_function(f"{at_home} !== 0")
    contract.click()
    page.wait_for_function(f"{at_home} === 0 && !{PLAYER}.stage.view.moving")

    for heading in HEADINGS:
        show_chart(page, heading)
    wait_for_charts(page, 8)
    for heading, name in (
        ("Warps", "Idle lanes"),
        ("Warps", "Collisions"),
        ("Warps", "Filled"),
        ("Progress", "Communities"),
    ):
        show_chart(page, heading)
        page.get_by_role("button", name=name, exact=True).click()


def test_the_lens_shows_a_hash_table(louvain):
    page = louvain
    show_chart(page, "Bucket lens")
    page.get_by_role("button", name="Show its hash table").click()
    lens = page.locator(".wh")
    expect(lens).to_contain_text("bucket 5, 32 lanes for it")
    page.get_by_label("step of the lens").fill("0")
    lens.get_by_text("The table is empty").wait_for()
    page.get_by_role("button", name="One edge on").click()
    lens.get_by_text("at the first probe").wait_for()
    expect(lens.locator(".wh-table .wh-full")).to_have_count(1)
    page.get_by_role("button", name="Play the lens").click()
    page.wait_for_function("document.querySelectorAll('.wh-table .wh-full').length > 2")
    page.get_by_label("Vertex", exact=True).fill("unknown")
    page.get_by_role("button", name="Show its hash table").click()
    page.locator(".ws-error", has_text="no vertex 'unknown'").wait_for()


def test_hash_inserts_are_passed_over_until_they_are_asked_for(page, server):
    with watching(page, server):
        page.goto(f"{server.url}communities?record=karate-louvain-buckets&step=0")
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        kinds = page.evaluate(f"Array.from({PLAYER}.events.kind)")
        inserts = page.evaluate("kinds => kinds.map((kind) => kind === 2)", kinds)
        assert sum(inserts) == 75
        first = inserts.index(True)  # time at which all events before it have happened
        shown = [event + 1 for event, insert in enumerate(inserts) if not insert and event >= first]
        page.evaluate(f"{PLAYER}.seek({first})")
        on = page.get_by_role("button", name="On one event")
        for time in shown[:2]:
            on.click()
            page.wait_for_function(f"{PLAYER}.time === {time}")
        back = page.get_by_role("button", name="Back one event")
        for time in (shown[0], first):
            back.click()
            page.wait_for_function(f"{PLAYER}.time === {time}")
        page.get_by_label("hash inserts").select_option("hash inserts: one by one")
        on.click()
        page.wait_for_function(f"{PLAYER}.time === {first + 1}")
        page.locator(".wp-now", has_text="adds an edge into").wait_for()


def test_a_vertex_says_what_moved_it(page, server):
    """The facts of every vertex at the end, recomputed from the record and its graph."""
    with watching(page, server):
        page.goto(f"{server.url}communities?record=karate-louvain-buckets")
        page.wait_for_function(f"({PLAYER}?.timeline.length ?? 0) > 0")
        page.evaluate(f"{PLAYER}.seek({PLAYER}.timeline.length)")
        record, graph = record_and_graph("karate-louvain-buckets")
        for vertex in range(graph.num_vertices):
            event = last_move(record, vertex)
            page.evaluate(f"{PLAYER}.explorer.pin({vertex})")
            facts = page.locator(".wp-facts")
            if event is None:
                expect(facts).not_to_contain_text("moved in step")
                continue
            there, home, most, cause = why(record, graph, event)
            expect(facts).to_contain_text(f"moved in step {event + 1}, and modularity gained")
            expect(facts).to_contain_text(
                f"edges of weight {there} led there and {home} stayed behind"
            )
            expect(facts).to_contain_text(f"pulled most by {', '.join(map(str, most))}")
            if cause is None:
                expect(facts).not_to_contain_text("before that")
            else:
                expect(facts).to_contain_text(f"these weights in step {cause + 1}")


def record_and_graph(name):
    stored = entry(name).record()
    graph = graph_of(stored, PageLimits())
    return retold(stored, graph), graph


def moved_by(record, event):
    """Return the vertices whose community an event changes, in the states around it."""
    timeline = timeline_of(record)
    before, after = (timeline.state(at)["community"] for at in (event, event + 1))
    return np.flatnonzero(before != after), before, after


def last_move(record, vertex):
    moves = np.flatnonzero(record.events["kind"] == Kind.MOVE)
    mine = [int(event) for event in moves if vertex in moved_by(record, event)[0]]
    return mine[-1] if mine else None


def why(record, graph, event):
    """Return the weights there and at home, the strongest neighbours, and the move before."""
    launch = record.events["iteration"]
    begun = int(np.flatnonzero(launch == launch[event])[0])
    community = timeline_of(record).state(begun)["community"]
    members = moved_by(record, event)[0]
    to = int(record.events["c"][event])
    home = int(community[members[0]])
    pull = graph.to_scipy()[members].sum(axis=0)
    pull[members] = 0
    inside = np.flatnonzero((community == to) & (pull > 0)).tolist()
    most = sorted(inside, key=lambda w: (-pull[w], w))[:3]
    cause = None
    for other in np.flatnonzero(pull > 0).tolist():
        earlier = [e for e in range(begun) if other in moved_by(record, e)[0]]
        if not earlier:
            continue
        _, before, after = moved_by(record, earlier[-1])
        if {int(before[other]), int(after[other])} & {to, home}:
            cause = max(earlier[-1], -1 if cause is None else cause)
    return int(pull[community == to].sum()), int(pull[community == home].sum()), most, cause
