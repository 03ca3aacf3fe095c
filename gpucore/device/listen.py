"""How a launch on the host hears its caller: progress, cancelling, Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from gpucore import native
from gpucore.progress import Cancel, Progress

# A lane that spins without ever meeting others does not come past the place where the executor
# asks. A launch that goes on so long (in seconds) after it was cancelled is torn off.
_PATIENCE = 0.5
_WATCH_INTERVAL = 0.1

_GO_ON, _STOP = 0, 1


class Listener:
    """Tells the executor, which asks every 50 ms on the launching thread, to go on or to stop.

    Attributes
    ----------
    function
        For :attr:`gpucore.native.Request.poll`.
    raised : BaseException or None
        What the progress callback raised, or KeyboardInterrupt; the launch was stopped.
    """

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self._name = ""
        self._blocks = 0
        self._cancel: Cancel | None = None
        self._progress: Progress | None = None
        answers = self._answers()
        next(answers)
        # A generator's `send` and not a function: Ctrl-C is raised where Python code is entered,
        # which in a function is before its `try`, but in a generator within it.
        self.function = native.PollFunction(answers.send)

    def prepare(
        self, name: str, blocks: int, cancel: Cancel | None, progress: Progress | None
    ) -> None:
        """Get ready for the launch of kernel `name` with so many blocks."""
        self.raised = None
        self._name, self._blocks = name, blocks
        self._cancel, self._progress = cancel, progress

    def _answers(self) -> Generator[int, int, None]:
        answer = _GO_ON
        while True:
            try:
                done = yield answer
                answer = _GO_ON
                if self._progress is not None:
                    self._progress(self._name, done, self._blocks)
                if self._cancel is not None and self._cancel.is_set():
                    answer = _STOP
            except GeneratorExit:
                raise
            except BaseException as error:  # the launch has to end before it can be raised
                self.raised = error
                answer = _STOP


@contextmanager
def watch(cancel: Cancel, tear_off: Callable[[], None]) -> Iterator[None]:
    """Call `tear_off` again and again, if the block does not end soon after `cancel` is set."""
    ended = threading.Event()

    def wait() -> None:
        while not cancel.is_set():
            if ended.wait(_WATCH_INTERVAL):
                return
        while not ended.wait(_PATIENCE):
            tear_off()

    watcher = threading.Thread(target=wait, name="warpscope-cancel", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
