"""Other libraries' methods for weighted matching, to compare with."""

from gpucore.families.matching.peers import networkit_suitor, networkx_exact

PEERS = (
    networkit_suitor.METHOD,
    networkx_exact.METHOD,
)
