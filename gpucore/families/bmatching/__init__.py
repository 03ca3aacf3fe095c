"""Half-approximate weighted b-matching: every vertex may have up to b(v) mates."""

from gpucore.family import Family

FAMILY = Family(
    "bmatching",
    title="Weighted b-matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={"bmatching": "run:ALGORITHM"},
    record="record:RECORD",
    methods="methods:METHODS",
    peers="peers:PEERS",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    files={"b": "capacity:read_b"},
    papers=(6,),
    builds_on=("matching",),
)
