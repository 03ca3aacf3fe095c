"""Cancel events for tests, and methods that start once they are cancelled."""

from __future__ import annotations

import threading


class Stop:
    """Asked once before the run, then from beside it."""

    def __init__(self, before):
        self.before = before
        self.asked = 0

    def is_set(self):
        self.asked += 1
        return self.before or self.asked > 1


class Later:
    """Asks for an end after having been asked a number of times."""

    def __init__(self, patience):
        self.patience = patience

    def is_set(self):
        self.patience -= 1
        return self.patience < 0


class OnceCancelled:
    """The native library; a method starts when its caller's request to stop has reached it.

    A quick method may have ended before the request does, on a busy machine.
    """

    def __init__(self, library):
        self._library = library

    def __getattr__(self, name):
        method = getattr(self._library, name)

        def start(*arguments):
            for thread in threading.enumerate():
                if thread.name == "cancel-watch":  # it ends when it has passed the request on
                    thread.join(timeout=60)
            return method(*arguments)

        return start
