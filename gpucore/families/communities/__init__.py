"""Communities by modularity: the Louvain method."""

from gpucore.family import Family

FAMILY = Family(
    "communities",
    title="Communities",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_communities",
    objective=("modularity", "max"),
    algorithms={"louvain": "louvain:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    bench="bench:SUITE",
    figures="figures:PAPER",
    papers=(2,),
    networkx={
        "louvain_communities": "for_networkx:louvain_communities",
        "louvain_partitions": "for_networkx:louvain_partitions",
        "modularity": "for_networkx:modularity",
    },
)
