"""Sparse matrices as bipartite graphs of their rows and columns."""

from gpucore.problem import ProblemKind

KIND = ProblemKind(
    "bipartite",
    noun="a matrix of rows and columns",
    missing="there is no matrix",
    read="load:read",
    dataset="load:load_bipartite_dataset",
    generators="generate:BIPARTITE_GENERATORS",
    generators_key="bipartite_generators",
    generators_title="Generators of matrices",
    size="size:size",
    members="size:members",
    steps="prepare:STEPS",
    step_notes="prepare:STEP_NOTES",
    convert="load:twin",
    accepts=("graph",),
    permute="prepare:permute_sides",
    layout="rails",
    archive="archive:restore",
    archive_key="num_rows",
    benchmarks="benchmarks:BENCHMARKS",
    small="uniform:rows=500,columns=500",
    help="Bipartite algorithms take matrices: southern_women, uniform:rows=100,columns=80, a "
    "Matrix Market file of any shape, or a graph's adjacencies.",
)
