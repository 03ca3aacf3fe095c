"""Other libraries' methods for weighted matching, to compare with."""

from gpucore.cpu import networkit_suitor
from gpucore.cpu import networkx_exact

PEERS = (networkit_suitor.METHOD, networkx_exact.METHOD, )
