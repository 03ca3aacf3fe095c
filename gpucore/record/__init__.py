"""What happened inside a run: recorded on the device, put in order, stored, replayed.

:class:`Recorder` holds the buffers that kernels write to; a family makes a :class:`Record` of
them (:mod:`gpucore.families.matching.record`), and a :class:`~gpucore.record.timeline.Timeline` of
that.
"""

from __future__ import annotations

from gpucore.record.record import Record
from gpucore.record.recorder import Level, RawRecord, Recorder
from gpucore.record.timeline import Player, Timeline

__all__ = ["Level", "Player", "RawRecord", "Record", "Recorder", "Timeline"]
