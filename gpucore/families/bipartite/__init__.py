"""Matching of maximum cardinality between the rows and columns of a matrix."""

from gpucore.family import BreakEven, Family

FAMILY = Family(
    "bipartite",
    title="Bipartite matching",
    problem="bipartite",
    prepare="gpucore.problems.bipartite.prepare:for_bipartite",
    objective=("cardinality", "max"),
    algorithms={"bipartite": "run:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(3,),
    files={"initial": "initial_matching:read_initial"},
    exports={
        "dulmage_mendelsohn": "for_scipy:dulmage_mendelsohn",
        "maximum_bipartite_matching": "for_scipy:maximum_bipartite_matching",
        "structural_rank": "for_scipy:structural_rank",
    },
    networkx={
        "hopcroft_karp_matching": "for_networkx:hopcroft_karp_matching",
        "eppstein_matching": "for_networkx:eppstein_matching",
        "to_vertex_cover": "for_networkx:to_vertex_cover",
    },
    networkx_about={
        "hopcroft_karp_matching": "Maximum, certified by König's theorem; not always NetworkX's "
        "pairs.",
        "eppstein_matching": "See hopcroft_karp_matching.",
    },
    # Measured on a processor: benchmarks/results/networkx-host.json.
    networkx_least={
        "hopcroft_karp_matching": BreakEven(2048, 2048),
        "eppstein_matching": BreakEven(1024, 1024),
        "to_vertex_cover": BreakEven(64, 64),
    },
)
