"""What the lab on red/blue matching needs: runs to watch, colours by hand, exercises on them.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, algorithms 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore
from gpucore.device.host import HostDevice
from gpucore.errors import WarplensError
from gpucore.families.matching.result import MatchingResult
from gpucore.families.redblue.colours import BEST_P, blue_limit, md5_colours, round_numbers
from gpucore.families.redblue.record import SUB_STEPS
from gpucore.families.redblue.timeline import Kind
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge

#: Seed of the path that is matched by hand: two blue vertices want the same red one.
BY_HAND = 5

#: What MD5 begins with, and what its first 16 steps add and rotate by (RFC 1321), as arrays: their
#: sums wrap at 32 bits, as the kernel's do.
START = tuple(np.array([w], np.uint32) for w in (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476))
SINES = tuple(np.array([2**32 * abs(np.sin(i + 1))], np.float64).astype("u4") for i in range(16))
TURNS = (7, 12, 17, 22) * 4

#: A reader's hash: takes vertices (uint32) and the round's number, returns a uint32 for each.
Hash = Callable[[np.ndarray, int], np.ndarray]


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its graph and its record."""

    result: MatchingResult

    def rounds(self) -> str:
        """Return one line for each round: live, matched and dead vertices."""
        return "\n".join(
            f"round {number}: {one['live']} live, {one['matched']} matched, {one['dead']} dead"
            for number, one in enumerate(self.record.header["rounds"], 1)
        )

    def happened(self, kind: Kind, number: int = 0) -> list[tuple[int, int]]:
        """Return the two vertices of the events of a kind in a round, rounds from 0."""
        events = self.record.events
        chosen = (events["kind"] == kind) & (events["iteration"] // len(SUB_STEPS) == number)
        return list(zip(events["a"][chosen].tolist(), events["b"][chosen].tolist(), strict=True))


def loaded(graph: Graph | str) -> Graph:
    """Return a graph, or the one of a name, with positive weights."""
    return for_matching(load(graph) if isinstance(graph, str) else graph)


def watch(
    graph: Graph | str, *, variant: str = "paper", schedule: int | None = None, **params: Any
) -> Watched:
    """Run the kernels of the paper on the host executor and record every event.

    Parameters
    ----------
    graph : Graph or str
        A graph, or a name that :func:`gpucore.load` understands.
    variant : str
        Of the kernels.
    schedule : int, optional
        Seed of a random schedule; without one, warps go one after the other.
    **params
        Of :class:`gpucore.families.redblue.run.RedblueParams`; `seed` is that of the colours.
    """
    return Watched.of("redblue", loaded(graph), schedule, variant=variant, **params)


def first_colours(vertices: int, *, seed: int = BY_HAND) -> str:
    """Return the colours of a run's first round in words.

    Examples
    --------
    >>> first_colours(4)
    'blue 0, 1, 2; red 3'
    """
    blue = md5_colours(vertices, int(round_numbers(seed, 1)[0]), BEST_P)
    sides = {"blue": np.flatnonzero(blue), "red": np.flatnonzero(~blue)}
    return "; ".join(f"{name} {_listed(numbers.tolist())}" for name, numbers in sides.items())


@exercise("redblue/first-pairs")
def first_pairs(guess: Any, made: Watched) -> Verdict:
    """Answer: how many pairs the first round makes."""
    truth = len(made.happened(Kind.MATCH))
    proposals = made.happened(Kind.PROPOSE)
    asked = ", ".join(f"{blue} proposes to {red}" for blue, red in proposals)
    answers = ", ".join(f"{red} takes {blue}" for red, blue in made.happened(Kind.RESPOND))
    blue = sum(not red for _, red in made.happened(Kind.COLOUR))
    because = f"{asked}. Then {answers}. A red vertex has one answer, however many ask it."
    known = {
        len(proposals): "Those are the proposals; some went to the same red vertex.",
        blue: "Those are the blue vertices; some have no red neighbour.",
    }
    return judge(guess, truth, because, known=known)


@exercise("redblue/alone")
def alone(guess: Any, made: Watched) -> Verdict:
    """Answer: how many vertices stay unmatched."""
    truth = int((made.result.mate < 0).sum())
    rounds = range(len(made.record.header["rounds"]))
    dead = [(who, number + 1) for number in rounds for who, _ in made.happened(Kind.DIE, number)]
    names = ", ".join(f"{who} in round {number}" for who, number in dead) or "no vertex"
    because = (
        f"Dead: {names}. All their neighbours are matched, so no two of them are neighbours, and "
        "no edge could be added: the matching is maximal."
    )
    return judge(guess, truth, because)


@exercise("redblue/schedules")
def schedules(guess: Any, runs: Sequence[Watched]) -> Verdict:
    """Answer: how many runs of one graph under several schedules differ, event by event."""
    names = ("iteration", "kind", "a", "b")
    stories = set()
    orders = set()
    for made in runs:
        table = np.column_stack([made.record.events[name] for name in names])
        orders.add(table.tobytes())
        stories.add(table[np.lexsort(table.T[::-1])].tobytes())
    because = (
        f"The kernels came to their events in {len(orders)} different orders, but who is coloured, "
        "proposes, responds and is matched in which round is the same in all. A schedule decides "
        "nothing: no two threads write the same word, and none reads a word while it is written."
    )
    known = {len(runs): "Only the order differs, and the exercise ignores the order."}
    return judge(guess, len(stories), because, known=known)


def races(graph: Graph | str = "karate", *, runs: int = 3) -> str:
    """Run the paper's kernels under the race detector; return its findings."""
    problem = loaded(graph)
    found = 0
    for seed in range(runs):
        device = HostDevice(instrumented=True, policy="random", seed=seed, yield_access=0.5)
        gpucore.run("redblue", problem, variant="paper", device=device, seed=seed)
        found += len(device.profile().races)
    return f"{runs} runs, a switch between lanes at every other access to memory: {found} races"


@exercise("redblue/same-bits")
def same_bits(quarter: Hash, made: Watched, *, p: float = BEST_P) -> Verdict:
    """Compare a hash in NumPy with the colours that the kernels recorded, bit for bit.

    Parameters
    ----------
    quarter : callable
        Takes vertices (uint32) and a round's number, returns a uint32 for each vertex.
    made : Watched
        Its record has the kernels' colours.
    p : float
        Probability of blue in that run.
    """
    rounds = made.record.header["rounds"]
    numbers = round_numbers(int(made.result.params["seed"]), len(rounds))
    checked = blue = 0
    for number, r in enumerate(numbers.tolist()):
        observed = made.happened(Kind.COLOUR, number)
        vertices = np.array([vertex for vertex, _ in observed], np.uint32)
        mine = np.asarray(quarter(vertices.copy(), r)) >= blue_limit(p)
        wrong = np.flatnonzero(mine != np.array([red for _, red in observed], bool))
        if wrong.size:
            return Verdict(
                False,
                f"In round {number + 1} the kernel's colour of vertex {vertices[wrong[0]]} is "
                f"another one, as of {wrong.size} of {vertices.size} vertices.",
            )
        checked, blue = checked + vertices.size, blue + int((~mine).sum())
    return Verdict(
        True,
        f"{checked:,} colours of {len(rounds)} rounds, the same bits in NumPy as in the kernel; "
        f"{blue / max(1, checked):.1%} are blue, and p is {p:.1%}.",
    )


def rotate(words: np.ndarray, by: int) -> np.ndarray:
    """Rotate words of 32 bits to the left.

    Examples
    --------
    >>> rotate(np.array([0x80000001], np.uint32), 4).tolist()
    [24]
    """
    return (words << np.uint32(by)) | (words >> np.uint32(32 - by))


@exercise("redblue/never-changes")
def never_changes(guess: Any, *, vertices: int = 1000, rounds: int = 64) -> Verdict:
    """Answer: which vertex has the same colour in every round."""
    rows = np.array(
        [md5_colours(vertices, r, BEST_P) for r in round_numbers(0, rounds).tolist()], bool
    )
    share = rows.mean(axis=0)
    still = np.flatnonzero((share == 0) | (share == 1))
    if still.size != 1:
        raise WarplensError(f"{still.size} vertices never change; one was expected")
    others = np.delete(share, still)
    because = (
        f"0, r·0, r²·0 and so on are all 0, whatever the round's number r: vertex 0 is "
        f"{'blue' if share[still[0]] else 'red'} in all {rounds} rounds. The other {others.size} "
        f"were blue in {others.min():.0%} to {others.max():.0%} of them. Nothing goes wrong: it is "
        "enough that the others change."
    )
    return judge(guess, int(still[0]), because)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
