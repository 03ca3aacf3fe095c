"""Methods on the processor."""

from gpucore.cpu import irving

METHODS = (irving.METHOD, )
