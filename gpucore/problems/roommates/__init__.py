"""Instances of stable roommates: each person ranks some of the others."""

from gpucore.problem import ProblemKind

KIND = ProblemKind(
    "roommates",
    noun="an instance of stable roommates",
    missing="there is no instance of stable roommates",
    read="load:read",
    generators="load:GENERATORS",
    generators_key="roommates_generators",
    generators_title="Generators of stable roommates",
    size="size:size",
    members="size:members",
    convert="load:of_graph",
    accepts=("graph",),
    help="Stable roommates take a JSON file, roommates:n=100 or any graph.",
)
