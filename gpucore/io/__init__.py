"""Graphs and preferences from the outside world: data sets, generators, files, libraries.

>>> load("karate")
Graph('karate', vertices=34, edges=78)
"""

from gpucore.problems.bipartite.load import load_bipartite, load_bipartite_bytes
from gpucore.io.convert import from_networkx, from_scipy, to_networkx, to_scipy
from gpucore.io.files import FORMATS, save
from gpucore.problems.graph.load import load, load_bytes
from gpucore.io.matrix_market import read_matrix_market
from gpucore.problems.preferences.save import preferences_text, save_preferences
from gpucore.problems.preferences.load import PREFERENCE_FORMATS, load_preferences, load_preferences_bytes
from gpucore.problems.rebuild import rebuild
from gpucore.problems.roommates.load import load_roommates, load_roommates_bytes, roommates_text
from gpucore.io.stream import Source
from gpucore.limits import Limits

__all__ = [
    "FORMATS",
    "PREFERENCE_FORMATS",
    "Limits",
    "Source",
    "from_networkx",
    "from_scipy",
    "load",
    "load_bipartite",
    "load_bipartite_bytes",
    "load_bytes",
    "load_preferences",
    "load_preferences_bytes",
    "load_roommates",
    "load_roommates_bytes",
    "preferences_text",
    "read_matrix_market",
    "rebuild",
    "roommates_text",
    "save",
    "save_preferences",
    "to_networkx",
    "to_scipy",
]
