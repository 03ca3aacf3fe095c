"""Exercises on red/blue matching in which the reader writes a kernel or a graph.

The kernel in which red vertices respond, and a graph on which a vertex dies late.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, algorithm 3, lines 20 to 26.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gpucore.errors import KernelCompileError, KernelError, WarplensError
from gpucore.families.redblue.certificate import certify_maximal
from gpucore.families.redblue.colours import BEST_P, md5_colours, round_numbers
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.graphs import graph_of
from ..kit.kernels import run
from .chances import match

#: States of a vertex in the reader's kernel; a vertex that is neither is matched or dead.
BLUE, RED, GONE = 0, 1, 2
#: Vertices of the graphs that test a kernel: two warps.
VERTICES = 64
#: A kernel that needs more rounds than this is wrong.
MOST_ROUNDS = 60
#: Limits of the exercise `late`: largest graph, round to reach, and number of seeds.
MOST_VERTICES, LATE, SEEDS = 24, 9, 6


@exercise("redblue/responding-kernel")
def kernel(source: str, *, schedules: int = 3) -> Verdict:
    """Try a reader's kernel as the third sub-step, under several schedules of its lanes.

    Parameters
    ----------
    source : str
        A kernel that takes ``n``, ``indptr`` (long long), ``indices``, ``state`` and ``sigma``
        (int). Blue vertices have proposed: sigma is their red neighbour, or -1; that of all others
        is -1. It has to write to sigma of each red vertex one that proposed to it.
    schedules : int
        Schedules to try, each on a graph of its own, round after round.
    """
    sizes: list[int] = []
    races: dict[tuple[str, str], int] = {}
    for seed in range(schedules):
        graph = load(f"gnp:n={VERTICES},p=0.1,seed={seed + 1}")
        try:
            mate, found = play(graph, source, seed)
        except (KernelCompileError, KernelError) as error:
            return Verdict(False, str(error))
        except WarplensError as error:
            return Verdict(False, f"On graph {seed + 1}: {error}")
        races |= found
        proof = certify_maximal(graph, mate)
        if proof.failure is not None:
            return Verdict(False, f"On graph {seed + 1} it is not maximal: {proof.failure.detail}.")
        sizes.append(int((mate >= 0).sum()) // 2)
    done = f"Under {schedules} schedules: matchings of {', '.join(map(str, sizes))} pairs, maximal"
    if not races:
        return Verdict(
            True,
            f"{done}, and no race. A red vertex looks who has chosen it, and writes down its own "
            "answer. Every word has one writer, so nothing need be atomic.",
        )
    (first, second), count = max(races.items(), key=lambda item: item[1])
    return Verdict(
        False,
        f"{done}; but not without data races: a {first} and a {second}, {count} times. "
        "Another schedule, another matching, or worse. Let every thread write only to sigma of "
        "its own vertex, and read only sigma of blue ones: no thread writes it in this sub-step.",
    )


def play(graph: Graph, source: str, seed: int) -> tuple[np.ndarray, dict[tuple[str, str], int]]:
    """Match a graph with a reader's responses; colours, proposals and matches are done here.

    Parameters
    ----------
    graph : Graph
        Of n vertices.
    source : str
        The kernel.
    seed : int
        Of colours and schedule.

    Returns
    -------
    mate : ndarray of int32, shape (n,)
    races : dict
        The two accesses of every data race, in words, and how often it was seen.

    Raises
    ------
    WarplensError
        A response is invalid, or the matching stops growing too early.
    """
    n = graph.num_vertices
    mate = np.full(n, -1, np.int32)
    races: dict[tuple[str, str], int] = {}
    for number, r in enumerate(round_numbers(seed, MOST_ROUNDS).tolist()):
        if not _open(graph, mate):
            return mate, races
        state = np.where(md5_colours(n, r, BEST_P), BLUE, RED).astype(np.int32)
        state[mate >= 0] = GONE
        asked = _proposals(graph, state)
        sigma = asked.copy()
        lists = graph.indptr.astype(np.int64), graph.indices.astype(np.int32)
        made = run(
            source,
            n,
            *lists,
            state,
            sigma,
            block=n,
            policy="random",
            seed=seed * MOST_ROUNDS + number,
            yield_access=1.0,
        )
        for race in made.profile.races:
            pair = tuple(f"{one.kind} in line {one.line}" for one in (race.first, race.second))
            races[pair[0], pair[1]] = races.get((pair[0], pair[1]), 0) + race.count
        _check(state, asked, sigma)
        for red in np.flatnonzero((state == RED) & (sigma >= 0)).tolist():
            mate[red], mate[sigma[red]] = sigma[red], red
    raise WarplensError(
        f"after {MOST_ROUNDS} rounds there are still edges with both ends free: no vertex responds"
    )


def _open(graph: Graph, mate: np.ndarray) -> bool:
    """Return whether an edge has both ends free."""
    u, v, _ = graph.edges()
    return bool(((mate[u] < 0) & (mate[v] < 0)).any())


def _proposals(graph: Graph, state: np.ndarray) -> np.ndarray:
    """Return whom each blue vertex proposes to: its first red neighbour, or -1."""
    sigma = np.full(len(state), -1, np.int32)
    for vertex in np.flatnonzero(state == BLUE).tolist():
        near = graph.neighbours(vertex)[0]
        red = near[state[near] == RED]
        if red.size:
            sigma[vertex] = red[0]
    return sigma


def _check(state: np.ndarray, asked: np.ndarray, sigma: np.ndarray) -> None:
    """Raise an error that names the first invalid response."""
    for vertex in range(len(state)):
        wrote, before = int(sigma[vertex]), int(asked[vertex])
        if state[vertex] != RED:
            if wrote != before:
                raise WarplensError(
                    f"vertex {vertex} is not red, but its sigma was changed from {before} to "
                    f"{wrote}; it is not its turn"
                )
            continue
        suitors = np.flatnonzero((state == BLUE) & (asked == vertex)).tolist()
        if suitors and wrote not in suitors:
            raise WarplensError(
                f"to the red vertex {vertex} {', '.join(map(str, suitors))} proposed, but its "
                f"sigma is {wrote}"
            )
        if not suitors and wrote != -1:
            raise WarplensError(
                f"no vertex proposed to the red vertex {vertex}, but its sigma is {wrote}, not -1"
            )


@exercise("redblue/responding-late", start=([(v, v + 1) for v in range(22)],))
def late(edges: Iterable[Any], *, select: str = "weighted") -> Verdict:
    """Check that on a reader's graph the last vertex dies late, under every seed.

    Parameters
    ----------
    edges : iterable of tuple
        Two vertices, from 0, and the weight if it is not 1.
    select : {"weighted", "random"}
        Whom vertices choose.
    """
    try:
        graph = graph_of(edges, MOST_VERTICES)
        last = last_deaths(graph, select)
    except (WarplensError, TypeError, ValueError) as error:
        return Verdict(False, f"This is no graph for us: {error}.")
    result = f"With {SEEDS} seeds the last one died in round {', '.join(map(str, last))}."
    if 0 in last:
        return Verdict(
            False,
            f"{result} Round 0 means never: where all are matched no vertex is left over. Take an "
            "odd number of vertices.",
        )
    if min(last) < LATE:
        return Verdict(
            False,
            f"{result} It should be round {LATE} or later each time. Who has a live neighbour does "
            "not die, so make pairs rare: what if in every round all propose to the same vertex?",
        )
    other = last_deaths(graph, "random")
    return Verdict(
        True,
        f"{result} All want the same few, and a vertex has only one answer: few pairs a round, "
        f"however many threads there are. If they choose anyone instead, it is round "
        f"{', '.join(map(str, other))}.",
    )


def last_deaths(graph: Graph, select: str) -> list[int]:
    """Return in which round the last vertex died, from 1, with each seed; 0 if none did."""
    rounds = []
    for seed in range(SEEDS):
        dead = match(graph, variant="paper", select=select, seed=seed).figures["dead"]
        rounds.append(max((i for i, count in enumerate(dead, 1) if count), default=0))
    return rounds
