"""Runs on ranks that address each other's memory: how often they deliver, whatever their graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from gpucore.families.matching import peers_program


@contextmanager
def deliveries(*, again: bool) -> Iterator[None]:
    """Within it, proposals after the first round are always collected and delivered, or never."""
    with patch.object(peers_program, "FEW_GHOSTS", 1000 if again else -1):
        yield
