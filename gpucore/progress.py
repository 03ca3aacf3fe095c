"""Progress and cancelling of long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gpucore.errors import Cancelled, ParameterError

#: ``progress(phase, done, total)``; ``total`` is 0 while the amount of work is unknown.
Progress = Callable[[str, int, int], None]


class Cancel(Protocol):
    """Anything with ``is_set``; a :class:`threading.Event` fits."""

    def is_set(self) -> bool:
        """Return True once the caller wants the work to stop."""
        ...


def check_hooks(progress: object, cancel: object) -> None:
    """Raise ParameterError unless both can be used as their names say, or are None."""
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function of a phase and two numbers, not {progress!r}"
        )
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise ParameterError(f"cancel must have is_set(), like threading.Event, not {cancel!r}")


def check(cancel: Cancel | None) -> None:
    """Raise :class:`~gpucore.errors.Cancelled` if the caller asked to stop."""
    if cancel is not None and cancel.is_set():
        raise Cancelled()
