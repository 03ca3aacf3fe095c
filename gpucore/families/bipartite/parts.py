"""What the paper on bipartite matching has; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part

_VARIANTS = tuple(
    Part(
        "variant",
        f"{phases}, GPUBFS{'-WR' * bool(search)}, {threads.upper()}",
        "section 3 and table 1",
        (f"bipartite.variant={phases.lower()}_gpubfs{search}_{threads}",),
    )
    for phases in ("APFB", "APsB")
    for search in ("", "_wr")
    for threads in ("mt", "ct")
)
PARTS = (
    *_VARIANTS,
    Part(
        "rule",
        "cheap matching to begin with, the same for all methods",
        "section 4",
        ("bipartite.initial",),
    ),
    Part(
        "rule",
        "ALTERNATE checks the predecessor of a matched row",
        "algorithm 3, line 8",
        ("bipartite.predecessor_check",),
    ),
    Part(
        "rule",
        "ALTERNATE starts from the right rows only (APsB-GPUBFS-WR)",
        "section 3",
        ("gpucore/families/bipartite/kernels/bipartite.cu",),
    ),
    Part(
        "parameter",
        "CT: 256 x 256 threads",
        "section 4",
        ("bipartite.threads_per_block", "bipartite.blocks"),
    ),
    Part(
        "parameter",
        "MT: a thread for a column, at most as many as the card has",
        "section 4",
        ("bipartite.most_threads",),
    ),
    Part("comparator", "HK", "section 4", ("hopcroft_karp",)),
    Part("comparator", "HKDW, which APFB follows", "sections 2 and 3", ("hkdw",)),
    Part("comparator", "PFP", "section 4", ("pothen_fan",)),
    Part("comparator", "P-PFP", "section 4", ("pothen_fan_omp",)),
    Part("comparator", "P-DBFS", "section 4", ("disjoint_bfs_omp",)),
    Part("comparator", "P-HK", "section 4", ("hopcroft_karp_omp",)),
)
