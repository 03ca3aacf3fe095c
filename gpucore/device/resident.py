"""Cache of each device's last problem, so that repeated runs do not copy it again."""

from __future__ import annotations

import weakref
from typing import Any, Generic, TypeVar

from gpucore.device.base import Device

P = TypeVar("P")
T = TypeVar("T")


_CACHES: weakref.WeakSet[Resident[Any, Any]] = weakref.WeakSet()


def release(device: Device) -> None:
    """Free all problems that are kept on a device, those of every family.

    Measurements of memory begin with it: a problem that an earlier run left is not theirs.
    """
    for cache in list(_CACHES):
        cache.release(device)


class Resident(Generic[P, T]):
    """Keeps the last problem of each device in its form on the device."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[Device, tuple[weakref.ref[P], T]]
        self._kept = weakref.WeakKeyDictionary()
        _CACHES.add(self)

    def release(self, device: Device) -> None:
        """Free the problem that is kept on a device, if there is one."""
        self._kept.pop(device, None)

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
