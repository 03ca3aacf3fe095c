"""What the SGD paper has; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part

PARTS = (
    Part("variant", "EL: edge-locked, edges shuffled", "section IV", ("sgd.variant=el_shuffled",)),
    Part("variant", "EL, edges in CSR order", "section IV", ("sgd.variant=el",)),
    Part("variant", "NL: node-locked", "section IV", ("sgd.variant=nl",)),
    Part("variant", "AGM-E", "section III", ("sgd.variant=agm_e",)),
    Part("variant", "AGM-N", "section III", ("sgd.variant=agm_n",)),
    Part("variant", "SGM", "section III", ("sgd.variant=sgm",)),
    Part("variant", "diagonal matchings", "section III", ("sgd.variant=diag",)),
    Part("variant", "blocked diagonal matchings", "section III", ("sgd.variant=blkdiag",)),
    Part("variant", "hybrid: NL, then EL", "section V-B", ("sgd.variant=nl_el",)),
    Part(
        "variant",
        "hybrid: EL for high degrees, SGM for the rest",
        "section V-B",
        ("sgd.variant=el_sgm",),
    ),
    Part(
        "rule",
        "performance model: cost of an offline and of an online schedule",
        "section V",
        (
            "gpucore.families.sgd.cost:offline_cost",
            "gpucore.families.sgd.cost:online_cost",
        ),
    ),
    Part(
        "rule",
        "a thread processes an edge; in Diag a thread has one component",
        "sections III and IV",
        ("gpucore/families/sgd/kernels/sgd.cuh",),
        "k/2 lanes, 32 at most, process a rating in every schedule: with k = 16 as many threads "
        "have an eighth of the ratings at a time",
    ),
    Part(
        "rule",
        "BlkDiag keeps the vectors of a block in registers or shared memory",
        "section III-B",
        ("gpucore/families/sgd/kernels/sgd_offline.cu",),
        "ours reads and writes them in memory at each rating: ratings of a tile share no reads",
    ),
    Part(
        "rule",
        "EL: threads make passes over the edges that are left",
        "section IV-A",
        ("gpucore.families.sgd.conflicts:contenders",),
        "passes over few ratings take fewer workers, unless `threads` is given: fewer tries find a "
        "lock taken; figures 7 and 8 divide by its time",
    ),
    Part("parameter", "non-negative factors", "section II", ("sgd.positive",)),
    Part("parameter", "components of a vector", "section II", ("sgd.k",)),
    Part("parameter", "learning rate and regularisation", "section II", ("sgd.rate", "sgd.reg")),
    Part("parameter", "sweeps", "section II", ("sgd.sweeps",)),
    Part("parameter", "threads of the device", "section III", ("sgd.threads",)),
    Part("parameter", "tiles of a diagonal", "section III", ("sgd.tile_items", "sgd.tile_users")),
    Part("parameter", "nodes of high degree (EL and SGM)", "section V-B", ("sgd.head",)),
    Part("comparator", "AMD R9-290X", "table I", (), "OpenCL on another vendor's card"),
)
