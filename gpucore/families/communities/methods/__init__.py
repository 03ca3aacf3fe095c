"""The paper's methods on the processor."""

from gpucore.cpu import louvain_adaptive
from gpucore.cpu import louvain_serial

METHODS = (louvain_adaptive.METHOD, louvain_serial.METHOD, )
