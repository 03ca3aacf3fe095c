"""Matching of maximum cardinality between the rows and columns of a matrix."""

from gpucore.family import Family

FAMILY = Family(
    "bipartite",
    title="Bipartite matching",
    problem="bipartite",
    prepare="gpucore.problems.graph.prepare:for_bipartite",
    objective=("cardinality", "max"),
    algorithms={"bipartite": "gpucore.families.bipartite.run:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.families.bipartite.record:RECORD",
    bench="gpucore.families.bipartite.bench.suite:SUITE",
    papers=(3,),
)
