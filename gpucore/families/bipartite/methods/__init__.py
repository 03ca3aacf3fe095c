"""The paper's methods on the processor."""

from gpucore.families.bipartite.methods import hkdw, hopcroft_karp, pothen_fan

METHODS = (
    hkdw.METHOD,
    hopcroft_karp.METHOD,
    pothen_fan.METHOD,
)
