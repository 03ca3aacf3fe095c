"""Lab on warps: lanes, divergence, coalescing and atomics."""
