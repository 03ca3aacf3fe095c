"""Half-approximate weighted matching: GPU-Suitor and locally dominant edges."""

from gpucore.family import Family

FAMILY = Family(
    "matching",
    title="Weighted matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={
        "suitor": "gpucore.families.matching.suitor:ALGORITHM",
        "ld": "gpucore.families.matching.ld:ALGORITHM",
    },
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.families.matching.record:RECORD",
    bench="gpucore.families.matching.bench:SUITE",
    papers=(1,),
)
