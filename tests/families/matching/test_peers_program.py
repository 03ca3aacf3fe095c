"""Launches of ranks that address each other's memory: collected proposals, and meetings."""

import numpy as np
import pytest

import gpucore
from gpucore.errors import KernelError
from gpucore.families.matching.peers_program import COLLECTS, PeersProgram
from gpucore.ranks.marks import SWEEPS
from support.matching_cases import graph_of, random_graph


def path(n, more=()):
    """Return a graph of 90 vertices, a path of n of them and other edges."""
    edges = [*((i, i + 1) for i in range(n - 1)), *more]
    return graph_of(90, edges, np.ones(len(edges)))


@pytest.mark.parametrize("name", ["suitor", "bmatching"])
@pytest.mark.parametrize(
    ("graph", "ranks", "few"),
    [
        pytest.param(path(90), 3, True, id="path"),
        pytest.param(path(60, [(0, 89)]), 3, False, id="one edge to the other end"),
        pytest.param(random_graph(90, 400, 1), 3, False, id="random"),
        pytest.param(random_graph(90, 400, 1), 1, False, id="one rank"),
    ],
)
def test_chains_are_collected_where_there_are_few_ghosts(monkeypatch, name, graph, ranks, few):
    """All ranks collect as often: they meet after each delivery. A recorded run never does."""
    right, found = PeersProgram.start, []

    def start(program):
        found.append(program.collects)
        right(program)

    monkeypatch.setattr(PeersProgram, "start", start)
    gpucore.run(name, graph, transport="peers", device="host", ranks=ranks)
    assert found == [COLLECTS if few else 0] * ranks
    gpucore.run(name, graph, transport="peers", device="host", ranks=ranks, record="counters")
    assert found[ranks:] == [0] * ranks


@pytest.mark.parametrize("name", ["suitor", "bmatching"])
@pytest.mark.parametrize("ranks", [1, 2, 5])
@pytest.mark.parametrize("graph", [path(90), graph_of(3, [(0, 1), (1, 2)], [1, 2])])
def test_all_ranks_meet_as_often_and_before_each_sweep(monkeypatch, name, ranks, graph):
    """Ranks without vertices, too: a card that others do not meet would wait in vain."""
    right, found = PeersProgram.start, []

    def start(program):
        right(program)
        found.append((program.plans, program.meetings, program.part.n, program))

    monkeypatch.setattr(PeersProgram, "start", start)
    gpucore.run(name, graph, transport="peers", device="host", ranks=ranks)
    assert len(found) == ranks
    for (first, later), meetings, n, program in found:
        meet = meetings.soon
        if ranks == 1:
            assert not {meet, meetings.surely} & {*first, *later}
            continue
        assert first.count(meet) == (0 if program.packs else 2 + program.collects) + SWEEPS
        assert first.count(meetings.surely) == (2 if program.packs else 0)
        assert later.count(meet) == SWEEPS
        if n:
            places = [i for i, launch in enumerate(later) if launch is meet]
            assert [i + 1 for i in places[:-1]] == [i - 1 for i in places[1:]]
            assert places[-1] == len(later) - 2


def test_a_rank_that_did_not_come_is_an_error(monkeypatch):
    """The solution depends on it, so there is none."""
    right = PeersProgram.start

    def start(program):
        right(program)
        if program.world.comm.rank == 1:
            program.tally.missed[0] = 1

    monkeypatch.setattr(PeersProgram, "start", start)
    with pytest.raises(KernelError, match="rank 1: another rank did not come within 10 seconds"):
        gpucore.run("suitor", random_graph(90, 400, 1), transport="peers", device="host", ranks=3)
