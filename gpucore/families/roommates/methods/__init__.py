"""Methods on the processor."""

from gpucore.families.roommates.methods import irving, irving_scott

METHODS = (irving.METHOD, irving_scott.METHOD)
