"""Problems from objects of NetworkX and SciPy, where what they mean is beyond doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.errors import GraphError

if TYPE_CHECKING:
    from gpucore.family import Family


def from_library(problem: Any, family: Family) -> Any:
    """Return a problem of a family from a graph of NetworkX or a sparse matrix of SciPy.

    Other values are returned as they are. A graph is prepared as the family declares; without
    weights each edge weighs 1, as in NetworkX.

    Parameters
    ----------
    problem
        Anything.
    family : Family
        What it is for.

    Raises
    ------
    GraphError
        Such an object does not say what the family needs; the text says how to give it.
    """
    library = _library(problem)
    if library is None:
        return problem
    if family.problem == "graph":
        graph = _graph(problem, library)
        # Weights of 1 are its own, so that no step makes random ones.
        return family.prepared(graph.with_attributes(weighted=True))
    if family.problem == "bipartite" and library == "scipy":
        from gpucore.problems.bipartite.graph import BipartiteGraph

        return BipartiteGraph.from_matrix(problem)
    raise GraphError(_advice(family, library))


def check_problem(problem: Any, kind: str, runner: str) -> None:
    """Raise GraphError unless a value is a graph, or a problem of the kind that `runner` solves.

    Which graphs an algorithm takes is its own check.
    """
    from gpucore.problem import get_kind
    from gpucore.problems.graph.graph import Graph

    if isinstance(problem, Graph) or getattr(type(problem), "kind", None) == kind:
        return
    wanted, given = get_kind(kind), type(problem)
    library = given.__module__.partition(".")[0]  # others have a class Graph, too
    name = given.__name__ if library == "builtins" else f"{library}.{given.__name__}"
    text = f"{runner} needs {wanted.noun}, not {name}; load one with {wanted.loader}"
    if kind in ("graph", "bipartite") and getattr(problem, "ndim", 0) == 2:
        text += ", or give a matrix as scipy.sparse.csr_array(matrix)"
    raise GraphError(text)


def _library(problem: Any) -> str | None:
    """Return the library of a graph of NetworkX or a sparse matrix of SciPy, without importing."""
    for kind in type(problem).__mro__:
        top = kind.__module__.partition(".")[0]
        if top == "networkx" and hasattr(problem, "adjacency"):
            return top
        if kind.__module__.startswith("scipy.sparse"):
            return "scipy"
    return None


def _graph(problem: Any, library: str) -> Any:
    from gpucore.problems.graph.convert import from_networkx, from_scipy

    return from_networkx(problem) if library == "networkx" else from_scipy(problem)


def _advice(family: Family, library: str) -> str:
    from gpucore.problem import get_kind

    kind = get_kind(family.problem)
    ways = {
        "bipartite": "networkx.bipartite.biadjacency_matrix gives the matrix, whose rows and "
        "columns it matches",
        "ratings": "gpucore.Ratings.from_entries takes users, items and ratings as arrays",
    }
    name = "a graph of NetworkX" if library == "networkx" else "a matrix of SciPy"
    way = ways.get(kind.name, f"load a file with {kind.loader}")
    return f"{family.name} needs {kind.noun}, and {name} does not say which; {way}"
