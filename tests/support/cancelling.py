"""Cancel events for tests."""

from __future__ import annotations


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
