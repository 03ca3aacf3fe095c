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
    dataset="load:load_roommates_dataset",
    size="size:size",
    members="size:members",
    steps="prepare:STEPS",
    step_notes="prepare:STEP_NOTES",
    convert="load:of_graph",
    accepts=("graph",),
    for_run="load:for_run",
    lists="roommates:Roommates",
    layout="circle",
    small="irving_6",
    help="Stable roommates take irving_6, roommates:n=100, a JSON file or any graph.",
)
