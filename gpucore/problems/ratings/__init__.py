"""Ratings of items by users: sparse matrices whose values are to be factorised."""

from gpucore.problem import ProblemKind

KIND = ProblemKind(
    "ratings",
    noun="a matrix of ratings",
    missing="there are no ratings",
    read="load:read",
    dataset="load:load_rating_dataset",
    generators="generate:RATINGS_GENERATORS",
    generators_key="ratings_generators",
    generators_title="Generators of ratings",
    size="size:size",
    members="size:members",
    steps="prepare:STEPS",
    step_notes="prepare:STEP_NOTES",
    convert="prepare:with_ratings",
    accepts=("bipartite", "graph"),
    permute="gpucore.problems.bipartite.prepare:permute_sides",
    layout="rails",
    archive="archive:restore",
    archive_key="num_users",
    archive_arrays=("values",),
    benchmarks="benchmarks:BENCHMARKS",
    small="scale_free:users=200,items=50,ratings=2000",
    help="Factorisation takes ratings: sample_ratings, "
    "scale_free:users=200,items=50,ratings=2000, a CSV file of users, items and ratings, a Matrix "
    "Market file of any shape, or a graph's adjacencies with made-up ratings.",
)
