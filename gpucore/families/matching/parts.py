"""What paper I has: algorithms, variants, parameters; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part

PARTS = (
    Part("variant", "GPU-Suitor (NoSync)", "algorithm 4", ("suitor.variant=nosync",)),
    Part("variant", "GPU-Suitor-SyncLB", "section 4", ("suitor.variant=sync_lb",)),
    Part("variant", "GPU-Suitor-SyncNoLB", "section 4", ("suitor.variant=sync_nolb",)),
    Part("variant", "GPU-Suitor-Hybrid", "section 4", ("suitor.variant=hybrid",)),
    Part("variant", "GPU-LD", "section 2, table 1", ("ld.variant=ld",)),
    Part(
        "parameter",
        "threads per block: 128, 192, 256",
        "section 5.3",
        ("suitor.threads_per_block", "ld.threads_per_block"),
    ),
    Part(
        "parameter",
        "vertices per warp: 8 to 256, and fewer than 8",
        "section 5.3",
        ("suitor.vertices_per_warp",),
    ),
    Part(
        "parameter",
        "first iterations that are load balanced (Hybrid)",
        "section 4",
        ("suitor.lb_iterations",),
    ),
    Part("comparator", "OMP-Suitor", "algorithm 3", ("suitor_omp",)),
    Part("comparator", "OMP-LD", "algorithm 1", ("ld_omp",)),
    Part("comparator", "Suitor, sequential", "section 2", ("suitor_serial",)),
    Part("comparator", "locally dominant, sequential", "section 2", ("ld_serial",)),
    Part("comparator", "Greedy", "section 2", ("greedy",)),
)
