"""Warplens's core: graph algorithms of seven papers on GPU and host, recorded and certified.

>>> import gpucore
>>> result = gpucore.run("suitor", gpucore.load("karate"), device="host")
>>> result.cardinality, result.certificate.ok
(12, True)
"""

from gpucore.errors import GraphError, ParameterError, WarplensError

TYPE_CHECKING = False  # as in typing, which takes as long to import as all of this

if TYPE_CHECKING:
    from gpucore.families.exports import (
        MatchingResult,
        dulmage_mendelsohn,
        maximum_bipartite_matching,
        stable_matching,
        structural_rank,
    )
    from gpucore.family import algorithms
    from gpucore.loading import load
    from gpucore.overloads import run
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.load import load_ratings
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.result import Result
    from gpucore.solutions import check_solution, read_answer, save_solution
    from gpucore.watching.watch import watch

    __version__: str
else:
    from gpucore.run import run

__all__ = [
    "BipartiteGraph",
    "Graph",
    "GraphError",
    "MatchingResult",
    "ParameterError",
    "Ratings",
    "Result",
    "WarplensError",
    "algorithms",
    "check_solution",
    "dulmage_mendelsohn",
    "load",
    "load_ratings",
    "maximum_bipartite_matching",
    "read_answer",
    "run",
    "save_solution",
    "stable_matching",
    "structural_rank",
    "watch",
]

#: Imported when first used, because SciPy and NetworkX behind them take a second to load, and so
#: that the command line has installed its handler of Ctrl-C before anything long is imported.
#: Families declare the other names (``exports``).
_LATER = {
    "BipartiteGraph": "gpucore.problems.bipartite.graph",
    "Graph": "gpucore.problems.graph.graph",
    "Ratings": "gpucore.problems.ratings.ratings",
    "Result": "gpucore.result",
    "algorithms": "gpucore.family",
    "check_solution": "gpucore.solutions",
    "load": "gpucore.loading",
    "load_ratings": "gpucore.problems.ratings.load",
    "read_answer": "gpucore.solutions",
    "save_solution": "gpucore.solutions",
    "watch": "gpucore.watching.watch",
}


def __getattr__(name: str) -> object:
    value: object
    if name == "__version__":
        from importlib.metadata import version

        value = version("warplens")
    elif name in _LATER:
        from importlib import import_module

        value = getattr(import_module(_LATER[name]), name)
    elif name in __all__:
        from gpucore.family import exported

        value = exported(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
