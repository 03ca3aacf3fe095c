"""Stable marriage, hospitals and residents, many-to-many; its equivalence with greedy matching."""

from gpucore.family import Family

FAMILY = Family(
    "marriage",
    title="Stable marriage",
    problem="preferences",
    prepare="gpucore.problems.preferences.prepare:for_marriage",
    objective=("cardinality", "max"),
    algorithms={"marriage": "run:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(5,),
    exports={"stable_matching": "for_scipy:stable_matching"},
    builds_on=("matching", "roommates"),
)
