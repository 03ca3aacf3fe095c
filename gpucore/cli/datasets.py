"""``warpscope datasets``: the graphs that come with the package."""

from __future__ import annotations

def datasets() -> None:
    """List the bundled graphs."""
    from gpucore.datasets import datasets as names

    for name in names():
        print(name)
