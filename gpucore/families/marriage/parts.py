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
    Part(
        "rule",
        "incomplete lists (SMI): who is not listed is not acceptable",
        "section 2",
        ("gpucore.problems.preferences.preferences:Preferences",),
    ),
    Part(
        "rule",
        "Lemma 3.1: the greedy matching is the only stable marriage of G'",
        "section 3",
        ("gpucore.families.marriage.equivalence:lemma_31",),
    ),
    Part(
        "rule",
        "greedy b-matching and the stable many-to-many assignment",
        "section 3",
        ("gpucore.families.marriage.equivalence_many:b_matching",),
    ),
    Part(
        "rule",
        "greedy b-matching and stable fixtures",
        "section 3",
        ("gpucore.families.marriage.equivalence_many:fixtures",),
    ),
    Part(
        "rule",
        "the easy data set: (1 + ε) ln n women a list, at random",
        "section 4",
        ("gpucore.problems.preferences.generate:easy",),
    ),
    Part(
        "rule",
        "the hard data set: all men have one list, all women one",
        "section 4",
        ("gpucore.problems.preferences.generate:hard",),
    ),
    Part("parameter", "who proposes", "section 2", ("marriage.proposers",)),
    Part("parameter", "threads of a block", "section 4", ("marriage.threads_per_block",)),
    Part("comparator", "Gale-Shapley, sequential", "section 2", ("gale_shapley",)),
    Part("comparator", "McVitie-Wilson, sequential", "section 2", ("mcvitie_wilson",)),
    Part("comparator", "Gale-Shapley, OpenMP", "section 4", ("gale_shapley_omp",)),
    Part(
        "comparator",
        "McVitie-Wilson, OpenMP",
        "section 4",
        ("mcvitie_wilson_omp",),
        "with own lists a thread has twelve men in turn, each with a stack; in the paper one",
    ),
    Part("comparator", "Irving's algorithm for stable roommates", "section 2.1", ("irving",)),
    Part(
        "comparator",
        "stable fixtures (Irving and Scott)",
        "section 2.1",
        ("irving_scott",),
    ),
)
