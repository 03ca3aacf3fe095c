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
    Part("parameter", "components of a vector", "section II", ("sgd.k",)),
    Part("parameter", "learning rate and regularisation", "section II", ("sgd.rate", "sgd.reg")),
    Part("parameter", "sweeps", "section II", ("sgd.sweeps",)),
    Part("parameter", "threads of the device", "section III", ("sgd.threads",)),
    Part("parameter", "tiles of a diagonal", "section III", ("sgd.tile_items", "sgd.tile_users")),
    Part("parameter", "nodes of high degree (EL and SGM)", "section V-B", ("sgd.head",)),
    Part("comparator", "AMD R9-290X", "table I", (), "OpenCL on another vendor's card"),
)
