"""Other libraries' methods for bipartite matching, to compare with."""

from gpucore.cpu import networkx_hopcroft_karp
from gpucore.cpu import scipy_matching

PEERS = (networkx_hopcroft_karp.METHOD, scipy_matching.METHOD, )
