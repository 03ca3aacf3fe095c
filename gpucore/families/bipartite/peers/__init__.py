"""Other libraries' methods for bipartite matching, to compare with."""

from gpucore.families.bipartite.peers import ecl_mm, networkx_hopcroft_karp, scipy_matching

PEERS = (
    ecl_mm.METHOD,
    networkx_hopcroft_karp.METHOD,
    scipy_matching.METHOD,
)
