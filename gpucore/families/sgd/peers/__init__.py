"""Other libraries' factorisations by stochastic gradient descent, to compare with."""

from gpucore.families.sgd.peers import cornac_mf

PEERS = (cornac_mf.METHOD,)
