"""Other libraries' methods for stable marriage, to compare with."""

from gpucore.families.marriage.peers import matching_library

PEERS = (matching_library.METHOD,)
