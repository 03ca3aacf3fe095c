"""Cache of each device's last problem, so that repeated runs do not copy it again."""

from __future__ import annotations

import weakref
from typing import Generic, TypeVar

from gpucore.device.base import Device

P = TypeVar("P")
T = TypeVar("T")


class Resident(Generic[P, T]):
    """Keeps the last problem of each device in its form on the device."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[Device, tuple[weakref.ref[P], T]]
        self._kept = weakref.WeakKeyDictionary()

    def find(self, device: Device, problem: P) -> T | None:
        """Return a problem's form on the device; if the last problem was another, free it: None."""
        kept = self._kept.get(device)
        if kept is not None and kept[0]() is problem:
            return kept[1]
        self._kept.pop(device, None)
        return None

    def keep(self, device: Device, problem: P, form: T) -> T:
        """Store a problem's form on a device, and return it."""
        self._kept[device] = (weakref.ref(problem), form)
        return form
