"""Communities by modularity: the Louvain and the Leiden method.

Read ``louvain.py`` first, which a run enters, then ``stages.py``, its loop::

    louvain.py     one run: parameters (params, rules), searches (starts), the result
    stages.py      optimise and contract; stage.py has a stage's graph, reports.py the log
    fast/          the variants "fast" and "leiden"; begin with phase.py
    paper/         the paper's variants "buckets", "relaxed", "node_centred"; begin with phase.py
    record.py      records; hierarchy, gains and timeline turn them into what is replayed
    methods.py     methods for the processor; native.py calls cpu/, cpu_record.py makes records
    certificate.py the check of a result; it shares no code with the above
    bench/         benchmarks, and the paper's figures
"""

from gpucore.family import BreakEven, Family

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
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(2,),
    networkx={
        "louvain_communities": "for_networkx:louvain_communities",
        "louvain_partitions": "for_networkx:louvain_partitions",
        "leiden_communities": "for_networkx:leiden_communities",
        "leiden_partitions": "for_networkx:leiden_partitions",
        "modularity": "for_networkx:modularity",
    },
    networkx_about={
        "louvain_communities": "Vertices move in another order than in NetworkX, so the "
        "communities differ; their modularity is certified. `seed` has no effect: a small graph is "
        "searched several times, with other orders, and the best communities are returned.",
        "louvain_partitions": "See louvain_communities.",
        "leiden_communities": "Every community is connected, and the modularity is certified. "
        "`seed` and `theta` have no effect. A small graph is searched several times on a GPU, once "
        "on a processor. NetworkX's default metric is another one from 3.7 on; this is "
        '`metric="modularity"`.',
        "leiden_partitions": "The parts of every level's refinement, and last the communities; see "
        "leiden_communities.",
    },
    # Measured on a processor: benchmarks/results/networkx-host.json.
    networkx_least={
        "louvain_communities": BreakEven(512, 512),
        "louvain_partitions": BreakEven(512, 512),
        "modularity": BreakEven(2048, 1024),
    },
    networkx_tests={
        **dict.fromkeys(
            (
                "test_louvain.py::test_karate_club_partition",
                "test_louvain.py::test_undirected_selfloops",
                "test_louvain.py::test_none_weight_param",
            ),
            "those of a seed of NetworkX have modularity .41880, ours .41979",
        ),
        "test_louvain.py::test_multigraph": "NetworkX's own of the multigraph have modularity "
        ".4393 in the graph, ours .4438",
        "test_leiden.py::test_expected_stable_across_code_changes_qmod": "those of a seed of "
        "NetworkX have modularity .67179 at a resolution of .4, ours .67166",
        "test_leiden.py::test_weights_matter[modularity]": "ours have 2 levels with weights and "
        "without; a seed of NetworkX has more with weights",
    },
)
