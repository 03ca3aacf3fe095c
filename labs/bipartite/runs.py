"""What the lab on bipartite matching needs: matrices, runs to watch, and exercises on them.

Source of the methods: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching
algorithms for bipartite graphs", Euro-Par 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.families.bipartite.decomposition import DulmageMendelsohn, dulmage_mendelsohn
from gpucore.families.bipartite.record import Kind
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.format import counted
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its matrix and its record."""

    graph: BipartiteGraph
    result: BipartiteResult

    def phases(self) -> str:
        """Return one line for each phase: its levels, and the growth of the matching."""
        lines = [
            f"phase {number}: {counted(phase['levels'], 'level')}, "
            f"then {phase['cardinality']} pairs ({phase['paths']:+})"
            for number, phase in enumerate(self.record.header["phases"], 1)
        ]
        figures = self.result.figures
        begun = f"{self.result.variant}: {figures['initial_cardinality']} pairs to begin with"
        return "\n".join([begun, *lines, f"{figures['levels']} levels in all"])

    def busy(self) -> str:
        """Return how many of the lanes that tested a column found it in the frontier."""
        steps = self.record.steps
        searched = steps["level"] >= 0
        looked, frontier = (int(steps[name][searched].sum()) for name in ("looked", "frontier"))
        return f"{frontier:,} of {looked:,} columns looked at were in the frontier"


def watch(
    graph: BipartiteGraph | str,
    *,
    variant: str = "apfb_gpubfs_ct",
    seed: int | None = None,
    **params: Any,
) -> Watched:
    """Run the kernels of the paper on the host executor and record every event.

    Parameters
    ----------
    graph : BipartiteGraph or str
        A graph, or a name that :func:`gpucore.problems.bipartite.load.load_bipartite` understands.
    variant : str
        Of the kernels: apfb or apsb, gpubfs or gpubfs_wr, ct or mt.
    seed : int, optional
        Of a random schedule; without one, warps go one after the other.
    **params
        Of :func:`gpucore.run`.
    """
    loaded = load_bipartite(graph) if isinstance(graph, str) else graph
    return Watched.of("bipartite", loaded, seed, variant=variant, **params)


def small() -> BipartiteGraph:
    """Return a 5 by 5 matrix that is singular for any numeric values.

    Examples
    --------
    >>> print(small().to_matrix().toarray()[0])
    [0 0 1 0 0]
    """
    pattern = ["..#..", "#.#.#", "..#..", "###.#", "..##."]
    rows, columns = zip(
        *((r, c) for r, line in enumerate(pattern) for c, mark in enumerate(line) if mark == "#"),
        strict=True,
    )
    return BipartiteGraph.from_entries(rows, columns, (5, 5), name="small")


def figure_one() -> BipartiteGraph:
    """Return the graph of the paper's figure 1, with its names; r1 and c2 are matched first."""
    return BipartiteGraph.from_entries(
        [0, 0, 1, 2], [0, 1, 1, 1], (3, 2), name="figure 1", names=["r1", "r2", "r3", "c1", "c2"]
    )


def chain(length: int) -> tuple[BipartiteGraph, list[int]]:
    """Return a path from an unmatched column to an unmatched row, and the matching on it.

    Examples
    --------
    >>> chain(2)
    (BipartiteGraph('chain of 3', rows=3, columns=3, edges=5), [1, 2, -1])
    """
    at = np.arange(length + 1)
    graph = BipartiteGraph.from_entries(
        [*at, *at[:-1]], [*at, *at[1:]], (length + 1, length + 1), name=f"chain of {length + 1}"
    )
    return graph, [*range(1, length + 1), -1]


