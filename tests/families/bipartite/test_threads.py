"""Several OS threads: blocks may be later than in any seeded schedule."""

from __future__ import annotations

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.family import get_runner
from gpucore.problems.bipartite.generate import BIPARTITE_GENERATORS

VARIANTS = get_runner("bipartite").variant_names

MATRIX = BIPARTITE_GENERATORS["uniform"](rows=500, columns=500, degree=3, seed=1)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("initial", ["none", "cheap", "short_first", "karp_sipser"])
def test_blocks_that_are_late_read_what_was_meant_for_them(threads: int, initial: str) -> None:
    """A block that runs ahead writes the count on which the other blocks decide."""
    sizes = set()
    for _ in range(10):
        device = get_device("host", threads=threads)
        result = gpucore.run("bipartite", MATRIX, device=device, variant="fast", initial=initial)
        assert result.certificate is not None and result.certificate.ok
        sizes.add(result.figures["cardinality"])
    assert len(sizes) == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_on_two_threads(variant: str) -> None:
    device = get_device("host", threads=2)
    result = gpucore.run("bipartite", MATRIX, device=device, variant=variant)
    assert result.certificate is not None and result.certificate.ok
