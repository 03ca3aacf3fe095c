"""Warpscope's core: graph algorithms of five papers on GPU and host, recorded and certified.

>>> import gpucore
>>> result = gpucore.run("suitor", gpucore.load("karate"), device="host")
>>> result.cardinality, result.certificate.ok
(13, True)
"""

from gpucore.algorithms import algorithms, run
from gpucore.errors import GraphError, ParameterError, WarpscopeError
from gpucore.graph import Graph
from gpucore.io import load
from gpucore.result import MatchingResult, Result

__all__ = [
    "Graph",
    "GraphError",
    "MatchingResult",
    "ParameterError",
    "Result",
    "WarpscopeError",
    "algorithms",
    "load",
    "run",
]
