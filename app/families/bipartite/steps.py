"""The steps of bipartite matching's pseudo-code: event, explanation, and line of the kernel."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.families.bipartite.record import Kind

from ...code.book import Step

_MATCH: tuple[str, Mapping[str, str]] = (
    "Cheap: each column takes the first row of its list that is still free. Karp–Sipser: a vertex "
    "with one free neighbour left goes first. The search has to find the other pairs.",
    {"bipartite_initial.cu": "if (won != NONE) TELL(MATCH, rows + (by_row ? won : mine)"},
)

#: Name of a line, kind of event, explanation, and line of the kernel.
_PAPER: tuple[tuple[str, Kind, str, Mapping[str, str]], ...] = (
    ("match", Kind.MATCH, *_MATCH),
    (
        "phase",
        Kind.PHASE,
        "If the matching is not the largest, an alternating path leads from an unmatched column to "
        "an unmatched row (Berge). All such columns search at once.",
        {"bipartite.cu": "bfs[column] = unmatched ? L0 : UNSEEN;"},
    ),
    (
        "reach",
        Kind.REACH,
        "To give up its row, a column needs another one: so the search goes on from there, one "
        "level deeper. Several columns may reach the same row; the last one stays.",
        {"bipartite.cu": "simt_store(s.bfs + mate, s.level + 1);"},
    ),
    (
        "path",
        Kind.PATH,
        "Along this path every column can move on to the next row, and there is one pair more. The "
        "promise keeps the row from being taken for matched or for free.",
        {"bipartite.cu": "simt_store(s.rmatch + row, PROMISED);"},
    ),
    (
        "flip",
        Kind.FLIP,
        "The column leaves its row to the column that reached it, and takes the next row. No "
        "thread waits for another: that is fast, and wrong where two paths meet.",
        {"bipartite.cu": "simt_store(w.cmatch + column, row);"},
    ),
    (
        "stop",
        Kind.STOP,
        "The column's row was reached from this very column: another walk has been here and has "
        "written it. Going on would send the two walks after each other for ever.",
        {"bipartite.cu": "if (w.checked && before != NONE && w.predecessor[before] == column) {"},
    ),
    (
        "fix",
        Kind.FIX,
        "Two walks gave one column to two rows, or a walk stopped early: one row keeps the column, "
        "the other one is free again. Speculate, then repair: no lock is ever taken.",
        {"bipartite.cu": "rmatch[row] = NONE;"},
    ),
    (
        "runaway",
        Kind.RUNAWAY,
        "Without the check for the predecessor two walks may chase each other in a circle. No path "
        "has more rows than there are, so this walk is stopped.",
        {"bipartite.cu": "atomicAdd(w.state + RUNAWAYS, 1);"},
    ),
)

_FAST: tuple[tuple[str, Kind, str, Mapping[str, str]], ...] = (
    ("match", Kind.MATCH, *_MATCH),
    (
        "phase",
        Kind.PHASE,
        "Trees grow from all unmatched columns at once. Blocks synchronise between levels, so the "
        "host has nothing to do before the end.",
        {"bipartite_fast.cu": "TELL(PHASE, at.phase + 2"},
    ),
    (
        "reach",
        Kind.REACH,
        "A row is claimed by one tree only. So trees are disjoint, their paths cannot cross, and "
        "nothing has to be repaired afterwards.",
        {"bipartite_fast.cuh": "atomicCAS(f.parent + row, NONE, from)"},
    ),
    (
        "path",
        Kind.PATH,
        "A root needs only one path, so its tree is finished and grows no further.",
        {"bipartite_fast.cuh": "atomicCAS(f.leaf + root, NONE, row)"},
    ),
    (
        "flip",
        Kind.FLIP,
        "From the path's last row up to the root: each column takes the row that it reached and "
        "leaves its old one. One thread a tree, since no other tree has these rows.",
        {"bipartite_fast.cu": "f.cmatch[column] = row;"},
    ),
    (
        "free",
        Kind.FREE,
        "The tree is used up. Trees without a path stay in the forest: they need not be searched "
        "again in the next phase.",
        {"bipartite_fast.cu": "TELL(FREE, row"},
    ),
    (
        "graft",
        Kind.GRAFT,
        "A row whose tree is gone joins a tree that is still there, and the search goes on from "
        "its column, instead of starting from nothing.",
        {"bipartite_fast.cu": "row, share, GRAFT, next"},
    ),
)


def paper_steps(lines: Mapping[str, int]) -> dict[int, Step]:
    """Return the steps of the paper's variants; `lines` maps names of lines to numbers."""
    return {kind: Step(lines[name], why, places) for name, kind, why, places in _PAPER}


def fast_steps(lines: Mapping[str, int]) -> dict[int, Step]:
    """Return the steps of the tuned variant."""
    return {kind: Step(lines[name], why, places) for name, kind, why, places in _FAST}
