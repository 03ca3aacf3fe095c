"""Half-approximate weighted matching: GPU-Suitor and locally dominant edges."""

from gpucore.family import Family

FAMILY = Family(
    "matching",
    title="Weighted matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={"suitor": "gpucore.algorithms.suitor:ALGORITHM", "ld": "gpucore.algorithms.ld:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.record.matching:RECORD",
    bench="gpucore.bench.matching:SUITE",
    papers=(1,),
)