def races(schedules: int = 40) -> str:
    """Run figure 1 under random schedules, with and without the check; return the outcomes."""
    stopped = repaired = endless = 0
    pairs = set()
    for seed in range(schedules):
        made = race(seed)
        fixed = made.record.events["kind"] == Kind.FIX
        stopped += made.count(Kind.STOP) > 0
        repaired += bool((made.record.events["b"][fixed] >= 0).any())
        pairs.add(made.result.cardinality)
        endless += race(seed, predecessor_check=False).count(Kind.RUNAWAY) > 0
    return (
        f"{schedules} schedules: a walk was stopped in {stopped}, two walks had to be repaired in "
        f"{repaired}; pairs at the end: {', '.join(map(str, sorted(pairs)))}\n"
        f"without the check: in {endless} of them a walk went in circles"
    )


def race(seed: int, **params: Any) -> Watched:
    """Run figure 1 from its matching under a random schedule."""
    return watch(figure_one(), seed=seed, initial=[1, -1, -1], **params)


@exercise("bipartite/rank")
def rank(guess: Any, made: Watched) -> Verdict:
    """Answer: the structural rank, the most entries of which no two share a row or a column."""
    truth, graph = made.result.cardinality, made.graph
    parts = decompose(made)
    rows, columns = np.flatnonzero(parts.row_part == 2), np.flatnonzero(parts.column_part == 2)
    because = (
        f"Rows {_listed(rows)} have entries in no column but {_listed(columns)}: {len(rows)} rows "
        f"share {counted(len(columns), 'column')}, so {len(rows) - len(columns)} must go without. "
        "Whatever numbers stand in it, a matrix like this one is singular."
    )
    known = {
        min(graph.shape): "Every row has an entry, and every column; that is not enough.",
        graph.num_edges: "Those are all entries.",
    }
    return judge(guess, truth, because, known=known)


@exercise("bipartite/path-edges")
def path_edges(guess: Any, made: Watched) -> Verdict:
    """Answer: how many edges the longest augmenting path of a run has."""
    events = made.record.events
    levels = events["value"][events["kind"] == Kind.PATH]
    truth = 2 * int(levels.max(initial=0)) + 1
    flipped = made.count(Kind.FLIP)
    because = (
        "The path begins and ends with an edge that is not matched, so their number is odd. In "
        f"flipping it, {flipped} columns got another row, and there is one more pair than before."
    )
    known = {
        truth // 2: "Those are the matched edges on it.",
        truth // 2 + 1: "Those are the edges on it that will be matched.",
    }
    return judge(guess, truth, because, known=known if truth > 1 else None)


@exercise("bipartite/phases")
def phases(guess: Any, full: Watched, shortest: Watched) -> Verdict:
    """Answer: how many phases APFB needs, where APsB needs more."""
    truth, other = full.result.figures["phases"], shortest.result.figures["phases"]
    levels = [made.result.figures["levels"] for made in (full, shortest)]
    because = (
        f"APFB took {truth} phases of {levels[0] / max(1, truth):.1f} levels each, APsB {other} of "
        f"{levels[1] / max(1, other):.1f}. APsB stops its search at the first level with a path; "
        f"APFB goes on and finds longer ones, too. Each level is a launch: {levels[0]} against "
        f"{levels[1]}. The last phase of both finds nothing; that is how they know that they are "
        "done."
    )
    return judge(guess, truth, because, known={other: "That is APsB's number."})


@exercise("bipartite/needless-rows")
def needless_rows(guess: Any, made: Watched) -> Verdict:
    """Answer: how many equations are redundant according to the decomposition."""
    parts = decompose(made)
    rows, columns = int((parts.row_part == 2).sum()), int((parts.column_part == 2).sum())
    because = (
        f"The vertical part at the lower right has {rows} rows and only "
        f"{counted(columns, 'column')}: those equations have too few unknowns to be independent."
    )
    return judge(guess, rows - columns, because, known={rows: "Some of those have a column."})


def decompose(made: Watched) -> DulmageMendelsohn:
    """Return the Dulmage-Mendelsohn decomposition from a run's matching."""
    return dulmage_mendelsohn(made.graph, made.result.row_match)


def _listed(numbers: np.ndarray) -> str:
    return " and ".join(", ".join(map(str, numbers)).rsplit(", ", 1))
