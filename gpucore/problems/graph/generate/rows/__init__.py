"""Graphs whose rows each rank generates for itself, on its device, without communication.

Random numbers are hashes of a seed and a counter (of an edge, a vertex, or both ends of an edge),
so any number of ranks gives the same graph, bit by bit, on every device. The generators of
:mod:`gpucore.problems.graph.generate` draw from NumPy's stream in one order: they give other graphs
of the same kinds.
"""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.problems.graph.generate.rows.grid import GridRows
from gpucore.problems.graph.generate.rows.plan import Plan
from gpucore.problems.graph.generate.rows.planted import PlantedRows
from gpucore.problems.graph.generate.rows.rgg import RggRows
from gpucore.problems.graph.generate.rows.rmat import RmatRows
from gpucore.specification import arguments

#: What can be generated in parts, by the names that graph specifications use.
PLANS: Mapping[str, type[Plan]] = {
    plan.name: plan for plan in (RmatRows, RggRows, GridRows, PlantedRows)
}


def plan_of(spec: str) -> Plan | None:
    """Return the plan that a specification names; None if it names something else.

    Raises
    ------
    GraphError
        The parameters are wrong.

    Examples
    --------
    >>> plan_of("grid_rows:rows=3,columns=4").num_vertices, plan_of("karate")
    (12, None)
    """
    name, _, parameters = spec.partition(":")
    if name not in PLANS:
        return None
    return PLANS[name](**arguments(PLANS, name, parameters))
