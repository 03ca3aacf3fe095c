"""Other libraries' methods for weighted matching, to compare with."""

from gpucore.families.matching.peers import networkit_suitor
from gpucore.families.matching.peers import networkx_exact

PEERS = (networkit_suitor.METHOD, networkx_exact.METHOD, )
