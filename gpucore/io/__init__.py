"""Graphs from the outside world: data sets, generators, files, NetworkX, SciPy.

>>> load("karate")
Graph('karate', vertices=34, edges=78)
"""

from gpucore.io.bipartite import load_bipartite, load_bipartite_bytes
from gpucore.io.convert import from_networkx, from_scipy, to_networkx, to_scipy
from gpucore.io.files import FORMATS, save
from gpucore.io.load import load, load_bytes
from gpucore.io.matrix_market import read_matrix_market
from gpucore.io.rebuild import rebuild
from gpucore.io.stream import Source
from gpucore.limits import Limits

__all__ = [
    "FORMATS",
    "Limits",
    "Source",
    "from_networkx",
    "from_scipy",
    "load",
    "load_bipartite",
    "load_bipartite_bytes",
    "load_bytes",
    "read_matrix_market",
    "rebuild",
    "save",
    "to_networkx",
    "to_scipy",
]
