"""Other libraries' methods for communities, to compare with."""

from gpucore.families.communities.peers import igraph_multilevel, networkit_plm, networkx_louvain

PEERS = (
    igraph_multilevel.METHOD,
    networkit_plm.METHOD,
    networkx_louvain.METHOD,
)
