"""Stories: every stop of those that ship holds in its record; mistakes have one clear error."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.errors import ParameterError
from gpucore.families.matching.record import Kind
from gpucore.record.replay import retold
from gpucore.record.words import describe, vertex_label
from warplens.app.gallery import entries, entry
from warplens.app.glossary import terms_in
from warplens.app.limits import PageLimits
from warplens.app.links import permalink
from warplens.app.outcomes.record_files import graph_of
from warplens.app.pages import folder_of, get_view
from warplens.app.stories.check import check_story
from warplens.app.stories.format import OwnQuestion, parse_story, stop_table
from warplens.app.stories.library import first_story, questions_of, shipped, stories
from warplens.app.stories.questions import any_question, last_warp, make_question
from warplens.app.stories.quiz import with_questions
from warplens.app.stories.shown import shown_story
from warplens.app.widgets import Player

GOOD = """
title = "Two stops"
record = "karate_weighted-suitor-nosync"
[[stops]]
step = 0
caption = "Nothing yet."
[[stops]]
step = 20
caption = "1 pushes 8 out."
look = { vertices = [1, 2, 8], edges = [[1, 2]], warps = [0] }
expect = { kind = "DISPLACE", a = 1, b = 2, c = 8 }
counts = { DISPLACE = 1 }
[stops.question]
ask = "Why?"
choices = ["6 > 5", "luck"]
answer = "6 > 5"
because = "It bids more."
"""


def record_of(shown):
    """Return the record that a story is about, and its graph."""
    story = shown.story
    if story.record:
        record = entry(story.record).record()
        graph = graph_of(record, PageLimits())
        return retold(record, graph), graph
    words, view = dict(story.run), get_view(shown.family)
    graph = view.prepare(view.sources.source(words.pop("graph"), {}).load(PageLimits(), None, None))
    assert words.pop("device") == "host"
    schedule = words.pop("policy", "sequential"), int(words.pop("seed", 0))
    host = get_device("host", policy=schedule[0], seed=schedule[1])
    result = gpucore.run(words.pop("algorithm"), graph, device=host, record="events", **words)
    return result.record, graph


@pytest.mark.parametrize("name", stories())
def test_every_stop_holds_in_the_record(name):
    shown = shipped(name)
    story = shown.story
    if story.record:
        assert entry(story.record).family == shown.family
    record, graph = record_of(shown)
    check_story(story, record, graph.num_vertices)
    assert story.summary and story.minutes
    assert len(story.stops) >= 7
    for stop in story.stops:
        assert not stop.step or stop.expect or stop.counts or stop.step == 1589
        if isinstance(stop.question, str):
            make_question(questions_of(shown.family), stop.question, record, stop.step, graph.names)
    assert any(stop.question for stop in story.stops)


@pytest.mark.parametrize("name", stories())
def test_a_ring_is_around_a_vertex_that_the_stop_names(name):
    record, graph = record_of(shipped(name))
    for number, stop in enumerate(shipped(name).story.stops, 1):
        text = stop.caption
        if stop.step:
            text += " " + describe(record, stop.step - 1, graph.names)
        for vertex in (*stop.vertices, *(end for edge in stop.edges for end in edge)):
            label = re.escape(vertex_label(record, vertex, graph.names) or str(vertex))
            assert re.search(rf"(?<!\w){label}(?!\w)", text), (number, vertex)


@pytest.mark.parametrize("name", stories())
def test_a_word_is_explained_at_the_stop_that_uses_it_first(name):
    record, graph = record_of(shipped(name))
    story = shipped(name).story
    shown = shown_story(story, record, graph.num_vertices, graph.names)
    explained = [word for stop in shown["stops"] for word, meaning in stop["words"] if meaning]
    used = [term.term for term in terms_in(" ".join(stop.caption for stop in story.stops))]
    assert explained == used
    first = [stop["words"] for stop in shown["stops"]]
    assert max(map(len, first)) <= 3  # more would push the picture down


def test_the_figures_of_the_tail_are_those_of_the_records():
    text = " ".join(stop.caption for stop in shipped("long-tail").story.stops)
    for name, most in (("nosync", 893), ("sync_lb", 361)):
        warps = entry(f"netscience-suitor-{name}").record().warps
        edges = Counter()
        for warp, count in zip(warps["warp"].tolist(), warps["edges"].tolist(), strict=True):
            edges[warp] += count
        assert max(edges.values()) == most
        assert str(most) in text
        assert round(sum(edges.values()) / len(edges)) == 47


def test_the_loads_of_the_first_story_are_those_of_the_record():
    warps = entry("karate_weighted-suitor-nosync").record().warps
    first = (warps["warp"] == 0) & (warps["iteration"] == 0)
    edges, slots = (int(warps[name][first].sum()) for name in ("edges", "lane_slots"))
    assert (edges, slots // 32, slots) == (56, 8, 256)
    text = " ".join(stop.caption for stop in shipped("what-is-a-warp").story.stops)
    assert f"{edges} neighbours in {slots // 32} loads, which had room for {slots}" in text
    assert f"{32 * edges // slots} of 32 lanes" in text
    events = entry("karate_weighted-suitor-nosync").record().events
    step = (events["warp"] == 2) & (events["iteration"] == 0)
    kinds = Counter(Kind(kind).name for kind in events["kind"][step].tolist())
    assert kinds == {"PROPOSE_FREE": 2, "OUTBID": 4, "EXHAUSTED": 2}
    assert "two are accepted" in text and "four come too late and two find no candidate" in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("percent = 46", "percent = 47", r"has the tail .*47.* has .*46"),
        ("microseconds = [31.1, 24.6]", "microseconds = [31.1, 31.0]", "24.6"),
        ("iterations = [8, 9]", "iterations = [9, 9]", r"\[8, 9\]"),
        ("netscience-suitor-sync_lb", "lesmis-suitor-sync_lb", "no common clock"),
        ("lanes = 179", "lanes = 1790", "no event"),
    ],
)
def test_wrong_times_of_warps_are_found(old, new, message):
    path = folder_of("matching") / "stories" / "long-tail.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    record = entry("netscience-suitor-nosync").record()
    check_story(parse_story(text, path.name), record, 1589)
    with pytest.raises(ParameterError, match=message):
        check_story(parse_story(text.replace(old, new), path.name), record, 1589)


def test_the_large_families_have_three_stories_and_one_begins_at_zero():
    counted = Counter(one.family for one in stories().values())
    assert set(counted) == {one.family for one in entries().values()}
    assert min(counted.values()) >= 3
    assert first_story().name == "what-is-a-warp"
    assert sum(one.story.first for one in stories().values()) == 1


def test_a_story_is_read_from_toml_and_json_alike():
    story = parse_story(GOOD, "good.toml")
    assert story.stops[1].question == OwnQuestion("Why?", ("6 > 5", "luck"), 0, "It bids more.")
    table = tomllib.loads(GOOD)
    assert parse_story(json.dumps(table), "good.json") == story
    again = {**table, "stops": [stop_table(stop) for stop in story.stops]}
    assert parse_story(json.dumps(again), "again.json") == story


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "titel", "unknown entry 'titel'"),
        ('caption = "Nothing yet."', "", "stop 1, lacks its caption"),
        ("step = 0", "step = -1", "stop 1, has a step that is no whole number"),
        ("step = 0", "step = true", "stop 1, has a step that is no whole number"),
        ("[[1, 2]]", "[[1, 2, 3]]", "stop 2, has an edge that is not two vertices"),
        ("[1, 2, 8]", '["x"]', "stop 2, has a vertices that is no whole number"),
        ("warps = [0]", "time = [20, 10]", "stop 2, has a time that is not two steps"),
        ('answer = "6 > 5"', 'answer = "7"', "answer is none of its choices"),
        ('kind = "DISPLACE", ', "", "expects an event without its kind"),
        ("record = ", "# ", "either a record of the gallery or a table run"),
        ("[[stops]]", "[stops", "is no TOML"),
    ],
)
def test_a_mistake_has_one_clear_error(old, new, message):
    with pytest.raises(ParameterError) as caught:
        parse_story(GOOD.replace(old, new), "good.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("the story 'good.toml'")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a = 1", "a = 3", "vertex 1 proposes to 2 with 6 and displaces 8"),
        ("DISPLACE = 1", "DISPLACE = 4", "and the record has 1"),
        ("step = 20", "step = 50", "the run has 49 events"),
        ("[1, 2, 8]", "[34]", "points at vertex 34"),
        ("warps = [0]", "time = [40, 50]", "shows the time up to step 50"),
        ('kind = "DISPLACE"', 'kind = "PUSH"', "names events 'PUSH'"),
        ("step = 20", "step = 0", "before the first one"),
    ],
)
def test_a_claim_that_the_record_does_not_hold_is_found(old, new, message):
    record = entry("karate_weighted-suitor-nosync").record()
    check_story(parse_story(GOOD, "good.toml"), record, 34)
    with pytest.raises(ParameterError, match="stop 2 of 'Two stops'") as caught:
        check_story(parse_story(GOOD.replace(old, new), "good.toml"), record, 34)
    assert message in str(caught.value)


def test_links_to_stories():
    link = permalink.read("?story=a-chain")
    assert (link.record, link.step, link.story) == ("karate_weighted-suitor-nosync", 8, "a-chain")
    with pytest.raises(ParameterError, match="no story 'nonsense'"):
        permalink.read("?story=nonsense")
    with pytest.raises(ParameterError, match="leaves nothing to choose, but also 'step'"):
        permalink.read("?story=a-chain&step=3")


@pytest.mark.parametrize("name", entries())
def test_questions_have_one_answer_that_the_record_gives(name):
    shown = entry(name)
    record = shown.record()
    makers = questions_of(shown.family)
    asked = 0
    for step in range(0, record.num_events, max(1, record.num_events // 7)):
        for maker in makers.values():
            question = maker(record, step, None)
            if question is None:
                continue
            asked += 1
            assert len(set(question.choices)) == len(question.choices) >= 2
            assert 0 <= question.answer < len(question.choices)
            assert question.vertices in ((), tuple(sorted(set(question.vertices))))
            assert question.choices[question.answer].replace("warp ", "") in question.because
        assert any_question(makers, record, step) is not None
    assert asked
    assert any_question(makers, record, record.num_events) is None


def test_questions_of_a_known_record():
    record = entry("karate_weighted-suitor-nosync").record()
    makers = questions_of("matching")
    question = make_question(makers, "next", record, 19)
    assert question.ask.startswith("Which vertex accepts 1 ")
    assert question.vertices[question.answer] == 2
    assert "Step 20: vertex 1 proposes to 2 with 6 and displaces 8." in question.because
    left = make_question(makers, "left", record, 34)
    assert left.choices[left.answer] == "2"
    last = last_warp(record, 0, None)
    assert last.choices[last.answer] == "warp 0"
    with pytest.raises(ParameterError, match="no question 'nonsense'"):
        make_question(makers, "nonsense", record, 0)
    with pytest.raises(ParameterError, match="no answer at step 49"):
        make_question(makers, "next", record, 49)


def test_a_notebook_asks_about_the_step_of_its_player():
    record = entry("karate_weighted-suitor-nosync").record()
    player = Player(("matching",))
    bar, shown = with_questions(player, record).children
    assert shown is player
    assert bar.asks
    assert not bar.recording
    first = dict(bar.question)
    bar._handle_custom_msg({"kind": "ask", "step": 19}, [])
    assert bar.question["step"] == 19
    assert bar.question["ask"] != first["ask"]
    bar._handle_custom_msg({"kind": "ask", "step": 10**6}, [])
    assert bar.question == {}
