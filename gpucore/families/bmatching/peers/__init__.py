"""Other libraries' methods for weighted b-matching, to compare with."""

from gpucore.families.bmatching.peers import networkit_bsuitor

PEERS = (networkit_bsuitor.METHOD,)
