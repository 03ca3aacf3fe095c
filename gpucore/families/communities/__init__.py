"""Communities by modularity: the Louvain method."""

from gpucore.family import Family

FAMILY = Family(
    "communities",
    title="Communities",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_communities",
    objective=("modularity", "max"),
    algorithms={"louvain": "gpucore.algorithms.louvain:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.record.communities:RECORD",
    bench="gpucore.bench.communities:SUITE",
    papers=(2,),
)
