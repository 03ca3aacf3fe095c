"""Communities by modularity: the Louvain method."""

from gpucore.family import Family

FAMILY = Family(
    "communities",
    title="Communities",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_communities",
    objective=("modularity", "max"),
    algorithms={"louvain": "gpucore.families.communities.louvain:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="gpucore.families.communities.record:RECORD",
    bench="gpucore.families.communities.bench:SUITE",
    papers=(2,),
)
