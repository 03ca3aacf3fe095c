"""The variants of b-Suitor, as the tests run them."""

from __future__ import annotations

import gpucore
from gpucore.families.bmatching.params import LISTS, WORKERS
from gpucore.family import get_runner

PUBLISHED = [name for name in get_runner("bmatching").variant_names if name != "fast"]
EVERYTHING = [
    {"variant": "fast"},
    *(
        {"variant": variant, "worker": worker, "lists": order}
        for variant in PUBLISHED
        for worker in WORKERS
        for order in LISTS
    ),
]
NAMES = ["-".join(params.values()) for params in EVERYTHING]


def find(graph, b, device, params, **options):
    """Run b-Suitor on a graph."""
    return gpucore.run("bmatching", graph, device=device, b=b, **params, **options)
