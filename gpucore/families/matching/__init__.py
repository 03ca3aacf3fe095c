"""Half-approximate weighted matching: GPU-Suitor and locally dominant edges.

Read ``suitor.py`` first, which a run enters::

    suitor.py, ld.py   one run: parameters, rounds; hubs.py has vertices of long rows
    outcome.py         the graph on a device, and the result
    record.py          records; order.py has which event must come before which
    suitor_ranks.py, ld_ranks.py   several devices; *_program.py and *_peers.py are their rounds
    methods.py         methods for the processor; native.py calls cpu/
    certificate.py     the check of a result; it shares no code with the above
    bench/             benchmarks, and the paper's figures
"""

from gpucore.family import BreakEven, Family

FAMILY = Family(
    "matching",
    title="Weighted matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={
        "suitor": "suitor:ALGORITHM",
        "ld": "ld:ALGORITHM",
    },
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(1,),
    exports={"MatchingResult": "result:MatchingResult"},
    networkx={
        "maximal_matching": "for_networkx:maximal_matching",
        "is_matching": "for_networkx:is_matching",
        "is_maximal_matching": "for_networkx:is_maximal_matching",
        "is_perfect_matching": "for_networkx:is_perfect_matching",
    },
    networkx_about={
        "maximal_matching": "The locally dominant matching of equal weights, which is maximal; "
        "another one than NetworkX's.",
    },
    # Measured on a processor: benchmarks/results/networkx-host.json.
    networkx_least={
        "maximal_matching": BreakEven(None, 8192),
        "is_matching": BreakEven(None, 2048),
        "is_maximal_matching": BreakEven(512, 256),
        "is_perfect_matching": BreakEven(None, 2048),
    },
)
