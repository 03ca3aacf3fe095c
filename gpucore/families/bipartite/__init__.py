"""Matching of maximum cardinality between the rows and columns of a matrix."""

from gpucore.family import Family

FAMILY = Family(
    "bipartite",
    title="Bipartite matching",
    problem="bipartite",
    prepare="gpucore.problems.graph.prepare:for_bipartite",
    objective=("cardinality", "max"),
    algorithms={"bipartite": "gpucore.algorithms.bipartite:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.record.bipartite:RECORD",
    bench="gpucore.bench.bipartite:SUITE",
    papers=(3,),
)
