"""Instances of stable marriage: preference lists of two sides."""

from gpucore.problem import ProblemKind

KIND = ProblemKind(
    "preferences",
    noun="an instance of stable marriage",
    missing="there are no preferences",
    read="load:read",
    dataset="load:load_preference_dataset",
    generators="generate:PREFERENCE_GENERATORS",
    generators_key="preference_generators",
    generators_title="Generators of preferences",
    size="size:size",
    members="size:members",
    steps="prepare:STEPS",
    step_notes="prepare:STEP_NOTES",
    convert="load:of_graph",
    accepts=("bipartite", "graph"),
    for_run="load:for_run",
    lists="preferences:Preferences",
    layout="in_order",
    small="easy:n=200",
    help="Stable marriage takes preferences: gale_shapley_4, easy:n=1000, lists as JSON or CSV, "
    "ranks as .npz, or any graph or matrix.",
)
