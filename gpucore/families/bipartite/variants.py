"""Variants of bipartite matching, the default first: ours, and the paper's eight."""

from gpucore.runner import Variant

_FAST = Variant(
    "fast",
    "Tuned for speed",
    about="Tuned for speed: a frontier instead of a look at every column, disjoint trees, "
    "grafting, and one launch for all levels.",
    look_for="Look at “Only looked”: a level costs what its frontier has, not a look at every "
    "column. Narrow levels leave one block at work, and the others wait.",
)

_PHASES = {
    "apfb": (
        "Paths of all lengths (APFB)",
        "APFB: a phase searches until nothing new is reached, and finds paths of all lengths.",
    ),
    "apsb": (
        "Shortest paths (APsB)",
        "APsB: a phase ends with the first level that finds a path: short phases, and many.",
    ),
}
_SEARCH = {
    "_wr": (
        ", trees stop at a path (WR)",
        "A tree that has a path grows no more (GPUBFS-WR).",
    ),
    "": (
        "",
        "Trees grow on although they have a path (GPUBFS): more to search, more conflicts.",
    ),
}
_THREADS = {
    "ct": (
        "a fixed number of threads (CT)",
        "A fixed number of threads takes the columns in turn.",
        "A fixed number of threads takes the columns in turn; a small matrix needs few warps.",
    ),
    "mt": (
        "a thread a column (MT)",
        "Every column has a thread.",
        "A thread has one column, so the rows below each other are warps of neighbouring columns.",
    ),
}
_LOOKS = (
    "Every column is a launch, most of them a level of a search. Look at “Only looked”: "
    "a level looks at all columns, although few are in its frontier, and the paper's kernels pay "
    "for all of them."
)


def _paper(phases: str, search: str, threads: str) -> Variant:
    phase, tree, columns = _PHASES[phases], _SEARCH[search], _THREADS[threads]
    return Variant(
        f"{phases}_gpubfs{search}_{threads}",
        f"{phase[0]}{tree[0]}, {columns[0]}",
        about=f"{phase[1]} {tree[1]} {columns[1]}",
        look_for=f"{_LOOKS} {columns[2]}",
    )


VARIANTS = (
    _FAST,
    *(
        _paper(phases, search, threads)
        for phases in _PHASES
        for search in _SEARCH
        for threads in _THREADS
    ),
)
