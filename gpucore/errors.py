"""All errors that a user can meet; each text is one sentence with the cause and the fix."""

from __future__ import annotations


class WarplensError(Exception):
    """Base class of all deliberate errors; the text can be shown to a user."""


class GraphError(WarplensError, ValueError):
    """A graph, or the file it should come from, is not usable."""


class ParameterError(WarplensError, ValueError):
    """A parameter is unknown or out of its range."""


class RecordError(WarplensError, ValueError):
    """A record file or its content is not usable."""


class DeviceError(WarplensError, RuntimeError):
    """A device is missing, unsuitable or out of memory."""


class KernelError(DeviceError):
    """A kernel was launched wrongly, or failed while it ran (deadlock, crash, broken rule)."""


class KernelCompileError(DeviceError):
    """A kernel's source did not compile; the text holds the compiler's log."""


class MissingDependency(WarplensError, ImportError):
    """An optional package is not installed; the text says how to get it."""


class Cancelled(WarplensError):
    """The work, a run or a load, was cancelled by its caller."""

    def __init__(self, text: str = "the work was cancelled") -> None:
        super().__init__(text)
