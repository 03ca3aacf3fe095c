"""Methods on the processor."""

from gpucore.families.roommates.methods import irving

METHODS = (irving.METHOD,)
