"""Stable marriage, hospitals and residents, many-to-many; its equivalence with greedy matching."""

from gpucore.family import Family

FAMILY = Family(
    "marriage",
    title="Stable marriage",
    problem="preferences",
    prepare="gpucore.problems.graph.prepare:for_marriage",
    objective=("cardinality", "max"),
    algorithms={"marriage": "gpucore.families.marriage.run:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.families.marriage.record:RECORD",
    bench="gpucore.families.marriage.bench.suite:SUITE",
    papers=(5,),
    builds_on=("matching", "roommates"),
)
