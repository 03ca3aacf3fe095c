"""Records of runs: recorded on the device, put in order, stored, replayed.

:class:`Recorder` holds the buffers that kernels write to; a family builds a :class:`Record` from
them (:mod:`gpucore.families.matching.record`), and a :class:`~gpucore.record.timeline.Timeline`
from the record.
"""

from __future__ import annotations

from gpucore.record.record import Record
from gpucore.record.recorder import Level, RawRecord, Recorder
from gpucore.record.timeline import Player, Timeline

__all__ = ["Level", "Player", "RawRecord", "Record", "Recorder", "Timeline"]
