"""The matching algorithms and their variants, as the tests run them."""

from __future__ import annotations

from gpucore.family import get_runner

VARIANTS = get_runner("suitor").variant_names


EVERYTHING = [
    ("ld", {}),
    ("ld", {"variant": "warp"}),
    *(("suitor", {"variant": variant}) for variant in VARIANTS),
]
NAMES = ["-".join([name, *params.values()]) for name, params in EVERYTHING]
