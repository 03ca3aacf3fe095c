"""What paper IV has; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part

PARTS = (
    Part("variant", "McVitie-Wilson, CUDA", "section 4", ("marriage.variant=mw",)),
    Part(
        "variant",
        "Gale-Shapley, CUDA",
        "section 4",
        ("marriage.variant=gs",),
        "the paper chose not to implement it",
    ),
    Part("parameter", "who proposes", "section 2", ("marriage.proposers",)),
    Part("parameter", "threads of a block", "section 4", ("marriage.threads_per_block",)),
    Part("comparator", "Gale-Shapley, sequential", "section 2", ("gale_shapley",)),
    Part("comparator", "McVitie-Wilson, sequential", "section 2", ("mcvitie_wilson",)),
    Part("comparator", "Gale-Shapley, OpenMP", "section 4", ("gale_shapley_omp",)),
    Part("comparator", "McVitie-Wilson, OpenMP", "section 4", ("mcvitie_wilson_omp",)),
    Part("comparator", "Irving's algorithm for stable roommates", "section 2.1", ("irving",)),
    Part(
        "comparator",
        "stable fixtures (Irving and Scott)",
        "section 2.1",
        ("irving_scott",),
    ),
)
