"""Other libraries' methods for bipartite matching, to compare with."""

from gpucore.families.bipartite.peers import networkx_hopcroft_karp, scipy_matching

PEERS = (
    networkx_hopcroft_karp.METHOD,
    scipy_matching.METHOD,
)
