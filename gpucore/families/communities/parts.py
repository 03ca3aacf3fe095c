"""What the Louvain paper has; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part

PARTS = (
    Part(
        "variant",
        "seven degree groups, communities updated after each",
        "section IV",
        ("louvain.variant=buckets",),
    ),
    Part(
        "variant",
        "relaxed: communities updated once a sweep",
        "section V",
        ("louvain.variant=relaxed",),
    ),
    Part(
        "variant",
        "node centred: a thread for a vertex",
        "section III",
        ("louvain.variant=node_centred",),
    ),
    Part(
        "rule",
        "a vertex alone joins another one alone only if that has the smaller number",
        "section IV",
        ("gpucore/families/communities/kernels/louvain.cuh",),
    ),
    Part(
        "rule",
        "of communities with the same gain, the one with the lowest index",
        "section IV",
        ("gpucore/families/communities/kernels/louvain.cuh",),
    ),
    Part(
        "rule",
        "sizes of hash tables: the first prime above 1.5 times a degree",
        "section IV",
        ("gpucore.families.communities.paper.buckets:primes",),
    ),
    Part(
        "rule",
        "three groups of communities in the aggregation: degrees up to 127, up to 479, larger",
        "section IV-A",
        (
            "gpucore.families.communities.paper.contraction:WARP_DEGREE",
            "gpucore.families.communities.paper.contraction:BLOCK_DEGREE",
        ),
    ),
    Part("parameter", "t_bin, above 100,000 vertices", "section V", ("louvain.t_bin",)),
    Part("parameter", "t_final", "section V", ("louvain.t_final",)),
    Part("parameter", "the limit of 100,000 vertices", "section V", ("louvain.bin_vertices",)),
    Part("comparator", "sequential Louvain (Blondel et al.)", "section V", ("louvain_serial",)),
    Part("comparator", "adaptive sequential Louvain", "section V, figure 4", ("louvain_adaptive",)),
    Part(
        "comparator",
        "PLM (Staudt and Meyerhenke)",
        "section V",
        ("networkit_plm",),
        "NetworKit's own",
    ),
    Part(
        "comparator",
        "OpenMP code of Lu, Halappanavar, Kalyanaraman",
        "section V, figure 7",
        ("louvain_omp",),
    ),
)
