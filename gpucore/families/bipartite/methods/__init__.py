"""The paper's methods on the processor."""

from gpucore.families.bipartite.methods import hkdw
from gpucore.families.bipartite.methods import hopcroft_karp
from gpucore.families.bipartite.methods import pothen_fan

METHODS = (hkdw.METHOD, hopcroft_karp.METHOD, pothen_fan.METHOD, )
