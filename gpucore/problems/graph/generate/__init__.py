"""Synthetic graphs: seeded, deterministic, bounded, reproducible from ``source["spec"]``.

All random numbers come from ``numpy.random.default_rng(seed)``, in a fixed order; those of
``rmat_rows``, ``rgg_rows``, ``grid_rows`` and ``planted_rows`` are hashes instead, so that a device
can generate the graph in its memory, and each rank of a run on several devices its own rows
(:mod:`gpucore.problems.graph.generate.rows`). Every function has these keywords besides its own
parameters:

``weights`` : {"unit", "uniform", "integer"}
    No weights (all 1, unweighted); uniform in (0, 1]
    (:func:`gpucore.problems.graph.prepare.random_weights`); integers from 1 to 100, with many ties.
``weight_seed`` : int
    Seed of the weights, independent of the structure's.
``limits`` : Limits, optional
    Larger graphs are refused with a GraphError before anything is allocated.

"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.problems.graph.generate.planar import delaunay, grid, random_geometric
from gpucore.problems.graph.generate.random import erdos_renyi, planted_partition, rmat
from gpucore.problems.graph.generate.rows import PLANS
from gpucore.problems.graph.generate.rows.plan import whole
from gpucore.problems.graph.generate.teaching import complete, cycle, path, star
from gpucore.problems.graph.graph import Graph

#: The generators by the names that graph specifications use ("rmat:scale=10,seed=1").
GENERATORS: dict[str, Callable[..., Graph]] = {
    "rmat": rmat,
    "rgg": random_geometric,
    "delaunay": delaunay,
    "grid": grid,
    "planted": planted_partition,
    "gnp": erdos_renyi,
    "path": path,
    "cycle": cycle,
    "star": star,
    "complete": complete,
    **{name: whole(plan) for name, plan in PLANS.items()},
}
