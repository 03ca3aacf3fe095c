"""Race detectors of all ranks of a run."""

from __future__ import annotations

from gpucore.device.host import HostDevice
from support.planting import Planted


class Watched(HostDevice):
    """A device that keeps the devices of the other ranks, for their races."""

    def __init__(self, **options):
        super().__init__(**options)
        self.others = []

    def sibling(self, number):
        self.others.append(super().sibling(number))
        return self.others[-1]

    def races(self):
        return [race for device in (self, *self.others) for race in device.profile().races]


class WatchedWithMistake(Planted):
    """The same with a mistake in one source."""

    def __init__(self, library, mistake, **options):
        super().__init__(library, mistake, **options)
        self.others = []

    def sibling(self, number):
        self.others.append(super().sibling(number))
        return self.others[-1]

    races = Watched.races
