"""Undirected graphs, weighted or not."""

from gpucore.problem import ProblemKind

KIND = ProblemKind(
    "graph",
    noun="a graph",
    missing="there is no graph",
    read="load:read",
    dataset="load:load_dataset",
    generators="generate:GENERATORS",
    generators_key="generators",
    generators_title="Generators of graphs, with their parameters and defaults",
    size="size:size",
    members="size:members",
    steps="prepare:STEPS",
    step_notes="prepare:STEP_NOTES",
    benchmarks="benchmarks:BENCHMARKS",
    small="rmat:scale=10,seed=1",
    help="A data set (karate), a generator (rmat:scale=10,seed=1), or a file: Matrix Market, "
    "METIS, DIMACS, edge list (columns by title or --columns) or .npz, also gzipped.",
)
