"""The paper's methods on the processor."""

from gpucore.families.bipartite.methods import (
    disjoint_bfs_omp,
    hkdw,
    hopcroft_karp,
    hopcroft_karp_omp,
    pothen_fan,
    pothen_fan_omp,
)

METHODS = (
    disjoint_bfs_omp.METHOD,
    hkdw.METHOD,
    hopcroft_karp.METHOD,
    hopcroft_karp_omp.METHOD,
    pothen_fan.METHOD,
    pothen_fan_omp.METHOD,
)
