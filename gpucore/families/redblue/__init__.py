"""Greedy maximal matching by colours: blue vertices propose, red ones respond."""

from gpucore.family import Family

FAMILY = Family(
    "redblue",
    title="Red/blue matching",
    problem="graph",
    prepare="gpucore.problems.graph.prepare:for_matching",
    objective=("weight", "max"),
    algorithms={"redblue": "run:ALGORITHM"},
    methods="methods:METHODS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(4,),
    builds_on=("matching",),
)
