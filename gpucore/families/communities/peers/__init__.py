"""Other libraries' methods for communities, to compare with."""

from gpucore.families.communities.peers import igraph_multilevel
from gpucore.families.communities.peers import networkit_plm
from gpucore.families.communities.peers import networkx_louvain

PEERS = (igraph_multilevel.METHOD, networkit_plm.METHOD, networkx_louvain.METHOD, )
