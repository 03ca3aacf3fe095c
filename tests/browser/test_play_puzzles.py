"""Every puzzle starts wrong in the way that it says, and its solution meets all goals."""

import networkx as nx
import numpy as np
import pytest

from support.playing import answer, request_of
from warplens.app.play import puzzles as module
from warplens.app.play.puzzles import PUZZLES
from warplens.app.widgets.bundle import bundle

JUDGE = module.KERNELS.parent / "judge.js"
IDS = [puzzle.name for puzzle in PUZZLES]


@pytest.fixture
def missed(page, lab_compiler):
    """Return a function that runs code natively and names the goals that it misses."""
    page.goto("about:blank")

    def missed(puzzle, code):
        report = answer(request_of(puzzle, code))
        script = f"([puzzle, report]) => {{ {bundle(JUDGE)} return entry.judge(puzzle, report); }}"
        goals = page.evaluate(script, [puzzle.as_json(), report])
        return tuple(goal["name"] for goal in goals if not goal["met"])

    return missed


def test_there_are_twelve_in_their_order():
    assert [name[:2] for name in IDS] == [f"{number:02}" for number in range(1, 13)]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=IDS)
def test_the_start_fails_as_it_says_and_the_solution_meets_all_goals(missed, puzzle):
    assert missed(puzzle, puzzle.start) == puzzle.fails
    assert missed(puzzle, puzzle.solution) == ()


def test_the_matching_is_the_greedy_one():
    first, neighbours, weights = (
        [int(part) for part in text.rpartition(":")[2].split(",")] for text in module._GRAPH
    )
    graph = nx.Graph()
    for vertex in range(16):
        for edge in range(first[vertex], first[vertex + 1]):
            graph.add_edge(vertex, neighbours[edge], weight=weights[edge])
    assert sorted(weight for _, _, weight in graph.edges.data("weight")) == list(range(1, 29))
    mates, offers = np.full(16, -1), np.zeros(16, int)
    for u, v, weight in sorted(graph.edges.data("weight"), key=lambda edge: -edge[2]):
        if mates[u] < 0 and mates[v] < 0:
            mates[u], mates[v] = v, u
            offers[u], offers[v] = 256 * weight + v, 256 * weight + u
    assert mates.tolist() == PUZZLES[11].expected[3].tolist()
    assert offers.tolist() == PUZZLES[10].expected[3].tolist()
