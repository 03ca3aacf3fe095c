"""Communication of a host launch with its caller: progress, cancelling, Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from gpucore import native
from gpucore.progress import Cancel, Progress

# A lane that spins without calling the executor never reaches the place where the executor polls. A
# launch that still runs this many seconds after it was cancelled is stopped by a signal.
_PATIENCE = 0.5
_WATCH_INTERVAL = 0.1

_GO_ON, _STOP = 0, 1


class Listener:
    """Answers the executor's poll, every 50 ms on the launching thread: continue or stop.

    Attributes
    ----------
    function
        For :attr:`gpucore.native.Request.poll`.
    raised : BaseException or None
        Exception of the progress callback, or KeyboardInterrupt, that stopped the launch.
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
        """Prepare for a launch of the kernel `name` with this number of blocks."""
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
            except BaseException as error:  # the launch must end before it can be raised
                self.raised = error
                answer = _STOP


@contextmanager
def watch(cancel: Cancel, tear_off: Callable[[], None]) -> Iterator[None]:
    """Call `tear_off` repeatedly if the block does not end soon after `cancel` is set."""
    ended = threading.Event()

    def wait() -> None:
        while not cancel.is_set():
            if ended.wait(_WATCH_INTERVAL):
                return
        while not ended.wait(_PATIENCE):
            tear_off()

    watcher = threading.Thread(target=wait, name="warplens-cancel", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
