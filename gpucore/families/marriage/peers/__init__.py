"""Other libraries' methods for stable marriage, to compare with."""

from gpucore.cpu import matching_library

PEERS = (matching_library.METHOD, )
