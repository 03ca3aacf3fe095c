"""Builds the instrumented test kernels once a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpucore.device.host import HostDevice
from support.planting import build

from . import planted

BUILD = Path(__file__).parents[3] / "build" / "simt-planted-tests"


@pytest.fixture(scope="session")
def library() -> Path:
    """Return the library of test kernels, correct and changed, and of mistakes in the product."""
    mistakes = planted.SYNCHRONISED + planted.PRODUCT_MISTAKES
    return build(BUILD, planted.right(), mistakes, unchanged=planted.OWN.glob("*.cu"))


@pytest.fixture(scope="session")
def host(library: Path) -> Callable[..., HostDevice]:
    """Return a function that makes an instrumented device with the given options."""

    def make(**options: Any) -> HostDevice:
        return HostDevice(library=library, instrumented=True, **options)

    return make
