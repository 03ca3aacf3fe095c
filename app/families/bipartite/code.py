"""The code of bipartite matching: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithms 1 to 4 of Deveci, Kaya, Uçar, Çatalyürek, "GPU
accelerated maximum cardinality matching algorithms for bipartite graphs", Euro-Par 2013, and its
function FIXMATCHING. The eight variants are composed of the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.families.bipartite.variants import VARIANTS

from ...code.book import CodeBook, Listing, Reason
from .steps import fast_steps, paper_steps

#: A line and the name by which a step refers to it; most have none.
Lines = Sequence[str | tuple[str, str]]

_PAPER = "after Deveci, Kaya, Uçar and Çatalyürek, Euro-Par 2013"


def _phases(shortest: bool) -> Lines:
    return (
        ("rows and columns get a first matching", "match"),
        "repeat, phase by phase:                  (1)",
        ("    every unmatched column is a root, level 0", "phase"),
        "    repeat, level by level:",
        "        search one level",
        "    until it found a path, or nothing new"
        if shortest
        else "    until it found nothing new",
        "    alternate along the paths, all at once",
        "    fix what contradicts itself",
        "until a phase finds no path",
    )


def _search(with_roots: bool) -> Lines:
    number = 4 if with_roots else 2
    at_root: Lines = ("            if the root of c has a path: leave it out",)
    hand_down: Lines = ("                    the root of d ← the root of c",)
    mark_root: Lines = ("                    the root of c has a path",)
    return (
        f"to search one level                      ({number})",
        "    for each column c, all at once",
        "        if c is on this level:",
        *(at_root if with_roots else ()),
        "            for each row r of c",
        "                if r is matched, to the column d:",
        "                    if d is on no level yet:",
        ("                    d is on the next one, by way of r", "reach"),
        "                    the predecessor of r ← c",
        *(hand_down if with_roots else ()),
        "                else if r is unmatched:",
        ("                    promise r: a path ends here", "path"),
        "                    the predecessor of r ← c",
        *(mark_root if with_roots else ()),
    )


def _alternate(exact: bool) -> Lines:
    begin: Lines = (
        ("    for each root with a path, all at once", "    r ← the row at the end of its path")
        if exact
        else ("    for each promised row r, all at once",)
    )
    return (
        "to alternate                             (3)",
        *begin,
        ("        repeat", "runaway"),
        "            c ← the predecessor of r",
        "            s ← the row to which c is matched",
        ("            if c is the predecessor of s: stop", "stop"),
        ("            match c with r", "flip"),
        "            r ← s",
        "        until there is no s: c was a root",
    )


_FIX: Lines = (
    "to fix what contradicts itself",
    "    for each row r, all at once",
    "        if r names a column that has another row,",
    "            or r is still promised:",
    ("            r is unmatched", "fix"),
)

_FAST: Lines = (
    ("rows and columns get a first matching", "match"),
    "each unmatched column is a tree, and the frontier",
    ("repeat, phase by phase, all in one launch:", "phase"),
    "    repeat, level by level:",
    "        deal the frontier's edges out to the lanes;",
    "        if few rows are left, they look for c:",
    "        an edge from c, of a tree without a path, to r",
    "            c's tree claims r by CAS",
    ("            r is matched: its column joins the tree", "reach"),
    ("            r is unmatched: the tree has a path", "path"),
    "    until the frontier is empty, or paths wait",
    "    for each tree with a path, all at once",
    ("        match its way up, row by row, to the root", "flip"),
    ("        its rows and columns leave the forest", "free"),
    "    if much of the forest is left:",
    ("        rows that left join the trees they touch", "graft"),
    "    else restart it with all unmatched columns",
    "until no tree has a path",
)


def _joined(*parts: Lines) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the lines of several parts with blank ones between, and where the named ones are."""
    lines: list[str] = []
    places: dict[str, int] = {}
    for part in parts:
        if lines:
            lines.append("")
        for line in part:
            text, name = (line, "") if isinstance(line, str) else line
            lines.append(text)
            if name:
                places[name] = len(lines)
    return tuple(lines), places


def _listing(variant: str) -> Listing:
    """Return the pseudo-code of a variant."""
    if variant == "fast":
        lines, at = _joined(_FAST)
        return Listing("Grow trees, flip, graft", "Ours; see the kernel", lines, fast_steps(at))
    shortest, with_roots = variant.startswith("apsb"), "_wr_" in variant
    lines, at = _joined(
        _phases(shortest), _search(with_roots), _alternate(shortest and with_roots), _FIX
    )
    return Listing(
        "Search in waves, alternate, fix",
        f"Algorithms 1, {4 if with_roots else 2} and 3, {_PAPER}",
        lines,
        paper_steps(at),
    )


def _note(variant: str) -> str:
    if variant == "fast":
        return ""
    whole = (
        "A phase ends with the first level that finds a path: only shortest ones."
        if variant.startswith("apsb")
        else "A phase goes on until nothing new is reached: paths of all lengths."
    )
    threads = (
        "“All at once”: a thread for each."
        if variant.endswith("mt")
        else "“All at once”: a fixed number of threads, each of which takes many in turn."
    )
    return f"{whole} {threads}"


_ANYWHERE = "each lane looks up {} of another row, and the rows' numbers lie anywhere"
_OWN_LIST = "each lane walks along the list of a column of its own, so the lanes are lists apart"
_WAITS = "few lanes have a column of this level, and all wait for the longest list among them"

_REASONS = (
    Reason("bipartite.cu", "const int row = columns.indices[e];", sectors=_OWN_LIST, lanes=_WAITS),
    Reason(
        "bipartite.cu",
        "const int mate = simt_load(s.rmatch + row);",
        sectors=_ANYWHERE.format("the match"),
        lanes=_WAITS,
    ),
    Reason(
        "bipartite.cu",
        "const int column = w.predecessor[row];",
        lanes="a lane walks only if a path ends at its row, and paths have different lengths",
    ),
)

_SHARED = ("bipartite.cuh", "bipartite_initial.cu")

_NAMES = tuple(variant.name for variant in VARIANTS)

CODE = CodeBook(
    listings={("bipartite", variant): _listing(variant) for variant in _NAMES},
    files={
        ("bipartite", variant): (
            ("bipartite_fast.cu", "bipartite_fast_levels.cuh", "bipartite_fast.cuh", *_SHARED)
            if variant == "fast"
            else ("bipartite.cu", *_SHARED)
        )
        for variant in _NAMES
    },
    reasons=_REASONS,
    notes={variant: _note(variant) for variant in _NAMES},
)
