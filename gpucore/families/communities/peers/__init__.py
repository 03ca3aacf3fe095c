"""Other libraries' methods for communities, to compare with."""

from gpucore.families.communities.peers import (
    cugraph_louvain,
    igraph_multilevel,
    networkit_plm,
    networkx_louvain,
    sahu_louvain,
)

PEERS = (
    *cugraph_louvain.METHODS,
    igraph_multilevel.METHOD,
    networkit_plm.METHOD,
    networkx_louvain.METHOD,
    *sahu_louvain.METHODS,
)
