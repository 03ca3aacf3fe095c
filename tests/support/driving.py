"""A visitor without a browser."""

from __future__ import annotations

import threading

from support.waiting import PATIENCE


class Visitor:
    """Uses the page like a visitor and waits until it is idle."""

    def __init__(self, page, run):
        self.page = page
        self._run = run
        self._idle = threading.Semaphore(0)
        shown = page.jobs._on_idle

        def idle():
            shown()
            self._idle.release()

        page.jobs._on_idle = idle

    def wait(self):
        assert self._idle.acquire(timeout=PATIENCE)

    def load(self, source):
        self.page._load(source)
        self.wait()

    def run(self):
        self._run.click()
        self.wait()

    @property
    def error(self):
        return self.page._errors.value
