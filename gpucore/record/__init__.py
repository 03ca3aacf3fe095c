"""What happened inside a run: recorded on the device, stored, replayed."""

from __future__ import annotations

from gpucore.record.recorder import Level, RawRecord, Recorder

__all__ = ["Level", "RawRecord", "Recorder"]
