"""Variants of GPU-Suitor and of GPU-LD, the defaults first."""

from gpucore.runner import Variant

#: What to look for begins with this in several variants.
_ROUNDS = (
    "Look at the first columns with “Vertices held”: the warps of a block are four neighbouring "
    "rows (at 128 threads a block)"
)

SUITOR = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: edges that cannot win any more are left out early.",
        look_for="A few columns, and the last ones almost empty: as in NoSync no warp waits, and "
        "each goes on until its vertices are settled.",
        wide=True,
    ),
    Variant(
        "nosync",
        "No synchronisation (NoSync)",
        about="Every warp goes on by itself until its vertices are settled.",
        look_for="Look for the long tail: to the right only a few cells are left, one here and "
        "one there. Those warps go on with displaced vertices while all others are done and idle. "
        "Run SyncLB on the same graph to compare.",
    ),
    Variant(
        "sync_lb",
        "Synchronised, levelled (SyncLB)",
        about="The warps of a block meet after every iteration and share out the vertices that "
        "were displaced, so that no warp waits for an overloaded one.",
        look_for=f"{_ROUNDS} and alike in colour, because they share out what is left after every "
        "iteration. In NoSync and SyncNoLB some are dark and others pale. Work is shared within a "
        "block only, so blocks still differ.",
    ),
    Variant(
        "sync_nolb",
        "Synchronised, not levelled (SyncNoLB)",
        about="The warps of a block meet after every iteration, but keep their vertices.",
        look_for=f"{_ROUNDS}, and some of them are dark where others are pale: they meet after "
        "every iteration, but the light ones wait for the heavy one instead of helping it.",
    ),
    Variant(
        "hybrid",
        "Synchronised first, then free (Hybrid)",
        about="The first iterations share the work out, the rest go on without meeting.",
        look_for="The first columns are levelled as in SyncLB; those behind have NoSync's long "
        "tail, which is thin by then.",
    ),
)

LD = (
    Variant(
        "ld",
        "A thread for a vertex (LD)",
        about="Every vertex points to its heaviest free neighbour; two that point to each other "
        "are matched.",
        look_for="Every round asks the vertices that are still free: the rows pale from left to "
        "right as pairs leave.",
    ),
    Variant(
        "warp",
        "A warp for a vertex",
        about="The same with a warp for a vertex (ours): the lanes read one adjacency side by "
        "side, so no thread walks along a hub's neighbours alone.",
        look_for="A warp reads one adjacency at a time, so short ones leave most of its lanes "
        "idle: see “Idle lanes” on a road map, then on a graph with hubs.",
    ),
)
