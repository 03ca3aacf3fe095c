"""Stable roommates: Irving's algorithm on the processor."""

from gpucore.family import Family

FAMILY = Family(
    "roommates",
    title="Stable roommates",
    problem="roommates",
    prepare="gpucore.problems.roommates.prepare:for_roommates",
    objective=("solvable", "max"),
    methods="methods:METHODS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    papers=(5,),
)
