"""The paper's methods on the processor."""

from gpucore.cpu import hkdw
from gpucore.cpu import hopcroft_karp
from gpucore.cpu import pothen_fan

METHODS = (hkdw.METHOD, hopcroft_karp.METHOD, pothen_fan.METHOD, )
