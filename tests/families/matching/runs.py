"""The matching algorithms and their variants, as the tests run them."""

from __future__ import annotations

from gpucore.family import get_runner

EVERYTHING = [
    (name, {"variant": variant})
    for name in ("ld", "suitor")
    for variant in get_runner(name).variant_names
]
NAMES = ["-".join([name, *params.values()]) for name, params in EVERYTHING]
