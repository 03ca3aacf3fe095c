"""Matrix factorisation by stochastic gradient descent, under many synchronisation strategies."""

from gpucore.family import Family

FAMILY = Family(
    "sgd",
    title="SGD matrix factorisation",
    problem="ratings",
    prepare="gpucore.problems.ratings.prepare:for_ratings",
    objective=("rmse", "min"),
    algorithms={"sgd": "run:ALGORITHM"},
    methods="methods:METHODS",
    peers="peers:PEERS",
    record="record:RECORD",
    solution="solution:SOLUTION",
    bench="bench.suite:SUITE",
    figures="bench.figures:PAPER",
    papers=(7,),
)
