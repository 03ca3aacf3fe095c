"""The bar that starts and stops work and shows its progress; it is always visible."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from ..cards import note
from ..errors import Guard

_CHANGED = "The form has changed: Run computes what it describes now."


class RunBar:
    """Buttons Run and Cancel over a progress bar.

    Parameters
    ----------
    on_run, on_cancel : callable
        Called without arguments.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self, on_run: Callable[[], None], on_cancel: Callable[[], None], guard: Guard
    ) -> None:
        self.run = w.Button(description="Run", disabled=True).add_class("ws-run")
        self.cancel = w.Button(description="Cancel", disabled=True).add_class("ws-cancel")
        self._bar = w.FloatProgress(min=0, max=1)
        self._phase = w.HTML()
        self._progress = w.VBox([self._bar, self._phase]).add_class("ws-progress")
        buttons = w.HBox([self.run, self.cancel]).add_class("ws-buttons")
        self._changed = w.HTML(_status(""))
        self.widget = (
            w.VBox([self._changed, buttons, self._progress])
            .add_class("ws-card")
            .add_class("ws-runbar")
        )
        self.run.on_click(guard(lambda _: on_run()))
        self.cancel.on_click(guard(lambda _: on_cancel()))
        self.idle(ready=False)

    def busy(self, phase: str, done: int, total: int) -> None:
        """Show the progress of running work."""
        self._progress.layout.display = None
        self.cancel.disabled = False
        self._bar.value = done / total if total else 0
        if total:
            self._progress.remove_class("ws-endless")
        else:
            self._progress.add_class("ws-endless")
        self._phase.value = note(phase[:1].upper() + phase[1:])

    def mark(self, changed: bool) -> None:
        """Show whether the form describes another run than the page shows."""
        (self.run.add_class if changed else self.run.remove_class)("ws-changed")
        self.run.tooltip = _CHANGED if changed else ""
        self._changed.value = _status(_CHANGED if changed else "")

    def idle(self, ready: bool) -> None:
        """Show that no work is running; `ready` enables Run."""
        self._progress.layout.display = "none"
        self.cancel.disabled = True
        self.run.disabled = not ready


def _status(text: str) -> str:
    """Return a line that screen readers read when it changes."""
    return f'<p class="ws-note" role="status">{text}</p>'
