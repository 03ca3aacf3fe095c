"""A caller who wants a run to stop."""

from __future__ import annotations


class Stop:
    """Asked once before the run, then from beside it."""

    def __init__(self, before):
        self.before = before
        self.asked = 0

    def is_set(self):
        self.asked += 1
        return self.before or self.asked > 1
