"""Greedy graph colouring: neighbours get different colours, as few as a greedy method needs."""

from gpucore.family import Family

FAMILY = Family(
    "colouring",
    title="Graph colouring",
    problem="graph",
    objective=("colours", "min"),
    algorithms={"colouring": "run:ALGORITHM"},
    methods="methods:METHODS",
    record="record:RECORD",
    bench="bench:SUITE",
)
