"""Other libraries' methods for communities, to compare with."""

from gpucore.cpu import igraph_multilevel
from gpucore.cpu import networkit_plm
from gpucore.cpu import networkx_louvain

PEERS = (igraph_multilevel.METHOD, networkit_plm.METHOD, networkx_louvain.METHOD, )
