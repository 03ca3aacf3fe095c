"""What the tests of the matching algorithms share: what to run, and on which schedule."""

from __future__ import annotations

from gpucore.device import get_device
from gpucore.families.matching.suitor import VARIANTS

EVERYTHING = [("ld", {}), *(("suitor", {"variant": variant}) for variant in VARIANTS)]
NAMES = ["-".join([name, *params.values()]) for name, params in EVERYTHING]


def random_schedule(seed):
    """Return a device on which lanes, warps and blocks take turns at random."""
    return get_device(
        "host",
        policy="random",
        seed=seed,
        resident=1 + seed % 4,
        yield_atomic=0.5,
        strict=True,
        poison=True,
    )
