"""Runs on ranks that address each other's memory: how often they deliver, whatever their graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gpucore.families.matching import peers_program


@contextmanager
def deliveries(*, again: bool) -> Iterator[None]:
    """Within it, proposals after the first round are always collected and delivered, or never."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peers_program, "FEW_GHOSTS", 1000 if again else -1)
        yield
