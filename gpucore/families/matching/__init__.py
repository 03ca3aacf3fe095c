"""Half-approximate weighted matching: GPU-Suitor and locally dominant edges."""

from gpucore.family import Family

FAMILY = Family(
    "matching",
    title="Weighted matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={
        "suitor": "suitor:ALGORITHM",
        "ld": "ld:ALGORITHM",
    },
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(1,),
    networkx={
        "maximal_matching": "for_networkx:maximal_matching",
        "is_matching": "for_networkx:is_matching",
        "is_maximal_matching": "for_networkx:is_maximal_matching",
        "is_perfect_matching": "for_networkx:is_perfect_matching",
    },
    networkx_about={
        "maximal_matching": "The locally dominant matching of equal weights, which is maximal; "
        "another one than NetworkX's.",
    },
)
