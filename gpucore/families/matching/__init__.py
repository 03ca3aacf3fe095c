"""Half-approximate weighted matching: GPU-Suitor and locally dominant edges."""

from gpucore.family import BreakEven, Family

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
    bench="bench:SUITE",
    figures="figures:PAPER",
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
    # Measured on a processor: benchmarks/results/networkx-host.json.
    networkx_least={
        "maximal_matching": BreakEven(None, 8192),
        "is_matching": BreakEven(None, 2048),
        "is_maximal_matching": BreakEven(512, 256),
        "is_perfect_matching": BreakEven(None, 2048),
    },
)
