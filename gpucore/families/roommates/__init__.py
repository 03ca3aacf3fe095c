"""Stable roommates: Irving's algorithm on the processor."""

from gpucore.family import Family

FAMILY = Family(
    "roommates",
    title="Stable roommates",
    problem="roommates",
    objective=("solvable", "max"),
    methods="methods:METHODS",
    solution="solution:SOLUTION",
    papers=(5,),
)
